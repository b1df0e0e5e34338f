package import Ethereum
package import ZeroEx

/// What one mined transaction did on an exchange: its fills and cancels, and what it cost.
package struct MinedTrades: Hashable, Sendable {
    /// One fill or cancel.
    package struct Trade: Hashable, Sendable {
        package enum Event: Hashable, Sendable {
            case fill(FillEvent)
            case cancel(CancelEvent)
        }

        /// The position of its log in the block.
        package let logIndex: UInt64
        package let event: Event

        package init(logIndex: UInt64, event: Event) {
            self.logIndex = logIndex
            self.event = event
        }
    }

    package let chainID: UInt64
    package let exchange: Address
    package let transaction: TransactionHash
    /// Who sent the transaction and paid for its gas.
    package let sender: Address
    package let block: UInt64
    package let blockHash: BlockHash
    /// Seconds since 1970 of the block; nil where nobody asked yet.
    package var time: UInt64?
    package let gasUsed: UInt64
    /// Wei per gas really paid; nil where the node does not tell.
    package let gasPrice: Wei?
    /// In the order of the logs.
    package var trades: [Trade]

    package init(
        chainID: UInt64,
        exchange: Address,
        transaction: TransactionHash,
        sender: Address,
        block: UInt64,
        blockHash: BlockHash,
        time: UInt64?,
        gasUsed: UInt64,
        gasPrice: Wei?,
        trades: [Trade]
    ) {
        self.chainID = chainID
        self.exchange = exchange
        self.transaction = transaction
        self.sender = sender
        self.block = block
        self.blockHash = blockHash
        self.time = time
        self.gasUsed = gasUsed
        self.gasPrice = gasPrice
        self.trades = trades
    }
}

extension MinedTrades {
    /// Of a receipt and the exchange's events in its logs; skipped orders are no trades.
    ///
    /// - Parameters:
    ///   - time: the block's, in seconds since 1970.
    ///   - events: those of this receipt.
    package init(
        _ receipt: TransactionReceipt,
        chainID: UInt64,
        exchange: Address,
        time: UInt64?,
        events: [LoggedEvent]
    ) {
        self.init(
            chainID: chainID,
            exchange: exchange,
            transaction: receipt.transactionHash,
            sender: receipt.from,
            block: receipt.blockNumber,
            blockHash: receipt.blockHash,
            time: time,
            gasUsed: receipt.gasUsed,
            gasPrice: receipt.effectiveGasPrice,
            trades: events.compactMap { Trade($0) }
        )
    }

    /// What the gas cost; nil where the node did not tell the price.
    package var gasCost: Wei? { gasPrice?.multiplied(by: UInt256(gasUsed)) }
}

extension MinedTrades.Trade {
    /// nil for an order that was skipped, and for a cancel whose amounts are not told: those are
    /// found out first.
    package init?(_ logged: LoggedEvent) {
        switch logged.event {
        case .filled(let fill): self.init(logIndex: logged.logIndex, event: .fill(fill))
        case .cancelled(let cancel): self.init(logIndex: logged.logIndex, event: .cancel(cancel))
        case .cancelSeen, .pairCancelled, .skipped: return nil
        }
    }

    package var orderHash: OrderHash {
        switch event {
        case .fill(let fill): fill.orderHash
        case .cancel(let cancel): cancel.orderHash
        }
    }

    package var maker: Address {
        switch event {
        case .fill(let fill): fill.maker
        case .cancel(let cancel): cancel.maker
        }
    }

    /// nil of a cancel.
    package var taker: Address? {
        if case .fill(let fill) = event { fill.taker } else { nil }
    }

    /// It moved something of the account's.
    package func concerns(_ account: Address) -> Bool {
        maker == account || taker == account
    }
}

/// How far the chain's logs of fills and cancels of an account's orders have been read.
package struct JournalScan: Hashable, Sendable {
    package let chainID: UInt64
    package let exchange: Address
    package let account: Address
    /// The first block that was read.
    package let first: UInt64
    /// The last block that was read.
    package let last: UInt64

    package init(
        chainID: UInt64,
        exchange: Address,
        account: Address,
        first: UInt64,
        last: UInt64
    ) {
        self.chainID = chainID
        self.exchange = exchange
        self.account = account
        self.first = first
        self.last = last
    }
}

/// Which trades of the journal a reading of the chain's logs replaces.
package struct TradeRange: Hashable, Sendable {
    package let chainID: UInt64
    package let exchange: Address
    package let account: Address
    /// Blocks, both included.
    package let blocks: ClosedRange<UInt64>
    /// Only what was done with orders that the account made; what it did as a taker stays.
    package let onlyMaker: Bool

    package init(
        chainID: UInt64,
        exchange: Address,
        account: Address,
        blocks: ClosedRange<UInt64>,
        onlyMaker: Bool
    ) {
        self.chainID = chainID
        self.exchange = exchange
        self.account = account
        self.blocks = blocks
        self.onlyMaker = onlyMaker
    }
}
