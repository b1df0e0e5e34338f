package import Ethereum
import GRDB

/// A plan of `dex mcp` in the journal: what it is, and what became of it.
///
/// It belongs to the folder of `dex`, not to a connection or a process.
package struct JournalPlan: Hashable, Sendable {
    /// For programs (docs/agents.md).
    package enum State: String, CaseIterable, Sendable {
        /// Made, and nothing is signed.
        case open
        /// A person is to say yes.
        case waiting
        /// It is being carried out, or what it signed has no known outcome yet.
        case running
        /// Its process ended before anything was signed that could be sent again.
        case interrupted
        /// It was carried out, or could not be.
        case ended
        /// A person said no.
        case declined
        /// Nobody carried it out in time.
        case expired
    }

    package let id: PlanID
    package let chainID: UInt64
    /// The network's name in the settings.
    package let network: String
    package let account: Address
    /// Seconds since 1970.
    package let created: UInt64
    /// From then on it is not carried out any more, in seconds since 1970.
    package let expires: UInt64
    /// The name that the client gives itself, cleaned; nil without one.
    package let client: String?
    /// What was asked for, JSON text.
    package let request: String
    /// What it may take and has to bring, JSON text.
    package let bounds: String
    /// What is shown of it, JSON text.
    package let shown: String
    /// The rule by which a person has to say yes; nil if none does.
    package var why: String?
    /// Since when it waits for a person, in seconds since 1970; nil if it does not.
    package internal(set) var waits: UInt64?
    package internal(set) var declined: UInt64?
    package internal(set) var ended: UInt64?
    /// Its end as JSON text; nil before it.
    package internal(set) var outcome: String?
    /// The one intent that carries it out; nil before.
    package internal(set) var intent: Int64?
    /// A running process is at its intent.
    package internal(set) var isHeld = false
    /// The purposes of what was signed for it, in order: `approve`, `fill`, `order`.
    package internal(set) var signed: [String] = []

    package init(
        id: PlanID,
        chainID: UInt64,
        network: String,
        account: Address,
        created: UInt64,
        expires: UInt64,
        client: String?,
        request: String,
        bounds: String,
        shown: String,
        why: String?
    ) {
        self.id = id
        self.chainID = chainID
        self.network = network
        self.account = account
        self.created = created
        self.expires = expires
        self.client = client
        self.request = request
        self.bounds = bounds
        self.shown = shown
        self.why = why
    }

    /// Something was signed that does what the plan is for, not only an approval.
    package var isSigned: Bool {
        signed.contains { !["approve", "reset-allowance"].contains($0) }
    }

    /// What it signed is not followed by any process any more, and its outcome is not recorded.
    package var needsFinish: Bool {
        intent != nil && ended == nil && !isHeld && isSigned
    }

    /// - Parameter now: seconds since 1970.
    package func state(now: UInt64) -> State {
        if declined != nil { return .declined }
        if ended != nil { return .ended }
        if intent != nil { return isHeld || isSigned ? .running : .interrupted }
        if expires <= now { return .expired }
        return waits == nil ? .open : .waiting
    }
}

/// A row of `agent_plans`; read together with what was `signed` for it, and whether a running process
/// holds its intent.
extension JournalPlan: FetchableRecord, PersistableRecord {
    static var databaseTableName: String { "agent_plans" }

    init(row: Row) throws {
        self.init(
            id: try row.value("id"),
            chainID: try row.value("chain_id"),
            network: try row.value("network"),
            account: try row.value("account"),
            created: try row.value("created"),
            expires: try row.value("expires"),
            client: try row.value("client"),
            request: try row.value("request"),
            bounds: try row.value("bounds"),
            shown: try row.value("shown"),
            why: try row.value("why")
        )
        waits = try row.value("waits")
        declined = try row.value("declined")
        ended = try row.value("ended")
        outcome = try row.value("outcome")
        intent = try row.value("intent")
        signed = try row.words("signed", by: ",")
        isHeld = try row.value("is_held")
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["id"] = id
        row["chain_id"] = try integer(chainID, "the chain id")
        row["network"] = network
        row["account"] = account
        row["created"] = try integer(created, "the time")
        row["expires"] = try integer(expires, "the time")
        row["client"] = client
        row["request"] = request
        row["bounds"] = bounds
        row["shown"] = shown
        row["why"] = why
    }
}

/// What an intent takes for itself in the transaction that opens it, so that nothing else can.
package enum IntentClaim: Hashable, Sendable {
    /// A waiting guard, by its number in the journal.
    case guardian(Int64)
    /// An open or waiting plan of `dex mcp`.
    case plan(PlanID)
}
