import Ethereum

/// The surroundings of a message: the block that it runs in.
struct BlockContext: Sendable {
    let number: UInt64
    let timestamp: UInt64
    let baseFee: UInt64
    var coinbase: Address
}

/// One transaction or call while it runs: its changes over a state, its gas, its logs, and the
/// journal that takes back what a failed part of it did.
final class Execution {
    private struct Entry {
        let original: UInt256
        var current: UInt256
        var isWarm: Bool
    }

    private enum Undo {
        case value(StorageKey, UInt256)
        case warmSlot(StorageKey)
        case warmAccount(Address)
    }

    /// A point to go back to.
    struct Snapshot {
        fileprivate let journal: Int
        fileprivate let logs: Int
        fileprivate let refund: Int64
    }

    let base: StateView
    let block: BlockContext
    /// Gas that is left to the part that runs now.
    var gasLeft: UInt64
    /// What SSTORE has refunded so far; may be negative between.
    private(set) var refund: Int64 = 0
    private(set) var logs: [Log] = []
    private var entries: [StorageKey: Entry] = [:]
    private var warmAccounts: Set<Address> = []
    private var announcedSlots: [Address: Set<Bytes32>] = [:]
    private var journal: [Undo] = []
    /// What was touched, also where it was taken back; nil unless it is recorded.
    private var touched: [Address: Set<Bytes32>]?

    init(base: StateView, block: BlockContext, gas: UInt64) {
        self.base = base
        self.block = block
        gasLeft = gas
    }

    // MARK: Values

    /// A value as it is now, without gas: for account fields and checks.
    func peek(_ key: StorageKey) -> UInt256 {
        entries[key]?.current ?? base[key]
    }

    /// Sets a value without gas: for account fields.
    func put(_ key: StorageKey, _ value: UInt256) {
        var entry = entry(key)
        guard entry.current != value else { return }
        journal.append(.value(key, entry.current))
        entry.current = value
        entries[key] = entry
    }

    private func entry(_ key: StorageKey) -> Entry {
        if let entry = entries[key] { return entry }
        let value = base[key]
        return Entry(original: value, current: value, isWarm: isAnnounced(key))
    }

    /// SLOAD: reads a slot and pays for it (EIP-2929).
    func load(_ key: StorageKey) throws(CallFailure) -> UInt256 {
        record(key)
        var entry = entry(key)
        try charge(entry.isWarm ? GasSchedule.warmAccess : GasSchedule.coldSlot)
        warm(key, &entry)
        return entry.current
    }

    /// SSTORE: writes a slot and pays for it (EIP-2200 with the prices of EIP-2929 and EIP-3529).
    func store(_ key: StorageKey, _ value: UInt256) throws(CallFailure) {
        record(key)
        guard gasLeft > GasSchedule.storeSentry else { throw .outOfGas }
        var entry = entry(key)
        let cost = GasSchedule.store(
            original: entry.original,
            current: entry.current,
            new: value,
            isWarm: entry.isWarm
        )
        try charge(cost.gas)
        refund += cost.refund
        warm(key, &entry)
        guard entry.current != value else { return }
        journal.append(.value(key, entry.current))
        entry.current = value
        entries[key] = entry
    }

    private func warm(_ key: StorageKey, _ entry: inout Entry) {
        guard !entry.isWarm else { return }
        entry.isWarm = true
        journal.append(.warmSlot(key))
        entries[key] = entry
    }

    // MARK: Warmth

    /// Makes an account warm before the execution begins.
    func announce(_ address: Address) {
        warmAccounts.insert(address)
    }

    /// Makes the accounts and slots of an access list warm (EIP-2930).
    func announce(_ list: [AccessListEntry]) {
        for entry in list {
            warmAccounts.insert(entry.address)
            announcedSlots[entry.address, default: []].formUnion(entry.storageKeys)
        }
    }

    private func isAnnounced(_ key: StorageKey) -> Bool {
        guard !announcedSlots.isEmpty, let slots = announcedSlots[key.address],
            let word = key.slot.word
        else { return false }
        return slots.contains(word)
    }

    /// Pays for touching an account (EIP-2929).
    func touch(_ address: Address) throws(CallFailure) {
        if touched != nil { touched?[address, default: []].formUnion([]) }
        if warmAccounts.contains(address) {
            try charge(GasSchedule.warmAccess)
        } else {
            try charge(GasSchedule.coldAccount)
            warmAccounts.insert(address)
            journal.append(.warmAccount(address))
        }
    }

    // MARK: Gas and logs

    /// Pays for computing.
    func charge(_ gas: UInt64) throws(CallFailure) {
        guard gasLeft >= gas else {
            gasLeft = 0
            throw .outOfGas
        }
        gasLeft -= gas
    }

    /// Pays for a measured step of a contract.
    func charge(_ step: GasStep) throws(CallFailure) {
        try charge(step.gas)
    }

    /// LOG0 to LOG4: emits an event and pays for it.
    func emit(
        _ address: Address,
        topics: [Bytes32],
        data: [UInt8]
    ) throws(CallFailure) {
        try charge(GasSchedule.log(topics: topics.count, bytes: data.count))
        logs.append(Log(address: address, topics: topics, data: data))
    }

    // MARK: Journal

    /// A point to which `revert` can go back.
    var snapshot: Snapshot {
        Snapshot(journal: journal.count, logs: logs.count, refund: refund)
    }

    /// Takes back everything since a snapshot: values, warmth, logs, refunds; gas stays spent.
    func revert(to snapshot: Snapshot) {
        while journal.count > snapshot.journal, let undo = journal.popLast() {
            switch undo {
            case .value(let key, let old): entries[key]?.current = old
            case .warmSlot(let key): entries[key]?.isWarm = false
            case .warmAccount(let address): warmAccounts.remove(address)
            }
        }
        logs.removeLast(logs.count - snapshot.logs)
        refund = snapshot.refund
    }

    /// The values that differ from the state below.
    var changes: [StorageKey: UInt256] {
        var changes: [StorageKey: UInt256] = [:]
        for (key, entry) in entries where entry.current != entry.original {
            changes[key] = entry.current
        }
        return changes
    }

    /// Begins to record what is touched.
    func recordTouches() {
        touched = [:]
    }

    /// The accounts and slots that were touched since `recordTouches`, also by parts that failed.
    func accessList(excluding: Set<Address>) -> [AccessListEntry] {
        (touched ?? [:])
            .filter { !$0.value.isEmpty || !excluding.contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { AccessListEntry(address: $0.key, storageKeys: $0.value.sorted()) }
    }

    private func record(_ key: StorageKey) {
        guard touched != nil, let word = key.slot.word else { return }
        touched?[key.address, default: []].insert(word)
    }
}

/// How a call or a part of it fails.
enum CallFailure: Error, Hashable, Sendable {
    /// REVERT: what is left of the gas is given back.
    case revert([UInt8])
    /// INVALID: all gas is gone.
    case invalid
    /// All gas is gone since it was too little.
    case outOfGas
}
