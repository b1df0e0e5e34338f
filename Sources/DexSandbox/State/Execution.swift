import Ethereum

/// The context of a message: the block that it runs in.
struct BlockContext: Sendable {
    let number: UInt64
    let timestamp: UInt64
    let baseFee: UInt64
    var coinbase: Address
}

/// One running transaction or call: its changes over a state, its gas, its logs, and a journal.
///
/// The journal undoes the changes of a failed part.
final class Execution {
    private struct Entry {
        let original: UInt256
        var current: UInt256
        var isWarm: Bool
    }

    /// The undo steps, by index in `entries` and `accounts`.
    private enum Undo {
        case value(Int, UInt256)
        case transient(StorageKey, UInt256)
        case warmSlot(Int)
        case warmAccount(Int)
    }

    struct Snapshot {
        fileprivate let journal: Int
        fileprivate let logs: Int
        fileprivate let refund: Int64
    }

    let base: StateView
    let block: BlockContext
    /// The price of a unit of gas in wei: `tx.gasprice`.
    let gasPrice: UInt256
    /// Gas left for the running part.
    var gasLeft: UInt64
    /// The SSTORE refunds so far; temporarily negative at times.
    private(set) var refund: Int64 = 0
    private(set) var logs: [Log] = []
    private var entries = SmallMap<StorageKey, Entry>(capacity: 2)
    /// The accounts that are or were warm.
    private var accounts = SmallMap<Address, Bool>(capacity: 4)
    private var preloadedSlots: [Address: Set<Bytes32>] = [:]
    private var journal: [Undo] = []
    /// Values that end with the transaction (EIP-1153).
    private var transients: [StorageKey: UInt256] = [:]
    /// The number of calls within calls.
    var depth = 0
    /// The touched accounts and slots, including reverted ones; nil unless they are recorded.
    private var touched: [Address: Set<Bytes32>]?

    init(base: StateView, block: BlockContext, gas: UInt64, gasPrice: UInt256 = .zero) {
        self.base = base
        self.block = block
        self.gasPrice = gasPrice
        gasLeft = gas
    }

    // MARK: Values

    /// The current value, without gas: for account fields and checks.
    func peek(_ key: StorageKey) -> UInt256 {
        entries.place(of: key).map { entries[$0].current } ?? base[key]
    }

    /// Sets a value without gas: for account fields.
    func put(_ key: StorageKey, _ value: UInt256) {
        set(place(of: key), value)
    }

    private func place(of key: StorageKey) -> Int {
        if let place = entries.place(of: key) { return place }
        let value = base[key]
        return entries.append(
            key,
            Entry(original: value, current: value, isWarm: isAnnounced(key))
        )
    }

    private func set(_ place: Int, _ value: UInt256) {
        let old = entries[place].current
        guard old != value else { return }
        journal.append(.value(place, old))
        entries[place].current = value
    }

    /// SLOAD: reads a slot and pays for it (EIP-2929).
    func load(_ key: StorageKey) throws(CallFailure) -> UInt256 {
        record(key)
        let place = place(of: key)
        let isWarm = entries[place].isWarm
        try charge(isWarm ? GasSchedule.warmAccess : GasSchedule.coldSlot)
        if !isWarm { warm(place) }
        return entries[place].current
    }

    /// SSTORE: writes a slot and pays for it (EIP-2200 with the prices of EIP-2929 and EIP-3529).
    func store(_ key: StorageKey, _ value: UInt256) throws(CallFailure) {
        record(key)
        guard gasLeft > GasSchedule.storeSentry else { throw .outOfGas }
        let place = place(of: key)
        let entry = entries[place]
        let cost = GasSchedule.store(
            original: entry.original,
            current: entry.current,
            new: value,
            isWarm: entry.isWarm
        )
        try charge(cost.gas)
        refund += cost.refund
        if !entry.isWarm { warm(place) }
        set(place, value)
    }

    private func warm(_ place: Int) {
        entries[place].isWarm = true
        journal.append(.warmSlot(place))
    }

    /// TLOAD: reads a value that ends with the transaction.
    func transient(_ key: StorageKey) throws(CallFailure) -> UInt256 {
        try charge(GasSchedule.transientAccess)
        return transients[key] ?? .zero
    }

    /// TSTORE: writes a value that ends with the transaction.
    func setTransient(_ key: StorageKey, _ value: UInt256) throws(CallFailure) {
        try charge(GasSchedule.transientAccess)
        journal.append(.transient(key, transients[key] ?? .zero))
        transients[key] = value
    }

    // MARK: Warmth

    /// Makes an account warm before the execution starts.
    func announce(_ address: Address) {
        _ = warm(address)
    }

    /// Makes the accounts and slots of an access list warm (EIP-2930).
    func announce(_ list: [AccessListEntry]) {
        for entry in list {
            announce(entry.address)
            preloadedSlots[entry.address, default: []].formUnion(entry.storageKeys)
        }
    }

    private func isAnnounced(_ key: StorageKey) -> Bool {
        guard !preloadedSlots.isEmpty, let slots = preloadedSlots[key.address],
            let word = key.slot.word
        else { return false }
        return slots.contains(word)
    }

    /// Pays for touching an account (EIP-2929).
    func touch(_ address: Address) throws(CallFailure) {
        if touched != nil { touched?[address, default: []].formUnion([]) }
        if let place = accounts.place(of: address), accounts[place] {
            try charge(GasSchedule.warmAccess)
        } else {
            try charge(GasSchedule.coldAccount)
            journal.append(.warmAccount(warm(address)))
        }
    }

    /// Makes an account warm and returns its index.
    private func warm(_ address: Address) -> Int {
        guard let place = accounts.place(of: address) else { return accounts.append(address, true) }
        accounts[place] = true
        return place
    }

    // MARK: Gas and logs

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

    /// Undoes everything since a snapshot: values, warmth, logs, refunds; gas stays spent.
    func revert(to snapshot: Snapshot) {
        while journal.count > snapshot.journal, let undo = journal.popLast() {
            switch undo {
            case .value(let place, let old): entries[place].current = old
            case .transient(let key, let old): transients[key] = old
            case .warmSlot(let place): entries[place].isWarm = false
            case .warmAccount(let place): accounts[place] = false
            }
        }
        logs.removeLast(logs.count - snapshot.logs)
        refund = snapshot.refund
    }

    /// The values that differ from the state below.
    var changes: [StorageKey: UInt256] {
        var changes: [StorageKey: UInt256] = [:]
        for (key, entry) in entries.all where entry.current != entry.original {
            changes[key] = entry.current
        }
        return changes
    }

    /// Starts recording touched accounts and slots.
    func recordTouches() {
        touched = [:]
    }

    /// The accounts and slots touched since `recordTouches`, including those of failed parts.
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

/// The failure of a call or a part of it.
enum CallFailure: Error, Hashable, Sendable {
    /// REVERT: the remaining gas is returned.
    case revert([UInt8])
    /// INVALID: all gas is used up.
    case invalid
    /// The gas was too little and is used up.
    case outOfGas
}
