import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// Fees of 0x v4: in the taker's token on top, and the protocol's own in ether.
@Suite("Fees and signatures on 0x v4")
struct NativeFeeTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
        try dex.use(.v4)
    }

    private func balance(_ symbol: String, of account: String) async throws -> UInt256 {
        try await dex.balance(symbol, of: account).units()
    }

    @Test("what a purchase costs is what it pays and the fees on top, in the same token")
    func onTop() async throws {
        try await dex.withSandbox { _ in
            let before = (
                try await balance("WETH", of: "alice"), try await balance("WETH", of: "relay")
            )
            let bought = try await dex.data("market-buy --via book DAI/WETH 1000 --yes")
            let outcome = try #require(bought["outcome"])
            #expect(outcome["fees"]?["symbol"] == "WETH")
            let paid = try #require(outcome["paid"]).units()
            let fee = try #require(outcome["fees"]).units()
            #expect(fee > .zero)
            #expect(try await balance("WETH", of: "alice") == before.0 - paid - fee)
            #expect(try await balance("WETH", of: "relay") == before.1 + fee)
            let screen = try await dex.run("history")
            #expect(screen.status == 0 && screen.stdout.contains("fees"))
            #expect(screen.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test("a new order has the fee that the relay wants, and who fills it pays that")
    func ofNewOrders() async throws {
        try await dex.withSandbox { _ in
            let placed = try await dex.data("place-limit sell MKR/WETH 1 --price 0.7 --yes")
            // 0.05 % of what the taker pays.
            #expect(placed["plan"]?["takerFee"]?["value"] == "0.00035")
            let hash = try #require(placed["orderHash"]?.stringValue)
            let before = try await balance("WETH", of: "relay")
            let filled = try await dex.data("fill \(hash) 0.5 --wallet bob --yes")
            #expect(filled["outcome"]?["fees"]?["value"] == "0.000175")
            #expect(try await balance("WETH", of: "relay") == before + 175_000_000_000_000)
        }
    }

    @Test(
        "orders signed either way are posted, shown, filled and cancelled",
        arguments: ["ethsign", "eip712"]
    )
    func signatures(kind: String) async throws {
        try dex.use(.v4, "[networks.sandbox-v4]\nsignature = \"\(kind)\"\n")
        try await dex.withSandbox { _ in
            let placed = try await dex.data(
                "place-limit sell ZRX/WETH 9 --price 0.0007 --allow-crossing --yes"
            )
            #expect(
                placed["order"]?["signature"]?["signatureType"]?.numberText
                    == (kind == "eip712" ? "2" : "3")
            )
            let hash = try #require(placed["orderHash"]?.stringValue)
            let filled = try await dex.data("fill \(hash) 4 --wallet bob --yes")
            #expect(filled["outcome"]?["received"]?["value"] == "4")
            let cancelled = try await dex.data("cancel \(hash) --yes")
            #expect(cancelled["orders"]?.arrayValue?.first?["status"] == "cancelled")
        }
    }

    @Test("the protocol's own fee goes along in ether, in every plan, and again when it is sped up")
    func protocolFee() async throws {
        try dex.use(.v4, "[trade]\nreceipt_timeout = 2\n")
        try await dex.withSandbox("--protocol-fee", "70000") { sandbox in
            func sent(_ hash: JSONValue?) throws -> (value: UInt256, price: UInt256) {
                let hash = try #require(hash?.stringValue)
                let transaction = try sandbox.call("eth_getTransactionByHash", "\"\(hash)\"")
                return (
                    try quantity(transaction["value"]),
                    try quantity(transaction["maxFeePerGas"] ?? transaction["gasPrice"])
                )
            }
            let before = try await balance("ETH", of: "bob")
            let bought = try await dex.data("market-buy --via book ZRX/WETH 5 --wallet bob --yes")
            let fill = try #require(bought["transactions"]?.arrayValue?.last)
            let first = try sent(fill["hash"])
            #expect(first.value > .zero && first.value % (first.price * 70_000) == .zero)
            // What is not needed comes back: one order at the price that was paid, and gas.
            let receipt = try sandbox.call(
                "eth_getTransactionReceipt",
                "\"\(try #require(fill["hash"]?.stringValue))\""
            )
            let gas = try quantity(receipt["gasUsed"])
            let price = try quantity(receipt["effectiveGasPrice"])
            #expect(try await balance("ETH", of: "bob") == before - (gas + 70_000) * price)

            _ = try await dex.data("sandbox fault stuck")
            let waiting = try await dex.data(
                "market-buy --via book ZRX/WETH 5 --wallet bob --yes",
                exit: 12,
                status: "error",
                code: "not-mined-yet"
            )
            let slow = try #require(waiting["transactions"]?.arrayValue?.last?["hash"])
            let old = try sent(slow)
            let faster = try await dex.data(arguments: [
                "tx", "speedup", try #require(slow.stringValue), "--wallet", "bob",
                "--beyond-limits", "--yes",
            ])
            let new = try sent(faster["transactions"]?.arrayValue?.first?["hash"])
            #expect(new.price > old.price)
            #expect(new.value * old.price == old.value * new.price)
            #expect(faster["outcome"]?["fills"]?.arrayValue?.count == 1)
        }
    }

    private func quantity(_ value: JSONValue?) throws -> UInt256 {
        let text = try #require(value?.stringValue)
        return try #require(UInt256(quantity: text))
    }
}
