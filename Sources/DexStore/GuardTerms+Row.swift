import Ethereum
import GRDB
import ZeroEx

extension GuardTerms {
    /// Reads the terms of a row; nil if it has none, or none that can be read.
    init?(row: Row) {
        func number(_ column: String) -> UInt256? {
            (row[column] as String?).flatMap(UInt256.init(decimal:))
        }
        func decimals(_ column: String) -> UInt8? {
            (row[column] as Int64?).flatMap(UInt8.init(exactly:))
        }
        func fraction(_ name: String) -> Price? {
            guard let quote = number("\(name)_quote"), let base = number("\(name)_base") else {
                return nil
            }
            return Price(quote: quote, base: base)
        }
        guard let amount = number("amount_units"), let price = fraction("price"),
            let limit = fraction("limit"),
            let nonce = (row["nonce"] as String?).flatMap(Bytes32.init(ifHex:))
        else { return nil }
        self.init(
            baseDecimals: decimals("base_decimals"),
            quoteDecimals: decimals("quote_decimals"),
            amount: amount,
            price: price,
            limit: limit,
            nonce: nonce
        )
    }

    /// The values of the columns `base_decimals` to `nonce`.
    var values: StatementArguments {
        [
            baseDecimals.map { Int64($0) }, quoteDecimals.map { Int64($0) }, amount.description,
            price.quote.description, price.base.description, limit.quote.description,
            limit.base.description, nonce.hex,
        ]
    }
}

extension Signature {
    /// Reads the form of `rowText`; nil for any other text.
    init?(rowText text: String) {
        guard text.utf8.count == 132, text.hasPrefix("0x"),
            let r = Bytes32(ifHex: String(text.prefix(66))),
            let s = Bytes32(ifHex: "0x" + text.dropFirst(66).prefix(64)),
            let v = UInt8(text.suffix(2), radix: 16), v >= 27
        else { return nil }
        self.init(r: r, s: s, yParity: v - 27)
    }

    /// `0x`, then r, s and v in hexadecimal digits.
    var rowText: String { r.hex + s.hex.dropFirst(2) + String(v, radix: 16) }
}
