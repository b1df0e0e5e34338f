package import Ethereum
package import Uniswap

/// A trade with a pool, in few bytes, with the time of its block.
package struct TimedPoolTrade: Hashable, Sendable {
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
}

extension TimedPoolTrade {
    /// nil unless the log says its place.
    ///
    /// - Parameter time: the time of a block, in seconds since 1970.
    init?(_ trade: PoolTrade, time: (UInt64) -> UInt64?) {
        guard let block = trade.log.blockNumber, let index = trade.log.logIndex,
            let transaction = trade.log.transactionHash, let time = time(block)
        else { return nil }
        self.init(
            block: block,
            logIndex: index,
            time: time,
            transaction: transaction,
            recipient: trade.recipient,
            sellsToken0: trade.sold == trade.pool.token0,
            sold: trade.soldAmount,
            bought: trade.boughtAmount,
            after: trade.after
        )
    }
}
