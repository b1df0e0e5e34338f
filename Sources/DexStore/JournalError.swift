package import Ethereum

package enum JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or its directory cannot be created or written.
    case notWritable(path: String, reason: String)
    /// The file is damaged or not a database.
    case corrupt(path: String)
    /// A database of another program.
    case foreign(path: String)
    /// Written by a later version of `dex`.
    case newer(path: String)
    case full(path: String)
    /// Another process holds its lock for too long.
    case busy(path: String)
    /// Another process took the nonce while we were signing.
    case reservationLost(nonce: UInt64)
    /// Another unsettled transaction of the account has the nonce.
    case nonceHeld(nonce: UInt64)
    /// It is already replaced or settled.
    case notReplaceable(TransactionHash)
    /// The guard has fired, or another process fires it.
    case guardNotWaiting(Int64)
    /// Too many plans of agents are open or wait.
    case tooManyPlans
    /// The plan of an agent is carried out, declined, ended or expired.
    case planNotOpen(PlanID)
    /// Another plan of its account is carried out.
    case planInFlight(PlanID)
    /// A row that cannot be read; a log or a record of the chain's is read again by a rebuild.
    case damagedRow(String, isOfChain: Bool)
    /// A number outside the range of the journal.
    case outOfRange(String)
    /// Anything else that SQLite reports.
    case failed(path: String, reason: String)

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
        case .nonceHeld(let nonce):
            "The journal has another transaction of the account with the nonce \(nonce), so this "
                + "one is not sent: only one of the two can be mined."
        case .notReplaceable(let hash):
            "The transaction \(hash) cannot be replaced: it has a successor already, or is "
                + "settled by the journal; nothing was sent."
        case .guardNotWaiting(let id):
            "Guard \(id) does not wait any more: it has fired, or was removed."
        case .tooManyPlans: "\(Journal.maximumPlans) plans are open or wait already."
        case .planNotOpen(let id): "The plan \(id) cannot be carried out any more."
        case .planInFlight(let id): "Another plan of the account, \(id), is carried out."
        case .damagedRow(let what, _): "The journal is damaged: it has \(what)."
        case .outOfRange(let what): "The journal cannot hold \(what): it exceeds 63 bits."
        case .failed(let path, let reason): "The journal at \(path) failed: \(reason)."
        }
    }

    /// The remedy.
    package var hint: String? {
        switch self {
        case .notWritable: "Check the permissions of DEX_HOME, or set DEX_HOME to another folder."
        case .corrupt, .foreign:
            "Move the file away or set DEX_HOME to another folder. It lists the transactions that "
                + "are in flight: check them before trading again."
        case .damagedRow(_, let isOfChain):
            isOfChain
                ? "Read it again from the chain: dex history rebuild"
                : JournalError.corrupt(path: "").hint
        case .newer: "Update dex."
        case .full: "Free some space and run the command again."
        case .busy, .reservationLost: "Run the command again."
        case .nonceHeld: "See it with `dex tx list`."
        case .notReplaceable(let hash): "See what became of it with `dex status \(hash)`."
        case .guardNotWaiting: "See what it did with `dex guard list`."
        case .tooManyPlans:
            "Carry one out, or let a person decline some: dex approve list, dex approve no ID"
        case .planNotOpen: "Make a new plan."
        case .planInFlight: "Ask again once it has ended."
        case .outOfRange, .failed: nil
        }
    }
}
