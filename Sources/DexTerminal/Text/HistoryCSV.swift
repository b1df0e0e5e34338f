package import DexCore
import Ethereum
import ZeroEx

/// `dex history --csv`: RFC 4180, one line for each fill and cancel, amounts exact.
package enum HistoryCSV {
    package static let header = [
        "time", "block", "log_index", "transaction", "kind", "role", "side", "base", "quote",
        "base_amount", "quote_amount", "price", "effective_price", "fee", "fee_token", "gas_eth",
        "profit_average", "profit_fifo", "uncovered", "order", "counterparty", "base_address",
        "quote_address", "tag", "arrival",
    ]

    package static func csv(_ state: HistoryState) -> CSV {
        CSV(header: header, rows: state.rows.map { fields($0) })
    }

    private static func fields(_ row: HistoryState.Row) -> [String] {
        let (base, quote) = (row.pair.base, row.pair.quote)
        let isFill = row.kind == .fill
        func price(_ price: Price?) -> String {
            price.map { NumberText.price($0, base: base, quote: quote) } ?? ""
        }
        func profit(_ amount: SignedAmount?) -> String {
            amount.map {
                ($0.isNegative ? "-" : "") + value($0.magnitude, quote)
            } ?? ""
        }
        return [
            row.time.map { TimeText.iso($0) } ?? "", String(row.block), String(row.logIndex),
            row.transaction.hex, row.kind.rawValue, row.role.rawValue, row.side.rawValue,
            CSV.text(base.symbol), CSV.text(quote.symbol), value(row.base, base),
            value(row.quote, quote),
            price(row.price), price(row.effectivePrice),
            isFill ? row.feeToken.map { value(row.fee, $0) } ?? row.fee.description : "",
            isFill ? row.feeToken.map { CSV.text($0.symbol) } ?? "" : "",
            row.gas.map { DecimalText.format($0.rawValue, decimals: 18) } ?? "",
            profit(row.hasCost ? row.profit?.average : nil),
            profit(row.hasCost ? row.profit?.fifo : nil),
            row.profit.map { value($0.uncovered, base) } ?? "", row.orderHash.hex,
            row.counterparty?.checksummed ?? "", base.address.checksummed,
            quote.address.checksummed, row.tag.map { CSV.text($0) } ?? "",
            row.arrivalSource ?? "",
        ]
    }

    /// Without thousands separators; base units if the decimals are unknown.
    static func value(_ raw: UInt256, _ token: Token) -> String {
        TokenAmount(raw: raw, token: token).value
    }
}
