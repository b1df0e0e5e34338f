package import Ethereum
package import ZeroEx

/// A transaction with what it called, and its events in their order.
package struct TransactionOverview: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// In the node's pool.
        case pending
        case succeeded
        /// The contract's reason as a sentence; nil if it is unknown.
        case reverted(String?)
    }

    package let hash: TransactionHash
    package let outcome: Outcome
    package let from: NamedAddress
    /// nil if it creates a contract.
    package let to: NamedAddress?
    package let nonce: UInt64
    package let coin: CoinSymbol
    package let value: Wei
    package let gasLimit: UInt64
    package let data: [UInt8]
    /// nil without call data, and if it creates a contract.
    package let call: TransactionCall?
    package let delegations: [SignedDelegation]
    /// nil while it is pending.
    package let block: Block?
    /// The number of the latest block.
    package let latest: UInt64
    package let gasUsed: UInt64?
    /// Wei per gas that was paid; nil while it is pending, and if an old node does not report it.
    package let gasPrice: Wei?
    /// What it paid for gas, and what a rollup took beside it; nil while it is pending, and if the
    /// node does not report a part of it.
    package let cost: Wei?
    /// In the order of the logs.
    package let events: [TransactionEvent]
    /// Events beyond the limit, which are not shown.
    package let omitted: Int
}

/// An event of a transaction, or a log that is none of the known ones.
package enum TransactionEvent: Hashable, Sendable {
    case fill(Fill)
    case cancel(OrderHash, maker: NamedAddress)
    case pairCancel(maker: NamedAddress, makerToken: Token, takerToken: Token, below: UInt256)
    case skip(OrderHash, SkipReason)
    case transfer(TokenAmount, from: NamedAddress, to: NamedAddress)
    case approval(TokenAmount, owner: NamedAddress, spender: NamedAddress)
    case wrap(TokenAmount, by: NamedAddress)
    case unwrap(TokenAmount, by: NamedAddress)
    case other(contract: NamedAddress, topics: [Bytes32], data: [UInt8])

    package struct Fill: Hashable, Sendable {
        package let orderHash: OrderHash
        package let maker: NamedAddress
        package let taker: NamedAddress
        /// What the maker gave and the taker received.
        package let given: TokenAmount
        /// What the taker paid to the maker.
        package let paid: TokenAmount
        package let makerFee: UInt256
        package let takerFee: UInt256
        /// nil if it depends on contracts that were not read.
        package let feeToken: Token?
    }
}
