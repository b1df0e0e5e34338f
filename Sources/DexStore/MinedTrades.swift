package import Ethereum
package import ZeroEx

/// What of a fill reached an account, whose token may keep a part of each transfer.
package enum TradeArrival: Hashable, Sendable {
    /// Base units, by the account's balances.
    case proven(UInt256)
    /// The balances do not show it: there is only what the exchange says.
    case unproven

    /// Base units; nil if they are not proven.
    package var amount: UInt256? {
        if case .proven(let amount) = self { amount } else { nil }
    }
}

/// One mined transaction's trades on an exchange: its fills, cancels and cost.
package struct MinedTrades: Hashable, Sendable {
    /// One fill or cancel.
    package struct Trade: Hashable, Sendable {
        package enum Event: Hashable, Sendable {
            case fill(FillEvent)
            case cancel(CancelEvent)
        }

        /// The index of its log in the block.
        package let logIndex: UInt64
        /// With the amounts of the exchange.
        package let event: Event
        /// What a fill brought its taker of the maker's token; nil if it was not read yet.
        package var takerArrival: TradeArrival?
        /// What a fill brought its maker of the taker's token; nil if it was not read yet.
        package var makerArrival: TradeArrival?

        package init(
            logIndex: UInt64,
            event: Event,
            takerArrival: TradeArrival? = nil,
            makerArrival: TradeArrival? = nil
        ) {
            self.logIndex = logIndex
            self.event = event
            self.takerArrival = takerArrival
            self.makerArrival = makerArrival
        }
    }

    package let chainID: UInt64
    package let exchange: Address
    package let transaction: TransactionHash
    /// The sender, who paid the gas.
    package let sender: Address
    package let block: UInt64
    package let blockHash: BlockHash
    /// The block's time in seconds since 1970; nil if not yet requested.
    package var time: UInt64?
    package let gasUsed: UInt64
    /// Wei per gas actually paid; nil if the node does not report it.
    package let gasPrice: Wei?
    /// What a rollup took beside the gas; nil if the receipt does not name it.
    package let rollupFee: Wei?
    /// In log order.
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
        rollupFee: Wei? = nil,
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
        self.rollupFee = rollupFee
        self.trades = trades
    }
}

extension MinedTrades {
    /// Trades from a receipt and the exchange's events in its logs; skipped orders are not trades.
    ///
    /// - Parameters:
    ///   - time: the block's time, in seconds since 1970.
    ///   - events: the events of this receipt.
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
            rollupFee: receipt.rollupFee,
            trades: events.compactMap { Trade($0) }
        )
    }

    /// The cost of gas, and what a rollup took beside it; nil if the node did not report a part.
    ///
    /// - Parameter hasRollupFee: the chain takes a fee beside gas.
    package func gasCost(hasRollupFee: Bool) -> Wei? {
        guard rollupFee != nil || !hasRollupFee else { return nil }
        return gasPrice?.multiplied(by: UInt256(gasUsed))?.adding(rollupFee ?? .zero)
    }
}

extension MinedTrades.Trade {
    /// nil for a skipped order, and for a cancel without amounts: those must be determined first.
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

    /// nil for a cancel.
    package var taker: Address? {
        if case .fill(let fill) = event { fill.taker } else { nil }
    }

    /// The account is its maker or taker.
    package func concerns(_ account: Address) -> Bool {
        maker == account || taker == account
    }
}

/// The trades of the journal that a reading of the chain's logs replaces.
package struct TradeRange: Hashable, Sendable {
    package let chainID: UInt64
    package let exchange: Address
    package let account: Address
    /// Blocks, both ends included.
    package let blocks: ClosedRange<UInt64>
    /// Only trades of orders that the account made; trades that it took stay.
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

    /// The account that it is about.
    var target: WatchTarget {
        WatchTarget(chainID: chainID, exchange: exchange, account: account)
    }
}
