import Ethereum
import ZeroEx

/// A block with the hashes of its transactions.
struct BlockRecord: Sendable {
    let header: BlockHeader
    let hash: BlockHash
    let transactions: [TransactionHash]
    /// The bytes of the block's RLP.
    let size: UInt64

    init(header: BlockHeader, transactions: [TransactionHash], transactionBytes: UInt64) {
        let encoded = header.rlp.encoded
        self.header = header
        self.transactions = transactions
        hash = BlockHash(Keccak256.hash(encoded))
        size = UInt64(encoded.count) + transactionBytes
    }

    /// The block as clients see it.
    var block: Block {
        Block(
            number: header.number,
            hash: hash,
            parentHash: BlockHash(header.parentHash),
            timestamp: header.timestamp,
            baseFeePerGas: Wei(UInt256(header.baseFee)),
            gasLimit: header.gasLimit,
            gasUsed: header.gasUsed
        )
    }
}

/// A transaction that was mined, and what it did.
struct TransactionRecord: Sendable {
    let signed: SignedTransaction
    let hash: TransactionHash
    let outcome: TransactionOutcome
    let block: UInt64
    let index: UInt64
    let cumulativeGasUsed: UInt64
    /// The position in the block of its first log.
    let firstLogIndex: UInt64
}

/// What running a transaction did.
struct TransactionOutcome: Hashable, Sendable {
    let succeeded: Bool
    let gasUsed: UInt64
    /// Wei per gas that was paid.
    let gasPrice: UInt64
    /// Without their place in the block.
    let logs: [Log]
}

/// A transaction that waits.
struct PooledTransaction: Sendable {
    let signed: SignedTransaction
    let hash: TransactionHash
    /// Counts up as transactions arrive.
    let arrival: UInt64

    var nonce: UInt64 { signed.transaction.nonce }

    /// The most that one gas may cost in all, and for the producer, in wei.
    var feeCap: UInt256 { signed.transaction.maximumGasPrice.rawValue }
    var tipCap: UInt256 { signed.transaction.tipCap.rawValue }

    /// What the producer is paid a gas at a base fee; nil where the cap is below it.
    func tip(baseFee: UInt64) -> UInt256? {
        let (room, isShort) = feeCap.subtractingReportingOverflow(UInt256(baseFee))
        return isShort ? nil : min(room, tipCap)
    }
}

extension Transaction {
    /// The most of the gas price that goes to the producer.
    var tipCap: Wei {
        switch fee {
        case .legacy(let gasPrice), .accessList(let gasPrice): gasPrice
        case .dynamic(_, let maxPriorityFeePerGas): maxPriorityFeePerGas
        }
    }

    /// The most wei that it can cost: gas and value; nil beyond 256 bits.
    var maximumCost: UInt256? {
        maximumGasPrice.multiplied(by: UInt256(gasLimit))?.adding(value)?.rawValue
    }
}

/// An error as a node answers it.
struct NodeError: Error, Hashable, Sendable {
    let code: Int
    let message: String
    /// The data of a revert.
    var data: [UInt8]?
    /// What a client makes of it; nil where it is a revert with data, or nothing special.
    var meaning: ChainError?

    /// A refusal in the words of a node, with the code that geth uses for them.
    static func refused(
        _ message: String,
        as meaning: (_ code: Int, _ message: String) -> ChainError = ChainError.rpc
    ) -> NodeError {
        NodeError(code: -32000, message: message, meaning: meaning(-32000, message))
    }

    /// A contract failed without data to give back.
    static func failed(_ message: String) -> NodeError {
        .refused(message) { .reverted(data: [], message: $1) }
    }

    /// eth_call or eth_estimateGas reverted; as geth, with the text of an `Error(string)` behind.
    static func reverted(_ data: [UInt8]) -> NodeError {
        var message = "execution reverted"
        if case .words(let reason)? = ExchangeRevertV4(data) { message += ": \(reason)" }
        return NodeError(code: 3, message: message, data: data)
    }

    /// The parameters are not what the method takes.
    static func invalidParameters(_ message: String) -> NodeError {
        NodeError(code: -32602, message: message)
    }

    /// The chain could not be kept.
    static func storage(_ error: SandboxError) -> NodeError {
        NodeError(code: -32603, message: error.description)
    }

    /// The same as a client reports it.
    var chainError: ChainError {
        if let data { return .reverted(data: data, message: message) }
        return meaning ?? .rpc(code: code, message: message)
    }
}
