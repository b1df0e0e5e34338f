package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// `dex trades --csv`: RFC 4180, one line for each trade, the latest first, amounts exact.
package enum TradesCSV {
    package static let header = [
        "time", "block", "log_index", "transaction", "side", "base", "quote", "base_amount",
        "quote_amount", "price", "maker", "taker", "order", "base_address", "quote_address",
        "source",
    ]

    package static func csv(_ state: TradesState) -> CSV {
        CSV(header: header, rows: state.rows.map { fields($0, state) })
    }

    private static func fields(_ row: TapeTrade, _ state: TradesState) -> [String] {
        let (base, quote) = (state.pair.base, state.pair.quote)
        return [
            TimeText.iso(row.fill.time), String(row.fill.block), String(row.fill.logIndex),
            row.fill.transaction.hex, row.side.rawValue, CSV.text(base.symbol),
            CSV.text(quote.symbol), HistoryCSV.value(row.base, base),
            HistoryCSV.value(row.quote, quote),
            row.price.map { Ratio($0, base: base, quote: quote).text(significant: 18) } ?? "",
            row.fill.maker.checksummed, row.fill.taker.checksummed,
            row.fill.isSwap ? "" : row.fill.orderHash.hex,
            base.address.checksummed, quote.address.checksummed, row.source.name,
        ]
    }
}
