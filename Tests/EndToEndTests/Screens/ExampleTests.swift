import DexSettings
import DexTestSupport
import Testing

@testable import EndToEndTestSupport

/// The examples of the help, as a newcomer runs them: copied from the screen, on the sandbox.
@Suite("Examples of the help on a sandbox")
struct ExampleTests {
    private static let commands = [
        "", "orderbook", "price", "pairs", "tokens", "call", "balance", "orders", "history",
        "history list", "tx list", "resume", "market-buy", "market-sell", "place-limit", "send",
        "wrap", "unwrap", "allowance", "allowance set", "transact", "network list", "alias",
        "address", "config set", "config unset", "options",
    ]

    /// They need what a sandbox does not have, or do not end.
    private static let left: Set<String> = [
        "--watch", "--relay", "node.example", "mainnet", "networks.", "sandbox up",
        "sandbox follow", "dex init", "tokens add", "--abi Token.json",
    ]

    @Test("each is done, or prints the plan that it would ask about")
    func run() async throws {
        let dex = try DexBinary()
        try dex.write(config: "network = \"sandbox\"\n")
        let environment = ["DEX_WALLET": "bob", "COLUMNS": "1000"]
        let up = try await dex.run("sandbox up --detach --quiet --memory")
        try #require(up.status == 0, "\(up.stdout) \(up.stderr)")
        var lines: [String] = []
        for command in Self.commands {
            let words = command.split(separator: " ").map(String.init)
            let page = try await dex.run(["help"] + words, environment: environment).stdout
            for line in Self.examples(page) where !lines.contains(line) { lines.append(line) }
        }
        var failures: [String] = []
        // An alias and a name come first: other examples use them.
        let sorted =
            lines.filter { $0.contains(" address add ") }
            + lines.filter { !$0.contains(" address add ") }
        for line in sorted where !Self.left.contains(where: line.contains) {
            let words = try #require(CommandWords.split(line)).dropFirst()
            let run = try await dex.run(Array(words), environment: environment)
            // Done; a plan without anybody to confirm it; a dry run.
            if ![0, 25, 30].contains(run.status) {
                failures.append("\(line): \(run.status) \(run.stderr)")
            }
        }
        let down = try await dex.run("sandbox down")
        #expect(down.status == 0)
        #expect(sorted.count > 45)
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    /// The command lines below `Examples:`, each in one line.
    private static func examples(_ page: String) -> [String] {
        page.replacing(" \\\n    ", with: " ").split(separator: "\n")
            .filter { $0.hasPrefix("  dex ") }.map { String($0.dropFirst(2)) }
    }
}
