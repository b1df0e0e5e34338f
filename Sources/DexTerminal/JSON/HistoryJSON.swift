package import DexCore
import DexStore
package import Ethereum
import StrictJSON
import ZeroEx

/// `data` of past events: own orders, and trades.
package enum HistoryJSON {
    /// A trade of the account, and the coin of its gas.
    package struct Trade: Sendable {
        let row: HistoryState.Row
        let coin: CoinSymbol

        package init(row: HistoryState.Row, coin: CoinSymbol) {
            self.row = row
            self.coin = coin
        }
    }

    package static let trade = Fields<Trade> {
        Field("kind", "What happened to the order", \.row.kind.word).csv(4, "kind")
            .shown(0) { rows, screen in
                // Trades are all of one kind.
                guard screen.showsAll || rows.contains(where: { $0.row.kind != .fill }) else {
                    return nil
                }
                return .init(column: .init("KIND")) {
                    .init($0.row.kind == .cancel ? "cancel" : "fill")
                }
            }
        Field("role", "The account's; `self` took its own order", \.row.role.word).csv(5, "role")
            .shown(2, "ROLE", dropOrder: 4) { trade, _ in .init(trade.row.role.rawValue) }
        Field("side", "The account's side", \.row.side.word).csv(6, "side")
            .shown(3, "SIDE") { trade, _ in
                .init(
                    trade.row.side.rawValue + (trade.row.isUnproven ? HistoryView.mark : ""),
                    trade.row.side == .buy ? .green : .red
                )
            }
        Field("pair", "The pair's name", as: .pairName, \.row.pair.name)
        Field("baseAmount", "What changed hands of BASE, or is offered no longer") {
            $0.row.pair.base.amount($0.row.base)
        }
        .csv(7, "base", "symbol").csv(9, "base_amount", "value", else: "raw")
        .csv(21, "base_address", "address")
        .sorted("amount") { byPair($0, $1) ?? ($0.row.base > $1.row.base) }
        .shown(4, "AMOUNT", .point) { trade, _ in
            .init(NumberText.list(trade.row.base, trade.row.pair.base))
        }
        Field("quoteAmount", "What changed hands of QUOTE") {
            $0.row.pair.quote.amount($0.row.quote)
        }
        .csv(8, "quote", "symbol").csv(10, "quote_amount", "value", else: "raw")
        .csv(22, "quote_address", "address")
        .sorted("total") { byPair($0, $1) ?? ($0.row.quote > $1.row.quote) }
        .shown(6, "TOTAL", .point, dropOrder: 5) { trade, _ in
            .init(NumberText.list(trade.row.quote, trade.row.pair.quote))
        }
        Field("price", "Null for a cancel, and if nothing changed hands") {
            $0.row.pair.price($0.row.price)
        }
        .csv(11, "price")
        .sorted("price") {
            byPair($0, $1) ?? ListComparison.precedes($0.row.price, $1.row.price, by: <)
        }
        .shown(5, "PRICE", .point) { trade, _ in
            .init(trade.row.price.map { NumberText.listPrice($0, trade.row.pair) } ?? "")
        }
        Field("effectivePrice", "With a fee in a token of the pair, and with gas in QUOTE") {
            $0.row.pair.price($0.row.effectivePrice)
        }
        .csv(12, "effective_price")
        Field("fee", "What the account paid to the exchange or the relay") {
            $0.row.feeToken?.amount($0.row.fee)
        }
        // A cancel has none; of an unknown token it is base units.
        .csv(13, "fee") { trade in
            trade.row.kind == .cancel
                ? ""
                : trade.row.feeToken?.amount(trade.row.fee).value ?? trade.row.fee.description
        }
        .csv(14, "fee_token") { trade in
            trade.row.kind == .cancel ? "" : trade.row.feeToken.map { CSV.text($0.symbol) } ?? ""
        }
        Field("gasCost", "Null: another account paid it, or it is unknown") {
            $0.coin.money($0.row.gas)
        }
        .csv(15, "gas_eth", "value")
        Field("realised", "Null unless it is a sale", nullable: profit) { trade in
            trade.row.profit.map { Profit(profit: $0, row: trade.row) }
        }
        .csv(16, "profit_average", "averageProfit.value").csv(17, "profit_fifo", "fifoProfit.value")
        .csv(18, "uncovered", "uncovered.value")
        .sorted("profit") {
            byPair($0, $1)
                ?? ListComparison.precedes(
                    $0.row.profit?.average,
                    $1.row.profit?.average,
                    by: >
                )
        }
        .shown(7, "PROFIT", .point, dropOrder: 2) { trade, _ in HistoryView.profit(trade.row) }
        Field("orderHash", "The order", \.row.orderHash).csv(19, "order")
        Field("counterparty", "Who was on the other side; null for a cancel", \.row.counterparty)
            .csv(20, "counterparty")
        Field("transaction", "The transaction", \.row.transaction).csv(3, "transaction")
            .shown(8, hash: "TRANSACTION", dropOrder: 3, \.row.transaction.hex)
        Field("block", "Its block", \.row.block).csv(1, "block")
        Field("logIndex", "The place of its event in the block", \.row.logIndex)
            .csv(2, "log_index")
        Field("time", "When its block was mined", as: .time, \.row.time)
            .csv(0, "time", isTime: true)
            .sorted("time") {
                ($0.row.block, $0.row.logIndex) > ($1.row.block, $1.row.logIndex)
            }
            .shown(1) { rows, screen in
                let times = TimeColumn(rows.compactMap(\.row.time), screen, .minutes)
                return .init(column: .init(times.title, dropOrder: 1)) { trade in
                    .init(trade.row.time.map { times.text($0) } ?? "block \(trade.row.block)", .dim)
                }
            }
        Field("tag", "Your own word, or null", \.row.tag).csv(23, "tag")
            .shown(9, "TAG", minimumWidth: 6, ifAny: true) { trade, _ in
                .init(trade.row.tag.map { TerminalText.clean($0) } ?? "")
            }
        Field(
            "arrival",
            "Where the amount that arrived comes from: `exchange` if balances do not prove it; "
                + "null for a cancel and `self`",
            as: .words(["balances", "exchange"])
        ) { $0.row.arrivalSource.map { ExactText($0) } }
        .csv(24, "arrival")
    }

    /// Prices and amounts of different pairs have different units.
    private static func byPair(_ one: Trade, _ other: Trade) -> Bool? {
        ListComparison.pairs(one.row.pair, other.row.pair)
    }

    /// What a sale earned.
    struct Profit: Sendable {
        let profit: ProfitBook.Profit
        let row: HistoryState.Row
    }

    private static let profit = Fields<Profit> {
        Field("averageProfit", "By average cost; null where nothing of it was bought here") {
            $0.row.hasCost ? $0.row.pair.quote.profit($0.profit.average) : nil
        }
        Field("fifoProfit", "First in, first out; null where nothing of it was bought here") {
            $0.row.hasCost ? $0.row.pair.quote.profit($0.profit.fifo) : nil
        }
        Field("uncovered", "What was sold and not bought here") {
            $0.row.pair.base.amount($0.profit.uncovered)
        }
    }

    package static let history = Fields<HistoryState> {
        Field("account", "The account", \.account)
        Field("block", "The latest block; null: the node did not answer", \.block)
        Field("since", "From when on trades are listed; null is all", as: .time, \.since)
        Field("trades", "The latest first, with `--all` also cancels", list: trade) { state in
            state.rows.map { Trade(row: $0, coin: state.coin) }
        }
        Field("positions", "The result of each pair", list: position) { state in
            state.positions.map { Position(position: $0, coin: state.coin) }
        }
        Field(
            "otherGas",
            "Gas of the account's other transactions; null if that of one is unknown"
        ) { $0.coin.money($0.otherGas) }
    }

    package static let rebuild = Fields<TradeSync.Rebuild> {
        Field("fromBlock", "The first block whose logs were read", \.blocks.lowerBound)
        Field("toBlock", "The last one", \.blocks.upperBound)
        Field("countBefore", "Trades in the journal before", \.before)
        Field("countAfter", "Trades in the journal now", \.after)
        Field("addedCount", "Trades that the journal lacked", \.added)
        Field("removedCount", "Trades that are not on the chain", \.removed)
    }

    /// A position, and the coin of its gas.
    struct Position: Sendable {
        let position: HistoryState.Position
        let coin: CoinSymbol
    }

    static let position = Fields<Position>(named: "position", "What came of a pair") {
        Field("pair", "The pair's name", as: .pairName, \.position.pair.name)
        Field("fillCount", "How many fills", \.position.fills)
        Field(
            "unprovenFillCount",
            "Those whose arrival is only the exchange's word",
            \.position.unproven
        )
        Field("bought", "BASE that came in") { $0.position.pair.base.amount($0.position.bought) }
        Field("cost", "QUOTE that went out for it, with fees") {
            $0.position.pair.quote.amount($0.position.cost)
        }
        Field("sold", "BASE that went out") { $0.position.pair.base.amount($0.position.sold) }
        Field("proceeds", "QUOTE that came in for it, after fees") {
            $0.position.pair.quote.amount($0.position.proceeds)
        }
        Field("held", "BASE that was bought and not sold") {
            $0.position.pair.base.amount($0.position.held)
        }
        Field("byAverageCost", "By average cost", object: result) {
            Result(
                cost: $0.position.heldAverageCost,
                profit: $0.position.averageProfit,
                position: $0.position
            )
        }
        Field("byFifo", "First in, first out", object: result) {
            Result(
                cost: $0.position.heldFIFOCost,
                profit: $0.position.fifoProfit,
                position: $0.position
            )
        }
        Field("unrealised", "Null without a holding or a price", nullable: unrealised) { row in
            row.position.unrealised.map { Unrealised(profit: $0, pair: row.position.pair) }
        }
        Field("uncovered", "BASE that was sold and not bought here") {
            $0.position.pair.base.amount($0.position.uncovered)
        }
        Field("fees", "Null unless all were in one token") {
            $0.position.fees.count == 1 ? $0.position.fees.first : nil
        }
        Field("feesByToken", "The fees in each token", \.position.fees)
        Field("gasCost", "What the account paid; null if that of a transaction is unknown") {
            $0.coin.money($0.position.gas)
        }
    }

    /// A position by one of the methods.
    struct Result: Sendable {
        let cost: UInt256
        let profit: SignedAmount
        let position: HistoryState.Position
    }

    private static let result = Fields<Result> {
        Field("cost", "The cost of what is held") { $0.position.pair.quote.amount($0.cost) }
        Field("profit", "Null where nothing that was sold was bought here") {
            $0.position.hasCost ? $0.position.pair.quote.profit($0.profit) : nil
        }
        Field("profitAfterGas", "Null unless QUOTE is the wrapped coin") {
            $0.position.hasCost
                ? $0.position.pair.quote.profit($0.position.afterGas($0.profit)) : nil
        }
    }

    /// What is held at the present price.
    struct Unrealised: Sendable {
        let profit: UnrealisedProfit
        let pair: Pair
    }

    private static let unrealised = Fields<Unrealised> {
        Field("mid", "The middle of the book") { PairPrice(price: $0.profit.mid, pair: $0.pair) }
        Field("marketValue", "Of what is held") { $0.pair.quote.amount($0.profit.value) }
        Field("averageProfit", "The profit by average cost") {
            $0.pair.quote.profit($0.profit.average)
        }
        Field("fifoProfit", "The profit, first in first out") {
            $0.pair.quote.profit($0.profit.fifo)
        }
        Field("dollars", "In a dollar's token; null without a book for it", nullable: dollars) {
            $0.profit.dollars
        }
    }

    private static let dollars = Fields<UnrealisedProfit.InDollars> {
        Field("marketValue", "Of what is held") { $0.token.amount($0.value) }
        Field("averageProfit", "The profit by average cost") { $0.token.profit($0.average) }
        Field("fifoProfit", "The profit, first in first out") { $0.token.profit($0.fifo) }
    }

    // MARK: orders --mine, why

    /// `dex orders --mine`: an order as `dex orders` has it, with `signedAt`, `relay`, `inDoubt` and
    /// `events`.
    package static let ownOrders = Fields<OwnOrdersState> {
        Field("account", "The account", \.account)
        Field("block", "The latest block", \.block)
        Field("time", "The time of that block", as: .time, \.timestamp)
        Field("orders", "The account's orders", list: ownOrder, \.rows)
        Field("dropped", "Orders that are not shown", list: ReadJSON.dropped, \.dropped)
    }

    private static let ownOrder = Fields<OwnOrdersState.Row> {
        ReadJSON.order.of(\.order)
        Field("signedAt", "When it was signed; null: elsewhere", as: .time, \.signed)
        Field("relay", "The relay that accepted it, or null", \.relay)
        Field("inDoubt", "Whether a relay has it is unknown", \.isInDoubt)
        Field("events", "Fills and cancels, the oldest first", list: event) { row in
            row.events.map { Event(event: $0, order: row.order) }
        }
    }

    /// What happened to an own order.
    struct Event: Sendable {
        let event: OwnOrderEvent
        let order: OrdersState.Row
    }

    private static let event = Fields<Event> {
        Field("kind", "What happened", as: .words(["fill", "cancel"])) {
            ExactText($0.event.kind == .cancel ? "cancel" : "fill")
        }
        Field("gives", "What the order gives in this event") {
            $0.order.maker.token.amount($0.event.makerAmount)
        }
        Field("wants", "What the order gets in this event") {
            $0.order.taker.token.amount($0.event.takerAmount)
        }
        Field("taker", "Who filled it; null for a cancel") { row -> Address? in
            if case .fill(let taker, _) = row.event.kind { taker } else { nil }
        }
        Field("transaction", "The transaction", \.event.transaction)
        Field("block", "Its block", \.event.block)
        Field("time", "When its block was mined", as: .time, \.event.time)
    }

    package static let why = Fields<WhyState> {
        Field("orderHash", "The order", \.row.order.hash)
        Field("isFillable", "It can be filled now", \.isFillable)
        Field("reason", "Why, in one word", \.reason.word)
        Field("sentence", "Why, in a sentence", as: .foreign, \.sentence)
        Field("remedy", "The command that mends it, or null", \.remedy)
        Field("block", "The latest block", \.block)
        Field("orderState", "The order", object: ReadJSON.order, \.row)
    }
}

extension HistoryState.Row {
    /// Where the amount that arrived comes from: `balances` or `exchange`; nil if nothing arrived.
    fileprivate var arrivalSource: String? {
        guard kind == .fill, role != .own else { return nil }
        return isUnproven ? "exchange" : "balances"
    }
}
