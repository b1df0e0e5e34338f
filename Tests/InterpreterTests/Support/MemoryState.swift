import EVM
import Ethereum

/// A whole state in memory.
final class MemoryState: StateReader {
    /// An account with its storage.
    struct Entry {
        var record: AccountRecord
        var words: [UInt256: UInt256] = [:]
    }

    private(set) var entries: [Address: Entry] = [:]
    private var codes: [Bytes32: [UInt8]] = [:]
    /// What is not there is said to be unknown, as of a state that is fetched.
    var isPartial = false

    /// Sets an account.
    func put(
        _ address: Address,
        nonce: UInt64 = 0,
        balance: UInt256 = .zero,
        code: [UInt8] = [],
        words: [UInt256: UInt256] = [:]
    ) {
        let hash = Keccak256.hash(code)
        codes[hash] = code
        let words = words.filter { $0.value != .zero }
        entries[address] = Entry(
            record: AccountRecord(
                nonce: nonce,
                balance: Wei(balance),
                codeHash: hash,
                hasStorage: !words.isEmpty
            ),
            words: words
        )
    }

    func account(_ address: Address) -> Known<AccountRecord?> {
        guard let entry = entries[address] else { return isPartial ? .unknown : .known(nil) }
        return .known(entry.record)
    }

    func code(_ hash: Bytes32) -> Known<[UInt8]> {
        codes[hash].map { .known($0) } ?? .unknown
    }

    func word(_ slot: UInt256, of address: Address) -> Known<UInt256> {
        if let word = entries[address]?.words[slot] { return .known(word) }
        return isPartial ? .unknown : .known(.zero)
    }
}
