package import Ethereum
package import ZeroEx

/// One fill on an exchange, by any maker and taker.
package struct MarketFill: Hashable, Sendable {
    package let block: UInt64
    /// The index of its log in the block.
    package let logIndex: UInt64
    /// The block's time in seconds since 1970.
    package let time: UInt64
    package let transaction: TransactionHash
    package let orderHash: OrderHash
    package let maker: Address
    package let taker: Address
    package let makerToken: Address
    package let takerToken: Address
    /// Base units of the maker token that the taker received.
    package let makerAmount: UInt256
    /// Base units of the taker token that the maker received.
    package let takerAmount: UInt256

    package init(
        block: UInt64,
        logIndex: UInt64,
        time: UInt64,
        transaction: TransactionHash,
        orderHash: OrderHash,
        maker: Address,
        taker: Address,
        makerToken: Address,
        takerToken: Address,
        makerAmount: UInt256,
        takerAmount: UInt256
    ) {
        self.block = block
        self.logIndex = logIndex
        self.time = time
        self.transaction = transaction
        self.orderHash = orderHash
        self.maker = maker
        self.taker = taker
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.makerAmount = makerAmount
        self.takerAmount = takerAmount
    }
}

extension MarketFill {
    /// A trade at a swap venue: it fills no order, and its transaction's hash stands for one.
    package var isSwap: Bool { orderHash.word == transaction.word }
}
