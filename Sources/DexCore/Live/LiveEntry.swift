import Ethereum
package import ZeroEx

/// The fields of an order that is being entered.
package struct LiveEntry: Sendable {
    package enum Kind: Hashable, Sendable {
        case limit
        case market
        /// Of an own order.
        case replace(OrderHash)
    }

    package enum Field: String, Hashable, Sendable {
        case amount
        case price
        case slippage
        case expires
    }

    package let kind: Kind
    package let side: TradeSide
    package let pair: Pair
    package private(set) var fields: [(field: Field, line: LineField)]
    /// The index of the field that is typed.
    package private(set) var focus = 0
    /// What is wrong with it; a sentence.
    package var problem: String?

    /// - Parameters:
    ///   - amount: of BASE, prefilled; empty is typed.
    ///   - price: of a limit order, prefilled.
    init(_ kind: Kind, _ side: TradeSide, _ pair: Pair, amount: String = "", price: String = "") {
        self.kind = kind
        self.side = side
        self.pair = pair
        fields =
            switch kind {
            case .limit:
                [
                    (.amount, LineField(amount)), (.price, LineField(price)),
                    (.expires, LineField("24h")),
                ]
            case .market: [(.amount, LineField(amount)), (.slippage, LineField("1"))]
            // What is left empty stays as the order has it.
            case .replace:
                [(.price, LineField(price)), (.amount, LineField()), (.expires, LineField())]
            }
    }

    package func text(_ field: Field) -> String {
        fields.first { $0.field == field }?.line.string.filter { $0 != " " } ?? ""
    }

    /// Parts of what can be spent, which a key puts into the field of the amount in turn.
    package static let presets = ["25%", "50%", "100%"]
    package static let presetKey = Key.character("%")

    /// The amount that the key of the presets puts into the field; nil where it is typed as it is:
    /// in another field, or behind digits.
    private var nextPreset: String? {
        let (field, line) = fields[focus]
        guard field == .amount else { return nil }
        guard let index = Self.presets.firstIndex(of: line.string) else {
            return line.isSelected || line.string.isEmpty ? Self.presets.first : nil
        }
        return Self.presets[(index + 1) % Self.presets.count]
    }

    mutating func take(_ key: Key) {
        problem = nil
        if key == Self.presetKey, let preset = nextPreset {
            fields[focus].line = LineField(preset)
            return
        }
        switch key {
        case .tab, .down: move(to: (focus + 1) % fields.count)
        case .backTab, .up: move(to: (focus + fields.count - 1) % fields.count)
        default: _ = fields[focus].line.take(key)
        }
    }

    private mutating func move(to index: Int) {
        focus = index
        fields[index].line.select()
    }

    /// The first field that must be filled and is not.
    var missing: Field? {
        let needed: [Field] =
            switch kind {
            case .limit: [.amount, .price, .expires]
            case .market: [.amount, .slippage]
            case .replace: [.price]
            }
        return needed.first { text($0).isEmpty }
    }

    mutating func set(_ field: Field, _ text: String) {
        guard let index = fields.firstIndex(where: { $0.field == field }) else { return }
        fields[index].line = LineField(text)
    }

    mutating func focus(on field: Field) {
        focus = fields.firstIndex { $0.field == field } ?? focus
    }
}
