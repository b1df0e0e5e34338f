package import DexCore
import DexStore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of the commands that show a market's past.
package enum MarketJSON {
    package static func trades(_ state: TradesState) -> JSONValue {
        let pair = state.pair
        return [
            "base": JSONFormat.token(pair.base),
            "quote": JSONFormat.token(pair.quote),
            "block": JSONFormat.integer(state.block),
            "since": JSONFormat.integer(state.since),
            "volume": volume(state.summary, pair),
            "trades": .list(state.rows) { row in
                [
                    "time": JSONFormat.integer(row.fill.time),
                    "side": .string(row.side.rawValue),
                    "price": ReadJSON.price(row.price, pair),
                    "base": JSONFormat.amount(row.base, pair.base),
                    "quote": JSONFormat.amount(row.quote, pair.quote),
                    "maker": JSONFormat.address(row.fill.maker),
                    "taker": JSONFormat.address(row.fill.taker),
                    "orderHash": row.fill.isSwap ? .null : JSONFormat.hash(row.fill.orderHash),
                    "transaction": JSONFormat.hash(row.fill.transaction),
                    "block": JSONFormat.integer(row.fill.block),
                    "logIndex": JSONFormat.integer(row.fill.logIndex),
                    "source": .string(row.source.name),
                ]
            },
        ]
    }

    /// - Parameter svg: the path of the picture that was written; nil without one.
    package static func chart(_ state: ChartState, svg: String? = nil) -> JSONValue {
        let pair = state.pair
        return [
            "base": JSONFormat.token(pair.base),
            "quote": JSONFormat.token(pair.quote),
            "block": JSONFormat.integer(state.block),
            "interval": JSONFormat.integer(state.interval),
            "since": JSONFormat.integer(state.since),
            "until": JSONFormat.integer(state.until),
            "volume": volume(state.summary, pair),
            "svg": JSONFormat.text(svg),
            "candles": .list(state.candles) { candle in
                [
                    "start": JSONFormat.integer(candle.start),
                    "open": ReadJSON.price(candle.prices?.open, pair),
                    "high": ReadJSON.price(candle.prices?.high, pair),
                    "low": ReadJSON.price(candle.prices?.low, pair),
                    "close": ReadJSON.price(candle.prices?.close, pair),
                    "base": JSONFormat.amount(candle.base, pair.base),
                    "quote": JSONFormat.amount(candle.quote, pair.quote),
                    "trades": .integer(candle.trades),
                    "vwap": ReadJSON.price(candle.weighted, pair),
                ]
            },
        ]
    }

    static func volume(_ summary: MarketSummary, _ pair: Pair) -> JSONValue {
        [
            "base": JSONFormat.amount(summary.base, pair.base),
            "quote": JSONFormat.amount(summary.quote, pair.quote),
            "trades": .integer(summary.trades),
        ]
    }
}
