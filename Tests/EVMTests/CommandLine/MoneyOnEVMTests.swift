import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Sends, wraps, allowances and calls of contracts, to the last base unit.
@Suite("Money and contracts, on an EVM", .serialized, .timeLimit(.minutes(10)))
struct MoneyOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let usdt = EVMToken.usdt

    // MARK: Sends and wraps

    @Test("ether is wrapped and unwrapped, and ether, ZRX and USDT are sent, to the last unit")
    func moving() async throws {
        var scene = Scene()
        scene.tokens = [zrx, weth, usdt]
        try await EVMStage.run(scene) { stage in
            let bob = try Party.bob.address.checksummed
            let before = try stage.ledger()
            let wrapped = try await stage.dex(.alice, "wrap", "1.5")
            let unwrapped = try await stage.dex(.alice, "unwrap", "10001.25")
            let ether = try await stage.dex(.alice, "send", "ETH", "2.000000000000000001", bob)
            let tokens = try await stage.dex(.alice, "send", "ZRX", "12.5", bob)
            let dollars = try await stage.dex(.alice, "send", "USDT", "0.000001", bob)
            #expect(try wrapped.raw("outcome.received") == weth("1.5"))
            #expect(try unwrapped.raw("outcome.received") == weth("10001.25"))
            #expect(try dollars.raw("outcome.received") == 1)
            let runs = [wrapped, unwrapped, ether, tokens, dollars]
            #expect(
                runs.flatMap(\.transactions) == [
                    "wrap mined", "unwrap mined", "send mined", "send mined", "send mined",
                ]
            )
            for run in runs {
                let sent = try #require(try run.minedTransactions().first)
                #expect(try sent.cost <= run.raw("plan.gas.maxCost"))
            }
            // A transfer to an account without code takes 21,000 gas, whatever is estimated.
            #expect(try ether.minedTransactions().first?.gasUsed == 21_000)
            let away = try weth("1.5") - weth("10001.25")
            try stage.expect(
                [
                    "alice ETH": -away - weth("2.000000000000000001"),
                    "WETH contract ETH": away,
                    "bob ETH": weth("2.000000000000000001"),
                    "alice WETH": away,
                    "alice ZRX": zrx("-12.5"), "bob ZRX": zrx("12.5"),
                    "alice USDT": -1, "bob USDT": 1,
                ],
                since: before,
                by: wrapped,
                unwrapped,
                ether,
                tokens,
                dollars
            )
        }
    }

    @Test("a token that keeps a part of a transfer: what arrived is told, exit 14")
    func feeOnTransfer() async throws {
        let paxg = EVMToken.paxg
        var scene = Scene()
        scene.tokens = [zrx, weth, paxg]
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let sent = try await stage.dex(
                .alice,
                "send",
                "PAXG",
                "10",
                try Party.bob.address.checksummed,
                exit: 14,
                code: "moved-less"
            )
            #expect(try sent.raw("outcome.received") == paxg("9.998"))
            #expect(sent.warnings.contains { $0.contains("only 9.998 PAXG arrived") })
            try stage.expect(
                [
                    "alice PAXG": paxg("-10"), "bob PAXG": paxg("9.998"),
                    "PAXG contract PAXG": paxg("0.002"),
                ],
                since: before,
                by: sent
            )
        }
    }

    @Test("a token that logs nothing: what arrived is told by the balances")
    func silent() async throws {
        let omg = EVMToken.omg
        var scene = Scene()
        scene.tokens = [zrx, weth, omg]
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let bob = try Party.bob.address.checksummed
            let sent = try await stage.dex(.alice, "send", "OMG", "3", bob)
            #expect(try sent.raw("outcome.received") == omg("3"))
            #expect(sent.warnings.contains { $0.contains("emitted no event") })
            try stage.expect(
                ["alice OMG": omg("-3"), "bob OMG": omg("3")],
                since: before,
                by: sent
            )
        }
    }

    @Test("a transfer that answers false is mined and moves nothing: exit 14, not 0")
    func answersFalse() async throws {
        var scene = Scene()
        scene.trustsDave = [.alice]
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let call = try ABIFunction("transferFrom(address,address,uint256)").encode([
                .address(try Party.alice.address), .address(try Party.dave.address),
                .uint(try zrx.raw("10000")),
            ])
            stage.overtake(
                with: try await stage.transaction(by: .dave, to: zrx.address, data: call)
            )
            let sent = try await stage.dex(
                .alice,
                "send",
                "ZRX",
                "5",
                try Party.bob.address.checksummed,
                exit: 14,
                code: "moved-less"
            )
            #expect(sent.transactions == ["send mined"])
            #expect(try sent.raw("outcome.received") == 0)
            try stage.expect(
                ["alice ZRX": zrx("-10000"), "dave ZRX": zrx("10000")],
                since: before,
                by: sent
            )
            // There is nothing left, and that is told before anything is signed.
            _ = try await stage.dex(
                .alice,
                "send",
                "ZRX",
                "5",
                try Party.bob.address.checksummed,
                exit: 6,
                code: "insufficient-balance"
            )
        }
    }

    @Test("a transfer that runs out of gas is exit 11, and only gas is spent")
    func outOfGas() async throws {
        try await EVMStage.run { stage in
            let before = try stage.ledger()
            // A node that says too little.
            stage.hooks.answer("eth_estimateGas", with: "0x7530")
            let failed = try await stage.dex(
                .alice,
                "send",
                "ZRX",
                "5",
                try Party.bob.address.checksummed,
                exit: 11,
                code: "reverted"
            )
            #expect(failed.transactions == ["send reverted"])
            #expect(try failed.raw("outcome.received") == 0)
            try stage.expect([:], since: before, by: failed)
        }
    }

    @Test("a send that is not mined in time is exit 12, and is never sent twice")
    func notMined() async throws {
        var scene = Scene()
        scene.receiptTimeout = 1
        try await EVMStage.run(scene) { stage in
            let bob = try Party.bob.address.checksummed
            let before = try stage.ledger()
            try stage.node.call("evm_setAutomine", false)
            let words = ["send", "ZRX", "5", bob]
            let sent = try await stage.dex(
                .alice,
                arguments: words,
                exit: 12,
                code: "not-mined-yet"
            )
            let hash = try sent.text("transactions.0.hash")
            _ = try await stage.dex(
                .alice,
                arguments: words,
                exit: 12,
                code: "pending-transaction"
            )
            try stage.node.call("evm_mine")
            try stage.node.call("evm_setAutomine", true)
            _ = try await stage.dex(.alice, arguments: words, exit: 6, code: "unseen-send")
            #expect(
                try stage.ledger().changes(since: before)["bob ZRX"] == zrx("5"),
                "sent once"
            )
            let status = try await stage.dex(.alice, "status", hash)
            #expect(status.data.at("status") == "mined")
            _ = try await stage.dex(.alice, arguments: words)
            #expect(try stage.ledger().changes(since: before)["bob ZRX"] == zrx("10"))
        }
    }

    // MARK: Allowances

    @Test("allowances are set exactly, USDT's by way of zero, and taken back")
    func allowances() async throws {
        var scene = Scene()
        scene.tokens = [zrx, weth, usdt]
        scene.allowances[.init(.alice, usdt)] = "5"
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let exact = try await stage.dex(.alice, "allowance", "set", "ZRX", "12.5")
            #expect(try exact.raw("allowance") == zrx("12.5"))
            let less = try await stage.dex(.alice, "allowance", "set", "ZRX", "2")
            let dollars = try await stage.dex(.alice, "allowance", "set", "USDT", "7.000001")
            #expect(dollars.transactions == ["reset-allowance mined", "approve mined"])
            #expect(try dollars.raw("allowance") == 7_000_001)
            let same = try await stage.dex(.alice, "allowance", "set", "USDT", "7.000001")
            #expect(same.transactions.isEmpty)
            let list = try await stage.dex(.alice, "allowance", "list", "ZRX", "USDT", "WETH")
            #expect(
                try list.data.list("allowances").map { try $0.raw("allowance") }
                    == [try zrx("2"), 7_000_001, 0]
            )
            let revoked = try await stage.dex(.alice, "allowance", "revoke", "USDT")
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

    // MARK: Any contract

    @Test("contracts are asked and called, with ether, arguments, events and reasons")
    func contracts() async throws {
        try await EVMStage.run { stage in
            let alice = try Party.alice.address.checksummed
            let bob = try Party.bob.address.checksummed
            let asked = try await stage.dex(
                .alice,
                "call",
                "ZRX",
                "balanceOf(address)(uint256)",
                alice
            )
            #expect(asked.data.at("values.0.value") == "10000000000000000000000")
            let symbol = try await stage.dex(
                nil,
                "call",
                weth.address.checksummed,
                "function symbol() view returns (string)"
            )
            #expect(symbol.data.at("values.0.value") == "WETH")

            let before = try stage.ledger()
            let deposit = try await stage.dex(
                .alice,
                "transact",
                "WETH",
                "deposit()",
                "--value",
                "1.5"
            )
            #expect(try deposit.data.list("events").count == 1)
            let moved = try await stage.dex(
                .alice,
                "transact",
                "ZRX",
                "transfer(address to,uint256 amount)(bool)",
                bob,
                "7"
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
                "call",
                "WETH",
                "withdraw(uint256)",
                "1",
                exit: 10,
                code: "would-revert"
            )
            _ = try await stage.dex(
                .alice,
                "transact",
                bob,
                "deposit()",
                "--value",
                "1",
                exit: 6,
                code: "not-a-contract"
            )
        }
    }
}
