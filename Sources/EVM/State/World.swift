public import Ethereum

/// The state of a run: what a reader knows and what transactions changed, which a journal can undo.
final class World {
    private let reader: any StateReader
    private let revision: Revision
    /// By their addresses as words.
    private var accounts = WordTable<Account>()
    private var codes: [Bytes32: Code] = [:]
    let cache: CodeCache?
    private var journal: [Change] = []
    /// Those of the transaction, in their order.
    private(set) var logs: [EventLog] = []
    /// What comes back of the gas used; below zero on the way.
    var refund: Int64 = 0
    /// What the reader did not know.
    private(set) var missing: Set<StateKey> = []

    init(_ reader: any StateReader, _ revision: Revision, _ cache: CodeCache?) {
        (self.reader, self.revision, self.cache) = (reader, revision, cache)
    }

    private enum Change {
        case balance(Account, UInt256)
        case nonce(Account, UInt64)
        case code(Account, Bytes32, Code?)
        case word(Account, index: Int, UInt256)
        case transient(Account, UInt256, UInt256)
        case warmAccount(Account)
        case warmSlot(Account, index: Int)
        case existed(Account)
        case new(Account, wasNew: Bool, readStorage: Bool)
        case destroyed(Account)
        case touched(Account)
    }

    // MARK: Reading

    /// nil if the reader does not know it.
    func account(_ address: Address) -> Account? {
        let key = UInt256(address.word)
        if let index = accounts.index(of: key) { return accounts[index] }
        guard case .known(let record) = reader.account(address) else {
            missing.insert(.account(address))
            return nil
        }
        let account = Account(
            address,
            record,
            precompile: Precompile.number(of: address, revision)
        )
        accounts.append(account, of: key)
        return account
    }

    /// nil if the reader does not know it.
    func code(of account: Account) -> Code? {
        if let code = account.code { return code }
        account.code = code(account.codeHash)
        return account.code
    }

    /// The code with a hash; nil if the reader does not know it.
    func code(_ hash: Bytes32) -> Code? {
        if let code = codes[hash] ?? cache?[hash] { return code }
        var bytes: [UInt8] = []
        if hash != Code.emptyHash {
            guard case .known(let known) = reader.code(hash) else {
                missing.insert(.code(hash))
                return nil
            }
            bytes = known
        }
        let code = Code(bytes, hash: hash)
        codes[hash] = code
        cache?[hash] = code
        return code
    }

    /// The index of a word in its account, and whether it was warm already; from now on it is.
    ///
    /// - Returns: nil if the reader does not know it.
    func word(_ slot: UInt256, of account: Account) -> (index: Int, wasWarm: Bool)? {
        if let index = account.slots.index(of: slot) {
            if account.slots[index].isWarm { return (index, true) }
            account.slots[index].isWarm = true
            journal.append(.warmSlot(account, index: index))
            return (index, false)
        }
        var value = UInt256.zero
        if account.readsStorage {
            guard case .known(let known) = reader.word(slot, of: account.address) else {
                missing.insert(.word(slot, of: account.address))
                return nil
            }
            value = known
        }
        let read = Account.Slot(original: value, current: value, isWarm: true)
        let index = account.slots.append(read, of: slot)
        journal.append(.warmSlot(account, index: index))
        return (index, false)
    }

    /// The accounts that are no precompiles, with the words that were asked for.
    var touched: [AccessListEntry] {
        accounts.entries.map(\.value).filter { $0.precompile == nil }.map { account in
            AccessListEntry(
                address: account.address,
                storageKeys: account.slots.entries.map(\.key.word).sorted()
            )
        }.sorted { $0.address < $1.address }
    }

    /// What a run asked for and nobody knew.
    func miss(_ key: StateKey) { missing.insert(key) }

    func forgetMissing() { missing = [] }

    /// The current value of a word, which is not made warm; nil if the reader does not know it.
    func value(_ slot: UInt256, of account: Account) -> UInt256? {
        if let index = account.slots.index(of: slot) { return account.slots[index].current }
        guard account.readsStorage else { return .zero }
        guard case .known(let value) = reader.word(slot, of: account.address) else { return nil }
        return value
    }

    // MARK: Changes

    /// Whether it was warm already.
    func warm(_ account: Account) -> Bool {
        if account.isWarm || account.precompile != nil { return true }
        account.isWarm = true
        journal.append(.warmAccount(account))
        return false
    }

    func set(balance: UInt256, of account: Account) {
        journal.append(.balance(account, account.balance))
        account.balance = balance
    }

    func set(nonce: UInt64, of account: Account) {
        journal.append(.nonce(account, account.nonce))
        account.nonce = nonce
    }

    func set(code bytes: [UInt8], of account: Account) {
        journal.append(.code(account, account.codeHash, account.code))
        let code = Code(bytes)
        codes[code.hash] = code
        (account.codeHash, account.code) = (code.hash, code)
    }

    /// A word that was read before, by its index in its account.
    func set(word: UInt256, at index: Int, of account: Account) {
        journal.append(.word(account, index: index, account.slots[index].current))
        account.slots[index].current = word
    }

    func set(transient word: UInt256, at slot: UInt256, of account: Account) {
        journal.append(.transient(account, slot, account.transient[slot] ?? .zero))
        account.transient[slot] = word
    }

    func makeExist(_ account: Account) {
        guard !account.exists else { return }
        account.exists = true
        journal.append(.existed(account))
    }

    func touch(_ account: Account) {
        guard !account.isTouched else { return }
        account.isTouched = true
        journal.append(.touched(account))
    }

    /// A contract begins at an account.
    func create(_ account: Account) {
        makeExist(account)
        touch(account)
        set(nonce: 1, of: account)
        journal.append(.new(account, wasNew: account.isNew, readStorage: account.readsStorage))
        (account.isNew, account.readsStorage) = (true, false)
    }

    func destroy(_ account: Account) {
        guard !account.isDestroyed else { return }
        account.isDestroyed = true
        journal.append(.destroyed(account))
    }

    /// Moves ether that the payer has.
    func transfer(_ value: UInt256, from payer: Account, to payee: Account) {
        touch(payee)
        guard value != .zero else { return }
        touch(payer)
        set(balance: payer.balance &- value, of: payer)
        makeExist(payee)
        set(balance: payee.balance &+ value, of: payee)
    }

    func append(_ log: EventLog) { logs.append(log) }

    // MARK: Undoing

    /// A state to which a failed call returns.
    struct Checkpoint {
        fileprivate let changes: Int
        fileprivate let logs: Int
        fileprivate let refund: Int64

        static let start = Checkpoint(changes: 0, logs: 0, refund: 0)
    }

    var checkpoint: Checkpoint {
        Checkpoint(changes: journal.count, logs: logs.count, refund: refund)
    }

    /// Undoes all changes since: storage, balances, nonces, code, logs, refunds, and warmth.
    func revert(to checkpoint: Checkpoint) {
        while journal.count > checkpoint.changes { undo(journal.removeLast()) }
        logs.removeLast(max(0, logs.count - checkpoint.logs))
        refund = checkpoint.refund
    }

    private func undo(_ change: Change) {
        switch change {
        case .balance(let account, let balance): account.balance = balance
        case .nonce(let account, let nonce): account.nonce = nonce
        case .code(let account, let hash, let code): (account.codeHash, account.code) = (hash, code)
        case .word(let account, let index, let word): account.slots[index].current = word
        case .transient(let account, let slot, let word): account.transient[slot] = word
        case .warmAccount(let account): account.isWarm = false
        case .warmSlot(let account, let index): account.slots[index].isWarm = false
        case .existed(let account): account.exists = false
        case .new(let account, let wasNew, let readStorage):
            (account.isNew, account.readsStorage) = (wasNew, readStorage)
        case .destroyed(let account): account.isDestroyed = false
        case .touched(let account): account.isTouched = false
        }
    }

    /// Ends a transaction: what was changed is what the next one begins with.
    ///
    /// - Returns: all that may have another value now than before.
    func commit() -> Set<StateKey> {
        var changed: Set<StateKey> = []
        var ended: [Account] = []
        for change in journal {
            switch change {
            case .word(let account, let index, _):
                changed.insert(.word(account.slots.entries[index].key, of: account.address))
            case .warmSlot(let account, let index):
                let current = account.slots[index].current
                account.slots[index] = Account.Slot(
                    original: current,
                    current: current,
                    isWarm: false
                )
            case .transient(let account, _, _): account.transient = [:]
            case .warmAccount(let account): account.isWarm = false
            case .destroyed(let account): ended.append(account)
            case .touched(let account):
                account.isTouched = false
                if account.isEmpty {
                    ended.append(account)
                    changed.insert(.account(account.address))
                }
            case .new(let account, _, _): account.isNew = false
            case .balance(let account, _), .nonce(let account, _), .code(let account, _, _),
                .existed(let account):
                changed.insert(.account(account.address))
            }
        }
        for account in ended { end(account) }
        journal = []
        logs = []
        refund = 0
        return changed
    }

    private func end(_ account: Account) {
        guard let index = accounts.index(of: UInt256(account.address.word)) else { return }
        accounts[index] = Account(account.address, nil, precompile: account.precompile)
    }
}

/// An event that a contract logged.
public struct EventLog: Hashable, Sendable {
    public let address: Address
    /// At most four.
    public let topics: [Bytes32]
    public let data: [UInt8]
}
