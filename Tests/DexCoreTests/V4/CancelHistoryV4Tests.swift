import DexCore
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What cancels of a v4 network took")
struct CancelHistoryV4Tests {
    let v4: BoardV4
    let store = TemporaryJournal()
    let trader: PrivateKeySigner

    init() throws {
        v4 = try BoardV4()
        trader = v4.trader
    }

    /// An order of ours in the journal, signed at the chain's beginning.
    private func own(_ salt: UInt256) async throws -> any SignedOrder {
        try await v4.own(salt, in: store, created: TestMarket.now - TestMarket.head)
    }

    private func catchUp() async throws -> [MinedTrades] {
        try await TradeSync(session: try v4.session(), journal: store.journal)
            .catchUp(trader.address)
        return try store.journal.trades(
            chainID: 1337,
            exchange: BoardV4.exchange,
            account: trader.address
        )
    }

    private func cancels(_ mined: [MinedTrades]) -> [OrderHash: UInt256] {
        var amounts: [OrderHash: UInt256] = [:]
        for trade in mined.flatMap(\.trades) {
            guard case .cancel(let cancel) = trade.event else { continue }
            #expect(amounts[cancel.orderHash] == nil)
            amounts[cancel.orderHash] = cancel.takerAmount
        }
        return amounts
    }

    @Test("a cancel took what fills had left; that of a filled order took nothing")
    func single() async throws {
        let partly = try await own(1)
        let filled = try await own(2)
        let others = try await v4.ask(by: v4.makers[0], "10", for: "1", salt: 3)
        v4.market.mine(
            [
                v4.fillLog(
                    partly,
                    taker: v4.makers[0].address,
                    filling: TestMarket.units("0.25")
                ),
                v4.fillLog(filled, taker: v4.makers[0].address, filling: TestMarket.units("1")),
                v4.fillLog(others, taker: v4.makers[1].address, filling: TestMarket.units("1")),
            ],
            by: v4.makers[0].address,
            block: 40
        )
        v4.stand(partly, .fillable, filled: TestMarket.units("0.25"), from: 40)
        v4.stand(filled, .filled, filled: TestMarket.units("1"), from: 40)
        v4.market.mine(
            [v4.cancelLog(partly), v4.cancelLog(filled), v4.cancelLog(others)],
            by: trader.address,
            block: 50
        )
        v4.stand(partly, .cancelled, filled: TestMarket.units("0.25"), from: 50)
        let mined = try await catchUp()
        #expect(mined.map(\.block) == [40, 50])
        #expect(mined.map(\.trades.count) == [2, 1])
        #expect(cancels(mined) == [partly.hash: TestMarket.units("0.75")])
        // Once more: nothing is told twice, and nothing is lost.
        #expect(try await catchUp() == mined)
    }

    @Test("a cancel of a pair is one of each order that it ended, and of none that was at its end")
    func pair() async throws {
        let early = try await own(1)
        let late = try await own(5)
        let later = try await own(20)
        v4.market.mine([v4.pairCancelLog(early, saltsBelow: 3)], by: trader.address, block: 50)
        v4.stand(early, .cancelled, from: 50)
        v4.market.mine([v4.pairCancelLog(early, saltsBelow: 9)], by: trader.address, block: 60)
        v4.stand(late, .cancelled, from: 60)
        let mined = try await catchUp()
        #expect(mined.map { $0.trades.map(\.orderHash) } == [[early.hash], [late.hash]])
        #expect(
            cancels(mined)
                == [early.hash: TestMarket.units("1"), late.hash: TestMarket.units("1")]
        )
        #expect(cancels(mined)[later.hash] == nil)
    }

    @Test("several orders that one log ended are kept, each with the place of that log")
    func manyOfOneLog() async throws {
        let orders = [try await own(1), try await own(2), try await own(3)]
        v4.market.mine([v4.pairCancelLog(orders[0], saltsBelow: 9)], by: trader.address, block: 50)
        for order in orders { v4.stand(order, .cancelled, from: 50) }
        let mined = try await catchUp()
        #expect(mined.count == 1)
        #expect(Set(mined[0].trades.map(\.orderHash)) == Set(orders.map(\.hash)))
        #expect(Set(mined[0].trades.map(\.logIndex)) == [0])
        let history = try await HistoryModel(session: try v4.session(), journal: store.journal)
            .load(trader.address)
        #expect(history.rows.map(\.kind) == [.cancel, .cancel, .cancel])
        #expect(history.rows.allSatisfy { $0.base == TestMarket.units("10") })
        // The transaction's gas, shared.
        #expect(history.positions.map(\.gas) == [Wei(200_000_000_000_000)])
    }

    @Test("an earlier state that could not be read makes no cancel: the journal keeps what it had")
    func unreadState() async throws {
        let early = try await own(1)
        v4.market.mine([v4.pairCancelLog(early, saltsBelow: 3)], by: trader.address, block: 50)
        v4.stand(early, .cancelled, from: 50)
        v4.market.chain.set { state in
            let before = state.onCall
            state.onCall = { request, tag in
                if case .number(let number) = tag, number < TestMarket.head {
                    return .failure(.rateLimited(url: "http://n", retryAfter: 1))
                }
                return before?(request, tag) ?? .failure(.nonsense("no call is expected"))
            }
        }
        await #expect {
            _ = try await catchUp()
        } throws: {
            ($0 as? DexError)?.exit == .unreachable
        }
        let known = try store.journal.trades(
            chainID: 1337,
            exchange: BoardV4.exchange,
            account: trader.address
        )
        #expect(known.isEmpty)
    }

    @Test("where a node has lost the earlier state, the first cancel counts")
    func lostState() async throws {
        let early = try await own(1)
        v4.market.mine([v4.pairCancelLog(early, saltsBelow: 3)], by: trader.address, block: 50)
        v4.market.mine([v4.pairCancelLog(early, saltsBelow: 9)], by: trader.address, block: 60)
        v4.stand(early, .cancelled, from: 50)
        v4.market.chain.set { state in
            let before = state.onCall
            state.onCall = { request, tag in
                if case .number(let number) = tag, number < TestMarket.head {
                    return .failure(.rpc(code: -32_000, message: "missing trie node"))
                }
                return before?(request, tag) ?? .failure(.nonsense("no call is expected"))
            }
        }
        let mined = try await catchUp()
        #expect(mined.map(\.block) == [50])
        #expect(cancels(mined) == [early.hash: TestMarket.units("1")])
    }
}
