public import StrictJSON

/// The block of a read.
public enum BlockTag: Hashable, Sendable {
    case latest
    case pending
    case earliest
    case finalized
    case number(UInt64)
    /// This very block, as long as it is in the node's chain (EIP-1898, EIP-234).
    ///
    /// A node that does not have it answers with an error, never about another block.
    case hash(BlockHash)

    /// The name, number or hash of the block in JSON-RPC.
    ///
    /// Example: `BlockTag.number(4096).parameter` is `0x1000`.
    public var parameter: String {
        switch self {
        case .latest: "latest"
        case .pending: "pending"
        case .earliest: "earliest"
        case .finalized: "finalized"
        case .number(let number): "0x" + String(number, radix: 16)
        case .hash(let hash): hash.hex
        }
    }
}

/// A message call that is only simulated, for eth_call and eth_estimateGas.
public struct CallRequest: Hashable, Sendable {
    /// The caller; nil is the zero address.
    public var from: Address?
    /// The contract that is called.
    public var to: Address
    /// The call data.
    public var data: [UInt8]
    /// The ether sent along.
    public var value: Wei
    /// The gas allowed; nil leaves it to the node.
    public var gas: UInt64?
    /// Storage that is warm from the start.
    public var accessList: [AccessListEntry]
    /// The gas price; nil is zero, which the contract sees too.
    ///
    /// Nodes require that the caller can pay this price for all the gas of the call.
    public var fee: Transaction.Fee?

    public init(
        from: Address? = nil,
        to: Address,
        data: [UInt8],
        value: Wei = .zero,
        gas: UInt64? = nil,
        accessList: [AccessListEntry] = [],
        fee: Transaction.Fee? = nil
    ) {
        self.from = from
        self.to = to
        self.data = data
        self.value = value
        self.gas = gas
        self.accessList = accessList
        self.fee = fee
    }
}

/// The filter of eth_getLogs.
public struct LogFilter: Hashable, Sendable {
    /// The first block.
    public var fromBlock: BlockTag
    /// The last block, included.
    public var toBlock: BlockTag
    /// The contracts that emitted them; empty is any.
    public var addresses: [Address]
    /// The accepted topics at each topic position; an empty position accepts any.
    public var topics: [[Bytes32]]

    /// A filter over a range of blocks.
    public init(
        fromBlock: BlockTag,
        toBlock: BlockTag,
        addresses: [Address] = [],
        topics: [[Bytes32]] = []
    ) {
        self.fromBlock = fromBlock
        self.toBlock = toBlock
        self.addresses = addresses
        self.topics = topics
    }

    /// A filter over one block, which is an error if the node does not have it.
    public init(block: BlockHash, addresses: [Address] = [], topics: [[Bytes32]] = []) {
        self.init(
            fromBlock: .hash(block),
            toBlock: .hash(block),
            addresses: addresses,
            topics: topics
        )
    }

    /// The only block of the range, if it is given by its hash.
    public var blockHash: BlockHash? {
        guard case .hash(let hash) = fromBlock, fromBlock == toBlock else { return nil }
        return hash
    }
}

/// A question to a node; many travel in one batch.
///
/// Each case names its JSON-RPC method.
public enum ChainRead: Hashable, Sendable {
    /// eth_chainId
    case chainID
    /// eth_blockNumber
    case blockNumber
    /// eth_getBlockByNumber or eth_getBlockByHash, without transactions
    case block(BlockTag)
    /// eth_getBlockByNumber or eth_getBlockByHash, with transactions
    case fullBlock(BlockTag)
    /// eth_getBalance
    case balance(Address, BlockTag)
    /// eth_getTransactionCount
    case transactionCount(Address, BlockTag)
    /// eth_call
    case call(CallRequest, BlockTag)
    /// eth_estimateGas
    case estimateGas(CallRequest)
    /// eth_gasPrice
    case gasPrice
    /// eth_maxPriorityFeePerGas
    case maxPriorityFeePerGas
    /// The tip that linea_estimateGas asks for a call; only Linea has it
    case lineaTip(CallRequest)
    /// eth_feeHistory: the number of blocks up to the latest, and the tip percentiles
    case feeHistory(blocks: Int, percentiles: [Int])
    /// eth_getLogs
    case logs(LogFilter)
    /// eth_getTransactionByHash
    case transaction(TransactionHash)
    /// eth_getTransactionReceipt
    case receipt(TransactionHash)
    /// eth_getCode
    case code(Address, BlockTag)
    /// eth_getStorageAt: the word of a contract's storage slot
    case storage(Address, Bytes32, BlockTag)
    /// eth_createAccessList at the latest block; many nodes lack it
    case accessList(CallRequest)
    /// eth_getBlockByNumber or eth_getBlockByHash: the header, of which the hash is computed again
    case header(BlockTag)
    /// eth_getProof: of an account and of words of its storage; many nodes lack it
    case proof(Address, [Bytes32], BlockTag)
    /// eth_syncing: how many blocks the node still lacks, 0 if it is in sync
    case syncing
    /// Another question, with the node's very answer beside what is read of it
    indirect case verbatim(ChainRead)
}

/// A node's answer to a `ChainRead`; the case depends on the method.
///
/// What is large is kept apart: a book's answers are thousands of short ones.
public enum ChainAnswer: Hashable, Sendable {
    /// chainID, blockNumber, transactionCount, estimateGas, syncing
    case number(UInt64)
    /// balance, gasPrice, maxPriorityFeePerGas, lineaTip
    case wei(Wei)
    /// call, code
    case bytes([UInt8])
    /// block; nil if the node has no such block
    indirect case block(Block?)
    /// nil if the node has no such block
    indirect case fullBlock(FullBlock?)
    indirect case feeHistory(FeeHistory)
    case logs([Log])
    /// nil if the node does not know it
    indirect case transaction(TransactionInfo?)
    /// nil if it is not mined
    indirect case receipt(TransactionReceipt?)
    indirect case accessList(AccessListTrace)
    /// nil if the node has no such block
    indirect case header(BlockHeader?)
    /// Not verified: that needs the state root of a header.
    indirect case proof(AccountProof)
    /// storage
    case word(UInt256)
    /// verbatim: the node's result, and what is read of it
    indirect case verbatim(JSONValue, ChainAnswer)
}
