import Ethereum
import EthereumWallet
import ZeroEx

/// What the exchange leaves in receipts, as the v1 facts lay it out.
extension TestMarket {
    private static let fillTopic = topic(
        "0x0d0b9391970d9a25552f37d436d2aae2925e2bfe1b2a923754bada030c498cb3"
    )
    private static let cancelTopic = topic(
        "0x67d66f160bc93d925d05dae1794c90d2d6d6688b29b84ff069398a9b04587131"
    )
    private static let errorTopic = topic(
        "0x36d86c59e00bd73dc19ba3adfe068e4b64ac7e92be35546adeddf1b956a87e90"
    )

    private static func topic(_ text: String) -> Bytes32 {
        (try? Bytes32(hex: text)) ?? .zero
    }

    private static func tokens(_ order: any SignedOrder) -> Bytes32 {
        Keccak256.hash(order.makerToken.bytes + order.takerToken.bytes)
    }

    private static func log(_ topics: [Bytes32], _ words: [Bytes32]) -> Log {
        Log(address: exchange, topics: topics, data: words.flatMap(\.bytes))
    }

    /// LogFill of so much taker token.
    func fillLog(_ order: any SignedOrder, taker: Address, filling amount: UInt256) -> Log {
        let maker = protocolV1.makerAmount(of: order, filling: amount) ?? 0
        return Self.log(
            [
                Self.fillTopic, order.maker.word, order.feeRecipient.word, Self.tokens(order),
            ],
            [
                taker.word, order.makerToken.word, order.takerToken.word, maker.word, amount.word,
                protocolV1.makerFee(of: order, filling: amount).word,
                protocolV1.takerFee(of: order, filling: amount).word, order.hash.word,
            ]
        )
    }

    /// LogCancel of so much taker token.
    func cancelLog(_ order: any SignedOrder, cancelling amount: UInt256) -> Log {
        let maker = protocolV1.makerAmount(of: order, filling: amount) ?? 0
        return Self.log(
            [
                Self.cancelTopic, order.maker.word, order.feeRecipient.word, Self.tokens(order),
            ],
            [
                order.makerToken.word, order.takerToken.word, maker.word, amount.word,
                order.hash.word,
            ]
        )
    }

    /// LogError with its number: 0 expired, 1 filled or cancelled, 2 rounding, 3 funds.
    func errorLog(_ order: any SignedOrder, _ reason: UInt64) -> Log {
        Self.log([Self.errorTopic, UInt256(reason).word, order.hash.word], [])
    }

    /// A receipt of a call of the exchange.
    func receipt(
        _ hash: TransactionHash,
        block: UInt64,
        fork: UInt64 = 0,
        to: Address = exchange,
        succeeded: Bool = true,
        logs: [Log] = []
    ) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: hash,
            blockNumber: block,
            blockHash: Self.blockHash(block, fork: fork),
            from: trader.address,
            to: to,
            succeeded: succeeded,
            gasUsed: 100_000,
            effectiveGasPrice: Wei(1_000_000_000),
            logs: logs
        )
    }

    /// A transaction of the trader as a node knows it; pending unless a block is told.
    func info(_ hash: TransactionHash, nonce: UInt64, block: UInt64? = nil) -> TransactionInfo {
        TransactionInfo(
            hash: hash,
            from: trader.address,
            to: Self.exchange,
            nonce: nonce,
            value: .zero,
            gasLimit: 200_000,
            data: [],
            blockNumber: block,
            blockHash: block.map { Self.blockHash($0) }
        )
    }
}
