import DexStore
import Ethereum
import ZeroEx

extension Journal {
    /// Records a receipt, with its fills and cancels or its swap, as mined.
    ///
    /// Unreadable events do not prevent that: being mined matters more.
    func record(_ receipt: TransactionReceipt, of session: Session) throws(JournalError) {
        try record(receipt, trades: trades(in: receipt, of: session))
    }

    /// The fills and cancels in a receipt, or its swap; nil if its events are unreadable.
    func trades(in receipt: TransactionReceipt, of session: Session) -> MinedTrades? {
        // nil: unknown here
        if (try? transaction(receipt.transactionHash))??.knownPurpose == .swap {
            return MinedTrades(swapIn: receipt, network: session.network)
        }
        return try? MinedTrades(receipt, of: session, time: nil)  // nil: unreadable
    }

    func trades(of account: Address, network: Network) throws(JournalError) -> [MinedTrades] {
        try trades(chainID: network.chainID, exchange: network.exchange, account: account)
    }

    func scan(
        of account: Address,
        network: Network
    ) throws(JournalError) -> KeptRange? {
        try scan(chainID: network.chainID, exchange: network.exchange, account: account)
    }
}

extension MinedTrades {
    /// The trades in a receipt on the network's exchange.
    ///
    /// - Parameter time: the block's, in seconds since 1970; nil if unknown.
    /// - Throws: `ExchangeError.unreadableAnswer`.
    init(
        _ receipt: TransactionReceipt,
        of session: Session,
        time: UInt64?
    ) throws(ExchangeError) {
        let exchange = session.network.exchange
        self.init(
            receipt,
            chainID: session.network.chainID,
            exchange: exchange,
            time: time,
            events: try session.exchangeProtocol.loggedEvents(
                in: receipt.logs,
                exchange: exchange
            )
        )
    }
}
