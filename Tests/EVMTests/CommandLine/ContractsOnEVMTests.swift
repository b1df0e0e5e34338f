import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Allowances and calls of contracts, to the last base unit.
@Suite("Allowances and contracts, on an EVM", .serialized)
struct ContractsOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let usdt = EVMToken.usdt

    @Test("allowances are set exactly, USDT's by way of zero, and taken back")
    func allowances() async throws {
        var scene = Scene(with: usdt)
        scene.allowances[.init(.alice, usdt)] = "5"
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let exact = try await stage.dex(.alice, "allowance set ZRX 12.5")
            #expect(try exact.raw("allowance") == zrx("12.5"))
            let less = try await stage.dex(.alice, "allowance set ZRX 2")
            let dollars = try await stage.dex(.alice, "allowance set USDT 7.000001")
            #expect(dollars.transactions == ["reset-allowance mined", "approve mined"])
            #expect(try dollars.raw("allowance") == 7_000_001)
            let same = try await stage.dex(.alice, "allowance set USDT 7.000001")
            #expect(same.transactions.isEmpty)
            let list = try await stage.dex(.alice, "allowance list ZRX USDT WETH")
            #expect(
                try list.data.list("allowances").map { try $0.raw("allowance") }
                    == [try zrx("2"), 7_000_001, 0]
            )
            let revoked = try await stage.dex(.alice, "allowance revoke USDT")
            #expect(revoked.transactions == ["reset-allowance mined"])
            #expect(try revoked.raw("allowance") == 0)
            try stage.expect(
                ["alice ZRX allowance": zrx("2"), "alice USDT allowance": usdt("-5")],
                since: before,
                by: exact,
                less,
                dollars,
                revoked
            )
        }
    }

    @Test("contracts are asked and called, with ether, arguments, events and reasons")
    func contracts() async throws {
        try await EVMStage.run { stage in
            let alice = try Party.alice.address.checksummed
            let bob = try Party.bob.address.checksummed
            let asked = try await stage.dex(.alice, "call ZRX balanceOf(address)(uint256) \(alice)")
            #expect(asked.data.at("values.0.value") == "10000000000000000000000")
            let symbol = try await stage.dex(
                nil,
                arguments: [
                    "call", weth.address.checksummed, "function symbol() view returns (string)",
                ]
            )
            #expect(symbol.data.at("values.0.value") == "WETH")

            let before = try stage.ledger()
            let deposit = try await stage.dex(.alice, "transact WETH deposit() --value 1.5")
            #expect(try deposit.data.list("events").count == 1)
            let moved = try await stage.dex(
                .alice,
                arguments: [
                    "transact", "ZRX", "transfer(address to,uint256 amount)(bool)", bob, "7",
                ]
            )
            #expect(moved.data.at("plan.values.0.value") == true)
            #expect(
                moved.data.at("events.0.words")
                    == .string("0.000000000000000007 ZRX from \(alice) to \(bob)")
            )
            try stage.expect(
                [
                    "alice ETH": weth("-1.5"), "WETH contract ETH": weth("1.5"),
                    "alice WETH": weth("1.5"), "alice ZRX": -7, "bob ZRX": 7,
                ],
                since: before,
                by: deposit,
                moved
            )
            for (function, amount) in [
                ("withdraw(uint256)", "10001500000000000000001"),
                ("transfer(address,uint256)", "10001500000000000000001"),
            ] {
                let arguments = function.hasPrefix("transfer") ? [bob, amount] : [amount]
                _ = try await stage.dex(
                    .alice,
                    arguments: ["transact", "WETH", function] + arguments,
                    exit: 10,
                    code: "would-revert"
                )
            }
            _ = try await stage.dex(
                nil,
                "call WETH withdraw(uint256) 1",
                exit: 10,
                code: "would-revert"
            )
            _ = try await stage.dex(
                .alice,
                "transact \(bob) deposit() --value 1",
                exit: 6,
                code: "not-a-contract"
            )
        }
    }
}
