/// A question to a node with the type of its answer.
///
///     let nonce: UInt64 = try await chain.read(.transactionCount(account, .pending))
public struct Read<Value: Sendable>: Sendable {
    /// The question.
    public let question: ChainRead
    let unwrap: @Sendable (ChainAnswer) throws(ChainError) -> Value

    init(
        _ question: ChainRead,
        _ unwrap: @escaping @Sendable (ChainAnswer) throws(ChainError) -> Value
    ) {
        self.question = question
        self.unwrap = unwrap
    }
}

extension Read where Value == UInt64 {
    private init(number question: ChainRead) {
        self.init(question) { answer throws(ChainError) in try answer.number() }
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
        self.init(question) { answer throws(ChainError) in try answer.wei() }
    }

    /// eth_getBalance.
    public static func balance(_ account: Address, _ block: BlockTag) -> Self {
        Self(wei: .balance(account, block))
    }

    /// eth_gasPrice.
    public static var gasPrice: Self { Self(wei: .gasPrice) }
    /// eth_maxPriorityFeePerGas.
    public static var maxPriorityFeePerGas: Self { Self(wei: .maxPriorityFeePerGas) }
}

extension Read where Value == [UInt8] {
    private init(bytes question: ChainRead) {
        self.init(question) { answer throws(ChainError) in try answer.bytes() }
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

extension Read where Value == Block {
    /// eth_getBlockByNumber of the latest block, without transactions; a node always has one.
    public static var latestBlock: Self {
        Self(.block(.latest)) { answer throws(ChainError) in
            guard let block = try answer.block() else {
                throw .nonsense("the node has no latest block")
            }
            return block
        }
    }
}

extension Read where Value == Block? {
    /// eth_getBlockByNumber, without transactions; nil if the node has no such block.
    public static func block(_ tag: BlockTag) -> Self {
        Self(.block(tag)) { answer throws(ChainError) in try answer.block() }
    }
}

extension Read where Value == FullBlock? {
    /// eth_getBlockByNumber, with transactions; nil if the node has no such block.
    public static func fullBlock(_ tag: BlockTag) -> Self {
        Self(.fullBlock(tag)) { answer throws(ChainError) in try answer.fullBlock() }
    }
}

extension Read where Value == FeeHistory {
    /// eth_feeHistory: the number of blocks up to the latest, and the tip percentiles.
    public static func feeHistory(blocks: Int, percentiles: [Int]) -> Self {
        Self(.feeHistory(blocks: blocks, percentiles: percentiles)) { answer throws(ChainError) in
            try answer.feeHistory()
        }
    }
}

extension Read where Value == [Log] {
    /// eth_getLogs.
    public static func logs(_ filter: LogFilter) -> Self {
        Self(.logs(filter)) { answer throws(ChainError) in try answer.logs() }
    }
}

extension Read where Value == TransactionInfo? {
    /// eth_getTransactionByHash; nil if the node does not know it.
    public static func transaction(_ hash: TransactionHash) -> Self {
        Self(.transaction(hash)) { answer throws(ChainError) in try answer.transaction() }
    }
}

extension Read where Value == TransactionReceipt? {
    /// eth_getTransactionReceipt; nil while it is not mined.
    public static func receipt(_ hash: TransactionHash) -> Self {
        Self(.receipt(hash)) { answer throws(ChainError) in try answer.receipt() }
    }
}

extension Read where Value == AccessListTrace {
    /// eth_createAccessList at the latest block; many nodes lack it.
    public static func accessList(_ call: CallRequest) -> Self {
        Self(.accessList(call)) { answer throws(ChainError) in try answer.accessList() }
    }
}

extension ChainAnswer {
    func number() throws(ChainError) -> UInt64 {
        guard case .number(let value) = self else { throw Self.mismatch("a number") }
        return value
    }

    func wei() throws(ChainError) -> Wei {
        guard case .wei(let value) = self else { throw Self.mismatch("an amount of wei") }
        return value
    }

    func bytes() throws(ChainError) -> [UInt8] {
        guard case .bytes(let value) = self else { throw Self.mismatch("bytes") }
        return value
    }

    func block() throws(ChainError) -> Block? {
        guard case .block(let value) = self else { throw Self.mismatch("a block") }
        return value
    }

    func fullBlock() throws(ChainError) -> FullBlock? {
        guard case .fullBlock(let value) = self else {
            throw Self.mismatch("a block with transactions")
        }
        return value
    }

    func feeHistory() throws(ChainError) -> FeeHistory {
        guard case .feeHistory(let value) = self else { throw Self.mismatch("a fee history") }
        return value
    }

    func logs() throws(ChainError) -> [Log] {
        guard case .logs(let value) = self else { throw Self.mismatch("logs") }
        return value
    }

    func transaction() throws(ChainError) -> TransactionInfo? {
        guard case .transaction(let value) = self else { throw Self.mismatch("a transaction") }
        return value
    }

    func receipt() throws(ChainError) -> TransactionReceipt? {
        guard case .receipt(let value) = self else { throw Self.mismatch("a receipt") }
        return value
    }

    func accessList() throws(ChainError) -> AccessListTrace {
        guard case .accessList(let value) = self else { throw Self.mismatch("an access list") }
        return value
    }

    private static func mismatch(_ expected: String) -> ChainError {
        .nonsense("the node's answer is not \(expected)")
    }
}
