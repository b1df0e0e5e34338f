import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@Suite("Cancels on v4, on an EVM", .serialized)
struct NativeCancelTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    private var scene: Scene {
        var scene = Scene.aliceApproved(zrx)
        scene.venue = .v4()
        return scene
    }

    @Test("several orders are cancelled by one transaction, and what others took before is told")
    func batch() async throws {
        try await EVMStage.run(scene) { stage in
            let partly = try await stage.ask(by: .alice)
            let wholly = try await stage.ask(by: .alice)
            let open = try await stage.ask(by: .alice)
            let before = try stage.ledger()
            stage.hooks.before("eth_sendRawTransaction") {
                try stage.node.call("evm_setAutomine", false)
            }
            let raws = [
                try await stage.fill(partly, by: .dave, paying: weth.raw("0.04")),
                try await stage.fill(wholly, by: .bob, paying: weth.raw("0.1")),
            ]
            stage.hooks.after("eth_sendRawTransaction") {
                for raw in raws { try stage.send(raw) }
                try stage.node.call("evm_mine")
                try stage.node.call("evm_setAutomine", true)
            }
            let cancelled = try await stage.dex(
                .alice,
                "cancel \(partly.hash.hex) \(wholly.hash.hex) \(open.hash.hex)",
                exit: 14
            )
            #expect(cancelled.transactions == ["cancel mined"])
            #expect(try stage.function(cancelled) == "batchCancelLimitOrders")
            let ends = try cancelled.data.list("orders").reduce(into: [String: JSONValue]()) {
                $0[try $1.text("orderHash")] = $1.at("status")
            }
            #expect(
                ends == [
                    partly.hash.hex: "cancelled", wholly.hash.hex: "filled-before",
                    open.hash.hex: "cancelled",
                ]
            )
            #expect(try stage.info(partly).status == .cancelled)
            #expect(try stage.info(wholly).status == .filled)
            #expect(try stage.info(open).status == .cancelled)
            try stage.expect(
                [
                    "alice ZRX": zrx("-140"), "alice WETH": weth("0.14"),
                    "alice ZRX allowance": zrx("-140"),
                    "dave ZRX": zrx("40"), "dave WETH": weth("-0.04"),
                    "dave WETH allowance": weth("-0.04"),
                    "bob ZRX": zrx("100"), "bob WETH": weth("-0.1"),
                    "bob WETH allowance": weth("-0.1"),
                ],
                since: before,
                by: cancelled
            )
        }
    }

    @Test("all orders of a pair are cancelled by salt, unposted ones too; later ones can be filled")
    func pair() async throws {
        try await EVMStage.run(scene) { stage in
            let posted = try await stage.ask(by: .alice)
            let unposted = try await stage.order(
                by: .alice,
                sells: (zrx, "50"),
                wants: (weth, "0.07")
            )
            let others = try await stage.ask(by: .bob, wants: "0.3")
            let before = try stage.ledger()
            let cancelled = try await stage.dex(.alice, "cancel --pair ZRX/WETH")
            #expect(cancelled.transactions == ["cancel mined"])
            #expect(try stage.function(cancelled).contains("ancelPairLimitOrders"))
            #expect(try stage.info(posted).status == .cancelled)
            #expect(try stage.info(unposted).status == .cancelled)
            #expect(try stage.isFillable(others))
            try stage.expect([:], since: before, by: cancelled)
            let status = try await stage.dex(nil, "status \(posted.hash.hex)")
            #expect(status.data.at("status") == "cancelled")

            // What is made afterwards is no part of it, and can be taken.
            let placed = try await stage.dex(.alice, "place-limit sell ZRX/WETH 20 --price 0.001")
            let again = try stage.ledger()
            #expect(try stage.info(placed.data.at("order")).status == .fillable)
            let filled = try await stage.dex(.dave, arguments: ["fill", placed.text("orderHash")])
            #expect(filled.outcomes == ["filled"])
            try stage.expect(
                [
                    "alice ZRX": zrx("-20"), "alice WETH": weth("0.02"),
                    "alice ZRX allowance": zrx("-20"),
                    "dave ZRX": zrx("20"), "dave WETH": weth("-0.02"),
                    "dave WETH allowance": weth("-0.02"),
                ],
                since: again,
                by: filled
            )
            let once = try await stage.dex(.alice, "cancel --all")
            #expect(try once.data.list("transactions").isEmpty)
            #expect(try once.data.list("orders").isEmpty)
        }
    }
}
