import DexStore
package import Ethereum

/// A nonce that has to be used before a later transaction of its account can be mined.
package struct NonceGap: Hashable, Sendable {
    package let nonce: UInt64
    /// The transaction that has it, which is signed and not sent; nil if the nonce is free.
    package var holder: TransactionHash?

    /// The gap in words.
    var words: String {
        guard let holder else {
            return
                "It cannot be mined before a transaction with the nonce \(nonce), which is free: "
                + "the next one of the account takes it."
        }
        return
            "It cannot be mined before \(holder) with the nonce \(nonce), which is signed and not "
            + "sent."
    }
}

/// Unused nonces that our transactions wait for: later ones are mined only after these are used.
struct NonceGaps {
    private var gaps: [TransactionHash: NonceGap] = [:]

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
            let unsent = own.filter { $0.stage == .held && $0.successor == nil }
            let sent = own.filter { $0.stage != .held }
            let taken = held[account, default: []].union(sent.map(\.nonce))
            var free = count
            while taken.contains(free), free < .max { free += 1 }
            let gap = NonceGap(nonce: free, holder: unsent.first { $0.nonce == free }?.hash)
            for transaction in own where transaction.nonce > free {
                gaps[transaction.hash] = gap
            }
        }
    }

    /// The lowest unused nonce that a transaction waits for; nil if it waits for none.
    subscript(hash: TransactionHash) -> NonceGap? { gaps[hash] }

    var isEmpty: Bool { gaps.isEmpty }
}

extension JournalUnfinished {
    /// Nonces that another `dex` may be about to sign with.
    func held(now: UInt64) -> [Address: Set<UInt64>] {
        let live = reservations.filter { !$0.isFree(now: now) }
        return Dictionary(grouping: live, by: \.sender).mapValues { Set($0.map(\.nonce)) }
    }
}
