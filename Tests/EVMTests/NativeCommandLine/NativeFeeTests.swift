import DexRelay
import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// What fills on v4 cost beside gas: fees in the taker's token, and the exchange's own in ether.
@Suite("Fees on v4, on an EVM", .serialized)
struct NativeFeeTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let multiplier: UInt32 = 70_000

    private func scene(_ multiplier: UInt32) -> Scene {
        var scene = Scene.aliceApproved(weth)
        scene.venue = .v4(multiplier: multiplier)
        return scene
    }

    /// What all change by where alice buys of bob.
    private func bought(_ base: String, for quote: String) throws -> [String: Int128] {
        [
            "alice ZRX": try zrx(base), "alice WETH": try weth("-\(quote)"),
            "alice WETH allowance": try weth("-\(quote)"),
            "bob ZRX": try zrx("-\(base)"), "bob WETH": try weth(quote),
            "bob ZRX allowance": try zrx("-\(base)"),
        ]
    }

    /// Adds the exchange's own fee, which alice pays.
    private func with(
        _ fee: Int128,
        _ changes: [String: Int128]
    ) -> [String: Int128] {
        var changes = changes
        changes["alice ETH", default: 0] -= fee
        changes["collector ETH", default: 0] += fee
        return changes
    }

    private func sent(_ stage: EVMStage, _ hash: String) throws -> (value: Int128, price: Int128) {
        let sent = try stage.node.call("eth_getTransactionByHash", .string(hash))
        return (
            try sent.at("value").quantity(), try sent.at("maxFeePerGas").quantity()
        )
    }

    // MARK: In the taker's token

    @Test("a fee of an order is paid on top of what is filled, rounded down, and approved with it")
    func takerFee() async throws {
        var scene = Scene()
        scene.venue = .v4()
        scene.fees = FeeSchedule(
            recipient: try Party.relay.address,
            standard: .init(makerFee: 0, takerFee: try weth.raw("0.000000000000000010"))
        )
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            let placed = try await stage.dex(.bob, "place-limit sell ZRX/WETH 300 --price 0.001")
            #expect(placed.data.at("order.takerTokenFeeAmount") == "10")
            #expect(
                placed.data.at("order.feeRecipient")
                    == .string(try Party.relay.address.lowercaseHex)
            )
            // A third: 3.33 of the ten.
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 100")
            #expect(bought.transactions == ["approve mined", "fill mined"])
            #expect(try bought.raw("outcome.received") == zrx("100"))
            #expect(try bought.raw("outcome.paid") == weth("0.1"))
            // The approval was for the fee at its highest, rounded up or not.
            let left = try stage.ledger().holdings["alice WETH allowance"] ?? 0
            #expect(left <= 1)
            try stage.expect(
                [
                    "alice ZRX": zrx("100"), "alice WETH": weth("-0.1") - 3,
                    "alice WETH allowance": left,
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"), "relay WETH": 3,
                ],
                since: before,
                by: placed,
                bought
            )
            let history = try await stage.dex(.alice, "history list")
            #expect(try history.data.list("trades").count == 1)
        }
    }

    // MARK: In ether

    @Test(
        "the exchange's own fee goes along at the most that gas may cost, and the rest comes back"
    )
    func protocolFee() async throws {
        try await EVMStage.run(scene(multiplier)) { stage in
            _ = try await stage.ask(wants: "0.1")
            _ = try await stage.ask(by: .carol, wants: "0.1001")
            let before = try stage.ledger()
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 200")
            #expect(bought.transactions == ["fill mined"])
            #expect(bought.outcomes == ["filled", "filled"])
            let (value, price) = try sent(stage, bought.text("transactions.0.hash"))
            #expect(value == 2 * Int128(multiplier) * price)
            let fee = try stage.protocolFee(bought, fills: 2)
            #expect(fee > 0 && fee < value)
            try stage.expect(
                with(
                    fee,
                    [
                        "alice ZRX": zrx("200"), "alice WETH": weth("-0.2001"),
                        "alice WETH allowance": weth("-0.2001"),
                        "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                        "bob ZRX allowance": zrx("-100"),
                        "carol ZRX": zrx("-100"), "carol WETH": weth("0.1001"),
                        "carol ZRX allowance": zrx("-100"),
                    ]
                ),
                since: before,
                by: bought
            )
            // What it could cost at most was said before, with the fee in it.
            let cost = try bought.minedTransactions().map(\.cost).reduce(0, +)
            #expect(try cost + value <= bought.raw("plan.gas.maxCost"))
        }
    }

    @Test("a batch of which one order is gone pays for the other alone, and tells the fee")
    func protocolFeeOfSkipped() async throws {
        try await EVMStage.run(scene(multiplier)) { stage in
            let first = try await stage.ask(wants: "0.1")
            _ = try await stage.ask(by: .carol, wants: "0.1001")
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(first, by: .dave, paying: weth.raw("0.1")))
            let late = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 200",
                exit: 14,
                code: "filled-less"
            )
            #expect(try late.raw("outcome.received") == zrx("100"))
            let fee = try stage.protocolFee(late, fills: 1)
            let hash = try #require(
                try stage.mined(since: before).first { stage.isOthers($0.hash) }
            )
            let others = Int128(multiplier) * hash.price
            try stage.expect(
                with(
                    fee,
                    [
                        "alice ZRX": zrx("100"), "alice WETH": weth("-0.1001"),
                        "alice WETH allowance": weth("-0.1001"),
                        "carol ZRX": zrx("-100"), "carol WETH": weth("0.1001"),
                        "carol ZRX allowance": zrx("-100"),
                        "dave ZRX": zrx("100"), "dave WETH": weth("-0.1"),
                        "dave WETH allowance": weth("-0.1"), "dave ETH": -others,
                        "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                        "bob ZRX allowance": zrx("-100"), "collector ETH": others,
                    ]
                ),
                since: before,
                by: late
            )
        }
    }

    @Test("a faster transaction sends the fee along anew, at its own price of gas, and fills once")
    func speedup() async throws {
        var scene = scene(multiplier)
        scene.receiptTimeout = 2
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            try stage.node.call("evm_setAutomine", false)
            let slow = try await stage.dex(.alice, "fill \(order.hash.hex) 30", exit: 12)
            let first = try sent(stage, slow.text("transactions.0.hash"))
            #expect(first.value == Int128(multiplier) * first.price)
            stage.hooks.after("eth_sendRawTransaction") { [node = stage.node] in
                try node.call("evm_mine")
                try node.call("evm_setAutomine", true)
            }
            let faster = try await stage.dex(
                .alice,
                arguments: ["tx", "speedup", slow.text("transactions.0.hash")]
            )
            #expect(faster.transactions == ["fill mined"])
            let second = try sent(stage, faster.text("transactions.0.hash"))
            #expect(second.price > first.price)
            #expect(second.value == Int128(multiplier) * second.price)
            let fee = try stage.protocolFee(faster, fills: 1)
            try stage.expect(with(fee, bought("30", for: "0.03")), since: before, by: faster)
        }
    }

    @Test("too little ether for the exchange's fee is told before anything is signed")
    func noEtherForFee() async throws {
        var scene = scene(multiplier)
        // Enough for the gas of a fill, at twice the base fee of 1 gwei, but not for 70,000 more.
        scene.ether[.alice] = "0.00038"
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            _ = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 6,
                code: "insufficient-ether"
            )
            #expect(!stage.front.methods.contains("eth_sendRawTransaction"))
            try stage.expect([:], since: before)
        }
    }
}
