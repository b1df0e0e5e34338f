import Ethereum

/// Waiting transactions, by sender and nonce.
struct TransactionPool: Sendable {
    /// The maximum number of waiting transactions.
    static let capacity = 5_120
    /// The minimum price increase of a replacement, in percent.
    static let priceBump: UInt64 = 10

    private var bySender: [Address: [UInt64: PooledTransaction]] = [:]
    private var byHash: [TransactionHash: PooledTransaction] = [:]
    private var arrivals: UInt64 = 0

    var count: Int { byHash.count }

    /// All waiting transactions, in order of arrival.
    var all: [PooledTransaction] {
        byHash.values.sorted { $0.arrival < $1.arrival }
    }

    /// It goes into a block before all others, whatever it pays as a tip.
    var preferred: TransactionHash?

    subscript(hash: TransactionHash) -> PooledTransaction? {
        byHash[hash]
    }

    subscript(sender: Address, nonce: UInt64) -> PooledTransaction? {
        bySender[sender]?[nonce]
    }

    /// Adds a transaction; it replaces one with the same sender and nonce.
    mutating func insert(_ signed: SignedTransaction, hash: TransactionHash) {
        if let replaced = self[signed.sender, signed.transaction.nonce] {
            byHash[replaced.hash] = nil
        }
        let pooled = PooledTransaction(signed: signed, hash: hash, arrival: arrivals)
        arrivals += 1
        byHash[hash] = pooled
        bySender[signed.sender, default: [:]][signed.transaction.nonce] = pooled
    }

    mutating func remove(_ pooled: PooledTransaction) {
        byHash[pooled.hash] = nil
        bySender[pooled.signed.sender]?[pooled.nonce] = nil
        if bySender[pooled.signed.sender]?.isEmpty == true {
            bySender[pooled.signed.sender] = nil
        }
    }

    /// The nonce after the transactions that follow on a nonce without a gap.
    func nextNonce(of sender: Address, from nonce: UInt64) -> UInt64 {
        guard let waiting = bySender[sender] else { return nonce }
        var next = nonce
        while waiting[next] != nil { next += 1 }
        return next
    }

    /// The maximum cost in wei of a sender's waiting transactions, without one nonce.
    func cost(of sender: Address, excluding nonce: UInt64) -> UInt256 {
        var total = UInt256.zero
        for pooled in (bySender[sender] ?? [:]).values where pooled.nonce != nonce {
            total = total.addingSaturating(pooled.signed.transaction.maximumCost?.rawValue ?? .max)
        }
        return total
    }

    /// The next transaction for a block: the executable one with the highest tip.
    ///
    /// Of equal tips it is the earliest arrival.
    ///
    /// - Parameters:
    ///   - excluded: senders whose next transaction did not fit.
    ///   - nonce: the next nonce of a sender.
    func best(
        baseFee: UInt256,
        excluding excluded: Set<Address>,
        nonce: (Address) -> UInt64?
    ) -> PooledTransaction? {
        var best: (transaction: PooledTransaction, tip: UInt256)?
        for (sender, waiting) in bySender where !excluded.contains(sender) {
            guard let next = nonce(sender), let candidate = waiting[next],
                let tip = candidate.tip(baseFee: baseFee)
            else { continue }
            if candidate.hash == preferred { return candidate }
            if let current = best {
                let isBetter =
                    tip > current.tip
                    || tip == current.tip && candidate.arrival < current.transaction.arrival
                guard isBetter else { continue }
            }
            best = (candidate, tip)
        }
        return best?.transaction
    }
}
