import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Prices of gas, by the built binary")
struct FeeTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private static let hash = "0x" + String(repeating: "7", count: 64)
    private static let account = "0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"

    /// Every command that sends a transaction, with words that it takes.
    private static let commands: [[String]] = [
        ["market-buy", "ZRX/WETH", "1"], ["market-sell", "ZRX/WETH", "1"],
        ["place-limit", "buy", "ZRX/WETH", "1", "--price", "0.001"], ["fill", hash],
        ["cancel", hash], ["send", "ETH", "1", account], ["wrap", "1"], ["unwrap", "1"],
        ["allowance", "set", "ZRX", "1"], ["allowance", "revoke", "ZRX"],
        ["transact", account, "ping()"], ["tx", "speedup", hash], ["tx", "cancel", hash],
    ]

    @Test("every command that sends takes them, and says what is wrong before it asks anybody")
    func everywhere() async throws {
        // Nothing runs there: only what is said before that counts.
        try dex.write(config: "network = \"sandbox\"\n")
        for command in Self.commands {
            for flag in ["--max-fee", "--gas-price", "--priority-fee"] {
                let run = try await dex.run(command + [flag, "1e9", "--yes", "--json"])
                #expect(run.status == 2, "\(command) \(flag): \(run.stderr)")
                let error = try run.json()["error"]
                #expect(error?["code"] == "bad-gas-price", "\(command) \(flag)")
            }
            for limit in ["-1", "1.5", "lots", "18446744073709551616"] {
                let run = try await dex.run(command + ["--gas-limit=\(limit)"])
                #expect(run.status == 2 && run.stderr.contains("--gas-limit"), "\(command)")
            }
            let soon = try await dex.run(command + ["--priority", "soon"])
            #expect(soon.status == 2 && soon.stderr.contains("soon"), "\(command)")
            let both = try await dex.run(command + ["--max-fee", "1", "--gas-price", "1"])
            #expect(both.status == 2 && both.stderr.contains("give either"), "\(command)")
        }
    }

    @Test("the setting stands where no flag does, and takes three words")
    func setting() async throws {
        try await dex.withSandbox { _ in
            let usual = try await dex.data("wrap 1 --dry-run", exit: 30, status: "dry-run")
            #expect(usual["plan"]?["gas"]?["priority"] == "market")
            let wrong = try await dex.run("config set trade.priority soon")
            #expect(wrong.status == 2 && wrong.stderr.contains("\"low\", \"market\" or \"high\""))
            let set = try await dex.run("config set trade.priority high")
            #expect(set.status == 0, "\(set.stderr)")
            let high = try await dex.data("wrap 1 --dry-run", exit: 30, status: "dry-run")
            #expect(high["plan"]?["gas"]?["priority"] == "high")
            let shown = try await dex.run("wrap 1 --priority low --dry-run")
            #expect(shown.status == 30, "\(shown.stderr)")
            #expect(shown.stdout.contains("(low)"))
            #expect(shown.stdout.contains("network fee  ~0."))
        }
    }

    @Test("a gas limit is shown, warned of below the estimate, and refused where no node takes it")
    func gasLimit() async throws {
        try await dex.withSandbox { _ in
            let wrap = ["wrap", "1", "--gas-limit"]
            let low = try await dex.run(wrap + ["22000", "--dry-run"])
            #expect(low.status == 30, "\(low.stderr)")
            #expect(low.stdout.contains("GAS LIMIT 22000 is below the"), "\(low.stdout)")
            for (limit, code) in [("100", "gas-limit-too-low"), ("99000000", "block-gas-limit")] {
                let run = try await dex.run(wrap + [limit, "--yes", "--json"])
                #expect(run.status == 6)
                #expect(try run.json()["error"]?["code"]?.stringValue == code)
            }
            let done = try await dex.run(wrap + ["88888", "--yes", "--json"])
            #expect(done.status == 0, "\(done.stderr)")
            #expect(try done.json()["data"]?["plan"]?["gas"]?["limit"] == 88_888)
            let buy = [
                "market-buy", "ZRX/WETH", "5", "--gas-limit", "900000", "--dry-run", "--json",
            ]
            let trade = try await dex.run(buy)
            #expect(trade.status == 30, "\(trade.stderr)")
            let steps = try trade.json()["data"]?["plan"]?["steps"]?.arrayValue ?? []
            #expect(!steps.isEmpty && steps.allSatisfy { $0["gasLimit"] == 900_000 })
        }
    }

    @Test("what is too low, above the cap or for another kind of chain is refused, unsigned")
    func refused() async throws {
        try await dex.withSandbox { _ in
            for (flags, status, code) in [
                (["--max-fee", "0.000000001"], 6, "max-fee-too-low"),
                (["--max-fee", "1000000000"], 6, "fee-cap"),
                (["--priority", "high", "--max-gas-cost", "0.000000001"], 6, "fee-cap"),
                (["--gas-price", "5"], 2, "has-base-fee"),
            ] as [([String], Int32, String)] {
                for command in [["market-buy", "ZRX/WETH", "5"], ["wrap", "1"]] {
                    let run = try await dex.run(command + flags + ["--yes", "--json"])
                    #expect(run.status == status, "\(command) \(flags): \(run.stderr)")
                    #expect(try run.json()["error"]?["code"]?.stringValue == code)
                }
            }
            let list = try await dex.data("tx list")
            #expect(list["transactions"]?.arrayValue?.isEmpty == true)
            let reported = try await dex.data("wrap 1 --max-fee 40.5 --yes")
            #expect(reported["plan"]?["gas"]?["maxFeePerGas"] == "40500000000")
        }
    }
}
