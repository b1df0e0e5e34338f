import DexTestSupport
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// `dex replace` against the contracts themselves, on both versions of 0x.
@Suite("Replaced orders, on an EVM", .serialized)
struct ReplaceOnEVMTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    enum Version: String, CaseIterable, Sendable {
        case v1, v4
    }

    /// alice is the maker.
    private func scene(_ version: Version) -> Scene {
        var scene = Scene.aliceApproved(.zrx)
        if version == .v4 { scene.venue = .v4() }
        return scene
    }

    /// What the contract holds of an order is gone, in the taker token.
    private func expectCancelled(
        _ order: any SignedOrder,
        _ cancelled: String,
        _ version: Version,
        _ stage: EVMStage
    ) throws {
        switch version {
        case .v1:
            #expect(try stage.amount("cancelled", of: order.hash.hex) == weth(cancelled))
        case .v4: #expect(try stage.info(order).status == .cancelled)
        }
    }

    @Test(
        "the old order is cancelled on chain, and the new one is filled at its price",
        arguments: Version.allCases
    )
    func replaces(_ version: Version) async throws {
        try await EVMStage.run(scene(version)) { stage in
            let old = try await stage.ask(by: .alice)
            let before = try stage.ledger()
            let replaced = try await stage.dex(
                .alice,
                "replace",
                old.hash.hex,
                "--price",
                "0.002",
                "--amount",
                "40"
            )
            #expect(replaced.transactions == ["cancel mined"])
            #expect(replaced.data.at("orders.0.status") == "cancelled")
            #expect(replaced.data.at("posted") == true)
            #expect(replaced.warnings.contains { $0.contains("neither stands") })
            // Cancel and new order move nothing.
            try stage.expect([:], since: before, by: replaced)
            try expectCancelled(old, "0.1", version, stage)

            // The contract refuses the old one, whoever sends it.
            let quiet = try stage.ledger()
            try stage.send(try await stage.fill(old, by: .dave, paying: weth.raw("0.1")))
            try stage.expect([:], since: quiet)

            let between = try stage.ledger()
            let new = try replaced.text("orderHash")
            let filled = try await stage.dex(.dave, "fill", new, "--allow-high-impact")
            #expect(filled.outcomes == ["filled"])
            try stage.expect(
                [
                    "alice ZRX": zrx("-40"), "alice WETH": weth("0.08"),
                    "alice ZRX allowance": zrx("-40"),
                    "dave ZRX": zrx("40"), "dave WETH": weth("-0.08"),
                    "dave WETH allowance": weth("-0.08"),
                ],
                since: between,
                by: filled
            )
        }
    }

    @Test(
        "an order that is filled between plan and cancel is not sold twice, and the outcome says it",
        arguments: Version.allCases
    )
    func filledMeanwhile(_ version: Version) async throws {
        try await EVMStage.run(scene(version)) { stage in
            let partly = try await stage.ask(by: .alice)
            let wholly = try await stage.ask(by: .alice)
            let before = try stage.ledger()
            stage.overtake(with: try await stage.fill(partly, by: .dave, paying: weth.raw("0.04")))
            let part = try await stage.dex(
                .alice,
                "replace",
                partly.hash.hex,
                "--price",
                "0.002",
                exit: 14,
                code: "filled-meanwhile"
            )
            #expect(part.transactions == ["cancel mined"])
            #expect(part.data.at("orders.0.status") == "cancelled")
            #expect(try part.raw("orders.0.filledMeanwhile") == weth("0.04"))
            try expectCancelled(partly, "0.06", version, stage)

            stage.overtake(with: try await stage.fill(wholly, by: .dave, paying: weth.raw("0.1")))
            let all = try await stage.dex(
                .alice,
                "replace",
                wholly.hash.hex,
                "--price",
                "0.002",
                exit: 14
            )
            #expect(all.data.at("orders.0.status") == "filled-before")
            #expect(try all.raw("orders.0.filledMeanwhile") == weth("0.1"))

            for run in [part, all] {
                #expect(run.data.at("posted") == false)
                #expect(run.data.at("orderHash").isNull && run.data.at("order").isNull)
            }
            // What dave took is all that moved, and no new order can be taken.
            try stage.expect(
                [
                    "alice ZRX": zrx("-140"), "alice WETH": weth("0.14"),
                    "alice ZRX allowance": zrx("-140"),
                    "dave ZRX": zrx("140"), "dave WETH": weth("-0.14"),
                    "dave WETH allowance": weth("-0.14"),
                ],
                since: before,
                by: part,
                all
            )
            let book = try await stage.dex(.dave, "orderbook", "ZRX/WETH")
            #expect(try book.data.list("asks") == [])
        }
    }
}
