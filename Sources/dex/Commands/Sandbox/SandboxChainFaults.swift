import ArgumentParser
import DexCore
import DexSandbox
import DexTerminal
import SandboxHost
import StrictJSON

/// Faults of the chain.
extension SandboxFaultCommand {
    struct Collision: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "collision",
            abstract: "Another taker is faster than the next fill.",
            discussion: """
                Right before the next fill arrives at the chain, somebody else fills the first \
                order that it would fill: dave, or carol where dave is trading himself.
                """
        )
        static let examples: Examples = [
            "Overtake the next fill": "dex sandbox fault collision",
            "Overtake three of them": "dex sandbox fault collision --times 3",
        ]

        @Option(help: .of("n", "How many fills it strikes (default 1)."))
        var times: UInt64 = 1

        @OptionGroup var options: GlobalOptions

        mutating func validate() throws { try Self.check(times) }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try await SandboxFaultClient(context).report(
                setting: .collision(times: times),
                news: "Another taker will be faster than the next "
                    + "\(times == 1 ? "fill" : "\(times) fills"): what it would fill first is "
                    + "taken right before it."
            )
        }

        static func check(_ times: UInt64) throws {
            guard (1...SandboxFault.maximumTimes).contains(times) else {
                throw ValidationError(
                    "--times takes 1 to \(SandboxFault.maximumTimes), not \(times)."
                )
            }
        }
    }

    struct Stuck: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "stuck",
            abstract: "The next transaction pays too little and waits.",
            discussion: """
                Right as it arrives the base fee rises to twice of what it pays at most. The \
                base fee falls by an eighth with each empty block, as it does on Ethereum; a \
                sandbox without --block-time makes no empty blocks, so there it waits until the \
                fault is cleared.
                """
        )
        static let examples: Examples = [
            "Let the next transaction wait": "dex sandbox fault stuck",
            "Pay more for it": "dex tx speedup 0x7d3a9f01",
        ]

        @Option(help: .of("n", "How many transactions it strikes (default 1)."))
        var times: UInt64 = 1

        @OptionGroup var options: GlobalOptions

        mutating func validate() throws { try Collision.check(times) }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try await SandboxFaultClient(context).report(
                setting: .stuck(times: times),
                news: "The base fee will rise above what the next "
                    + "\(times == 1 ? "transaction pays" : "\(times) transactions pay"), right "
                    + "as \(times == 1 ? "it arrives" : "they arrive")."
            )
        }
    }

    struct Reorg: DexCommand {
        static var answer: Answer? { .reorganization }
        static let configuration = CommandConfiguration(
            commandName: "reorg",
            abstract: "Replace the newest blocks by a longer branch.",
            discussion: """
                It happens at once, and stays. The transactions of the replaced blocks wait \
                again (pool), are forgotten by the node (gone), or are in the new blocks \
                (mined). What waits is mined with the next transaction or block, or by dex \
                sandbox fault clear. Orders that the relay dropped as filled stay dropped.
                """
        )
        static let examples: Examples = [
            "Take the newest block back": "dex sandbox fault reorg",
            "Lose the transactions of three blocks":
                "dex sandbox fault reorg --blocks 3 --transactions gone",
        ]

        @Option(help: .of("n", "How many blocks are replaced (default 1)."))
        var blocks: UInt64 = 1

        @Option(help: .of("fate", "What becomes of their transactions (default pool)."))
        var transactions: ReplacedTransactions = .pool

        @OptionGroup var options: GlobalOptions

        mutating func validate() throws {
            guard (1...SandboxChain.maximumReorganization).contains(blocks) else {
                throw ValidationError(
                    "--blocks takes 1 to \(SandboxChain.maximumReorganization), not \(blocks)."
                )
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let client = try await SandboxFaultClient(context)
            if options.isDryRun { return try await client.unchanged() }
            let data = try await client.call(
                "sandbox_reorg",
                [
                    "blocks": .integer(blocks), "transactions": .string(transactions.rawValue),
                ]
            )
            let done = try FaultText.reorganization(data)
            return CommandReport(data: data) { ReorganizationView(done).lines($0) }
        }
    }

    struct WrongChain: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "wrong-chain",
            abstract: "The node says that it is of another chain."
        )
        static let examples: Examples = [
            "The node is of another chain": "dex sandbox fault wrong-chain",
            "It says that it is mainnet's": "dex sandbox fault wrong-chain --chain-id 1",
        ]

        @Option(
            name: .customLong("chain-id"),
            help: .of("n", "The chain that it names (default 1).")
        )
        var chainID: UInt64 = 1

        @OptionGroup var options: GlobalOptions

        mutating func validate() throws {
            guard (1...UInt64(Int64.max)).contains(chainID) else {
                throw ValidationError("--chain-id takes 1 to \(Int64.max), not \(chainID).")
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try await SandboxFaultClient(context).report(
                setting: .wrongChain(chainID),
                news: "The node says that it is of chain \(chainID) from now on."
            )
        }
    }
}
