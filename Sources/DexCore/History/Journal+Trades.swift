import DexStore
import Ethereum
import ZeroEx

extension Journal {
    /// Records a receipt with the fills and cancels in it, and with them that it is mined.
    ///
    /// A receipt whose events cannot be read is recorded without them: that it was mined matters
    /// more.
    func record(_ receipt: TransactionReceipt, of session: Session) throws(JournalError) {
        try record(receipt, trades: try? MinedTrades(receipt, of: session, time: nil))  // as above
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
