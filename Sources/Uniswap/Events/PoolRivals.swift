public import Ethereum

/// What others traded around a transaction at its pools, within its block.
public struct PoolRivals: Hashable, Sendable {
    /// The transaction's own trades, in the block's order.
    public let own: [PoolTrade]
    /// The trades before it in its direction, in the block's order: each made its price worse.
    public var ahead: [PoolTrade]
    /// The trades behind it in the other direction, in the block's order.
    public var behind: [PoolTrade]

    /// - Parameters:
    ///   - trades: those of its block at its pools, in the block's order.
    /// - Returns: nil if none of them is the transaction's.
    public init?(of transaction: TransactionHash, in trades: [PoolTrade]) {
        func isOwn(_ trade: PoolTrade) -> Bool { trade.log.transactionHash == transaction }
        guard let first = trades.firstIndex(where: isOwn),
            let last = trades.lastIndex(where: isOwn)
        else { return nil }
        own = trades.filter(isOwn)
        // A transaction that goes through a pool twice has no direction there.
        var sold: [PoolID: Set<Address>] = [:]
        for trade in own { sold[trade.pool, default: []].insert(trade.sold) }
        ahead = trades[..<first].filter { sold[$0.pool] == [$0.sold] }
        behind = trades[last...].filter { !isOwn($0) && sold[$0.pool] == [$0.bought] }
    }

    /// A trade ahead that was turned back behind: by the same account, or by one of the same amount.
    public struct Sandwich: Hashable, Sendable {
        public let front: PoolTrade
        public let back: PoolTrade
        /// Who sent both; nil if two accounts did.
        public let account: Address?
    }

    /// The part of what a front bought by which the back of another account may differ: 1 %.
    private static let tolerance: UInt256 = 100

    /// The first trade ahead that was turned back.
    ///
    /// - Parameter senders: who sent each transaction, as far as known.
    public func sandwich(senders: [TransactionHash: Address]) -> Sandwich? {
        func sender(_ trade: PoolTrade) -> Address? {
            trade.log.transactionHash.flatMap { senders[$0] }
        }
        for front in ahead {
            for back in behind where back.pool == front.pool {
                let account = sender(front)
                if let account, account == sender(back) {
                    return Sandwich(front: front, back: back, account: account)
                }
                let (bought, sold) = (front.boughtAmount, back.soldAmount)
                let distance = bought > sold ? bought - sold : sold - bought
                if distance <= bought / Self.tolerance {
                    return Sandwich(front: front, back: back, account: nil)
                }
            }
        }
        return nil
    }
}
