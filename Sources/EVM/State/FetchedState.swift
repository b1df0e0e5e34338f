package import Ethereum

/// The state of a chain, as far as a node was asked for it.
///
/// What was not asked for is missing, and ends a run. A run that guesses goes on with zeros instead
/// and notes what it missed: what it finds so is asked for in one round.
package final class FetchedState: StateReader {
    private var accounts: [Address: AccountRecord] = [:]
    private var codes: [Bytes32: [UInt8]] = [:]
    private var words: [Address: [UInt256: UInt256]] = [:]
    /// By their numbers.
    package private(set) var hashes: [UInt64: BlockHash] = [:]
    /// What runs asked for.
    private var asked: Set<StateKey> = []
    /// nil unless a run guesses.
    private var guessed: Set<StateKey>?
    /// The block's producer, who gets the tips; nil for one that is read as any account.
    private let producer: Address?

    /// - Parameter producer: of the block. Every run touches it, and no list names it: unless it is
    ///   read, it is an account without anything. Nil reads it as any account.
    package init(producer: Address?) { self.producer = producer }

    package func account(_ address: Address) -> Known<AccountRecord?> {
        guard let record = accounts[address] else {
            return address == producer ? .known(nil) : missing(.account(address), as: nil)
        }
        asked.insert(.account(address))
        // An account without anything is none (EIP-161).
        let isNone = record.nonce == 0 && record.balance == .zero && codes[record.codeHash] == []
        return .known(isNone ? nil : record)
    }

    package func code(_ hash: Bytes32) -> Known<[UInt8]> {
        guard let code = codes[hash] else { return missing(.code(hash), as: []) }
        return .known(code)
    }

    package func word(_ slot: UInt256, of address: Address) -> Known<UInt256> {
        guard let word = words[address]?[slot] else {
            return missing(.word(slot, of: address), as: .zero)
        }
        asked.insert(.word(slot, of: address))
        return .known(word)
    }

    /// The hash of a block before; nil if it was not asked for.
    package func hash(of block: UInt64) -> BlockHash? {
        if let hash = hashes[block] { return hash }
        guessed?.insert(.blockHash(block))
        return nil
    }

    /// How many accounts and words are known, and how many bytes of code.
    package private(set) var size = (values: 0, code: 0)

    private func missing<Value>(_ key: StateKey, as guess: Value) -> Known<Value> {
        guard guessed != nil else { return .unknown }
        guessed?.insert(key)
        return .known(guess)
    }

    /// What a run with zeros for everything unknown asks for.
    package func guessing(_ run: () -> Void) -> Set<StateKey> {
        guessed = []
        run()
        defer { guessed = nil }
        return guessed ?? []
    }

    /// A run that guesses has met something unknown, so what it finds is worth nothing.
    package var isGuess: Bool { guessed?.isEmpty == false }

    // MARK: What a node said

    package func set(_ address: Address, nonce: UInt64, balance: Wei, code: [UInt8]) {
        let hash = Keccak256.hash(code)
        if codes.updateValue(code, forKey: hash) == nil { size.code += code.count }
        let record = AccountRecord(nonce: nonce, balance: balance, codeHash: hash)
        if accounts.updateValue(record, forKey: address) == nil { size.values += 1 }
    }

    /// - Parameter code: of the record's hash.
    package func set(_ address: Address, _ record: AccountRecord, code: [UInt8]) {
        if codes.updateValue(code, forKey: record.codeHash) == nil { size.code += code.count }
        if accounts.updateValue(record, forKey: address) == nil { size.values += 1 }
    }

    package func set(_ word: UInt256, at slot: UInt256, of address: Address) {
        if words[address, default: [:]].updateValue(word, forKey: slot) == nil { size.values += 1 }
    }

    package func set(_ hash: BlockHash, of block: UInt64) {
        hashes[block] = hash
    }
}

extension FetchedState {
    /// All that a node was asked for.
    package var known: Set<StateKey> {
        var keys = Set(accounts.keys.map { StateKey.account($0) })
        for (address, slots) in words {
            for slot in slots.keys { keys.insert(.word(slot, of: address)) }
        }
        return keys
    }

    /// What runs read of it, and of a block hash that was asked for; all of it, if nothing was run.
    package var used: Set<StateKey> {
        (asked.isEmpty ? known : asked).union(hashes.keys.map { .blockHash($0) })
    }

    /// An account as it was put in, also an empty one; nil if it was not.
    package func record(of address: Address) -> AccountRecord? { accounts[address] }

    /// A word as it was put in; nil if it was not.
    package func value(at slot: UInt256, of address: Address) -> UInt256? { words[address]?[slot] }

    /// The code of a hash; nil if none was put in.
    package func bytes(of codeHash: Bytes32) -> [UInt8]? { codes[codeHash] }
}
