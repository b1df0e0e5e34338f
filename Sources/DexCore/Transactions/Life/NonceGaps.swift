import DexStore
import Ethereum

/// Nonces that nothing holds and that transactions of ours wait for: none behind one is mined
/// before it is used.
struct NonceGaps {
    private var gaps: [TransactionHash: UInt64] = [:]

    /// None.
    init() {}

    /// - Parameters:
    ///   - waiting: transactions that are in no block, whatever accounts they are of.
    ///   - pending: how many of each account the node counts, its pool included.
    ///   - held: further nonces with which somebody is about to sign.
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

    /// The lowest free nonce that a transaction waits for; nil where it waits for none.
    subscript(hash: TransactionHash) -> UInt64? { gaps[hash] }

    var isEmpty: Bool { gaps.isEmpty }

    /// What that means, in words.
    static func words(_ nonce: UInt64) -> String {
        "It cannot be mined before a transaction with the nonce \(nonce), which is free: the next "
            + "one of the account takes it."
    }
}

extension JournalUnfinished {
    /// Nonces with which another `dex` may be about to sign.
    func held(now: UInt64) -> [Address: Set<UInt64>] {
        let live = reservations.filter { !$0.isFree(now: now) }
        return Dictionary(grouping: live, by: \.sender).mapValues { Set($0.map(\.nonce)) }
    }
}
