package import DexCore
package import Ethereum
package import StrictJSON
package import ZeroEx

/// A value that knows its JSON, and what that is.
package protocol AnswerValue: SendableMetatype {
    static var shape: Shape { get }
    var json: JSONValue { get }
    /// The shape of a value of this type that a field describes closer.
    static func shape(as shape: Shape?) -> Shape
}

extension AnswerValue {
    package static func shape(as shape: Shape?) -> Shape { shape ?? Self.shape }
}

extension Optional: AnswerValue where Wrapped: AnswerValue {
    package static var shape: Shape { Wrapped.shape.orNull }
    package var json: JSONValue { map(\.json) ?? .null }
    package static func shape(as shape: Shape?) -> Shape { Wrapped.shape(as: shape).orNull }
}

extension Array: AnswerValue where Element: AnswerValue {
    package static var shape: Shape { .list(Element.shape) }
    package var json: JSONValue { .array(map(\.json)) }
    package static func shape(as shape: Shape?) -> Shape { .list(Element.shape(as: shape)) }
}

extension Bool: AnswerValue {
    package static let shape = Shape.bool
    package var json: JSONValue { .bool(self) }
}

/// Text of others: what a terminal would obey is taken out.
extension String: AnswerValue {
    package static let shape = Shape.text
    package var json: JSONValue { JSONFormat.text(self) }
}

extension UInt64: AnswerValue {
    package static let shape = Shape.integer
    package var json: JSONValue { JSONFormat.integer(self) }
}

/// How many: from 0 on.
extension Int: AnswerValue {
    package static let shape = Shape.count
    package var json: JSONValue { .integer(self) }
}

extension UInt256: AnswerValue {
    package static let shape = Shape.integer
    package var json: JSONValue { JSONFormat.integer(self) }
}

/// A price of gas: a text of wei.
extension Wei: AnswerValue {
    package static let shape = Shape.digits
    package var json: JSONValue { .string(description) }
}

extension Address: AnswerValue {
    package static let shape = Shape.address
    package var json: JSONValue { JSONFormat.address(self) }
}

extension Hash: AnswerValue {
    package static var shape: Shape { .hash }
    package var json: JSONValue { JSONFormat.hash(self) }
}

extension Token: AnswerValue {
    package static let shape = Shape.token
    package var json: JSONValue { JSONFormat.token(self) }
}

extension TokenAmount: AnswerValue {
    package static let shape = Shape.amount
    package var json: JSONValue { JSONFormat.amount(self) }
}

extension CoinSymbol: AnswerValue {
    package static let shape = Shape.text
    package var json: JSONValue { .string(text) }
}

/// A word of ours: one of the cases of an enumeration.
package struct Word<Kind>: AnswerValue
where Kind: RawRepresentable<String> & CaseIterable {
    let kind: Kind

    package init(_ kind: Kind) { self.kind = kind }

    package static var shape: Shape { .words(of: Kind.self) }
    package var json: JSONValue { .string(kind.rawValue) }
}

extension RawRepresentable<String> where Self: CaseIterable {
    package var word: Word<Self> { Word(self) }
}

/// A text of ours, as it is: a path, a name that was checked before.
package struct ExactText: AnswerValue {
    let text: String

    package init(_ text: String) { self.text = text }

    package static let shape = Shape.text
    package var json: JSONValue { .string(text) }
}

/// An amount of a token or of the coin.
package struct Money: AnswerValue {
    let raw: UInt256
    let currency: Currency

    package static let shape = Shape.amount
    package var json: JSONValue { MoneyJSON.amount(raw, currency) }
}

extension Currency {
    package func money(_ raw: UInt256) -> Money { Money(raw: raw, currency: self) }
    package func money(_ raw: UInt256?) -> Money? { raw.map { money($0) } }
}

extension CoinSymbol {
    package func money(_ wei: Wei) -> Money { Currency.coin(self).money(wei.rawValue) }
    package func money(_ wei: Wei?) -> Money? { wei.map { money($0) } }
}

extension Token {
    package func amount(_ raw: UInt256) -> TokenAmount { TokenAmount(raw: raw, token: self) }
    package func amount(_ raw: UInt256?) -> TokenAmount? { raw.map { amount($0) } }
}

/// A profit or a loss.
package struct SignedMoney: AnswerValue {
    let amount: SignedAmount
    let token: Token

    package static let shape = Shape.signedAmount

    /// `raw` and `value` have a minus sign if it is below zero.
    package var json: JSONValue {
        let value = JSONFormat.amount(amount.magnitude, token)
        guard amount.isNegative, var object = value.objectValue else { return value }
        object["raw"] = .string("-\(amount.magnitude)")
        if let text = object["value"]?.stringValue { object["value"] = .string("-" + text) }
        return .object(object)
    }
}

extension Token {
    package func profit(_ amount: SignedAmount) -> SignedMoney {
        SignedMoney(amount: amount, token: self)
    }

    package func profit(_ amount: SignedAmount?) -> SignedMoney? { amount.map { profit($0) } }
}

/// A price of a pair in human units: half up at 18 significant digits.
package struct PairPrice: AnswerValue {
    let price: Price
    let pair: Pair

    package static let shape = Shape.price
    package var json: JSONValue { ReadJSON.price(price, pair) }
}

extension Pair {
    package func price(_ price: Price?) -> PairPrice? {
        price.map { PairPrice(price: $0, pair: self) }
    }
}

/// Hundredths of a percent: `"0.83"`.
package struct Percent: AnswerValue {
    let basisPoints: UInt64

    package init(_ basisPoints: UInt64) { self.basisPoints = basisPoints }

    package static let shape = Shape.percent
    package var json: JSONValue { ReadJSON.percent(basisPoints) }
}
