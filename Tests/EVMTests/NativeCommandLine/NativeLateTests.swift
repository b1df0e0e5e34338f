import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Fills on v4 that come too late or give less.
@Suite("Fills on v4 that give less, on an EVM", .serialized)
struct NativeLateTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private var scene: Scene {
        var scene = Scene.aliceApproved(weth)
        scene.venue = .v4()
        return scene
    }

    private func traded(
        _ taker: Party,
        _ maker: Party,
        _ base: String,
        for quote: String
    ) throws -> [String: Int128] {
        let (buyer, seller) = (taker.rawValue, maker.rawValue)
        return [
            "\(buyer) ZRX": try zrx(base), "\(buyer) WETH": try weth("-\(quote)"),
            "\(buyer) WETH allowance": try weth("-\(quote)"),
            "\(seller) ZRX": try zrx("-\(base)"), "\(seller) WETH": try weth(quote),
            "\(seller) ZRX allowance": try zrx("-\(base)"),
        ]
    }

    private func both(_ first: [String: Int128], _ second: [String: Int128]) -> [String: Int128] {
        first.merging(second) { $0 + $1 }
    }

    @Test("a single order that another fills first reverts, and the sentence says why")
    func takenMeanwhile() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(order, by: .dave, paying: weth.raw("0.1")))
            let late = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 11,
                code: "reverted"
            )
            #expect(late.transactions == ["fill reverted"])
            #expect(try late.raw("outcome.received") == 0)
            try stage.expect(
                traded(.dave, .bob, "100", for: "0.1"),
                since: before,
                by: late
            )
            // What waits for its turn now is refused before anything is signed.
            _ = try await stage.dex(.alice, "fill \(order.hash.hex)", exit: 6, code: "order-filled")
        }
    }

    @Test("an order that another fills in part first brings the rest")
    func partlyTaken() async throws {
        try await EVMStage.run(scene) { stage in
            let order = try await stage.ask()
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(order, by: .dave, paying: weth.raw("0.08")))
            let late = try await stage.dex(
                .alice,
                "fill \(order.hash.hex)",
                exit: 14,
                code: "filled-less"
            )
            #expect(late.outcomes == ["partly-filled: others had filled a part of it before"])
            #expect(try late.raw("outcome.received") == zrx("20"))
            #expect(try late.raw("outcome.paid") == weth("0.02"))
            try stage.expect(
                both(
                    traded(.dave, .bob, "80", for: "0.08"),
                    traded(.alice, .bob, "20", for: "0.02")
                ),
                since: before,
                by: late
            )
        }
    }

    @Test("of a market order over several, what is gone is skipped: filled, cancelled by its pair")
    func skipped() async throws {
        try await EVMStage.run(scene) { stage in
            let first = try await stage.ask(wants: "0.1")
            _ = try await stage.ask(by: .carol, wants: "0.1001")
            let before = try stage.ledger()
            let cancel = PairCancel(
                maker: try Party.bob.address,
                makerToken: zrx.address,
                takerToken: weth.address,
                minimumSalt: first.salt &+ 1
            )
            let call = try #require(
                stage.exchange.pairCancelCall([cancel], contracts: stage.contracts)
            )
            stage.overtake(
                with: try await stage.transaction(by: .bob, to: call.to, data: call.data)
            )
            let late = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 200",
                exit: 14,
                code: "filled-less"
            )
            #expect(late.transactions == ["fill mined"])
            #expect(late.outcomes.count == 2 && late.outcomes[1] == "filled")
            #expect(late.outcomes[0].hasPrefix("skipped"))
            #expect(try stage.info(first).status == .cancelled)
            try stage.expect(
                traded(.alice, .carol, "100", for: "0.1001"),
                since: before,
                by: late
            )
        }
    }

    @Test("a maker whose tokens go in the same block: the rest of the batch is filled")
    func makerFunds() async throws {
        try await EVMStage.run(scene) { stage in
            _ = try await stage.ask(wants: "0.1")
            _ = try await stage.ask(by: .carol, wants: "0.1001")
            let before = try stage.ledger()
            stage.overtake(
                with: try await stage.transfer(zrx, "9950", from: .bob, to: .relay)
            )
            let late = try await stage.dex(
                .alice,
                "market-buy ZRX/WETH 200",
                exit: 14,
                code: "filled-less"
            )
            #expect(late.outcomes.last == "filled")
            try stage.expect(
                both(
                    ["bob ZRX": zrx("-9950"), "relay ZRX": zrx("9950")],
                    traded(.alice, .carol, "100", for: "0.1001")
                ),
                since: before,
                by: late
            )
        }
    }

    @Test("an order that expires with the block is not filled; one second before it is")
    func expiry() async throws {
        try await EVMStage.run(scene) { stage in
            let first = try await stage.ask(expires: 1_000)
            let second = try await stage.ask(expires: 2_000)
            let before = try stage.ledger()
            try stage.atNextSend(time: first.expiry &- 1)
            let filled = try await stage.dex(.alice, "fill \(first.hash.hex) 40")
            #expect(filled.outcomes == ["filled"])
            try stage.atNextSend(time: second.expiry)
            let late = try await stage.dex(.alice, "fill \(second.hash.hex)", exit: 11)
            #expect(late.transactions == ["fill reverted"])
            try stage.expect(
                traded(.alice, .bob, "40", for: "0.04"),
                since: before,
                by: filled,
                late
            )
        }
    }

    @Test("a fill that rounds down to nothing succeeds, moves nothing and is told as nothing")
    func dust() async throws {
        try await EVMStage.run(scene) { stage in
            // 2 base units of ZRX for 1,000 of WETH: of less than 500 nothing comes.
            let order = try await stage.order(
                by: .bob,
                sells: (zrx, "0.000000000000000002"),
                wants: (weth, "0.000000000000001")
            )
            let json = stage.exchange.encodeOrder(order).text
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(order, by: .dave, paying: 600))
            let late = try await stage.dex(.alice, "fill -", input: json, exit: 14)
            #expect(late.transactions == ["fill mined"])
            #expect(try late.raw("outcome.received") == 0)
            #expect(try late.raw("outcome.paid") == 0)
            try stage.expect(
                [
                    "dave ZRX": 1, "dave WETH": -600, "dave WETH allowance": -600,
                    "bob ZRX": -1, "bob WETH": 600, "bob ZRX allowance": -1,
                ],
                since: before,
                by: late
            )
            let status = try await stage.dex(
                nil,
                arguments: ["status", late.text("transactions.0.hash")],
                exit: 14
            )
            #expect(try status.data.list("fills") == [])
            let history = try await stage.dex(.alice, "history list")
            #expect(try history.data.list("trades") == [])
        }
    }
}
