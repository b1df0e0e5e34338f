package import Ethereum
import GRDB

/// An alert in the journal.
package struct JournalAlert: Hashable, Sendable {
    /// Its number, never given to another alert; 0 before it is in the journal.
    package internal(set) var id: Int64
    package let chainID: UInt64
    package let exchange: Address
    /// nil for a condition of a book.
    package let account: Address?
    package let condition: AlertCondition
    /// The condition as it is shown: `ZRX/WETH < 0.00074`.
    package let text: String
    /// It is removed once it fired.
    package let isOnce: Bool
    /// Seconds since 1970.
    package let created: UInt64
    /// It fires when its condition holds; false from then on until the condition does not hold.
    package let isArmed: Bool
    /// How often it fired.
    package let turn: UInt64

    package init(
        id: Int64 = 0,
        chainID: UInt64,
        exchange: Address,
        account: Address?,
        condition: AlertCondition,
        text: String,
        isOnce: Bool,
        created: UInt64,
        isArmed: Bool = true,
        turn: UInt64 = 0
    ) {
        self.id = id
        self.chainID = chainID
        self.exchange = exchange
        self.account = account
        self.condition = condition
        self.text = text
        self.isOnce = isOnce
        self.created = created
        self.isArmed = isArmed
        self.turn = turn
    }
}

/// An alert that fired, as it is reported.
package struct FiredAlert: Hashable, Sendable {
    package let id: Int64
    /// The condition as it is shown.
    package let text: String
    /// What was found, with its unit: `0.00073`, `2.41%` or `0.5 WETH`.
    package let value: String

    package init(id: Int64, text: String, value: String) {
        self.id = id
        self.text = text
        self.value = value
    }
}

/// A change of an alert, recorded together with the reading that found it.
package enum AlertChange: Hashable, Sendable {
    /// Its condition holds, and did not before; the event reports it.
    case fired(JournalAlert, WatchEvent)
    /// Its condition does not hold any more.
    case rearmed(JournalAlert)
    /// It was to fire once, and an event of an order did it.
    case ended(JournalAlert)
}

extension JournalAlert {
    init(row: Row) throws {
        self.init(
            id: row["id"],
            chainID: UInt64(clamping: row["chain_id"] as Int64),
            exchange: try Address(lenient: row["exchange"]),
            account: try (row["account"] as String?).map { try Address(lenient: $0) },
            condition: try AlertCondition(row: row),
            text: row["text"],
            isOnce: row["once"],
            created: UInt64(clamping: row["created"] as Int64),
            isArmed: row["armed"],
            turn: UInt64(clamping: row["turn"] as Int64)
        )
    }
}

extension AlertCondition {
    /// The columns `kind`, `base`, `quote`, `comparison` and `threshold`.
    var columns: StatementArguments {
        switch self {
        case .price(let price, let pair, let comparison, let limit):
            return [
                price.rawValue, pair.base.lowercaseHex, pair.quote.lowercaseHex,
                comparison.rawValue, limit,
            ]
        case .spread(let pair, let comparison, let limit):
            return [
                "spread", pair.base.lowercaseHex, pair.quote.lowercaseHex, comparison.rawValue,
                String(limit),
            ]
        case .balance(let token, let comparison, let limit):
            return ["balance", token?.lowercaseHex, nil, comparison.rawValue, limit]
        case .order(let change, let pair):
            return [
                change.rawValue, pair?.base.lowercaseHex, pair?.quote.lowercaseHex, nil, nil,
            ]
        }
    }

    init(row: Row) throws {
        let kind: String = row["kind"]
        let base = try (row["base"] as String?).map { try Address(lenient: $0) }
        let quote = try (row["quote"] as String?).map { try Address(lenient: $0) }
        let pair = base.flatMap { base in quote.map { PairAddresses(base: base, quote: $0) } }
        let comparison = (row["comparison"] as String?).flatMap(Comparison.init(rawValue:))
        let limit: String? = row["threshold"]
        if let change = OrderChange(rawValue: kind) {
            self = .order(change, pair)
        } else if let comparison, let limit, kind == "balance" {
            self = .balance(base, comparison, limit)
        } else if let comparison, let limit, let pair, let price = BookPrice(rawValue: kind) {
            self = .price(price, pair, comparison, limit)
        } else if let comparison, let pair, let points = limit.flatMap({ UInt64($0) }),
            kind == "spread"
        {
            self = .spread(pair, comparison, points)
        } else {
            throw JournalError.outOfRange("the alert \(kind)")
        }
    }
}
