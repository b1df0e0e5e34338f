package import DexCore
import Ethereum
package import StrictJSON
import Uniswap
import ZeroEx

/// `data` of the commands that read Uniswap's pools.
package enum PoolJSON {
    /// The keys of `ReadJSON.orderbook`, and those that only pools have.
    package static func book(_ state: PoolBookState) -> JSONValue {
        let book = state.book
        return [
            "base": JSONFormat.token(state.pair.base),
            "quote": JSONFormat.token(state.pair.quote),
            "block": JSONFormat.integer(book.block.number),
            "time": JSONFormat.integer(book.block.timestamp),
            "isRaw": false,
            "bid": ReadJSON.price(state.bid, state.pair),
            "ask": ReadJSON.price(state.ask, state.pair),
            "mid": ReadJSON.price(state.mid, state.pair),
            "bids": levels(state.bids, state),
            "asks": levels(state.asks, state),
            "bidCount": .integer(book.bids.count),
            "askCount": .integer(book.asks.count),
            "receivedCount": 0,
            "verifiedCount": 0,
            "dropped": [],
            "feeRate": .null,
            "relayAnswers": [],
            "updates": .null,
            "venue": .string(VenueID.pools.rawValue),
            "nodeCount": JSONFormat.integer(state.nodes),
        ]
    }

    /// A pool of a book, and its address.
    package struct Source: Sendable {
        let kind: PoolKind
        let address: Address?
    }

    static let source = Fields<Source> {
        Field("source", "Such as `v3:0.05%`") { ExactText($0.kind.name) }
        Field("address", "The pool", \.address)
    }

    /// The pools of a book, those with the lowest fee first.
    static func sources(_ state: PoolBookState) -> JSONValue {
        source(
            state.book.ordered.map { Source(kind: $0.kind, address: state.book.addresses[$0]) }
        )
    }

    private static func levels(_ levels: [PoolBook.Level], _ state: PoolBookState) -> JSONValue {
        let base = JSONFormat.Amounts(state.pair.base)
        let quote = JSONFormat.Amounts(state.pair.quote)
        return .list(levels) { level in
            [
                "price": ReadJSON.price(level.price, state.pair),
                "amount": base.json(level.base),
                "fillable": base.json(level.base),
                "takerFee": .null,
                "orderHash": .null,
                "maker": .null,
                "expires": .null,
                "flags": [],
                "takeable": true,
                "relays": [],
                "source": .string(level.pool.kind.name),
                "pool": state.book.addresses[level.pool].map { JSONFormat.address($0) } ?? .null,
                "quoteAmount": quote.json(level.quote),
            ]
        }
    }

    package static let pools = Fields<PoolListState> {
        Field("base", "BASE of the pair", \.pair.base)
        Field("quote", "QUOTE of the pair", \.pair.quote)
        Field("block", "The block that was read", \.block.number)
        Field("time", "The time of that block", as: .time, \.block.timestamp)
        Field("mid", "Of all pools, or null") { $0.pair.price($0.mid) }
        Field("nodeCount", "How many nodes say so", \.nodes)
        Field("pools", "The deepest first", list: pool) { listed($0) }
    }

    /// A pool of the list, and the list.
    struct Listed: Sendable {
        let row: PoolListState.Row
        fileprivate let state: PoolListState

        fileprivate var pair: Pair { state.pair }

        fileprivate func depth(_ depth: PoolListState.Depth?) -> Depth? {
            depth.map { Depth(depth: $0, pair: pair) }
        }
    }

    fileprivate struct Depth: Sendable {
        let depth: PoolListState.Depth
        let pair: Pair
    }

    private static let depth = Fields<Depth> {
        Field("baseAmount", "Of BASE") { $0.pair.base.amount($0.depth.base) }
        Field("quoteAmount", "Of QUOTE") { $0.pair.quote.amount($0.depth.quote) }
    }

    static func listed(_ state: PoolListState) -> [Listed] {
        state.rows.map { Listed(row: $0, state: state) }
    }

    static let pool = Fields<Listed> {
        Field("source", "Such as `v3:0.05%`") { ExactText($0.row.pool.kind.name) }
            .shown(0, "POOL") { row, _ in .init(row.row.pool.kind.name, .bold) }
        Field("address", "The pool", \.row.address)
            .shown(7, "ADDRESS", dropOrder: 2) { row, screen in
                let address = row.row.address
                return .init(screen.width >= 120 ? address.checksummed : address.shortened, .dim)
            }
        Field("feePercent", "Of what comes in", as: .percent) {
            ExactText(
                DecimalText.format(UInt256(UInt64($0.row.pool.kind.fee)), decimals: 4)
            )
        }
        Field("price", "Without the fee; or null") { $0.pair.price($0.row.price) }
        Field(
            "sell",
            "What sales move until the price is 1 % away; or null",
            nullable: depth
        ) { $0.depth($0.row.sell) }
        .shown(1) { rows, _ in
            amounts("PAYS", \.quote, rows, dropOrder: 1, color: .green, \.row.sell?.quote)
        }
        Field("buy", "What purchases move until the price is 1 % away; or null", nullable: depth) {
            $0.depth($0.row.buy)
        }
        .shown(2) { rows, _ in amounts("SELLS", \.base, rows, color: .red, \.row.buy?.base) }
        Field("liquidity", "L around the price", as: .digits) {
            ExactText($0.row.liquidity.description)
        }
        .shown(6, "LIQUIDITY", .right, dropOrder: 6) { row, _ in
            .init(PoolText.powers(row.row.liquidity))
        }
        Field("reserves", "Of a v2 pair; null for a v3 pool", nullable: depth) {
            $0.depth($0.row.reserves)
        }
        Field("quoteVolume", "QUOTE of 24 hours; null if it was not read") {
            $0.pair.quote.amount($0.row.volume)
        }
        .shown(3) { rows, _ in
            amounts("VOLUME", isNamed: false, \.quote, rows, dropOrder: 3, \.row.volume)
        }
        Field("sharePercent", "Of the volume of all pools; or null") {
            $0.state.share(of: $0.row).map { Percent($0) }
        }
        .shown(4, "SHARE", .right, dropOrder: 4) { row, _ in
            .init(row.state.share(of: row.row).map { NumberText.percent(basisPoints: $0) } ?? "-")
        }
        Field(
            json: "oracle",
            "Of a v3 pool; null for a v2 pair",
            Shape.object([
                .init(
                    "seconds",
                    .integer,
                    "The longest mean that it answers, of 60, 300, 1800, 3600, 21600, 86400 and "
                        + "604800, or 0"
                ),
                .init("observations", .integer, "How many it keeps"),
            ]).orNull
        ) { listed in
            guard case .reaches(let seconds, let observations) = listed.row.oracle else {
                return .null
            }
            return [
                "seconds": JSONFormat.integer(UInt64(seconds)),
                "observations": JSONFormat.integer(UInt64(observations)),
            ]
        }
        .shown(5, "ORACLE", .right, dropOrder: 5) { row, _ in
            .init(PoolText.reach(row.row.oracle))
        }
    }

    /// A column of amounts with the same number of decimals.
    ///
    /// - Parameter isNamed: the title has the token's symbol.
    private static func amounts(
        _ title: String,
        isNamed: Bool = true,
        _ token: (Pair) -> Token,
        _ rows: [Listed],
        dropOrder: Int = 0,
        color: Style.Color? = nil,
        _ raw: @escaping (Listed) -> UInt256?
    ) -> ScreenColumn<Listed>.Shown? {
        guard let token = rows.first.map({ token($0.pair) }) else { return nil }
        let largest = rows.compactMap(raw).max() ?? .zero
        let places = NumberText.places(forLargest: largest, of: token)
        let name = isNamed ? " " + PlainText.name(token.symbol) : ""
        return .init(column: .init(title + name, .right, dropOrder: dropOrder)) { row in
            .init(raw(row).map { NumberText.column($0, of: token, places: places) } ?? "-", color)
        }
    }
}
