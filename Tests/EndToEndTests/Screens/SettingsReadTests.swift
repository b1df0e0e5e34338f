import DexTestSupport
import Foundation
import Testing

@testable import EndToEndTestSupport

/// How often commands open config.toml: each once, however many of its parts ask for settings.
@Suite("Readings of config.toml")
struct SettingsReadTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// How often the process of a command opens config.toml to read it.
    private func readings(_ words: [String], exit: Int32 = 0) async throws -> Int {
        let trace = dex.home.appending(path: "trace-\(UUID().uuidString)").path
        let run = try await dex.run(
            words,
            environment: [:],
            under: ["/usr/bin/strace"]
                + SystemCallTrace.arguments(output: trace, traced: ["openat", "open", "openat2"]),
            program: DexBinary.executable.path
        )
        #expect(run.status == exit, "\(words) \(run.stdout) \(run.stderr)")
        return try SystemCallTrace(contentsOf: trace).calls.count { call in
            call.texts.contains { String(decoding: $0, as: UTF8.self).hasSuffix("/config.toml") }
        }
    }

    @Test("a book, a plan, a balance, an alias and the default pair read it once")
    func once() async throws {
        try await dex.withSandbox { _ in
            try dex.write(
                config: """
                    [trade]
                    pair = "ZRX/WETH"
                    slippage = 2
                    [aliases]
                    small = "orderbook --depth 1"
                    zb = "market-buy ZRX/WETH"

                    """
            )
            for words in [
                ["orderbook", "ZRX/WETH"], ["orderbook"], ["small"], ["-j", "small"],
                ["balance", "-w", "bob"], ["orders", "--mine", "-w", "bob"], ["config", "show"],
                ["network", "list"], ["tokens"],
            ] {
                #expect(try await readings(words) == 1, "\(words)")
            }
            for words in [
                ["zb", "1", "-n", "-w", "bob"],
                ["limit", "sell", "5", "--price", "0.001", "-n", "-w", "bob"],
            ] {
                #expect(try await readings(words, exit: 30) == 1, "\(words)")
            }
            // A trade to its end: plan, rules, signature, receipt.
            #expect(try await readings(["zb", "1", "-y", "-w", "bob"]) == 1)
        }
    }

    @Test("a line that needs no settings reads none; a wrong one reads it once for its hint")
    func others() async throws {
        try dex.write(config: "[trade]\npair = \"ZRX/WETH\"\n")
        for words in [["--version"], ["help", "buy"], ["schema", "tx", "list"]] {
            #expect(try await readings(words) == 0, "\(words)")
        }
        for words in [["nonsense"], ["sell"], ["limit", "buy", "-5"]] {
            #expect(try await readings(words, exit: 2) == 1, "\(words)")
        }
        #expect(try await readings(["__complete", "orderbook", ""]) == 1)
    }
}
