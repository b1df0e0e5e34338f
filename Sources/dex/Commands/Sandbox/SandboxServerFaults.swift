import ArgumentParser
import DexCore
import DexTerminal
import SandboxHost

/// Faults of node and relay as servers.
extension SandboxFaultCommand {
    struct Flaky: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "flaky",
            abstract: "A share of the requests fails.",
            discussion: """
                cut: the connection is closed and nothing was done. lost: it was done, and the \
                connection is closed without an answer. body: it was done, and the answer \
                breaks off in its middle. 429: rate limit. 503: not available.
                """
        )
        static let examples: Examples = [
            "A third of the requests fails": "dex sandbox fault flaky --share 33",
            "The relay says 429": "dex sandbox fault flaky --of relay --kind 429",
        ]

        @OptionGroup var target: FaultTarget

        @Option(help: .of("percent", "How many fail (default 30)."))
        var share: UInt64 = 30

        @Option(
            parsing: .singleValue,
            help: .of(
                "kind",
                "How they fail: cut, lost, body, 429 or 503; repeat for several (default: all)."
            )
        )
        var kind: [SandboxFault.Flakiness.Kind] = []

        @Option(help: .of("n", "What the choice follows from (default 1)."))
        var seed: UInt64 = 1

        @OptionGroup var options: GlobalOptions

        mutating func validate() throws {
            guard (1...100).contains(share) else {
                throw ValidationError("--share takes 1 to 100 percent, not \(share).")
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let kinds = SandboxFault.Flakiness.Kind.allCases.filter {
                kind.isEmpty || kind.contains($0)
            }
            return try await SandboxFaultClient(context).report(
                setting: .flaky(.init(share: share, kinds: kinds, seed: seed)),
                of: target.servers,
                news: "\(share) % of the requests to the \(FaultText.names(target.servers)) fail "
                    + "from now on."
            )
        }
    }

    struct Slow: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "slow",
            abstract: "Answers come late."
        )
        static let examples: Examples = [
            "Every answer comes 2 seconds late": "dex sandbox fault slow",
            "The node's half a second": "dex sandbox fault slow --of node --delay 500ms",
        ]

        @OptionGroup var target: FaultTarget

        @Option(help: .of("time", "How much later, such as 500ms, 2s or 1m (default 2s)."))
        var delay: String = "2s"

        @OptionGroup var options: GlobalOptions

        mutating func validate() throws { _ = try milliseconds() }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let delay = try milliseconds()
            return try await SandboxFaultClient(context).report(
                setting: .slow(milliseconds: delay),
                of: target.servers,
                news: "Every answer of the \(FaultText.names(target.servers)) comes "
                    + "\(FaultText.seconds(delay)) later from now on."
            )
        }

        private func milliseconds() throws -> UInt64 {
            let units: [(String, UInt64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("", 1_000)]
            for (unit, factor) in units where delay.hasSuffix(unit) {
                guard let count = UInt64(delay.dropLast(unit.count)) else { continue }
                let (product, overflow) = count.multipliedReportingOverflow(by: factor)
                if !overflow, (1...SandboxFault.maximumDelay).contains(product) { return product }
            }
            throw ValidationError(
                "--delay takes 1ms to 10m, such as 500ms or 2s, not \"\(delay)\"."
            )
        }
    }

    struct Down: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "down",
            abstract: "Connections are closed without an answer."
        )
        static let examples: Examples = [
            "Node and relay are gone": "dex sandbox fault down",
            "The relay is gone": "dex sandbox fault down --of relay",
        ]

        @OptionGroup var target: FaultTarget
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try await SandboxFaultClient(context).report(
                setting: .down,
                of: target.servers,
                news: "Connections to the \(FaultText.names(target.servers)) are closed without "
                    + "an answer from now on."
            )
        }
    }

    struct Hang: DexCommand {
        static var answer: Answer? { .faults }
        static let configuration = CommandConfiguration(
            commandName: "hang",
            abstract: "Requests are taken and never answered.",
            discussion: "Once it is cleared, what still waits is answered."
        )
        static let examples: Examples = [
            "Node and relay never answer": "dex sandbox fault hang",
            "The node never answers": "dex sandbox fault hang --of node",
        ]

        @OptionGroup var target: FaultTarget
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try await SandboxFaultClient(context).report(
                setting: .hang,
                of: target.servers,
                news: "Requests to the \(FaultText.names(target.servers)) get no answer from now "
                    + "on."
            )
        }
    }
}
