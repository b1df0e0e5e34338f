/// The parts of a block that `dex` reads.
public struct Block: Hashable, Sendable {
    public let number: UInt64
    public let hash: BlockHash
    public let parentHash: BlockHash
    /// Seconds since 1970.
    public let timestamp: UInt64
    /// Wei per gas; nil on a chain from before EIP-1559.
    public let baseFeePerGas: Wei?
    public let gasLimit: UInt64
    public let gasUsed: UInt64
    /// Who gets the tips; nil if the node does not say it.
    public let coinbase: Address?
    /// What PREVRANDAO gives; nil if the node does not say it.
    public let random: Bytes32?

    public init(
        number: UInt64,
        hash: BlockHash,
        parentHash: BlockHash,
        timestamp: UInt64,
        baseFeePerGas: Wei?,
        gasLimit: UInt64,
        gasUsed: UInt64,
        coinbase: Address? = nil,
        random: Bytes32? = nil
    ) {
        self.number = number
        self.hash = hash
        self.parentHash = parentHash
        self.timestamp = timestamp
        self.baseFeePerGas = baseFeePerGas
        self.gasLimit = gasLimit
        self.gasUsed = gasUsed
        self.coinbase = coinbase
        self.random = random
    }
}

/// A block with its transactions.
public struct FullBlock: Hashable, Sendable {
    public let block: Block
    /// In block order.
    public let transactions: [BlockTransaction]

    public init(block: Block, transactions: [BlockTransaction]) {
        self.block = block
        self.transactions = transactions
    }
}

/// The sender, recipient, ether and call data of a transaction in a block.
public struct BlockTransaction: Hashable, Sendable {
    public let hash: TransactionHash
    public let from: Address
    /// nil if it creates a contract.
    public let to: Address?
    /// The ether sent along; it arrives only if the transaction succeeds.
    public let value: Wei
    /// The call data, or the code that creates a contract; nil if the node does not return it.
    public let data: [UInt8]?

    public init(
        hash: TransactionHash,
        from: Address,
        to: Address?,
        value: Wei,
        data: [UInt8]? = nil
    ) {
        self.hash = hash
        self.from = from
        self.to = to
        self.value = value
        self.data = data
    }
}

/// An event that a contract emitted.
public struct Log: Hashable, Sendable {
    /// The contract.
    public let address: Address
    /// At most four words, the event's signature hash first.
    public let topics: [Bytes32]
    /// The arguments that are not indexed, ABI-encoded.
    public let data: [UInt8]
    public let blockNumber: UInt64?
    public let blockHash: BlockHash?
    public let transactionHash: TransactionHash?
    /// The index in the block.
    public let logIndex: UInt64?
    /// The block's time in seconds since 1970, which only some nodes write into a log.
    public var blockTimestamp: UInt64?

    /// An event; its position is known only after mining.
    public init(
        address: Address,
        topics: [Bytes32],
        data: [UInt8],
        blockNumber: UInt64? = nil,
        blockHash: BlockHash? = nil,
        transactionHash: TransactionHash? = nil,
        logIndex: UInt64? = nil,
        blockTimestamp: UInt64? = nil
    ) {
        self.address = address
        self.topics = topics
        self.data = data
        self.blockNumber = blockNumber
        self.blockHash = blockHash
        self.transactionHash = transactionHash
        self.logIndex = logIndex
        self.blockTimestamp = blockTimestamp
    }

    /// The same event at the same place, whether or not a node writes the time beside it.
    public static func == (left: Log, right: Log) -> Bool {
        left.address == right.address && left.topics == right.topics && left.data == right.data
            && left.blockNumber == right.blockNumber && left.blockHash == right.blockHash
            && left.transactionHash == right.transactionHash && left.logIndex == right.logIndex
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(topics)
        hasher.combine(data)
        hasher.combine(blockNumber)
        hasher.combine(blockHash)
        hasher.combine(transactionHash)
        hasher.combine(logIndex)
    }
}

/// The outcome of a mined transaction.
public struct TransactionReceipt: Hashable, Sendable {
    public let transactionHash: TransactionHash
    public let blockNumber: UInt64
    public let blockHash: BlockHash
    public let from: Address
    public let to: Address?
    /// false: reverted.
    ///
    /// true alone does not mean that anything was traded.
    public let succeeded: Bool
    public let gasUsed: UInt64
    /// Wei per gas actually paid; nil if an old node does not report it.
    public let effectiveGasPrice: Wei?
    /// What a rollup took beside the gas: its data fee and operator fee; nil if the receipt has
    /// none.
    public let rollupFee: Wei?
    public let logs: [Log]

    public init(
        transactionHash: TransactionHash,
        blockNumber: UInt64,
        blockHash: BlockHash,
        from: Address,
        to: Address?,
        succeeded: Bool,
        gasUsed: UInt64,
        effectiveGasPrice: Wei?,
        rollupFee: Wei? = nil,
        logs: [Log]
    ) {
        self.transactionHash = transactionHash
        self.blockNumber = blockNumber
        self.blockHash = blockHash
        self.from = from
        self.to = to
        self.succeeded = succeeded
        self.gasUsed = gasUsed
        self.effectiveGasPrice = effectiveGasPrice
        self.rollupFee = rollupFee
        self.logs = logs
    }

    /// The same receipt of a transaction that paid for so much gas.
    public func charging(_ gas: UInt64) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: transactionHash,
            blockNumber: blockNumber,
            blockHash: blockHash,
            from: from,
            to: to,
            succeeded: succeeded,
            gasUsed: gas,
            effectiveGasPrice: effectiveGasPrice,
            rollupFee: rollupFee,
            logs: logs
        )
    }

    /// All that the transaction cost its sender beside its value, in wei; nil if the node does not
    /// report a part of it.
    ///
    /// Example: 21,000 gas at 3 wei and a data fee of 7 wei are 63,007 wei.
    ///
    /// - Parameters:
    ///   - price: wei per gas, in place of the receipt's.
    ///   - hasRollupFee: the chain takes a fee beside gas: a receipt without one does not say what
    ///     it was.
    public func networkFee(at price: Wei? = nil, hasRollupFee: Bool) -> Wei? {
        guard rollupFee != nil || !hasRollupFee else { return nil }
        return (price ?? effectiveGasPrice)?.multiplied(by: UInt256(gasUsed))?
            .adding(rollupFee ?? .zero)
    }
}

/// A transaction as a node knows it, mined or not.
public struct TransactionInfo: Hashable, Sendable {
    public let hash: TransactionHash
    public let from: Address
    public let to: Address?
    public let nonce: UInt64
    public let value: Wei
    public let gasLimit: UInt64
    public let data: [UInt8]
    /// Those with which accounts run other ones' code (EIP-7702).
    public let authorizations: [Transaction.Authorization]
    /// nil while it is pending.
    public let blockNumber: UInt64?
    public let blockHash: BlockHash?

    public init(
        hash: TransactionHash,
        from: Address,
        to: Address?,
        nonce: UInt64,
        value: Wei,
        gasLimit: UInt64,
        data: [UInt8],
        authorizations: [Transaction.Authorization] = [],
        blockNumber: UInt64?,
        blockHash: BlockHash?
    ) {
        self.hash = hash
        self.from = from
        self.to = to
        self.nonce = nonce
        self.value = value
        self.gasLimit = gasLimit
        self.data = data
        self.authorizations = authorizations
        self.blockNumber = blockNumber
        self.blockHash = blockHash
    }
}

/// What a call touches, and its gas with that access list (eth_createAccessList).
public struct AccessListTrace: Hashable, Sendable {
    /// The contracts and slots that the node lists.
    public let entries: [AccessListEntry]
    /// The gas of the call with this list, including the list's own cost.
    public let gasUsed: UInt64
    /// Why the call fails even with the list, in the node's words; nil if it succeeds.
    public let failure: String?

    public init(entries: [AccessListEntry], gasUsed: UInt64, failure: String? = nil) {
        self.entries = entries
        self.gasUsed = gasUsed
        self.failure = failure
    }
}

/// Fees of recent blocks.
public struct FeeHistory: Hashable, Sendable {
    public let oldestBlock: UInt64
    /// Wei per gas of each block and, last, of the next block.
    public let baseFeePerGas: [Wei]
    /// The tips of each block at the requested percentiles, wei per gas; empty without any.
    public let rewards: [[Wei]]

    public init(oldestBlock: UInt64, baseFeePerGas: [Wei], rewards: [[Wei]]) {
        self.oldestBlock = oldestBlock
        self.baseFeePerGas = baseFeePerGas
        self.rewards = rewards
    }
}
