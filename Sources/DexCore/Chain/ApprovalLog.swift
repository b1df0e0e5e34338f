import Ethereum
import ZeroEx

/// An allowance that an account gave, with its position in the chain.
struct ApprovalLog: Hashable {
    let token: Address
    let owner: Address
    let spender: Address
    /// Base units.
    let amount: UInt256
    let place: LogPlace

    /// The approval in a log; nil for any other event, such as an NFT's, whose id is a topic.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` if the log has no position.
    init?(_ log: Log) throws(ExchangeError) {
        guard log.topics.count == 3, log.topics[0] == ERC20.approvalTopic, log.data.count == 32,
            let owner = Address(ifWord: log.topics[1]),
            let spender = Address(ifWord: log.topics[2]),
            let amount = UInt256(bigEndian: log.data[...])
        else { return nil }
        token = log.address
        self.owner = owner
        self.spender = spender
        self.amount = amount
        place = try LogPlace(log)
    }

    /// A filter for all approvals of an account.
    static func filter(of account: Address, from: BlockTag, to: BlockTag) -> LogFilter {
        LogFilter(
            fromBlock: from,
            toBlock: to,
            topics: [[ERC20.approvalTopic], [account.word]]
        )
    }
}
