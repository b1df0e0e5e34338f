import DexCore
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Where orders of a v4 network stand")
struct OrderStatesV4Tests {
    let v4: BoardV4
    let store = TemporaryJournal()

    init() throws {
        v4 = try BoardV4()
        for maker in v4.makers {
            v4.fund(maker.address, TestMarket.zrx, balance: TestMarket.units("1000"))
            v4.fund(maker.address, TestMarket.weth, balance: TestMarket.units("1000"))
        }
    }

    private func serve(_ orders: [any SignedOrder]) {
        let answer = RelayOrders(orders: orders)
        v4.market.relay.set { $0.onOrders = { _ in .success(answer) } }
    }

    /// One order for each status that the contract has, and one whose signature it refuses.
    private func orders() async throws -> [any SignedOrder] {
        var orders: [any SignedOrder] = []
        for salt in 1...7 {
            orders.append(
                try await v4.ask(
                    by: v4.makers[0],
                    "10",
                    for: "1",
                    salt: UInt256(UInt64(salt))
                )
            )
        }
        v4.stand(orders[1], .fillable, filled: TestMarket.units("0.25"))
        v4.stand(orders[2], .filled, filled: TestMarket.units("1"))
        v4.stand(orders[3], .cancelled, filled: TestMarket.units("0.25"))
        v4.stand(orders[4], .expired)
        v4.stand(orders[5], .fillable, isSignatureValid: false)
        v4.stand(orders[6], .cancelled)
        return orders
    }

    @Test("every status is the contract's own, whatever the amounts say")
    func standings() async throws {
        let orders = try await orders()
        serve(orders)
        let state = try await OrdersModel(
            session: try v4.session(),
            journal: store.journal
        ).load()
        #expect(
            state.rows.map(\.standing)
                == [.open, .partlyFilled, .filled, .cancelled, .expired, .cancelled]
        )
        #expect(
            state.rows.map(\.state.cancelled)
                == [0, 0, 0, TestMarket.units("0.75"), 0, TestMarket.units("1")]
        )
        #expect(state.dropped.map(\.orderHash) == [orders[5].hash])
        #expect(state.dropped.map(\.reason.code) == ["bad-signature"])
    }

    @Test("a book leaves out what is at its end and says which end, asked for in one call")
    func book() async throws {
        let orders = try await orders()
        v4.market.setBook(asks: orders)
        let state = try await OrderbookModel(session: try v4.session()).load(pairText: "ZRX/WETH")
        #expect(Set(state.asks.map(\.orderHash)) == Set([orders[0].hash, orders[1].hash]))
        let codes = Dictionary(
            uniqueKeysWithValues: state.dropped.map { ($0.orderHash, $0.reason.code) }
        )
        #expect(
            codes == [
                orders[2].hash: "filled-or-cancelled", orders[3].hash: "cancelled",
                orders[4].hash: "expired",
                orders[5].hash: "bad-signature", orders[6].hash: "cancelled",
            ]
        )
        let calls = v4.market.chain.rounds.joined().filter { read in
            if case .call(let request, _) = read {
                return request.to == BoardV4.exchange && request.data.count > 1_000
            }
            return false
        }
        #expect(calls.count == 1)
    }

    @Test("why tells a cancel as such, though nothing of the order is filled")
    func why() async throws {
        let orders = try await orders()
        for (order, reason) in [
            (orders[6], WhyState.Reason.cancelled), (orders[4], .expired), (orders[2], .filled),
        ] {
            v4.market.relay.set { $0.orders[order.hash] = .success(order) }
            let state = try await WhyModel(
                session: try v4.session(),
                journal: store.journal
            ).load(order.hash, account: nil)
            #expect(state.reason == reason)
        }
    }

    @Test("the status of an order finds its fills among everybody's")
    func status() async throws {
        let order = try await v4.ask(by: v4.makers[0], "10", for: "1", salt: 1)
        let other = try await v4.ask(by: v4.makers[1], "10", for: "1", salt: 1)
        v4.market.mine(
            [
                v4.fillLog(other, taker: v4.trader.address, filling: TestMarket.units("0.5")),
                v4.fillLog(order, taker: v4.trader.address, filling: TestMarket.units("0.25")),
            ],
            by: v4.trader.address,
            block: 90
        )
        v4.stand(order, .fillable, filled: TestMarket.units("0.25"))
        v4.market.relay.set { $0.orders[order.hash] = .success(order) }
        v4.market.chain.set { state in
            let hash = TransactionHash(order.hash.word)
            state.receipts[hash] = .some(nil)
            state.transactions[hash] = .some(nil)
        }
        let state = try await StatusModel(session: try v4.session(), journal: nil)
            .load(order.hash.word)
        guard case .order(let status) = state else {
            Issue.record("an order is expected")
            return
        }
        let (row, fills) = (status.row, status.fills)
        #expect(row.standing == .partlyFilled)
        #expect(fills.map(\.orderHash) == [order.hash])
        #expect(fills.map(\.makerAmount) == [TestMarket.units("2.5")])
    }

    @Test("the status of a transaction tells cancels of v4, one by one and by pair")
    func transaction() async throws {
        let order = try await v4.ask(
            by: v4.makers[0],
            "10",
            for: "1",
            salt: 1,
            takerFee: TestMarket.units("0.1")
        )
        let hash = v4.market.mine(
            [
                v4.fillLog(order, taker: v4.trader.address, filling: TestMarket.units("0.5")),
                v4.cancelLog(order), v4.pairCancelLog(order, saltsBelow: 9),
            ],
            by: v4.makers[0].address,
            block: 90
        )
        v4.market.chain.set { $0.transactions[hash] = .some(nil) }
        v4.market.relay.set { $0.orders[OrderHash(hash.word)] = .success(nil) }
        let state = try await StatusModel(session: try v4.session(), journal: nil)
            .load(hash.word)
        guard case .transaction(let status) = state else {
            Issue.record("a transaction is expected")
            return
        }
        #expect(status.cancels.map(\.orderHash) == [order.hash])
        #expect(status.pairCancels.map(\.minimumSalt) == [9])
        #expect(status.pairCancels.map(\.makerToken.symbol) == ["ZRX"])
        #expect(status.pairCancels.map(\.takerToken.symbol) == ["WETH"])
        // The fee is in what the taker pays with, half of it for half of the order.
        #expect(status.fills.map(\.event.takerFee) == [TestMarket.units("0.05")])
        #expect(status.fills.map { $0.feeToken?.symbol } == ["WETH"])
    }
}
