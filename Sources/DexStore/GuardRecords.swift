package import Ethereum
import GRDB
import ZeroEx

/// A guard in the journal: a market order that waits for a price, and fires once.
package struct JournalGuard: Hashable, Sendable {
    package enum Side: String, CaseIterable, Sendable {
        case buy
        case sell
    }

    package enum Trigger: String, CaseIterable, Sendable {
        /// At the price or below it.
        case below
        /// At the price or above it.
        case above
    }

    package enum State: Hashable, Sendable {
        /// It fires when its price is reached.
        case waiting
        /// A running process is at it.
        case firing
        /// Its process ended while it fired, and nobody was told the outcome.
        case interrupted
        /// It fired; the exit code of what it did: 0 if all was filled.
        case ended(exit: Int32)
    }

    /// Its number, never given to another guard; 0 before it is in the journal.
    package internal(set) var id: Int64
    package let chainID: UInt64
    package let exchange: Address
    package let account: Address
    package let side: Side
    package let pair: PairAddresses
    /// The pair as it is shown.
    package let pairName: String
    /// BASE in human units.
    package let amount: String
    package let trigger: Trigger
    /// The price that it waits for, QUOTE per BASE in human units.
    package let price: String
    /// In hundredths of a percent.
    package let slippage: UInt64
    /// The worst price of any order, QUOTE per BASE in human units.
    package let limit: String
    /// Seconds since 1970.
    package let created: UInt64
    /// What it does, in base units; nil if an earlier version added it.
    package let terms: GuardTerms?
    /// By which its account's key confirmed it; nil if it did not.
    package var signature: Signature?
    /// The signature was checked, and is its account's; the journal itself checks none.
    package var isConfirmed = false
    /// It trades at Uniswap's pools, by its contract; the journal itself knows no network.
    package var isAtPools = false
    /// Its time was over when it was read; the journal itself has no clock.
    package var isExpired = false
    package let state: State
    /// The intent under which it fired; nil while it waits.
    package let intent: Int64?
    /// A running process watches its price.
    package let isWatched: Bool

    package init(
        id: Int64 = 0,
        chainID: UInt64,
        exchange: Address,
        account: Address,
        side: Side,
        pair: PairAddresses,
        pairName: String,
        amount: String,
        trigger: Trigger,
        price: String,
        slippage: UInt64,
        limit: String,
        created: UInt64,
        terms: GuardTerms? = nil,
        signature: Signature? = nil,
        state: State = .waiting,
        intent: Int64? = nil,
        isWatched: Bool = false
    ) {
        self.id = id
        self.chainID = chainID
        self.exchange = exchange
        self.account = account
        self.side = side
        self.pair = pair
        self.pairName = pairName
        self.amount = amount
        self.trigger = trigger
        self.price = price
        self.slippage = slippage
        self.limit = limit
        self.created = created
        self.terms = terms
        self.signature = signature
        self.state = state
        self.intent = intent
        self.isWatched = isWatched
    }
}

extension JournalGuard {
    /// Seconds after which a guard that did not fire ends: 90 days.
    package static let lifetime: UInt64 = 90 * 86_400

    /// The last second in which it may fire, by the time that its key signed.
    package var expires: UInt64 {
        let (end, overflow) = created.addingReportingOverflow(Self.lifetime)
        return overflow ? .max : end
    }
}

/// A row of `guards`; read together with the intent under which it `fired`, its `exit`, and whether
/// running processes hold that and watch the guard.
extension JournalGuard: FetchableRecord, MutablePersistableRecord {
    static var databaseTableName: String { "guards" }

    init(row: Row) throws {
        let intent: Int64? = try row.value("fired")
        let state: State =
            if let exit: Int32 = try row.value("exit") {
                .ended(exit: exit)
            } else if intent != nil {
                try row.value("is_held") ? .firing : .interrupted
            } else {
                .waiting
            }
        self.init(
            id: try row.value("id"),
            chainID: try row.value("chain_id"),
            exchange: try row.value("exchange"),
            account: try row.value("account"),
            side: try row.value("side"),
            pair: PairAddresses(base: try row.value("base"), quote: try row.value("quote")),
            pairName: try row.value("pair"),
            amount: try row.value("amount"),
            trigger: try row.value("trigger"),
            price: try row.value("price"),
            slippage: try row.value("slippage"),
            limit: try row.value("limit_price"),
            created: try row.value("created"),
            terms: GuardTerms(row: row),
            signature: row.ifReadable("signature"),
            state: state,
            intent: intent,
            isWatched: try state == .waiting && row.value("is_watched")
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["exchange"] = exchange
        row["account"] = account
        row["side"] = side
        row["base"] = pair.base
        row["quote"] = pair.quote
        row["pair"] = pairName
        row["amount"] = amount
        row["trigger"] = trigger
        row["price"] = price
        row["slippage"] = try integer(slippage, "the slippage")
        row["limit_price"] = limit
        row["created"] = try integer(created, "the time")
        row["signature"] = signature
        terms?.encode(to: &row)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension GuardTerms: EncodableRecord {
    func encode(to row: inout PersistenceContainer) {
        row["base_decimals"] = baseDecimals
        row["quote_decimals"] = quoteDecimals
        row["amount_units"] = amount
        row["price_quote"] = price.quote
        row["price_base"] = price.base
        row["limit_quote"] = limit.quote
        row["limit_base"] = limit.base
        row["nonce"] = nonce
    }

    /// nil for a row without terms, or with some that cannot be read: such a guard never fires.
    init?(row: Row) {
        func fraction(_ name: String) -> Price? {
            guard let quote: UInt256 = row.ifReadable("\(name)_quote"),
                let base: UInt256 = row.ifReadable("\(name)_base")
            else { return nil }
            return Price(quote: quote, base: base)
        }
        guard let amount: UInt256 = row.ifReadable("amount_units"),
            let price = fraction("price"), let limit = fraction("limit"),
            let nonce: Bytes32 = row.ifReadable("nonce")
        else { return nil }
        self.init(
            baseDecimals: row.ifReadable("base_decimals"),
            quoteDecimals: row.ifReadable("quote_decimals"),
            amount: amount,
            price: price,
            limit: limit,
            nonce: nonce
        )
    }
}

extension Row {
    /// The value of a column; nil for NULL and for one that means nothing.
    fileprivate func ifReadable<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        try? value(column)  // nil: damaged
    }
}
