import ArgumentParser
import DexCore
import DexTerminal
import SandboxHost

/// Faults of the Swap API's prices and quotes.
extension SandboxFaultCommand {
    struct Quote: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "quote",
            abstract: "Prices and quotes of the swap API are wrong.",
            discussion: """
                stale: an old block, and call data that expired. worse: 3 % worse than the \
                price. recipient, token, minimum, settler: the call data says something else \
                than the JSON. previous: the previous Settler, which is genuine. paused: the \
                registry of 0x says not to interact. spender: an unknown contract is to be \
                approved. balance: the account is said to be short. no-liquidity: no trade. \
                fields: missing and malformed members, another one each time. html: a web page. \
                slow: the answer comes after 30 s.

                A new one replaces the one before.
                """
        )
        static let examples: Examples = [
            "Quotes pay someone else": "dex sandbox fault quote --kind recipient",
            "One quote is stale": "dex sandbox fault quote --kind stale --times 1",
        ]

        @Option(help: .of("kind", "What is wrong."))
        var kind: SandboxFault.Misquote.Kind

        @Option(help: .of("n", "How many answers it strikes (default: all; not for paused)."))
        var times: UInt64?

        @OptionGroup var options: GlobalOptions

        mutating func validate() throws {
            guard let times else { return }
            try Collision.check(times)
            guard kind != .paused else {
                throw ValidationError(
                    "--times does not go with paused: the registry is paused until "
                        + "`dex sandbox fault clear quote`."
                )
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try await SandboxFaultClient(context).report(
                setting: .quote(.init(kind: kind, times: times)),
                news: news
            )
        }

        private var news: String {
            let effect = FaultText.effect(of: kind)
            if kind == .paused { return "From now on \(effect)." }
            let range = times.map { $0 == 1 ? "once" : "\($0) times" } ?? "from now on"
            return "In the swap API's answers, \(range): \(effect)."
        }
    }
}

extension SandboxFault.Misquote.Kind: ExpressibleByArgument {}

extension FaultText {
    /// A few words for a table.
    static func effect(of kind: SandboxFault.Misquote.Kind) -> String {
        switch kind {
        case .stale: "quotes of an old block, expired"
        case .worse: "quotes 3 % worse than the price"
        case .recipient: "the call data pays another account"
        case .token: "the call data buys another token"
        case .minimum: "the call data has no minimum, or half of it"
        case .spender: "an unknown contract is to be approved"
        case .settler: "the call data calls an unknown contract"
        case .previous: "the call data calls the previous Settler"
        case .paused: "0x's registry says not to interact"
        case .noLiquidity: "no liquidity"
        case .balance: "the account is said to be short"
        case .fields: "missing and malformed members"
        case .html: "a web page"
        case .slow: "the answer comes after 30 s"
        }
    }
}
