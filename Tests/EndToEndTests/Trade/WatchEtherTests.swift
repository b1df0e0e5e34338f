import DexTestSupport
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Watching payments in ether on the sandbox")
struct WatchEtherTests: WatchSuite {
    let dex: DexBinary
    private static let stranger = "0x1111111111111111111111111111111111111111"

    init() throws {
        dex = try DexBinary()
    }

    private func values(_ events: [JSONValue]) -> [String?] {
        events.map { event in
            let amount = event["amount"]
            return amount?["value"]?.stringValue.map { value in
                "\(value) \(amount?["symbol"]?.stringValue ?? "?")"
            }
        }
    }

    private func address(_ name: String) async throws -> String {
        let status = try await run("sandbox", "status")
        let account = status["accounts"]?.arrayValue?.first { $0["name"]?.stringValue == name }
        return try #require(account?["address"]?.stringValue)
    }

    @Test("ether that comes in, goes out, is wrapped and unwrapped is told once, across restarts")
    func story() async throws {
        try await dex.withSandbox { _ in
            #expect(try await look().isEmpty)
            let alice = try await address("alice")
            let sent = try await run("send", "ETH", "1.5", Self.stranger)
            _ = try await run("send", "ETH", "0.5", alice, "--wallet", "bob")
            _ = try await run("wrap", "2")
            _ = try await run("unwrap", "0.25")
            let reported = try await look()
            #expect(words(reported) == ["sent", "received", "wrapped", "unwrapped"])
            #expect(values(reported) == ["1.5 ETH", "0.5 ETH", "2 WETH", "0.25 WETH"])
            #expect(reported[0]["amount"]?["address"]?.isNull == true)
            #expect(reported[0]["counterparty"]?.stringValue == Self.stranger)
            #expect(reported[1]["counterparty"]?.stringValue == (try await address("bob")))
            #expect(reported[0]["transaction"] == sent["transactions"]?.arrayValue?.last?["hash"])
            #expect(reported[0]["logIndex"]?.isNull == true)
            #expect(reported[2]["logIndex"]?.isNull == false)
            // Trades cost gas, and pay nothing in ether.
            _ = try await run("market-buy", "--via", "book", "ZRX/WETH", "5")
            #expect(words(try await look()) == ["trade"])
            for start in ["first", "1", "journal", "latest"] {
                #expect(try await look("--from", start).isEmpty, "\(start)")
            }
            // Another account sees its own side.
            let bob = try await look("--wallet", "bob", "--from", "first")
            #expect(words(bob) == ["sent"] && values(bob) == ["0.5 ETH"])

            let screen = try await dex.run("watch --once --from first --wallet carol")
            #expect(screen.status == 0 && screen.stdout.isEmpty)
        }
    }

    @Test("a reorganization takes payments out and puts them back")
    func reorganizations() async throws {
        try await dex.withSandbox { _ in
            #expect(try await look().isEmpty)
            _ = try await run("send", "ETH", "1.5", Self.stranger)
            _ = try await run("wrap", "2")
            #expect(words(try await look()) == ["sent", "wrapped"])
            _ = try await run(
                "sandbox",
                "fault",
                "reorg",
                "--blocks",
                "2",
                "--transactions",
                "mined"
            )
            #expect(try await look().isEmpty)
            _ = try await run("sandbox", "fault", "reorg", "--blocks", "3")
            #expect(words(try await look()) == ["undone sent", "undone wrapped"])
            #expect(try await look().isEmpty)
            _ = try await run("sandbox", "fault", "clear")
            #expect(Set(words(try await look())) == ["restored sent", "restored wrapped"])
            #expect(try await look("--from", "first").isEmpty)
        }
    }

    @Test("killed at any request, the next one tells exactly what was not told")
    func killedAtRequests() async throws {
        try await dex.withSandbox { sandbox in
            #expect(try await look().isEmpty)
            // Head, logs, both ends, where it changed, the whole block, receipts, blocks.
            try await killAtRequests(of: sandbox, expecting: ["sent"], moreThan: 6) {
                _ = try await run("send", "ETH", "0.01", Self.stranger)
            }
        }
    }
}
