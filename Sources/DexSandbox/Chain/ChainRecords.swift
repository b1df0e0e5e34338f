import EVM
import Ethereum
import ZeroEx

/// A block with the hashes of its transactions.
struct BlockRecord: Sendable {
    let header: SandboxHeader
    let hash: BlockHash
    let transactions: [TransactionHash]
    /// The bytes of the block's RLP.
    let size: UInt64

    /// A block of another chain, of which only this is known.
    init(header: SandboxHeader, hash: BlockHash) {
        (self.header, self.hash) = (header, hash)
        (transactions, size) = ([], 0)
    }

    init(header: SandboxHeader, transactions: [TransactionHash], transactionBytes: UInt64) {
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
            gasUsed: header.gasUsed,
            coinbase: header.coinbase
        )
    }
}

/// A mined transaction and its effects.
struct TransactionRecord: Sendable {
    let signed: SignedTransaction
    let hash: TransactionHash
    let outcome: TransactionOutcome
    let block: UInt64
    let index: UInt64
    let cumulativeGasUsed: UInt64
    /// The index in the block of its first log.
    let firstLogIndex: UInt64

    /// The contract that it created; nil for a call, and for a creation that failed.
    var contract: Address? {
        guard signed.transaction.to == nil, outcome.succeeded else { return nil }
        return Message.contract(of: signed.sender, nonce: signed.transaction.nonce)
    }
}

extension TransactionRecord {
    /// The transactions of a block, in order.
    static func list(
        _ executed: [(SignedTransaction, TransactionHash, TransactionOutcome)],
        block: UInt64
    ) -> [TransactionRecord] {
        var gas: UInt64 = 0
        var logs: UInt64 = 0
        return executed.enumerated().map { index, item in
            gas = gas.addingSaturating(item.2.gasUsed)
            defer { logs += UInt64(item.2.logs.count) }
            return TransactionRecord(
                signed: item.0,
                hash: item.1,
                outcome: item.2,
                block: block,
                index: UInt64(index),
                cumulativeGasUsed: gas,
                firstLogIndex: logs
            )
        }
    }
}

struct TransactionOutcome: Hashable, Sendable {
    let succeeded: Bool
    let gasUsed: UInt64
    /// Wei per gas that was paid.
    let gasPrice: UInt64
    /// Without their position in the block.
    let logs: [Log]
}

struct PooledTransaction: Sendable {
    let signed: SignedTransaction
    let hash: TransactionHash
    /// Counts up as transactions arrive.
    let arrival: UInt64

    var nonce: UInt64 { signed.transaction.nonce }

    /// The maximum price per gas in wei.
    var feeCap: UInt256 { signed.transaction.maximumGasPrice.rawValue }
    var tipCap: UInt256 { signed.transaction.tipCap.rawValue }

    /// The producer's tip per gas at a base fee; nil if the cap is below it.
    func tip(baseFee: UInt256) -> UInt256? {
        let (room, isShort) = feeCap.subtractingReportingOverflow(baseFee)
        return isShort ? nil : min(room, tipCap)
    }
}

struct NodeError: Error, Hashable, Sendable {
    let code: Int
    let message: String
    /// The data of a revert.
    var data: [UInt8]?
    /// The error that a client reports; nil for a revert with data or an ordinary error.
    var meaning: ChainError?

    /// A refusal in a node's words, with geth's code for them.
    static func refused(
        _ message: String,
        as meaning: (_ code: Int, _ message: String) -> ChainError = ChainError.rpc
    ) -> NodeError {
        NodeError(code: -32000, message: message, meaning: meaning(-32000, message))
    }

    /// A contract failed without return data.
    static func failed(_ message: String) -> NodeError {
        .refused(message) { .reverted(data: [], message: $1) }
    }

    /// eth_call or eth_estimateGas reverted; like geth, with the text of an `Error(string)`
    /// appended.
    static func reverted(_ data: [UInt8]) -> NodeError {
        var message = "execution reverted"
        if case .words(let reason)? = ExchangeRevertV4(data) { message += ": \(reason)" }
        return NodeError(code: 3, message: message, data: data)
    }

    static func invalidParameters(_ message: String) -> NodeError {
        NodeError(code: -32602, message: message)
    }

    static func storage(_ error: SandboxError) -> NodeError {
        NodeError(code: -32603, message: error.description)
    }

    /// The error that a client reports.
    var chainError: ChainError {
        if let data { return .reverted(data: data, message: message) }
        return meaning ?? .rpc(code: code, message: message)
    }
}
