import Ethereum
import ZeroEx

/// A token's transfer with its position in the chain.
struct TransferLog: Hashable {
    let transfer: TokenTransfer
    let place: LogPlace

    var token: Address { transfer.token }
    var from: Address { transfer.from }
    var to: Address { transfer.to }
    /// Base units.
    var amount: UInt256 { transfer.amount }

    /// The transfer in a log; nil for any other event.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` if the log has no position.
    init?(_ log: Log) throws(ExchangeError) {
        guard let transfer = TokenTransfer(log) else { return nil }
        self.transfer = transfer
        place = try LogPlace(log)
    }

    /// Filters for all transfers from and to an account.
    static func filters(of account: Address, from: BlockTag, to: BlockTag) -> [LogFilter] {
        [[[account.word]], [[], [account.word]]].map { parties in
            LogFilter(
                fromBlock: from,
                toBlock: to,
                topics: [[ERC20.transferTopic]] + parties
            )
        }
    }
}
