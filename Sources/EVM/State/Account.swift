import Ethereum

/// An account while transactions run.
final class Account {
    let address: Address
    /// Its number, if it is a precompile: warm in every transaction.
    let precompile: UInt64?
    var nonce: UInt64
    var balance: UInt256
    var codeHash: Bytes32
    /// nil while nobody asked for it.
    var code: Code?
    /// Some word of its storage was not zero before.
    private let hadStorage: Bool
    /// Its words are those of the reader; not of a contract that was created meanwhile.
    var readsStorage: Bool
    var slots = WordTable<Slot>()
    /// Storage of this transaction alone.
    var transient: [UInt256: UInt256] = [:]
    var exists: Bool
    var isWarm = false
    /// Its contract was created by this transaction.
    var isNew = false
    /// It ends with this transaction.
    var isDestroyed = false
    /// It ends with this transaction if it is empty then.
    var isTouched = false

    /// A word of storage.
    struct Slot {
        /// Before the transaction.
        var original: UInt256
        var current: UInt256
        var isWarm: Bool
    }

    init(_ address: Address, _ record: AccountRecord?, precompile: UInt64?) {
        self.address = address
        self.precompile = precompile
        nonce = record?.nonce ?? 0
        balance = record?.balance.rawValue ?? .zero
        codeHash = record?.codeHash ?? Code.emptyHash
        hadStorage = record?.hasStorage ?? false
        readsStorage = record != nil
        exists = record != nil
    }

    /// As a reader would tell of it; nil if there is none.
    var record: AccountRecord? {
        guard exists else { return nil }
        return AccountRecord(
            nonce: nonce,
            balance: Wei(balance),
            codeHash: codeHash,
            hasStorage: hasStorage
        )
    }

    var hasCode: Bool { codeHash != Code.emptyHash }
    var isEmpty: Bool { nonce == 0 && balance == .zero && !hasCode }
    /// A contract cannot be created where something is (EIP-7610).
    var isOccupied: Bool {
        nonce != 0 || hasCode || hasStorage
    }
    private var hasStorage: Bool {
        hadStorage && readsStorage || slots.entries.contains { $0.value.current != .zero }
    }
}
