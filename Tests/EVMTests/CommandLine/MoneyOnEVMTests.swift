import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Sends and wraps, to the last base unit.
@Suite("Money, on an EVM", .serialized)
struct MoneyOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let usdt = EVMToken.usdt

    @Test("ether is wrapped and unwrapped, and ether, ZRX and USDT are sent, to the last unit")
    func moving() async throws {
        try await EVMStage.run(Scene(with: usdt)) { stage in
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
        try await EVMStage.run(Scene(with: paxg)) { stage in
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
        try await EVMStage.run(Scene(with: omg)) { stage in
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
            _ = try await stage.dex(.alice, arguments: words, exit: 6, code: "unacknowledged-send")
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
}
