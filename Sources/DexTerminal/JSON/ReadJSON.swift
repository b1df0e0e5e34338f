package import DexCore
import DexStore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of the reading commands.
package enum ReadJSON {
    // MARK: orderbook

    /// Both sides are encoded concurrently: a large book has millions of digits.
    package static func orderbook(_ state: OrderbookState) async -> JSONValue {
        async let asks = rows(state.asks, state.pair, feeToken: state.feeToken)
        let bids = await rows(state.bids, state.pair, feeToken: state.feeToken)
        return [
            "base": JSONFormat.token(state.pair.base),
            "quote": JSONFormat.token(state.pair.quote),
            "block": JSONFormat.integer(state.block),
            "time": JSONFormat.integer(state.timestamp),
            "isRaw": .bool(state.isRaw),
            "bid": price(state.bid, state.pair),
            "ask": price(state.ask, state.pair),
            "mid": price(state.mid, state.pair),
            "bids": bids,
            "asks": await asks,
            "bidCount": .integer(state.bidCount),
            "askCount": .integer(state.askCount),
            "receivedCount": .integer(state.received),
            "verifiedCount": .integer(state.verified),
            "dropped": dropped(state.dropped),
            "feeRate": feeRate(state.feeRate, state),
            "relayAnswers": RelayJSON.answers(state.relays),
            "updates": RelayJSON.source(state.source),
            "venue": .string(VenueID.book.rawValue),
            "nodeCount": .null,
        ]
    }

    /// The rows of a book's `asks` and `bids`, each with its `side`: the maker's.
    package static func sided(_ book: JSONValue) -> [JSONValue] {
        [("asks", TradeSide.sell), ("bids", .buy)].flatMap { key, side in
            (book[key]?.arrayValue ?? []).map { row in
                var object = row.objectValue ?? JSONObject()
                object["side"] = .string(side.rawValue)
                return .object(object)
            }
        }
    }

    /// QUOTE per fee token; null for a token of the pair.
    private static func feeRate(_ rate: FeeRate?, _ state: OrderbookState) -> JSONValue {
        guard let rate, let token = state.feeToken else { return .null }
        return price(rate.price, Pair(base: token, quote: state.pair.quote))
    }

    @concurrent
    private static func rows(
        _ rows: [OrderbookState.Row],
        _ pair: Pair,
        feeToken: Token?
    ) async -> JSONValue {
        let amounts = JSONFormat.Amounts(pair.base)
        let fees = feeToken.map { JSONFormat.Amounts($0) }
        // A checksum takes a hash, and makers have many orders.
        var makers: [Address: JSONValue] = [:]
        return .list(rows) { row in
            let maker = makers[row.maker] ?? JSONFormat.address(row.maker)
            makers[row.maker] = maker
            return [
                "price": price(row.price, pair),
                "amount": amounts.json(row.amount),
                "fillable": amounts.json(row.fillable),
                "takerFee": row.takerFee == .zero
                    ? .null : fees?.json(row.takerFee) ?? .null,
                "orderHash": JSONFormat.hash(row.orderHash),
                "maker": maker,
                "expires": JSONFormat.integer(row.expires),
                "flags": flags(row.flags),
                // Of a raw book nothing is known.
                "takeable": row.flags.contains(.unverified) ? .null : .bool(row.isTakeable),
                "relays": RelayJSON.names(row.relays),
            ]
        }
    }

    static func flags(_ flags: [OrderFlag]) -> JSONValue {
        flags.map(\.word).json
    }

    /// QUOTE per BASE in human units as a decimal text, half up at 18 significant digits.
    static func price(_ price: Price?, _ pair: Pair) -> JSONValue {
        price.map {
            .string(Ratio($0, base: pair.base, quote: pair.quote).text(significant: 18))
        } ?? .null
    }

    /// Hundredths of a percent as a decimal percentage: `"0.83"`.
    static func percent(_ basisPoints: UInt64) -> JSONValue {
        .string(String(NumberText.percent(basisPoints: basisPoints).dropLast()))
    }

    // MARK: The book, described

    /// A row of a book as the book encodes it; `sided` adds the side.
    package static let sidedRow = Fields<JSONValue> {
        Field(json: "side", "The maker's side", .words(of: TradeSide.self)) { $0["side"] ?? .null }
            .csv(0, "side")
        row
    }

    /// A row of a book as the book encodes it.
    static let row = Fields<JSONValue> {
        key("price", .price, "QUOTE per BASE").csv(1, "price")
        key("amount", .amount, "What the order has of BASE").csv(2, "amount", "value")
        key("fillable", .amount, "What can be filled now").csv(3, "fillable", "value")
        key("takerFee", Shape.amount.orNull, "The taker's fee for the fillable part; or null")
            .csv(4, "taker_fee", "value")
        key("orderHash", Shape.hash.orNull, "The order; null at pools").csv(5, "order")
        key("maker", Shape.address.orNull, "Its maker; null at pools").csv(6, "maker")
        key("expires", Shape.time.orNull, "When it ends; null at pools")
            .csv(7, "expires", isTime: true)
        key("flags", .list(.words(of: OrderFlag.self)), "What is special about it")
            .csv(8, "flags")
        key(
            "takeable",
            Shape.bool.orNull,
            "You can fill it; false for your own, another taker's, unfunded or expiring ones; null "
                + "with `--raw`"
        )
        key("relays", .list(.text), "Those of several relays that show it; empty with one relay")
            .csv(9, "relays")
        key("source", .text, "The pool's kind, such as `v3:0.05%`; only of pools", isOptional: true)
            .csv(10, "source")
        key("pool", Shape.address.orNull, "The pool; only of pools", isOptional: true)
            .csv(11, "pool")
        key("quoteAmount", .amount, "What the row trades of QUOTE; only of pools", isOptional: true)
    }

    private static func key(
        _ name: String,
        _ shape: Shape,
        _ about: String,
        isOptional: Bool = false
    ) -> Field<JSONValue> {
        Field(name, shape, about, isOptional: isOptional) { $0[name] }
    }

    /// `data` of `orderbook`, which is encoded by hand: a large book has millions of digits.
    package static let book = Shape.object([
        .init("base", .token, "BASE of the pair"),
        .init("quote", .token, "QUOTE of the pair"),
        .init("block", Shape.integer.orNull, "The block that was read; null with `--raw`"),
        .init("time", Shape.time.orNull, "The time of that block"),
        .init("isRaw", .bool, "The book is as the relay sent it: nothing is verified"),
        .init("bid", Shape.price.orNull, "The best bid that can be taken, or null"),
        .init("ask", Shape.price.orNull, "The best ask that can be taken, or null"),
        .init("mid", Shape.price.orNull, "Halfway between them, or null"),
        .init("bids", .list(row.shape), "The best first"),
        .init("asks", .list(row.shape), "The best first"),
        .init("bidCount", .count, "Bids before `--depth`"),
        .init("askCount", .count, "Asks before `--depth`"),
        .init("receivedCount", .count, "Orders that the relay sent; 0 at pools"),
        .init("verifiedCount", .count, "Orders whose signature was verified; 0 at pools"),
        .init(
            "dropped",
            .list(dropped.shape),
            "Orders that were left out; of unreadable ones ten, and one entry for the rest"
        ),
        .init(
            "feeRate",
            Shape.price.orNull,
            "QUOTE per fee token, for a fee token outside the pair; null without a book for it"
        ),
        .init("relayAnswers", .list(RelayJSON.answer.shape), "What several relays answered"),
        .init(
            "updates",
            RelayJSON.source.shape.orNull,
            "How the book learns of changes, with `--watch`; else null"
        ),
        .init(
            "venue",
            .words([VenueID.book.rawValue, VenueID.pools.rawValue]),
            "`pools` for [Uniswap's pools](pools.md#the-pools-as-a-book)"
        ),
        .init(
            "nodeCount",
            Shape.integer.orNull,
            "How many nodes say the pools' prices; null for a book"
        ),
    ])

    static let dropped = Fields<OrderbookState.Dropped>(
        named: "droppedOrder",
        "An order that is not shown"
    ) {
        Field("orderHash", "The order; null for several", \.orderHash)
        Field("code", "Why, in one word", \.reason.code)
        Field("reason", "Why, in words", as: .foreign, \.reason.words)
        Field("count", "How many orders; 1 for one", \.count)
    }

    // MARK: price, pairs, tokens

    package static let price = Fields<PriceState> {
        Field("base", "BASE of the pair", \.pair.base)
        Field("quote", "QUOTE of the pair", \.pair.quote)
        Field("block", "The latest block", \.block)
        Field("bid", "The best bid, or null") { $0.pair.price($0.bid) }
        Field("ask", "The best ask, or null") { $0.pair.price($0.ask) }
        Field("mid", "Halfway between them, or null") { $0.pair.price($0.mid) }
        Field(
            "trend",
            "The last 24 hours; null if they were not read",
            nullable: MarketJSON.chart
        ) { $0.trend.map { .init(state: $0, svg: nil) } }
        Field(
            json: "pools",
            "The pools whose prices these are; null for a book",
            Shape.list(PoolJSON.source.shape).orNull
        ) { $0.pools.map { PoolJSON.sources($0) } ?? .null }
        Field("nodeCount", "How many nodes say the pools' prices, or null", \.pools?.nodes)
        Field(
            "venues",
            .list(offer.shape),
            "With `--amount`: what each venue offers, where the network has a swap API or pools",
            isOptional: true
        ) { state in
            state.offers.isEmpty
                ? nil : offer(state.offers.map { Offer(offer: $0, pair: state.pair) })
        }
        quoted("side", "With `--amount`, like all below: what you would do") { quote, _ in
            quote.side.word
        }
        quoted("amount", "The amount of BASE") { $1.base.amount($0.amount) }
        quoted("fillable", "How much of it the book has") { $1.base.amount($0.fillable) }
        quoted("total", "What it costs or brings of QUOTE") { $1.quote.amount($0.total) }
        quoted("average", "The average price") { PairPrice(price: $0.average, pair: $1) }
        quoted("worst", "The price of the last order") { PairPrice(price: $0.worst, pair: $1) }
        quoted("impact", "How far the average is from the best price") { quote, _ in
            Percent(quote.impactBasisPoints)
        }
        quoted("fees", "Fees of the takers, or null") { quote, _ in quote.fees }
        quoted("feeValue", "Of fees in a third token, if there is a book for it; or null") {
            $1.quote.amount($0.feeValue)
        }
        quoted("orderCount", "How many orders") { quote, _ in quote.orders }
    }

    /// A key that is there where the book has a price for the amount.
    private static func quoted<Value: AnswerValue>(
        _ name: String,
        _ about: String,
        _ value: @escaping @Sendable (PriceState.Quote, Pair) -> Value
    ) -> Field<PriceState> {
        Field(optional: name, about) { state in state.quote.map { value($0, state.pair) } }
    }

    private struct Offer: Sendable {
        let offer: PriceState.Offer
        let pair: Pair
    }

    private static let offer = Fields<Offer> {
        Field("venue", "Where", \.offer.venue.word)
        Field("average", "The average price, or null") { $0.pair.price($0.offer.average) }
        Field("worst", "The worst price, or null") { $0.pair.price($0.offer.worst) }
        Field("total", "What it costs or brings of QUOTE, or null") {
            $0.pair.quote.amount($0.offer.total)
        }
        Field("gasUnits", "The gas of its transaction, or null", \.offer.gas)
        Field("reason", "Why there is no offer, or null", as: .foreign, \.offer.reason)
    }

    package static let listedToken = Fields<TokensState.Row> {
        Field("symbol", "Its symbol", \.token.symbol).csv(0, "symbol")
            .sorted("symbol") { ListComparison.tokens($0.token, $1.token) }
            .shown(0, "SYMBOL", minimumWidth: 6) { row, _ in
                .init(PlainText.name(row.token.symbol), .bold)
            }
        Field("name", "Its name", \.token.name).csv(1, "name")
            .sorted("name") {
                ($0.token.name, $0.token.address) < ($1.token.name, $1.token.address)
            }
            .shown(3, "NAME", dropOrder: 1, minimumWidth: 8) { row, _ in
                .init(TerminalText.clean(row.token.name))
            }
        Field("address", "Its contract", \.token.address).csv(3, "address")
            .sorted("address") { $0.token.address < $1.token.address }
            .shown(2, "ADDRESS") { row, _ in .init(row.token.address.checksummed) }
        Field("decimals", "Its decimals; null if unknown") { $0.token.decimals.map { Int($0) } }
            .csv(2, "decimals")
            .shown(1, "DECIMALS", .right, dropOrder: 2) { row, _ in
                .init(row.token.decimals.map { "\($0)" } ?? "?")
            }
        Field("logoURI", "Its picture, as its list says; or null", as: .foreign, \.token.logoURI)
        Field("warnings", "What to know about it; sentences", as: .foreign, \.warnings)
            .csv(4, "warnings")
            .shown(4, "", dropOrder: 3) { row, _ in
                .init(row.warnings.isEmpty ? "" : "!", .yellow)
            }
    }

    package static let tokens = Fields<TokensState> {
        Field("network", "The network") { ExactText($0.network) }
        Field("tokens", "Those that match", list: listedToken, \.rows)
    }
}
