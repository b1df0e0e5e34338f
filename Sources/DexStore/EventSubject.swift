package import Ethereum
import GRDB

/// Logs that are kept together: those of one contract or of any, with some topics.
package struct EventFilter: Hashable, Sendable {
    package let chainID: UInt64
    /// nil is any contract.
    package let contract: Address?
    /// The accepted topics at each position, ascending; an empty position accepts any.
    package let topics: [[Bytes32]]

    package init(chainID: UInt64, contract: Address?, topics: [[Bytes32]]) {
        self.chainID = chainID
        self.contract = contract
        self.topics = topics.map { Set($0).sorted() }
    }

    /// Whether every log of another filter is one of this.
    package func covers(_ other: EventFilter) -> Bool {
        guard chainID == other.chainID, contract == nil || contract == other.contract,
            topics.count <= other.topics.count
        else { return false }
        return zip(topics, other.topics).allSatisfy { own, others in
            own.isEmpty || !others.isEmpty && Set(own).isSuperset(of: others)
        }
    }

    /// The rule by which its logs are found among others.
    package var pattern: LogPattern {
        LogPattern(contracts: contract.map { [$0] } ?? [], topics: topics)
    }
}

/// What the journal keeps ranges of blocks of.
enum EventSubject: Hashable, Sendable {
    case logs(EventFilter)
    /// All that happened to an account, payments in ether included.
    case activity(ActivityPlace)
    /// The fills and cancels of an account's orders, which are in `trades`.
    case trades(WatchTarget)

    var chainID: UInt64 {
        switch self {
        case .logs(let filter): filter.chainID
        case .activity(let place): place.chainID
        case .trades(let target): target.chainID
        }
    }

    /// Its text in the journal.
    ///
    /// Example: `logs 0x12…34 0xdd…ef,*,0x00…56|0x00…78` for two accepted words at the third
    /// position of the topics.
    var name: String {
        switch self {
        case .logs(let filter):
            let topics = filter.topics.map { accepted in
                accepted.isEmpty ? "*" : accepted.map(\.hex).joined(separator: "|")
            }
            let contract = filter.contract?.lowercaseHex ?? "*"
            return "logs \(contract) \(topics.joined(separator: ","))"
        case .activity(let place): return "activity \(place.account.lowercaseHex)"
        case .trades(let target):
            return "trades \(target.exchange.lowercaseHex) \(target.account.lowercaseHex)"
        }
    }

    /// nil unless the text is one of `name`.
    init?(name: String, chainID: UInt64) {
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        switch (words.first, words.count) {
        case ("activity", 2):
            guard let account = Address(ifHex: String(words[1])) else { return nil }
            self = .activity(ActivityPlace(chainID: chainID, account: account))
        case ("trades", 3):
            guard let exchange = Address(ifHex: String(words[1])),
                let account = Address(ifHex: String(words[2]))
            else { return nil }
            self = .trades(WatchTarget(chainID: chainID, exchange: exchange, account: account))
        case ("logs", 3):
            let contract = words[1] == "*" ? nil : Address(ifHex: String(words[1]))
            guard contract != nil || words[1] == "*" else { return nil }
            var topics: [[Bytes32]] = []
            for position in words[2].split(separator: ",") {
                let accepted = position == "*" ? [] : position.split(separator: "|")
                let known = accepted.compactMap { Bytes32(ifHex: String($0)) }
                guard known.count == accepted.count else { return nil }
                topics.append(known)
            }
            self = .logs(EventFilter(chainID: chainID, contract: contract, topics: topics))
        default: return nil
        }
    }
}

/// A row of `event_subjects`.
struct EventSubjectRow: FetchableRecord, TableRecord {
    static var databaseTableName: String { "event_subjects" }

    let id: Int64
    let subject: EventSubject
    /// Logs or records that are kept of it.
    let events: UInt64

    init(row: Row) throws {
        id = try row.value("id")
        events = try row.value("events")
        let name: String = try row.value("name")
        guard let subject = EventSubject(name: name, chainID: try row.value("chain_id")) else {
            throw JournalError.damagedRow("logs of a name that dex does not write", isOfChain: true)
        }
        self.subject = subject
    }
}
