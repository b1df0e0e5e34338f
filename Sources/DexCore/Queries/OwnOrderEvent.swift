package import DexStore
package import Ethereum
package import ZeroEx

/// A fill or a cancel of our order.
package struct OwnOrderEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The taker, and the fee that we paid for the fill.
        case fill(taker: Address, makerFee: UInt256)
        case cancel
    }

    package let kind: Kind
    package let orderHash: OrderHash
    /// Base units of the maker token: what we gave, or no longer offer.
    package let makerAmount: UInt256
    /// Base units of the taker token.
    package let takerAmount: UInt256
    package let transaction: TransactionHash
    package let block: UInt64
    /// The index in the block.
    package let logIndex: UInt64
    /// Seconds since 1970; nil if the node did not report it.
    package let time: UInt64?
}

extension OwnOrderEvent {
    /// The events of an account's own orders in a transaction, in log order.
    ///
    /// Its fills of others' orders are not included.
    package static func events(in mined: MinedTrades, maker: Address) -> [OwnOrderEvent] {
        mined.trades.filter { $0.maker == maker }.map { trade in
            let (kind, makerAmount, takerAmount): (Kind, UInt256, UInt256) =
                switch trade.event {
                case .fill(let fill):
                    (
                        .fill(taker: fill.taker, makerFee: fill.makerFee), fill.makerAmount,
                        fill.takerAmount
                    )
                case .cancel(let cancel): (.cancel, cancel.makerAmount, cancel.takerAmount)
                }
            return OwnOrderEvent(
                kind: kind,
                orderHash: trade.orderHash,
                makerAmount: makerAmount,
                takerAmount: takerAmount,
                transaction: mined.transaction,
                block: mined.block,
                logIndex: trade.logIndex,
                time: mined.time
            )
        }
    }
}
