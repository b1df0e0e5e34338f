public import StrictJSON

/// A question to a node with the type of its answer.
///
///     let nonce: UInt64 = try await chain.read(.transactionCount(account, .pending))
public struct Read<Value: Sendable>: Sendable {
    /// The question.
    public let question: ChainRead
    let unwrap: @Sendable (ChainAnswer) throws(ChainError) -> Value
}

extension Read {
    /// - Parameters:
    ///   - expected: names the answer, for the error that another one is.
    ///   - value: the value of the right answer; nil for any other.
    init(
        _ question: ChainRead,
        _ expected: StaticString,
        _ value: @escaping @Sendable (ChainAnswer) -> Value?
    ) {
        self.question = question
        unwrap = { answer throws(ChainError) in
            guard let value = value(answer) else {
                throw .nonsense("the node's answer is not \(expected)")
            }
            return value
        }
    }
}

/// A node's very answer, beside what is read of it.
public struct Verbatim<Value: Sendable>: Sendable {
    /// The result, with all that the node says.
    public let json: JSONValue
    /// What is read of it.
    public let value: Value
}

extension Read {
    /// The same question, with the node's very answer.
    public var verbatim: Read<Verbatim<Value>> {
        Read<Verbatim<Value>>(question: .verbatim(question)) { answer throws(ChainError) in
            guard case .verbatim(let json, let answer) = answer else {
                throw .nonsense("the node's answer is not given as it is")
            }
            return Verbatim(json: json, value: try unwrap(answer))
        }
    }
}

extension Read where Value == UInt64 {
    private init(number question: ChainRead) {
        self.init(question, "a number") { if case .number(let value) = $0 { value } else { nil } }
    }

    /// eth_chainId.
    public static var chainID: Self { Self(number: .chainID) }
    /// eth_blockNumber.
    public static var blockNumber: Self { Self(number: .blockNumber) }
    /// eth_syncing: how many blocks the node still lacks, 0 if it is in sync.
    public static var syncing: Self { Self(number: .syncing) }

    /// eth_getTransactionCount.
    public static func transactionCount(_ account: Address, _ block: BlockTag) -> Self {
        Self(number: .transactionCount(account, block))
    }

    /// eth_estimateGas.
    public static func estimateGas(_ call: CallRequest) -> Self {
        Self(number: .estimateGas(call))
    }
}

extension Read where Value == Wei {
    private init(wei question: ChainRead) {
        self.init(question, "an amount of wei") {
            if case .wei(let value) = $0 { value } else { nil }
        }
    }

    /// eth_getBalance.
    public static func balance(_ account: Address, _ block: BlockTag) -> Self {
        Self(wei: .balance(account, block))
    }

    /// eth_gasPrice.
    public static var gasPrice: Self { Self(wei: .gasPrice) }
    /// eth_maxPriorityFeePerGas.
    public static var maxPriorityFeePerGas: Self { Self(wei: .maxPriorityFeePerGas) }

    /// The tip that linea_estimateGas asks for a call.
    public static func lineaTip(_ call: CallRequest) -> Self { Self(wei: .lineaTip(call)) }
}

extension Read where Value == [UInt8] {
    private init(bytes question: ChainRead) {
        self.init(question, "bytes") { if case .bytes(let value) = $0 { value } else { nil } }
    }

    /// eth_call.
    public static func call(_ request: CallRequest, _ block: BlockTag) -> Self {
        Self(bytes: .call(request, block))
    }

    /// eth_getCode.
    public static func code(_ address: Address, _ block: BlockTag) -> Self {
        Self(bytes: .code(address, block))
    }
}

extension Read where Value == UInt256 {
    /// eth_getStorageAt.
    public static func storage(_ contract: Address, _ slot: Bytes32, _ block: BlockTag) -> Self {
        Self(.storage(contract, slot, block), "a word") {
            if case .word(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == Block {
    /// eth_getBlockByNumber of the latest block, without transactions; a node always has one.
    public static var latestBlock: Self {
        let read = Read<Block?>.block(.latest)
        return Self(question: read.question) { answer throws(ChainError) in
            guard let block = try read.unwrap(answer) else {
                throw .nonsense("the node has no latest block")
            }
            return block
        }
    }
}

extension Read where Value == Block? {
    /// eth_getBlockByNumber or eth_getBlockByHash, without transactions; nil if the node has no such
    /// block.
    public static func block(_ tag: BlockTag) -> Self {
        Self(.block(tag), "a block") {
            if case .block(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == FullBlock? {
    /// eth_getBlockByNumber or eth_getBlockByHash, with transactions; nil if the node has no such
    /// block.
    public static func fullBlock(_ tag: BlockTag) -> Self {
        Self(.fullBlock(tag), "a block with transactions") {
            if case .fullBlock(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == FeeHistory {
    /// eth_feeHistory: the number of blocks up to the latest, and the tip percentiles.
    public static func feeHistory(blocks: Int, percentiles: [Int]) -> Self {
        Self(.feeHistory(blocks: blocks, percentiles: percentiles), "a fee history") {
            if case .feeHistory(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == [Log] {
    /// eth_getLogs.
    public static func logs(_ filter: LogFilter) -> Self {
        Self(.logs(filter), "logs") {
            if case .logs(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == TransactionInfo? {
    /// eth_getTransactionByHash; nil if the node does not know it.
    public static func transaction(_ hash: TransactionHash) -> Self {
        Self(.transaction(hash), "a transaction") {
            if case .transaction(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == TransactionReceipt? {
    /// eth_getTransactionReceipt; nil while it is not mined.
    public static func receipt(_ hash: TransactionHash) -> Self {
        Self(.receipt(hash), "a receipt") {
            if case .receipt(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == AccessListTrace {
    /// eth_createAccessList at the latest block; many nodes lack it.
    public static func accessList(_ call: CallRequest) -> Self {
        Self(.accessList(call), "an access list") {
            if case .accessList(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == BlockHeader? {
    /// eth_getBlockByNumber or eth_getBlockByHash: the header; nil if the node has no such block.
    ///
    /// Its hash is computed from its fields, so the answer is an error where a chain hashes other
    /// ones.
    public static func header(_ tag: BlockTag) -> Self {
        Self(.header(tag), "a header") {
            if case .header(let value) = $0 { value } else { nil }
        }
    }
}

extension Read where Value == AccountProof {
    /// eth_getProof, of an account and of words of its storage; many nodes lack it.
    public static func proof(_ address: Address, _ slots: [Bytes32], _ block: BlockTag) -> Self {
        Self(.proof(address, slots, block), "a proof") {
            if case .proof(let value) = $0 { value } else { nil }
        }
    }
}
