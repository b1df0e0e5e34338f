import DexTestSupport
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Transactions that are waited for in vain")
struct WaitingTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    @Test("what is not mined in time exits 12, and is found again by its hash")
    func notMined() async throws {
        try dex.write(config: "[trade]\nreceipt_timeout = 1\n")
        let up = try await dex.run("sandbox up --detach --quiet --memory --block-time 3600")
        try #require(up.status == 0, "\(up.stdout) \(up.stderr)")
        let bought = try await dex.run("market-buy ZRX/WETH 10 --yes --json")
        let pending = try? bought.json()
        let transaction = pending?["data"]?["transactions"]?.arrayValue?.last
        let hash = transaction?["hash"]?.stringValue ?? ""
        let status = try await dex.run("status \(hash) --json")
        let again = try await dex.run("market-buy ZRX/WETH 10 --yes --json")
        let planned = try await dex.run("market-buy ZRX/WETH 10 --dry-run --json")
        let refused = try await dex.run("place-limit sell ZRX/WETH 5 --price 0.0008 --yes")
        _ = try await dex.run("sandbox down")
        #expect(bought.status == 12, "\(bought.stderr)")
        #expect(pending?["status"] == "error")
        #expect(pending?["error"]?["code"] == "not-mined-yet")
        #expect(pending?["error"]?["hint"]?.stringValue?.contains(hash) == true)
        #expect(transaction?["status"] == "pending")
        #expect(status.status == 12, "\(status.stderr)")
        #expect(try status.json()["data"]?["status"] == "pending")
        #expect(again.status == 12, "\(again.stderr)")
        #expect(try again.json()["error"]?["code"] == "pending-transaction")
        #expect(planned.status == 30, "\(planned.stderr)")
        let warnings = try planned.json()["warnings"]?.arrayValue ?? []
        #expect(
            warnings.contains {
                $0.stringValue?.contains("`dex status \(hash) --wait`") == true
            }
        )
        #expect(refused.status == 12, "an order is not signed before its approval is mined")
    }

    @Test("what is mined and lacks confirmations exits 12, and is not called unmined")
    func notConfirmed() async throws {
        try dex.write(config: "[trade]\nreceipt_timeout = 1\n")
        let up = try await dex.run("sandbox up --detach --quiet --memory")
        try #require(up.status == 0, "\(up.stdout) \(up.stderr)")
        let bought = try await dex.run(
            ["market-sell", "ZRX/WETH", "10", "--confirmations", "100", "--yes", "--json"]
        )
        let envelope = try? bought.json()
        let sent = envelope?["data"]?["transactions"]?.arrayValue?.last
        let hash = sent?["hash"]?.stringValue ?? ""
        let status = try await dex.run("status \(hash) --confirmations 100 --json")
        let known = try await dex.run("status \(hash) --json")
        let people = try await dex.run("status \(hash) --confirmations 100")
        _ = try await dex.run("sandbox down")
        #expect(bought.status == 12, "\(bought.stderr)")
        #expect(envelope?["error"]?["code"] == "not-confirmed-yet")
        #expect(sent?["status"] == "pending")
        #expect(sent?["block"]?.numberText == "1")
        #expect(status.status == 12)
        #expect(try status.json()["error"]?["code"] == "not-confirmed-yet")
        #expect(try status.json()["data"]?["status"] == "mined")
        #expect(people.stderr.contains("is in block 1, but does not have the confirmations"))
        #expect(!people.stderr.contains("not mined"))
        #expect(known.status == 0, "\(known.stderr)")
    }
}
