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
            "timestamp": JSONFormat.integer(book.block.timestamp),
            "raw": false,
            "bid": ReadJSON.price(state.bid, state.pair),
            "ask": ReadJSON.price(state.ask, state.pair),
            "mid": ReadJSON.price(state.mid, state.pair),
            "bids": levels(state.bids, state),
            "asks": levels(state.asks, state),
            "bidCount": .integer(book.bids.count),
            "askCount": .integer(book.asks.count),
            "received": 0,
            "verified": 0,
            "dropped": [],
            "feeRate": .null,
            "relays": [],
            "source": .null,
            "venue": .string(Venue.pools.rawValue),
            "nodes": JSONFormat.integer(state.nodes),
        ]
    }

    /// The pools of a book, those with the lowest fee first.
    static func sources(_ state: PoolBookState) -> JSONValue {
        .list(state.book.ordered) { pool in
            [
                "source": .string(pool.kind.name),
                "address": state.book.addresses[pool].map { JSONFormat.address($0) } ?? .null,
            ]
        }
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

    package static func pools(_ state: PoolListState) -> JSONValue {
        [
            "base": JSONFormat.token(state.pair.base),
            "quote": JSONFormat.token(state.pair.quote),
            "block": JSONFormat.integer(state.block.number),
            "timestamp": JSONFormat.integer(state.block.timestamp),
            "mid": ReadJSON.price(state.mid, state.pair),
            "nodes": JSONFormat.integer(state.nodes),
            "pools": .list(state.rows) { row in pool(row, state) },
        ]
    }

    private static func pool(_ row: PoolListState.Row, _ state: PoolListState) -> JSONValue {
        let pair = state.pair
        func depth(_ depth: PoolListState.Depth?) -> JSONValue {
            guard let depth else { return .null }
            return [
                "base": JSONFormat.amount(depth.base, pair.base),
                "quote": JSONFormat.amount(depth.quote, pair.quote),
            ]
        }
        var oracle: JSONValue = .null
        if case .reaches(let seconds, let observations) = row.oracle {
            oracle = [
                "seconds": JSONFormat.integer(UInt64(seconds)),
                "observations": JSONFormat.integer(UInt64(observations)),
            ]
        }
        return [
            "source": .string(row.pool.kind.name),
            "address": JSONFormat.address(row.address),
            "fee": .string(DecimalText.format(UInt256(UInt64(row.pool.kind.fee)), decimals: 4)),
            "price": ReadJSON.price(row.price, pair),
            "sell": depth(row.sell),
            "buy": depth(row.buy),
            "liquidity": .string(row.liquidity.description),
            "reserves": depth(row.reserves),
            "volume": row.volume.map { JSONFormat.amount($0, pair.quote) } ?? .null,
            "share": state.share(of: row).map { ReadJSON.percent($0) } ?? .null,
            "oracle": oracle,
        ]
    }
}
