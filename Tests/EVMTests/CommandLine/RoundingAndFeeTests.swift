import DexRelay
import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Rounding that the contract refuses, and fees in ZRX.
@Suite("Rounding and fees, on an EVM", .serialized)
struct RoundingAndFeeTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth
    private let dai = EVMToken.dai

    // MARK: Rounding

    /// 500 base units of ZRX for 3 of WETH: a third of it rounds by 0.4 %.
    private func dustOrders(_ stage: EVMStage) async throws -> any SignedOrder {
        try await stage.order(
            by: .bob,
            sells: (zrx, "0.0000000000000005"),
            wants: (weth, "0.000000000000000003")
        )
    }

    private func wire(_ order: any SignedOrder, _ stage: EVMStage) -> String {
        stage.exchange.encodeOrder(order).text
    }

    @Test("an amount whose rounding the contract refuses is refused before a signature")
    func roundingBefore() async throws {
        var scene = Scene()
        scene.allowances[.init(.alice, weth)] = "1"
        try await EVMStage.run(scene) { stage in
            let order = wire(try await dustOrders(stage), stage)
            let before = try stage.ledger()
            // One third is 166.67, and the contract would pay 166. Two thirds would be more than was
            // asked for.
            for amount in ["1", "0.000000000000000165", "0.000000000000000166"] {
                _ = try await stage.dex(
                    .alice,
                    "fill - \(amount)",
                    input: order,
                    exit: 6,
                    code: amount == "1" ? "amount-too-large" : "rounding-error"
                )
            }
            #expect(!stage.front.methods.contains("eth_sendRawTransaction"))
            // Two thirds are 333.33, which the contract bears.
            let filled = try await stage.dex(.alice, "fill - 0.000000000000000333", input: order)
            #expect(try filled.raw("outcome.received") == 333)
            #expect(try filled.raw("outcome.paid") == 2)
            try stage.expect(
                [
                    "alice ZRX": 333, "alice WETH": -2, "alice WETH allowance": -2,
                    "bob ZRX": -333, "bob WETH": 2, "bob ZRX allowance": -333,
                ],
                since: before,
                by: filled
            )
            // What is left can be filled by nobody any more.
            let rest = try stage.ledger()
            _ = try await stage.dex(.alice, "fill -", input: order, exit: 6)
            try stage.expect([:], since: rest)
        }
    }

    @Test(
        "a rest that another one left, and whose rounding is too large, is skipped by the contract"
    )
    func roundingBetween() async throws {
        var scene = Scene()
        scene.allowances[.init(.alice, weth)] = "1"
        try await EVMStage.run(scene) { stage in
            let order = try await dustOrders(stage)
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(order, by: .dave, paying: 2))
            let late = try await stage.dex(
                .alice,
                "fill -",
                input: wire(order, stage),
                exit: 14,
                code: "filled-less"
            )
            #expect(late.outcomes == ["skipped: the rounding error would be above 0.1 %"])
            try stage.expect(
                [
                    "dave ZRX": 333, "dave WETH": -2, "dave WETH allowance": -2,
                    "bob ZRX": -333, "bob WETH": 2, "bob ZRX allowance": -333,
                ],
                since: before,
                by: late
            )
            let status = try await stage.dex(
                nil,
                arguments: ["status", late.text("transactions.0.hash")],
                exit: 14
            )
            #expect(status.data.at("skipped.0.reason") == "rounding-error")
        }
    }

    // MARK: Fees

    /// DAI/WETH for a maker fee of 1 and a taker fee of 3 ZRX, ZRX/WETH for 1 and 2.
    private func scene() throws -> Scene {
        var scene = Scene(with: dai)
        scene.fees = FeeSchedule(
            recipient: try Party.relay.address,
            rules: [
                PairDirection(makerToken: dai.address, takerToken: weth.address):
                    .init(makerFee: try zrx.raw("1"), takerFee: try zrx.raw("3")),
                PairDirection(makerToken: zrx.address, takerToken: weth.address):
                    .init(makerFee: try zrx.raw("1"), takerFee: try zrx.raw("2")),
            ]
        )
        return scene
    }

    @Test("fees of a part of an order are paid by both sides, to the last unit of their rounding")
    func fees() async throws {
        try await EVMStage.run(try scene()) { stage in
            let before = try stage.ledger()
            let placed = try await stage.dex(
                .bob,
                "place-limit sell DAI/WETH 300 --price 0.000333333333333333"
            )
            #expect(try placed.raw("plan.makerFee") == zrx("1"))
            #expect(try placed.raw("plan.takerFee") == zrx("3"))
            #expect(placed.data.at("order.feeRecipient").stringValue != nil)
            #expect(try placed.raw("plan.get") == weth("0.0999999999999999"))
            let bought = try await stage.dex(.alice, "market-buy DAI/WETH 100")
            #expect(bought.transactions == ["approve mined", "approve mined", "fill mined"])
            // A third of the order, rounded up: 33,333,333,333,333,300 of 99,999,999,999,999,900.
            let paid = try weth("0.0333333333333333")
            let fee = try zrx("1")
            let makerFee: Int128 = 333_333_333_333_333_333
            #expect(try bought.raw("outcome.paid") == paid)
            #expect(try bought.raw("outcome.received") == dai("100"))
            #expect(try bought.raw("outcome.fees") == fee)
            #expect(try bought.raw("plan.fees") == fee)
            #expect(try bought.raw("outcome.orders.0.fee") == fee)
            try stage.expect(
                [
                    "alice DAI": dai("100"), "alice WETH": -paid, "alice ZRX": -fee,
                    "bob DAI": dai("-100"), "bob WETH": paid, "bob ZRX": -makerFee,
                    "bob DAI allowance": dai("-100"), "bob ZRX allowance": -makerFee,
                    "relay ZRX": fee + makerFee,
                ],
                since: before,
                by: placed,
                bought
            )
            let status = try await stage.dex(
                nil,
                arguments: ["status", bought.text("transactions.-1.hash")]
            )
            #expect(try status.raw("fills.0.fees") == fee)
        }
    }

    @Test("a taker without ZRX for the fee is refused before anything is sent")
    func feeMissing() async throws {
        var scene = try scene()
        scene.balances[.init(.alice, zrx)] = "0.999999999999999999"
        scene.allowances[.init(.alice, weth)] = "1"
        try await EVMStage.run(scene) { stage in
            let order = try await stage.post(by: .bob, sells: (dai, "300"), wants: (weth, "0.1"))
            let before = try stage.ledger()
            // DAI is what WETH is counted in, so a fill's amount is in WETH.
            for command in [["market-buy", "DAI/WETH", "150"], ["fill", order.hash.hex, "0.05"]] {
                let poor = try await stage.dex(
                    .alice,
                    arguments: command,
                    exit: 6,
                    code: "insufficient-balance"
                )
                let message = try poor.error.text("message")
                #expect(message.contains("1.5 ZRX for taker fees"), "\(message)")
            }
            try stage.expect([:], since: before)
        }
    }

    @Test("a fee whose ZRX goes between the plan and the block skips the order")
    func feeGone() async throws {
        var scene = try scene()
        scene.balances[.init(.alice, zrx)] = "3"
        scene.allowances[.init(.alice, weth)] = "1"
        scene.allowances[.init(.alice, zrx)] = "3"
        scene.trustsDave = [.alice]
        try await EVMStage.run(scene) { stage in
            let order = try await stage.post(by: .bob, sells: (dai, "300"), wants: (weth, "0.1"))
            let before = try stage.ledger()
            let taking = ERC20.call(
                "transferFrom(address,address,uint256)",
                try Party.alice.address.word,
                try Party.dave.address.word,
                UInt256(1).word
            )
            stage.overtake(
                with: try await stage.transaction(by: .dave, to: zrx.address, data: taking)
            )
            let late = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 14,
                code: "filled-less"
            )
            #expect(
                late.outcomes == ["skipped: the maker's or taker's balance or allowance was short"]
            )
            #expect(try late.raw("outcome.fees") == 0)
            try stage.expect(["alice ZRX": -1, "dave ZRX": 1], since: before, by: late)
        }
    }

    @Test("who buys ZRX without having any pays the fee out of what is bought")
    func feeFromProceeds() async throws {
        var scene = try scene()
        scene.balances[.init(.alice, zrx)] = "0"
        try await EVMStage.run(scene) { stage in
            _ = try await stage.post(by: .bob, sells: (zrx, "100"), wants: (weth, "0.1"))
            let before = try stage.ledger()
            let bought = try await stage.dex(.alice, "market-buy ZRX/WETH 50")
            #expect(bought.transactions == ["approve mined", "approve mined", "fill mined"])
            #expect(bought.data.at("plan.skipsGoneOrders") == false)
            #expect(try bought.raw("outcome.received") == zrx("50"))
            #expect(try bought.raw("outcome.fees") == zrx("1"))
            // 0.05 for the 49 that stay.
            #expect(bought.data.at("outcome.effectivePrice") == "0.00102040816326530612")
            try stage.expect(
                [
                    "alice ZRX": zrx("49"), "alice WETH": weth("-0.05"),
                    "bob ZRX": zrx("-50.5"), "bob WETH": weth("0.05"),
                    "bob ZRX allowance": zrx("-50.5"),
                    "relay ZRX": zrx("1.5"),
                ],
                since: before,
                by: bought
            )
        }
    }

    @Test("a maker without ZRX for its own fee is no offer")
    func makerFeeMissing() async throws {
        var scene = try scene()
        scene.allowances[.init(.alice, weth)] = "1"
        scene.allowances[.init(.alice, zrx)] = "10"
        scene.balances[.init(.bob, zrx)] = "1"
        try await EVMStage.run(scene) { stage in
            let order = try await stage.post(by: .bob, sells: (dai, "300"), wants: (weth, "0.1"))
            var before = try stage.ledger()
            stage.overtake(with: try await stage.transfer(zrx, "0.5", from: .bob, to: .carol))
            let late = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 14,
                code: "filled-less"
            )
            try stage.expect(
                ["bob ZRX": zrx("-0.5"), "carol ZRX": zrx("0.5")],
                since: before,
                by: late
            )
            // Half of the fee is half of the order.
            let book = try await stage.dex(.alice, "orderbook DAI/WETH")
            #expect(try book.raw("asks.0.fillable") == dai("150"))
            try stage.send(try await stage.transfer(zrx, "0.5", from: .bob, to: .carol))
            before = try stage.ledger()
            _ = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 6,
                code: "order-unfunded"
            )
            try stage.expect([:], since: before)
        }
    }
}
