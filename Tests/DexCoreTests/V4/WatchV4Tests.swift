import DexCore
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What is told of a v4 network")
struct WatchV4Tests {
    let v4: BoardV4
    let store = TemporaryJournal()
    let sink = RecordingSink("terminal")

    init() throws {
        v4 = try BoardV4()
        let account = v4.trader.address
        v4.market.chain.set { chain in
            chain.ether[account] = .zero
            chain.minedNonces[account] = 0
        }
        v4.fund(account, TestMarket.zrx, balance: TestMarket.units("1000"))
        v4.market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
    }

    private func own(_ salt: UInt256) async throws -> any SignedOrder {
        try await v4.own(salt, in: store)
    }

    private func look() async throws -> [WatchNotice] {
        let before = sink.notices.count
        let model = WatchModel(
            session: try v4.session(),
            journal: store.journal,
            settings: WatchSettings(),
            sinks: [sink],
            tell: { _ in }
        )
        #expect(try await model.once(v4.trader.address, from: .block(40)) == [])
        return Array(sink.notices.dropFirst(before))
    }

    @Test("fills of own orders among everybody's, and what each cancel took, once")
    func tellsOnce() async throws {
        let single = try await own(1)
        let paired = try await own(2)
        let others = try await v4.ask(by: v4.makers[0], "10", for: "1", salt: 3)
        let taker = v4.makers[1].address
        v4.market.mine(
            [
                v4.fillLog(others, taker: taker, filling: TestMarket.units("1")),
                v4.fillLog(single, taker: taker, filling: TestMarket.units("0.25")),
                v4.cancelLog(others),
            ],
            by: taker,
            block: 50
        )
        v4.stand(single, .fillable, filled: TestMarket.units("0.25"), from: 50)
        v4.market.mine([v4.cancelLog(single)], by: v4.trader.address, block: 60)
        v4.stand(single, .cancelled, filled: TestMarket.units("0.25"), from: 60)
        // The second one ends nothing that the first has left.
        for block: UInt64 in [70, 80] {
            v4.market.mine(
                [v4.pairCancelLog(paired, saltsBelow: UInt256(block))],
                by: v4.trader.address,
                block: block
            )
        }
        v4.stand(paired, .cancelled, from: 70)

        let reported = try await look()
        #expect(reported.map(\.event.kind) == [.fill, .cancel, .cancel])
        #expect(reported.map(\.event.orderHash) == [single.hash, single.hash, paired.hash])
        #expect(reported.map { $0.event.place.block.number } == [50, 60, 70])
        #expect(reported.map(\.event.amount) == ["2.5", "7.5", "10"].map(TestMarket.units))
        #expect(reported.map(\.event.otherAmount) == ["0.25", "0.75", "1"].map(TestMarket.units))
        #expect(try await look().isEmpty)
    }
}
