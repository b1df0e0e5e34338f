package import Ethereum
package import ZeroEx

/// What must survive a crash: intents, their plans, every transaction's signed bytes, receipts and
/// the orders that we made.
///
/// Every method returns only after its change is durable. No secret is ever handed to a journal.
package protocol Journal: Sendable {
    // MARK: Intents

    /// Records what the user confirmed, before anything is signed; returns the intent's id.
    ///
    /// Other processes can tell that this one is at work on it, until it is closed or this process
    /// has ended.
    func open(_ intent: JournalIntent) throws(JournalError) -> Int64

    /// Records a later plan of the same intent, such as one made after an approval was mined.
    func add(plan: String, to intent: Int64, at now: UInt64) throws(JournalError)

    /// The plan that the user confirmed with an intent, JSON text, without the later ones; nil where
    /// there is no such intent.
    func plan(of intent: Int64) throws(JournalError) -> String?

    /// Records how an intent ended.
    func close(intent: Int64, exit: Int32, at now: UInt64) throws(JournalError)

    // MARK: Transactions

    /// Takes the nonce of what was refused, else the lowest free one of an account that is not below
    /// the node's pending count; never one below what was mined. A nonce that was given back must
    /// not keep all behind it waiting, and of refused bytes that turn up and what is signed after
    /// them only one may be mined. No two processes get the same one.
    ///
    /// - Parameters:
    ///   - pendingCount: eth_getTransactionCount at `pending`.
    ///   - now: seconds since 1970; an unsigned reservation lapses with the process that is at work
    ///     on its intent, and after `NonceReservation.lease`.
    func reserveNonce(
        intent: Int64,
        purpose: String,
        chainID: UInt64,
        sender: Address,
        pendingCount: UInt64,
        now: UInt64
    ) throws(JournalError) -> NonceReservation

    /// Gives an unused nonce back; nothing was signed with it.
    func release(_ reservation: NonceReservation) throws(JournalError)

    /// Makes signed bytes durable; only then may they be broadcast.
    ///
    /// - Throws: `JournalError.reservationLost` where the reservation lapsed: these bytes must
    ///   then never be broadcast.
    func record(
        raw: [UInt8],
        hash: TransactionHash,
        for reservation: NonceReservation,
        now: UInt64
    ) throws(JournalError)

    /// Makes the signed bytes durable that take the place of a transaction with the same nonce,
    /// and links the two, at once; only then may they be broadcast.
    ///
    /// - Throws: `JournalError.notReplaceable` where the other one has a successor already, or
    ///   cannot be mined any more.
    func record(
        raw: [UInt8],
        hash: TransactionHash,
        replacing old: TransactionHash,
        intent: Int64,
        purpose: String,
        now: UInt64
    ) throws(JournalError)

    /// Records what became of a transaction.
    ///
    /// `reorganized` takes its receipt and fills out of the journal, and keeps the number of the
    /// block that had held it.
    func mark(
        _ hash: TransactionHash,
        as status: JournalTransaction.Status,
        now: UInt64
    ) throws(JournalError)

    /// Records a receipt and what it tells of an exchange, and with them that the transaction is
    /// mined.
    func record(_ receipt: TransactionReceipt, trades: MinedTrades?) throws(JournalError)

    /// An account's transactions that may still be mined, by nonce; those that a node refused too.
    func unsettled(chainID: UInt64, sender: Address) throws(JournalError) -> [JournalTransaction]

    /// Transactions of a chain, the newest first.
    func transactions(
        chainID: UInt64,
        sender: Address?,
        limit: Int
    ) throws(JournalError) -> [JournalTransaction]

    /// One transaction; nil where we did not send it.
    func transaction(_ hash: TransactionHash) throws(JournalError) -> JournalTransaction?

    /// The mined transaction of an account with the highest nonce.
    func lastMined(chainID: UInt64, sender: Address) throws(JournalError) -> JournalTransaction?

    /// Everything of a chain that did not come to its end, or whose end nobody was told.
    func unfinished(chainID: UInt64) throws(JournalError) -> JournalUnfinished

    /// Forgets the transactions, trades and what was watched of a chain that began anew, such as a
    /// sandbox that was reset.
    func forgetTransactions(chainID: UInt64) throws(JournalError)

    // MARK: Trades

    /// Fills and cancels of an account's orders, and fills that it took, by block and log.
    func trades(
        chainID: UInt64,
        exchange: Address,
        account: Address
    ) throws(JournalError) -> [MinedTrades]

    /// Fills and cancels of one order, by block and log.
    func trades(of order: OrderHash, chainID: UInt64) throws(JournalError) -> [MinedTrades]

    /// Records trades, whoever sent their transactions; what is known already stays as it is.
    func note(_ mined: [MinedTrades]) throws(JournalError)

    /// Puts what the chain's logs hold for a range of blocks in the place of what was known.
    ///
    /// - Parameter scan: how far the logs are read with it; nil where that does not change.
    func replace(
        _ range: TradeRange,
        with mined: [MinedTrades],
        scan: JournalScan?
    ) throws(JournalError)

    /// How far the logs were read for an account; nil where they never were.
    func scan(
        chainID: UInt64,
        exchange: Address,
        account: Address
    ) throws(JournalError) -> JournalScan?

    /// What the gas of an account's mined transactions cost in which nothing was filled or
    /// cancelled; those whose price no node told count as nothing.
    ///
    /// - Parameter since: when the first of them was signed, in seconds since 1970; nil is all.
    func otherGas(
        chainID: UInt64,
        sender: Address,
        since: UInt64?
    ) throws(JournalError) -> Wei

    // MARK: Orders

    /// Records an order that we signed, before it goes anywhere.
    ///
    /// - Parameters:
    ///   - block: the chain's latest before it was signed, from which on the logs are read
    ///     for what others do with orders of its maker; nil where that is not known.
    ///   - intent: what it was confirmed with.
    func save(
        _ order: JournalOrder,
        at block: UInt64?,
        for intent: Int64?
    ) throws(JournalError)

    /// Records that a relay took an order, which is in doubt no longer.
    func markPosted(_ hash: OrderHash, relay: String) throws(JournalError)

    /// Records that it is known what became of an order, such as that a relay refused it.
    func clearDoubt(of hash: OrderHash) throws(JournalError)

    /// Orders that we signed for an exchange, the newest first.
    func orders(
        chainID: UInt64,
        exchange: Address,
        maker: Address?
    ) throws(JournalError) -> [JournalOrder]

    /// An order that we signed; nil where we did not.
    func order(_ hash: OrderHash) throws(JournalError) -> JournalOrder?
}

extension Journal {
    /// Records an order of which nobody knows at which block it was signed, and what for.
    package func save(_ order: JournalOrder) throws(JournalError) {
        try save(order, at: nil, for: nil)
    }
}

/// Why the journal could not be read or written.
package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or its directory cannot be made or written.
    case notWritable(path: String, reason: String)
    /// The file is damaged or is no database at all.
    case corrupt(path: String)
    /// A database of something else.
    case foreign(path: String)
    /// Written by a later version of `dex`.
    case newer(path: String)
    /// The disk is full.
    case full(path: String)
    /// Another process holds it for too long.
    case busy(path: String)
    /// Another process took the nonce while we were signing.
    case reservationLost(nonce: UInt64)
    /// It was replaced already, or is settled.
    case notReplaceable(TransactionHash)
    /// A number that no chain has.
    case outOfRange(String)
    /// Anything else that SQLite reports.
    case failed(path: String, reason: String)

    /// The sentence for people.
    package var description: String {
        switch self {
        case .notWritable(let path, let reason):
            "The journal at \(path) cannot be written (\(reason)); nothing is signed without it."
        case .corrupt(let path): "The journal at \(path) is damaged or is no SQLite database."
        case .foreign(let path):
            "The file at \(path) is a database of another program, not a journal of dex."
        case .newer(let path):
            "The journal at \(path) was written by a later version of dex than this one."
        case .full(let path):
            "The disk that holds the journal at \(path) is full; nothing is signed without it."
        case .busy(let path): "Another process has held the journal at \(path) for over 5 s."
        case .reservationLost(let nonce):
            "Signing took so long that the nonce \(nonce) was given to another process; nothing "
                + "was sent."
        case .notReplaceable(let hash):
            "The transaction \(hash) cannot be replaced: it has a successor already, or is "
                + "settled by the journal; nothing was sent."
        case .outOfRange(let what): "The journal cannot hold \(what): it exceeds 63 bits."
        case .failed(let path, let reason): "The journal at \(path) failed: \(reason)."
        }
    }

    /// What mends it.
    package var hint: String? {
        switch self {
        case .notWritable: "Check the permissions of DEX_HOME, or set DEX_HOME to another folder."
        case .corrupt, .foreign:
            "Move the file away or set DEX_HOME to another folder. It lists the transactions that "
                + "are in flight: check them before trading again."
        case .newer: "Update dex."
        case .full: "Free some space and run the command again."
        case .busy, .reservationLost: "Run the command again."
        case .notReplaceable(let hash): "See what became of it with `dex status \(hash)`."
        case .outOfRange, .failed: nil
        }
    }
}
