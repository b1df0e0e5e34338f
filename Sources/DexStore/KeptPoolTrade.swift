package import Ethereum
package import Uniswap

/// A trade with a pool as the journal keeps it.
package struct KeptPoolTrade: Hashable, Sendable {
    package let block: UInt64
    /// The index of its log in the block.
    package let logIndex: UInt64
    /// The block's time in seconds since 1970, exact to the minute that it lies in.
    package let time: UInt64
    package let transaction: TransactionHash
    /// Where the output went: the trader, a router or the next pool.
    package let recipient: Address
    /// Token 0 was sold to the pool and token 1 bought from it, else the other way round.
    package let sellsToken0: Bool
    /// Base units, more than zero.
    package let sold: UInt256
    package let bought: UInt256
    /// The pool's price after the trade; nil if no log tells it.
    package let after: PoolMark?

    package init(
        block: UInt64,
        logIndex: UInt64,
        time: UInt64,
        transaction: TransactionHash,
        recipient: Address,
        sellsToken0: Bool,
        sold: UInt256,
        bought: UInt256,
        after: PoolMark?
    ) {
        self.block = block
        self.logIndex = logIndex
        self.time = time
        self.transaction = transaction
        self.recipient = recipient
        self.sellsToken0 = sellsToken0
        self.sold = sold
        self.bought = bought
        self.after = after
    }
}
