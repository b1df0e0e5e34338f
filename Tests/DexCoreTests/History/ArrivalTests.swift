import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What a fill brought is booked by balances, or marked as the exchange's word")
struct ArrivalTests {
    /// A market with one order, 100 ZRX for 1 WETH.
    private func market(mining: ChainConfiguration.Mining = .instant) async throws -> LiveMarket {
        let market = try LiveMarket(mining: mining)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    private func history(_ market: LiveMarket) async throws -> HistoryState {
        try await HistoryModel(session: try market.session(), journal: market.journal)
            .load(market.trader.address)
    }

    /// The token keeps so much of what it sends the trader; its events say nothing of that, or are
    /// missing.
    private func keep(_ market: LiveMarket, _ kept: UInt256, hasEvents: Bool) {
        let trader = market.trader.address
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch (read, answer) {
                case (.call(let call, .number), .success(.bytes(let bytes))):
                    guard call.to == TestMarket.zrx, call.data == ERC20.balanceOf(trader),
                        let balance = UInt256(bigEndian: bytes),
                        balance > TestMarket.units("10000")
                    else { return answer }
                    return .success(.bytes((balance - kept).bigEndianBytes))
                case (_, .success(.receipt(let receipt?))) where !hasEvents:
                    let logs = receipt.logs.filter { $0.address != TestMarket.zrx }
                    return .success(.receipt(receipt.with(logs: logs)))
                default: return answer
                }
            }
        }
    }

    /// The node has no state of old blocks.
    private func forgetStates(_ market: LiveMarket) {
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                // The plan still had its balances.
                guard case .call(_, .number) = read, !market.node.sent.isEmpty else {
                    return answer
                }
                return .failure(.rpc(code: -32_000, message: "missing trie node"))
            }
        }
    }

    /// The journal as a process that was killed before its outcome, or an older version, left it.
    private func forgetArrivals(_ market: LiveMarket) throws {
        let network = try market.session().network
        var trades = try market.journal.trades(
            chainID: network.chainID,
            exchange: network.exchange,
            account: market.trader.address
        )
        for index in trades.indices {
            for place in trades[index].trades.indices {
                trades[index].trades[place].takerArrival = nil
                trades[index].trades[place].makerArrival = nil
            }
        }
        let range = TradeRange(
            chainID: network.chainID,
            exchange: network.exchange,
            account: market.trader.address,
            blocks: 0...UInt64(Int64.max),
            onlyMaker: false
        )
        try market.journal.replace(range, with: trades, scan: nil)
    }

    private func check(_ state: HistoryState, _ base: String, isUnproven: Bool = false) {
        let amount = TestMarket.units(base)
        #expect(state.rows.map(\.base) == [amount])
        #expect(state.rows.map(\.isUnproven) == [isUnproven])
        #expect(state.positions.map(\.bought) == [amount])
        #expect(state.positions.map(\.held) == [amount])
        #expect(state.positions.map(\.unproven) == [isUnproven ? 1 : 0])
    }

    @Test(
        "a part that a token keeps without an event of it is not booked",
        arguments: [true, false]
    )
    func silentFee(hasEvents: Bool) async throws {
        let market = try await market()
        keep(market, TestMarket.units("0.1"), hasEvents: hasEvents)
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == TestMarket.units("9.9"))
        // From the outcome alone: the node is not asked again.
        market.node.onRead { reads, answers throws(ChainError) in
            #expect(
                !reads.contains {
                    if case .call(_, .number) = $0 { true } else { false }
                }
            )
            return answers
        }
        check(try await history(market), "9.9")
        // The same by another reading, and where the outcome was never written.
        keep(market, TestMarket.units("0.1"), hasEvents: hasEvents)
        let sync = TradeSync(session: try market.session(), journal: market.journal)
        let rebuilt = try await sync.rebuild(market.trader.address, from: 0)
        #expect(rebuilt.added == 0 && rebuilt.removed == 0)
        check(try await history(market), "9.9")
        try forgetArrivals(market)
        check(try await history(market), "9.9")
    }

    @Test("a node without old states proves nothing, and one that has them does later")
    func noStates() async throws {
        let market = try await market()
        forgetStates(market)
        _ = try await market.trade(.buy, "10")
        check(try await history(market), "10", isUnproven: true)
        keep(market, TestMarket.units("0.1"), hasEvents: true)
        // It was asked, and is asked again only by a rebuild.
        check(try await history(market), "10", isUnproven: true)
        let sync = TradeSync(session: try market.session(), journal: market.journal)
        _ = try await sync.rebuild(market.trader.address, from: 0)
        check(try await history(market), "9.9")
        // What is proven stays, whatever a later node lacks.
        forgetStates(market)
        _ = try await sync.rebuild(market.trader.address, from: 0)
        check(try await history(market), "9.9")
    }

    @Test("of a token without events, another transaction in the block leaves it unproven")
    func othersInTheBlock() async throws {
        let market = try await market(mining: .manual)
        let rival = market.rival
        market.node.onSend { _, raw in
            _ = try await market.chain.send(raw: raw)
            try await market.send(
                from: rival,
                to: TestMarket.zrx,
                ERC20.transfer(to: market.trader.address, amount: TestMarket.units("3"))
            )
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
        keep(market, .zero, hasEvents: false)
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == TestMarket.units("10"))
        check(try await history(market), "10", isUnproven: true)
    }
}
