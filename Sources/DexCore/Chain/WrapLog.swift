import Ethereum
import ZeroEx

/// A wrap or unwrap of ether, with its position in the chain.
struct WrapLog: Hashable {
    let isWrap: Bool
    /// Base units.
    let amount: UInt256
    let place: LogPlace

    /// The wrap or unwrap in a log of the wrapped ether's contract; nil for any other event.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` if the log has no position.
    init?(_ log: Log) throws(ExchangeError) {
        guard log.topics.count == 2, log.data.count == 32,
            log.topics[0] == ERC20.depositTopic || log.topics[0] == ERC20.withdrawalTopic,
            let amount = UInt256(bigEndian: log.data[...])
        else { return nil }
        isWrap = log.topics[0] == ERC20.depositTopic
        self.amount = amount
        place = try LogPlace(log)
    }

    /// A filter for all wraps and unwraps of an account.
    static func filter(
        of account: Address,
        contract: Address,
        from: BlockTag,
        to: BlockTag
    ) -> LogFilter {
        LogFilter(
            fromBlock: from,
            toBlock: to,
            addresses: [contract],
            topics: [[ERC20.depositTopic, ERC20.withdrawalTopic], [account.word]]
        )
    }
}
