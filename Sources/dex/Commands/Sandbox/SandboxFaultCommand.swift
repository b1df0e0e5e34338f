import ArgumentParser
import DexCore
import DexSandbox
import DexTerminal
import SandboxHost
import StrictJSON

/// `dex sandbox fault`: simulates the faults of real networks.
struct SandboxFaultCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Let things go wrong in the running sandbox, as they do on real networks.",
        discussion: """
            A fault stays on until it is cleared or the sandbox stops. Those with --times \
            strike as often as it says. To see what a trader sees: set a \
            fault, then trade with --network sandbox.
            """,
        subcommands: [
            ListCommand.self, Collision.self, Stuck.self, Reorg.self, Flaky.self, Slow.self,
            Down.self, Hang.self, WrongChain.self, Quote.self, Pools.self, Clear.self,
        ],
        defaultSubcommand: ListCommand.self
    )
    static let examples: Examples = [
        "Let the next fill be overtaken": "dex sandbox fault collision",
        "Let a third of the requests fail": "dex sandbox fault flaky --share 33",
        "End it all": "dex sandbox fault clear",
    ]

    struct ListCommand: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The faults that are on, and what they did so far."
        )
        static let examples: Examples = [
            "What is on": "dex sandbox fault list",
            "For a script": "dex sandbox fault list -j",
        ]

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let data = try await SandboxFaultClient(context).call("sandbox_faults")
            let list = try FaultText.list(data)
            return CommandReport(data: data) { FaultView(list).lines($0) }
        }
    }

    struct Clear: DexCommand {
        static var answer: Answer? { .faultsCleared }
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "End all faults, or those that are named.",
            discussion: """
                Ending stuck, or all, lets the base fee fall back at once, and what waits is \
                mined. What a reorg did stays done.
                """
        )
        static let examples: Examples = [
            "End all faults": "dex sandbox fault clear",
            "End two of them": "dex sandbox fault clear slow flaky",
        ]

        @Argument(help: .of("fault", "Only these."))
        var faults: [SandboxFault.Name] = []

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let client = try await SandboxFaultClient(context)
            if options.isDryRun { return try await client.unchanged() }
            var parameter = JSONObject()
            if !faults.isEmpty {
                parameter["faults"] = .array(faults.map { .string($0.rawValue) })
            }
            let data = try await client.call("sandbox_clearFaults", .object(parameter))
            let list = try FaultText.list(data)
            var names: [String] = []
            for entry in data["cleared"]?.arrayValue ?? [] {
                guard let name = entry["fault"]?.stringValue, !names.contains(name) else {
                    continue
                }
                names.append(name)
            }
            let news = names.isEmpty ? [] : ["Ended: \(names.joined(separator: ", "))."]
            return CommandReport(data: data) { FaultView(list, news: news).lines($0) }
        }
    }
}

extension SandboxFault.Name: ExpressibleByArgument {}
extension SandboxFault.Flakiness.Kind: ExpressibleByArgument {}
extension SandboxServer: ExpressibleByArgument {}
extension ReplacedTransactions: ExpressibleByArgument {}

/// The servers of a fault.
struct FaultTarget: ParsableArguments, Sendable {
    @Option(
        name: .customLong("of"),
        parsing: .singleValue,
        help: .of("server", "Only this server (default: node and relay); node, relay or swap.")
    )
    var names: [SandboxServer] = []

    /// Node and relay, unless named.
    var servers: [SandboxServer] {
        names.isEmpty ? [.node, .relay] : SandboxServer.allCases.filter { names.contains($0) }
    }
}
