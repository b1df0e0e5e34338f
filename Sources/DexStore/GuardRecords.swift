package import Ethereum
import GRDB

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

    /// - Parameters:
    ///   - isHeld: a running process holds its intent.
    ///   - isWatched: a running process watches the guard of this number.
    init(row: Row, isHeld: (Int64) -> Bool, isWatched: (Int64) -> Bool) throws {
        let intent: Int64? = row["fired"]
        let exit: Int32? = row["exit"]
        let state: State =
            if let exit {
                .ended(exit: exit)
            } else if let intent {
                isHeld(intent) ? .firing : .interrupted
            } else {
                .waiting
            }
        guard let side = Side(rawValue: row["side"]),
            let trigger = Trigger(rawValue: row["trigger"])
        else { throw JournalError.outOfRange("the guard") }
        self.init(
            id: row["id"],
            chainID: UInt64(clamping: row["chain_id"] as Int64),
            exchange: try Address(lenient: row["exchange"]),
            account: try Address(lenient: row["account"]),
            side: side,
            pair: PairAddresses(
                base: try Address(lenient: row["base"]),
                quote: try Address(lenient: row["quote"])
            ),
            pairName: row["pair"],
            amount: row["amount"],
            trigger: trigger,
            price: row["price"],
            slippage: UInt64(clamping: row["slippage"] as Int64),
            limit: row["limit_price"],
            created: UInt64(clamping: row["created"] as Int64),
            terms: GuardTerms(row: row),
            signature: (row["signature"] as String?).flatMap(Signature.init(rowText:)),
            state: state,
            intent: intent,
            isWatched: state == .waiting && isWatched(row["id"])
        )
    }
}
