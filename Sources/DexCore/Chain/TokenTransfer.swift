package import Ethereum

/// A transfer of a token, by the token's own Transfer event.
package struct TokenTransfer: Hashable, Sendable {
    package let token: Address
    package let from: Address
    package let to: Address
    /// Base units.
    package let amount: UInt256
}

extension TokenTransfer {
    /// The transfer in a log; nil for any other event, such as an NFT's, whose id is a topic.
    init?(_ log: Log) {
        guard log.topics.count == 3, log.topics[0] == ERC20.transferTopic, log.data.count == 32,
            let from = Address(ifWord: log.topics[1]), let to = Address(ifWord: log.topics[2]),
            let amount = UInt256(bigEndian: log.data[...])
        else { return nil }
        self.init(token: log.address, from: from, to: to, amount: amount)
    }
}
