import ArgumentParser
import DexCore
import DexTerminal
import SandboxHost

/// Faults of Uniswap's pools.
extension SandboxFaultCommand {
    struct Pools: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "pools",
            abstract: "Uniswap's pools are moved, dry or misquoted, or a token keeps a fee.",
            discussion: """
                moved: a block makes ZRX 5 % cheaper at the v3 pools of ZRX/WETH, and the next \
                block moves them back. within: the same within one block, so that only its logs \
                show it. Both happen at once. quote: QuoterV2 answers 2 % more than the pools \
                give, or asks for 2 % less. fee: LINK keeps 1 % of each transfer. dry: somebody \
                buys all ZRX of the v3 pools of ZRX/WETH and nine tenths of the v2 pair's; \
                whoever buys there then finds nothing, or pays a hundred times as much.

                A new one replaces the one before.
                """
        )
        static let examples: Examples = [
            "Move pools for one block": "dex sandbox fault pools --kind moved",
            "Let quotes promise too much": "dex sandbox fault pools --kind quote",
        ]

        @Option(help: .of("kind", "What is wrong."))
        var kind: SandboxFault.PoolFault

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try await SandboxFaultClient(context).report(setting: .pools(kind), news: news)
        }

        private var news: String {
            switch kind {
            case .moved:
                "A block made ZRX 5 % cheaper at the v3 pools of ZRX/WETH; the next one moves "
                    + "them back."
            case .within:
                "A block made ZRX 5 % cheaper at the v3 pools of ZRX/WETH and moved them back: "
                    + "only its logs show it."
            case .quote, .fee, .dry: "From now on \(FaultText.effect(of: kind))."
            }
        }
    }
}

extension SandboxFault.PoolFault: ExpressibleByArgument {}

extension FaultText {
    /// A few words for a table.
    static func effect(of kind: SandboxFault.PoolFault) -> String {
        switch kind {
        case .moved: "a block moves pools, the next one back"
        case .within: "a block moves pools and moves them back"
        case .quote: "QuoterV2 answers 2 % more than the pools give"
        case .fee: "LINK keeps 1 % of each transfer"
        case .dry: "the pools of ZRX/WETH have no ZRX left to buy"
        }
    }
}
