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

/// A row of `alerts`.
extension JournalAlert: FetchableRecord, MutablePersistableRecord {
    static var databaseTableName: String { "alerts" }

    init(row: Row) throws {
        self.init(
            id: try row.value("id"),
            chainID: try row.value("chain_id"),
            exchange: try row.value("exchange"),
            account: try row.value("account"),
            condition: try AlertCondition(row: row),
            text: try row.value("text"),
            isOnce: try row.value("once"),
            created: try row.value("created"),
            isArmed: try row.value("armed"),
            turn: try row.value("turn")
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["exchange"] = exchange
        row["account"] = account
        condition.encode(to: &row)
        row["text"] = text
        row["once"] = isOnce
        row["created"] = try integer(created, "the time")
        row["armed"] = isArmed
        row["turn"] = try integer(turn, "the turn")
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension AlertCondition: FetchableRecord, EncodableRecord {
    /// Sets `kind`, `base`, `quote`, `comparison` and `threshold`.
    func encode(to row: inout PersistenceContainer) {
        row["base"] = pair?.base
        row["quote"] = pair?.quote
        switch self {
        case .price(let price, _, let comparison, let limit):
            row["kind"] = price.rawValue
            row["comparison"] = comparison
            row["threshold"] = limit
        case .spread(_, let comparison, let limit):
            row["kind"] = "spread"
            row["comparison"] = comparison
            row["threshold"] = String(limit)
        case .balance(let token, let comparison, let limit):
            row["kind"] = "balance"
            row["base"] = token
            row["comparison"] = comparison
            row["threshold"] = limit
        case .order(let change, _): row["kind"] = change.rawValue
        }
    }

    init(row: Row) throws {
        let kind: String = try row.value("kind")
        let base: Address? = try row.value("base")
        let quote: Address? = try row.value("quote")
        let pair = base.flatMap { base in quote.map { PairAddresses(base: base, quote: $0) } }
        let comparison: Comparison? = try row.value("comparison")
        let limit: String? = try row.value("threshold")
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
            throw JournalError.damagedRow("an alert that cannot be read", isOfChain: false)
        }
    }
}
