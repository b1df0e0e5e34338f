import DexCore
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What was traded and what came of it")
struct HistoryModelTests {
    let market: TestMarket
    let store = TemporaryJournal()
    let trader: PrivateKeySigner
    let maker: PrivateKeySigner
    static let gas = Wei(200_000_000_000_000)

    init() throws {
        market = try TestMarket()
        trader = market.trader
        maker = market.makers[0]
        market.chain.set { state in
            for number: UInt64 in 0...100 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
        }
    }

    private func load(since: UInt64? = nil) async throws -> HistoryState {
        let session = try market.session()
        // All of it is on the chain: the journal is made of the logs.
        _ = try await TradeSync(session: session, journal: store.journal)
            .rebuild(trader.address, from: 0)
        return try await HistoryModel(session: session, journal: store.journal)
            .load(trader.address, since: since)
    }

    private func units(_ text: String) -> UInt256 { TestMarket.units(text) }

    /// The trader buys 100 ZRX for 1 WETH as a taker.
    private func buy(block: UInt64, fees: OrderFees = .none) async throws -> any SignedOrder {
        let ask = try await market.ask(by: maker, "100", for: "1", fees: fees)
        market.mine(
            [market.fillLog(ask, taker: trader.address, filling: units("1"))],
            by: trader.address,
            block: block
        )
        return ask
    }

    /// Somebody takes half of the trader's order that sells 60 ZRX for 1.2 WETH.
    private func sell(block: UInt64, fees: OrderFees = .none) async throws -> any SignedOrder {
        let ask = try await market.ask(by: trader, "60", for: "1.2", fees: fees)
        market.mine(
            [market.fillLog(ask, taker: maker.address, filling: units("0.6"))],
            by: maker.address,
            block: block
        )
        return ask
    }

    @Test("a buy as a taker and a sale as a maker, with prices, gas and profit")
    func buyAndSell() async throws {
        let bought = try await buy(block: 10)
        let sold = try await sell(block: 20)

        let state = try await load()

        try #require(state.rows.count == 2)
        let (buy, sale) = (state.rows[0], state.rows[1])
        #expect(buy.role == .taker && buy.side == .buy && buy.kind == .fill)
        #expect(buy.orderHash == bought.hash)
        #expect(buy.base == units("100") && buy.quote == units("1"))
        #expect(buy.price == Price(quote: 1, base: 100))
        // QUOTE is wrapped ether, so the gas is in the price.
        #expect(buy.gas == Self.gas)
        #expect(
            buy.effectivePrice
                == Price(quote: units("1") + Self.gas.rawValue, base: units("100"))
        )
        #expect(buy.counterparty == maker.address)
        #expect(buy.time == TestMarket.now + 10)
        #expect(buy.profit == nil)
        #expect(sale.role == .maker && sale.side == .sell)
        #expect(sale.orderHash == sold.hash)
        #expect(sale.base == units("30") && sale.quote == units("0.6"))
        // The taker paid for the gas.
        #expect(sale.gas == nil)
        #expect(sale.effectivePrice == sale.price)
        // 30 of 100 cost 0.3.
        #expect(sale.profit?.average == SignedAmount(units("0.3"), minus: 0))
        #expect(sale.profit?.fifo == SignedAmount(units("0.3"), minus: 0))
        let position = try #require(state.positions.first)
        #expect(state.positions.count == 1)
        #expect(position.pair.name == "ZRX/WETH")
        #expect(position.fills == 2)
        #expect(position.bought == units("100") && position.cost == units("1"))
        #expect(position.sold == units("30") && position.proceeds == units("0.6"))
        #expect(position.held == units("70"))
        #expect(position.heldAverageCost == units("0.7"))
        #expect(position.heldFIFOCost == units("0.7"))
        #expect(position.gas == Self.gas)
        #expect(
            position.afterGas(position.averageProfit)
                == SignedAmount(units("0.3"), minus: Self.gas.rawValue)
        )
        #expect(state.block == TestMarket.head)
        #expect(state.warnings.isEmpty)
    }

    @Test("fees in BASE lessen what is bought and add to what is sold")
    func fees() async throws {
        let fees = TestMarket.fees(maker: "10", taker: "20")
        _ = try await buy(block: 10, fees: fees)
        _ = try await sell(block: 20, fees: fees)

        let state = try await load()

        let position = try #require(state.positions.first)
        // The taker's 20 of 100, and the maker's half of 10 on top of 30.
        #expect(state.rows.map(\.fee) == [units("20"), units("5")])
        #expect(position.bought == units("80"))
        #expect(position.sold == units("35"))
        #expect(position.held == units("45"))
        #expect(position.fees.map(\.raw) == [units("25")])
        #expect(position.fees.map(\.token.symbol) == ["ZRX"])
        // 35 of 80 cost 0.4375.
        #expect(position.averageProfit == SignedAmount(units("0.1625"), minus: 0))
    }

    @Test("a cancel is told with what is no longer offered, and its gas belongs to the pair")
    func cancel() async throws {
        let order = try await market.bid(by: trader, "100", for: "2")
        market.mine(
            [market.cancelLog(order, cancelling: units("40"))],
            by: trader.address,
            block: 9
        )

        let state = try await load()

        let row = try #require(state.rows.first)
        #expect(row.kind == .cancel && row.side == .buy && row.role == .maker)
        #expect(row.base == units("40"))
        #expect(row.quote == units("0.8"))
        #expect(row.price == nil && row.counterparty == nil)
        #expect(row.gas == Self.gas)
        #expect(state.positions.map(\.gas) == [Self.gas])
        #expect(state.positions.map(\.fills) == [0])
    }

    @Test("the rows of one transaction share its gas, and the shares add up to it")
    func sharedGas() async throws {
        var logs: [Log] = []
        for salt: UInt256 in [1, 2, 3] {
            let ask = try await market.ask(by: maker, "10", for: "1", salt: salt)
            logs.append(market.fillLog(ask, taker: trader.address, filling: units("1")))
        }
        market.mine(logs, by: trader.address, block: 9)

        let rows = try await load().rows

        let third = Self.gas.rawValue / 3
        #expect(rows.map { $0.gas?.rawValue } == [third + 1, third + 1, third])
        #expect(rows.map(\.logIndex) == [0, 1, 2])
    }

    @Test("an own order that was taken by oneself changes no position")
    func ownTaker() async throws {
        let ask = try await market.ask(
            by: trader,
            "10",
            for: "1",
            fees: TestMarket.fees(maker: "1")
        )
        market.mine(
            [market.fillLog(ask, taker: trader.address, filling: units("1"))],
            by: trader.address,
            block: 9
        )

        let state = try await load()

        #expect(state.rows.map(\.role) == [.own])
        #expect(state.rows.map(\.fee) == [units("1")])
        #expect(state.rows.first?.price == nil)
        #expect(state.positions.map(\.held) == [0])
        #expect(state.positions.map(\.sold) == [0])
    }

    @Test("what is shown since a time is summed, and its costs are those of all time")
    func since() async throws {
        _ = try await buy(block: 10)
        _ = try await sell(block: 20)

        let state = try await load(since: TestMarket.now + 15)

        #expect(state.rows.map(\.block) == [20])
        let position = try #require(state.positions.first)
        #expect(position.fills == 1)
        #expect(position.bought == 0)
        #expect(position.sold == units("30"))
        #expect(position.averageProfit == SignedAmount(units("0.3"), minus: 0))
        #expect(position.held == units("70"))
        #expect(position.gas == .zero)
    }

    @Test("a pair that is not counted in ether has no profit after gas")
    func stableCoin() async throws {
        let order = try await market.order(
            by: maker,
            give: (TestMarket.zrx, units("10")),
            get: (TestMarket.usdc, 5_000_000)
        )
        market.mine(
            [market.fillLog(order, taker: trader.address, filling: 5_000_000)],
            by: trader.address,
            block: 9
        )

        let state = try await load()

        #expect(state.positions.map(\.pair.name) == ["ZRX/USDC"])
        #expect(state.positions.first.map { $0.afterGas($0.averageProfit) } == .some(nil))
        #expect(state.rows.first?.effectivePrice == state.rows.first?.price)
    }

    @Test("a node that is down leaves what the journal has, with a warning")
    func nodeDown() async throws {
        _ = try await buy(block: 10)
        let all = try await load()
        market.chain.set { state in
            state.onRound = { _, _ in .failure(.unreachable(url: "u", reason: "down")) }
        }

        let state = try await HistoryModel(
            session: try market.session(),
            journal: store.journal
        ).load(trader.address)

        #expect(state.block == nil)
        #expect(state.rows.map(\.orderHash) == all.rows.map(\.orderHash))
        #expect(state.positions.map(\.held) == [units("100")])
        #expect(
            state.warnings == [
                "Only what the journal has is shown; the chain could not be read: The node at u "
                    + "cannot be reached: down."
            ]
        )
    }

    @Test("a cost that no receipt has is in no sum: unknown, with a warning")
    func unknownCost() async throws {
        _ = try await buy(block: 10)
        let known = try await load()
        #expect(known.rows.map(\.gas) == [Self.gas] && known.positions.first?.gas == Self.gas)
        var session = try market.session()
        session.network.fees.rollupFee = .optimism
        let state = try await HistoryModel(session: session, journal: store.journal)
            .load(trader.address)
        let row = try #require(state.rows.first)
        let position = try #require(state.positions.first)
        // A price that lacks the gas is no price with gas.
        #expect(row.gas == nil && row.effectivePrice == nil && row.price != nil)
        #expect(position.gas == nil && position.afterGas(position.averageProfit) == nil)
        #expect(
            state.warnings == [
                "What one transaction cost is unknown: the node does not report it. The sums of gas "
                    + "with it are unknown too."
            ]
        )
    }

    @Test("gas of transactions that traded nothing is summed up by itself")
    func otherGas() async throws {
        let intent = try store.journal.open(
            JournalIntent(
                chainID: 1337,
                account: trader.address,
                command: "allowance set",
                plan: "{}",
                created: TestMarket.now
            )
        )
        for (number, succeeded) in [(UInt64(1), true), (2, false)] {
            let hash = TransactionHash(UInt256(number).word)
            let reservation = try store.journal.reserveNonce(
                intent: intent,
                purpose: "approve",
                chainID: 1337,
                sender: trader.address,
                pendingCount: 0,
                now: TestMarket.now + number
            )
            try store.journal.record(
                raw: [UInt8(number)],
                hash: hash,
                for: reservation,
                now: TestMarket.now + number
            )
            let receipt = market.receipt(hash, block: 5, succeeded: succeeded)
            try store.journal.record(receipt, trades: nil)
        }

        #expect(try await load().otherGas == Wei(200_000_000_000_000))
        #expect(
            try await load(since: TestMarket.now + 2).otherGas == Wei(100_000_000_000_000)
        )
    }
}
