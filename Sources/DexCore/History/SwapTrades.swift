import DexStore
import Ethereum
import ZeroEx

/// Trades at venues beside the book in the journal: fills that a venue's contract made.
///
/// They are under the venue's contract instead of an exchange, since no event of an exchange shows
/// them, and under the transaction's hash, since they have no order.
extension MinedTrades {
    /// A swap that brought something, if all that it moved is known; nil otherwise: nothing else is
    /// ever booked.
    ///
    /// - Parameter receive: what the movement brought.
    init?(
        _ movement: SwapMovement,
        receive: Address,
        in receipt: TransactionReceipt,
        network: Network
    ) {
        guard let received = movement.received, let paid = movement.paid, received > .zero else {
            return nil
        }
        self.init(
            pay: (movement.pay, paid),
            receive: (receive, received),
            in: receipt,
            network: network
        )
        trades[0].takerArrival = movement.arrival
    }

    /// A trade of an amount for another one by the receipt's sender.
    init(
        pay: (token: Address, amount: UInt256),
        receive: (token: Address, amount: UInt256),
        in receipt: TransactionReceipt,
        network: Network
    ) {
        let venue = network.swapContract
        let fill = FillEvent(
            orderHash: OrderHash(receipt.transactionHash.word),
            maker: receipt.to ?? venue,
            taker: receipt.from,
            feeRecipient: .zero,
            makerToken: receive.token,
            takerToken: pay.token,
            makerAmount: receive.amount,
            takerAmount: pay.amount,
            makerFee: .zero,
            takerFee: .zero
        )
        self.init(
            receipt,
            chainID: network.chainID,
            exchange: venue,
            time: nil,
            events: [
                LoggedEvent(
                    event: .filled(fill),
                    block: receipt.blockNumber,
                    blockHash: receipt.blockHash,
                    transaction: receipt.transactionHash,
                    logIndex: receipt.logs.last?.logIndex ?? 0
                )
            ]
        )
    }

    /// A swap of two tokens by its Transfer events alone; nil for anything else.
    ///
    /// A trade of the chain's own coin is recorded with its outcome.
    init?(swapIn receipt: TransactionReceipt, network: Network) {
        guard receipt.succeeded, !network.venueRules.isEmpty else { return nil }
        let (paid, received) = SwapMovement.sides(receipt, wrapped: network.weth)
        guard paid.count == 1, received.count == 1 else { return nil }
        self.init(pay: paid[0], receive: received[0], in: receipt, network: network)
    }
}

extension Network {
    /// The contract under which the journal has the trades of all venues beside the book: that of
    /// the Swap API, which was the first.
    var swapContract: Address { Protocols.swapRules(chainID: chainID).spender(.allowance) }
}

extension Journal {
    /// The account's trades at venues beside the book, by block.
    func swapTrades(of account: Address, network: Network) throws(JournalError) -> [MinedTrades] {
        try trades(chainID: network.chainID, exchange: network.swapContract, account: account)
    }

    /// Replaces the swaps from a block on; of blocks that are gone, by none.
    func replaceSwaps(
        of account: Address,
        network: Network,
        from block: UInt64,
        with trades: [MinedTrades] = []
    ) throws(JournalError) {
        let range = TradeRange(
            chainID: network.chainID,
            exchange: network.swapContract,
            account: account,
            blocks: block...UInt64(Int64.max),
            onlyMaker: false
        )
        try replace(range, with: trades, scan: nil)
    }
}
