package import DexCore
import Ethereum
import ZeroEx

/// `dex history --csv`: RFC 4180, one line for each fill and cancel, amounts exact.
package enum HistoryCSV {
    package static let header = [
        "time", "block", "log_index", "transaction", "kind", "role", "side", "base", "quote",
        "base_amount", "quote_amount", "price", "effective_price", "fee", "fee_token", "gas_eth",
        "profit_average", "profit_fifo", "uncovered", "order", "counterparty", "base_address",
        "quote_address",
    ]

    /// Each line ends in CR; printing adds LF, as the standard requires.
    package static func lines(_ state: HistoryState) -> [String] {
        ([header] + state.rows.map { fields($0) })
            .map { $0.map { quoted($0) }.joined(separator: ",") + "\r" }
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
            text(base.symbol), text(quote.symbol), value(row.base, base), value(row.quote, quote),
            price(row.price), price(row.effectivePrice),
            isFill ? row.feeToken.map { value(row.fee, $0) } ?? row.fee.description : "",
            isFill ? row.feeToken.map { text($0.symbol) } ?? "" : "",
            row.gas.map { DecimalText.format($0.rawValue, decimals: 18) } ?? "",
            profit(row.profit?.average), profit(row.profit?.fifo),
            row.profit.map { value($0.uncovered, base) } ?? "", row.orderHash.hex,
            row.counterparty?.checksummed ?? "", base.address.checksummed,
            quote.address.checksummed,
        ]
    }

    /// Without thousands separators; base units if the decimals are unknown.
    static func value(_ raw: UInt256, _ token: Token) -> String {
        TokenAmount(raw: raw, token: token).value
    }

    /// An external symbol, which must not be a formula in a spreadsheet.
    static func text(_ symbol: String) -> String {
        let clean = TerminalText.clean(symbol)
        return clean.first.map { "=+-@".contains($0) } ?? false ? "'" + clean : clean
    }

    /// Source: RFC 4180, section 2.
    static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else {
            return field
        }
        return "\""
            + field.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}
