import Ethereum
import ZeroEx

/// A token's transfer with its position in the chain.
struct TransferLog: Hashable {
    let token: Address
    let from: Address
    let to: Address
    /// Base units.
    let amount: UInt256
    let place: LogPlace

    /// The transfer in a log; nil for any other event, such as an NFT's, whose id is a topic.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` if the log has no position.
    init?(_ log: Log) throws(ExchangeError) {
        guard log.topics.count == 3, log.topics[0] == ERC20.transferTopic, log.data.count == 32,
            let from = Self.address(log.topics[1]), let to = Self.address(log.topics[2]),
            let amount = UInt256(bigEndian: log.data[...])
        else { return nil }
        token = log.address
        self.from = from
        self.to = to
        self.amount = amount
        place = try LogPlace(log)
    }

    private static func address(_ word: Bytes32) -> Address? {
        let address = Address(truncating: word)
        return address.word == word ? address : nil
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
