import DexStore
import Ethereum

/// Free nonces that our transactions wait for: later ones are mined only after these are used.
struct NonceGaps {
    private var gaps: [TransactionHash: UInt64] = [:]

    init() {}

    /// - Parameters:
    ///   - waiting: transactions in no block, of any accounts.
    ///   - pending: the node's pending count of each account, including its pool.
    ///   - held: further nonces that another process is about to sign with.
    init(
        _ waiting: [JournalTransaction],
        pending: [Address: UInt64],
        held: [Address: Set<UInt64>]
    ) {
        for (account, count) in pending {
            let own = waiting.filter { $0.sender == account }
            let taken = held[account, default: []].union(own.map(\.nonce))
            var free = count
            while taken.contains(free), free < .max { free += 1 }
            for transaction in own where transaction.nonce > free {
                gaps[transaction.hash] = free
            }
        }
    }

    /// The lowest free nonce that a transaction waits for; nil if it waits for none.
    subscript(hash: TransactionHash) -> UInt64? { gaps[hash] }

    var isEmpty: Bool { gaps.isEmpty }

    /// The gap in words.
    static func words(_ nonce: UInt64) -> String {
        "It cannot be mined before a transaction with the nonce \(nonce), which is free: the next "
            + "one of the account takes it."
    }
}

extension JournalUnfinished {
    /// Nonces that another `dex` may be about to sign with.
    func held(now: UInt64) -> [Address: Set<UInt64>] {
        let live = reservations.filter { !$0.isFree(now: now) }
        return Dictionary(grouping: live, by: \.sender).mapValues { Set($0.map(\.nonce)) }
    }
}
