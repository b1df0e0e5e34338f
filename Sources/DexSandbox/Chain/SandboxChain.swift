package import Ethereum

/// A simulation of an Ethereum chain with the 0x v1 contracts and tokens.
///
/// It is not an Ethereum Virtual Machine: the contracts are written in Swift after the genuine
/// ones, with a model of their gas. Nonces, fees, the pool, blocks, reverts, receipts and logs
/// follow Ethereum's rules.
package actor SandboxChain {
    let genesis: Genesis
    let contracts: Contracts
    let runner: TransactionRunner
    let configuration: ChainConfiguration
    let store: ChainStore?
    let world: WorldState

    /// By number, from block 0.
    var blocks: [BlockRecord]
    var blockNumbers: [BlockHash: UInt64] = [:]
    var mined: [TransactionHash: TransactionRecord]
    var pool = TransactionPool()
    var filters = FilterTable()
    /// The work of answers so far, in gas or its equivalent in time; it wraps around.
    private(set) var workDone: UInt64 = 0
    var isAutomining: Bool
    /// How far the chain's clock is ahead, in seconds.
    var timeOffset: UInt64
    /// The base fee set for the next block, in wei; cleared once that block is made.
    var nextBaseFee: UInt64?
    /// The chain id reported to clients, if it is not the true one.
    var claimedChainID: UInt64?
    /// QuoterV2 answers more than there is.
    var liesInQuotes = false

    /// Opens the chain in the configuration's file, or starts one from the genesis.
    ///
    /// - Throws: `SandboxError` if the file is not such a chain's or has another genesis.
    package init(genesis: Genesis, configuration: ChainConfiguration) throws(SandboxError) {
        try genesis.validate()
        let store = try configuration.storePath.map { path throws(SandboxError) in
            try ChainStore(path: path)
        }
        let digest = genesis.digest
        let stored: StoredChain
        if let loaded = try store?.load(digest: digest) {
            stored = loaded
        } else {
            stored = StoredChain(blocks: [genesis.block], slots: genesis.slots)
            try store?.begin(digest: digest, chain: stored)
        }
        self.genesis = genesis
        self.configuration = configuration
        self.store = store
        contracts = Contracts(genesis: genesis, recoverer: configuration.recoverer)
        runner = TransactionRunner(contracts: contracts)
        world = WorldState(
            slots: stored.slots,
            number: UInt64(stored.blocks.count - 1),
            undo: stored.undo
        )
        blocks = stored.blocks
        mined = stored.mined
        timeOffset = stored.timeOffset
        isAutomining = configuration.mining == .instant
        for block in blocks { blockNumbers[block.hash] = block.header.number }
        for signed in stored.pool { pool.insert(signed, hash: signed.hash) }
    }

    /// The work of an answer without its calls, as gas of equal time.
    static let workOfRequest: UInt64 = 1_000
    static let workOfBlock: UInt64 = 100
    static let workOfLog: UInt64 = 2_000
    static let workOfNewBlock: UInt64 = 100_000

    /// Counts work for an answer.
    func work(_ gas: UInt64) {
        workDone &+= gas
    }

    var head: BlockRecord {
        blocks[blocks.count - 1]
    }

    /// The hash of block 0.
    package var genesisHash: BlockHash { blocks[0].hash }

    /// The newest block, as clients see it.
    package var latestBlock: Block {
        head.block
    }

    /// The chain's time in seconds since 1970: the clock plus its offset.
    var now: UInt64 {
        let (sum, overflow) = configuration.now().addingReportingOverflow(timeOffset)
        return overflow ? UInt64(Int64.max) : min(sum, UInt64(Int64.max))
    }

    var nextContext: BlockContext {
        let header = head.header
        return BlockContext(
            number: header.number + 1,
            timestamp: max(header.timestamp + 1, now),
            baseFee: nextBaseFee
                ?? GasSchedule.nextBaseFee(
                    baseFee: header.baseFee,
                    gasUsed: header.gasUsed,
                    gasLimit: header.gasLimit
                ),
            coinbase: genesis.coinbase
        )
    }

    /// Answers the questions of an in-process client.
    package func read(_ reads: [ChainRead]) -> [Result<ChainAnswer, ChainError>] {
        var base: CallBase?
        return reads.map { read in
            do throws(NodeError) {
                return .success(try answer(read, &base))
            } catch {
                return .failure(error.chainError)
            }
        }
    }

    /// Accepts a signed transaction (eth_sendRawTransaction).
    ///
    /// - Throws: `ChainError` with the words of a real node, also for a known transaction.
    package func send(raw: [UInt8]) throws(ChainError) -> TransactionHash {
        do throws(NodeError) {
            return try submit(raw: raw)
        } catch {
            throw error.chainError
        }
    }

    /// Turns instant mining on or off; turning it on mines waiting transactions.
    ///
    /// - Throws: `SandboxError` if a block cannot be stored.
    package func setAutomine(_ enabled: Bool) throws(SandboxError) {
        isAutomining = enabled
        if enabled { try mineWaiting() }
    }

    /// Moves the chain's clock ahead for all later blocks.
    ///
    /// - Returns: the total offset in seconds.
    /// - Throws: `SandboxError` if it cannot be stored.
    @discardableResult
    package func increaseTime(by seconds: UInt64) throws(SandboxError) -> UInt64 {
        let (sum, overflow) = timeOffset.addingReportingOverflow(seconds)
        let offset = overflow ? UInt64(Int32.max) : min(sum, UInt64(Int32.max))
        try store?.save(timeOffset: offset)
        timeOffset = offset
        return offset
    }
}
