import EVM
package import Ethereum

/// An Ethereum chain of one node, with the contracts of 0x, Uniswap and tokens from the start.
///
/// Transactions and calls run on the module EVM, so anybody can deploy anything. Nonces, fees, the
/// pool, blocks, receipts, logs and roots follow Ethereum's rules.
///
/// It is a `ChainClient` of its own process, for the relay and the seeding.
package actor SandboxChain: ChainClient {
    let genesis: Genesis
    let configuration: ChainConfiguration
    let store: ChainStore?
    let world: WorldState
    /// Where it was forked; nil for a chain of its own.
    let fork: ForkSource?
    /// For ecrecover.
    let recoverer: RememberingRecoverer
    /// What a transaction costs before it runs.
    let transactionGas: TransactionGas
    /// Code that was run before.
    let codeCache = CodeCache()

    /// By number, from block 0 on, or from that of the fork.
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
    /// The time set for the next block, in seconds since 1970; cleared once that block is made.
    var nextTimestamp: UInt64?
    /// By their numbers, from 1 on.
    var snapshots: [ChainSnapshot] = []
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
            try ChainStore(path: path, isCopy: configuration.isCopy)
        }
        let state = genesis.state
        let tries = StateTries(state.slots)
        let stored: StoredChain
        let world: WorldState
        let digest = genesis.digest(root: tries.root)
        if let loaded = try store?.load(digest: digest) {
            stored = loaded
            world = try WorldState(loaded, store?.file ?? ChainFile(""), fork: nil)
        } else {
            stored = StoredChain(
                blocks: [genesis.block(root: tries.root)],
                slots: state.slots,
                codes: state.codes
            )
            world = WorldState(
                slots: state.slots,
                codes: state.codes,
                commitment: .tries(tries),
                number: 0
            )
            try store?.begin(digest: digest, chain: stored)
        }
        self.init(genesis, configuration, store, stored, world, nil)
    }

    /// Opens the fork in the configuration's file, or starts one.
    ///
    /// - Throws: `SandboxError` if the file is not such a fork's or has another beginning.
    package init(fork: Fork, configuration: ChainConfiguration) throws(SandboxError) {
        let store = try configuration.storePath.map { path throws(SandboxError) in
            try ChainStore(path: path, keepsZeros: true)
        }
        let source = ForkSource(fork, past: try PastAnswers(store))
        let stored: StoredChain
        let first = BlockRecord(fork.point.block)
        if let loaded = try store?.load(digest: fork.digest, onto: first) {
            stored = loaded
            source.restore(loaded.fetched, codes: loaded.codes)
        } else {
            stored = StoredChain(blocks: [first])
            try store?.begin(fork: fork, digest: fork.digest)
        }
        let world = try WorldState(stored, store?.file ?? ChainFile(""), fork: source)
        self.init(fork.genesis, configuration, store, stored, world, source)
    }

    private init(
        _ genesis: Genesis,
        _ configuration: ChainConfiguration,
        _ store: ChainStore?,
        _ stored: StoredChain,
        _ world: WorldState,
        _ fork: ForkSource?
    ) {
        self.genesis = genesis
        self.configuration = configuration
        self.store = store
        self.world = world
        self.fork = fork
        recoverer = RememberingRecoverer(configuration.recoverer)
        transactionGas = TransactionGas(genesis.revision)
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

    /// The number of the first block: 0, or that of the fork.
    var first: UInt64 { blocks[0].header.number }

    /// Where a block stands in `blocks`; its number is `first` or above.
    func index(_ number: UInt64) -> Int { Int(number - first) }

    /// The hash of block 0, or of the block that was forked.
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

    /// Answers the questions of an in-process client.
    ///
    /// - Throws: `ChainError` if a fork cannot fetch what they need.
    package func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        func answers() -> [Result<ChainAnswer, ChainError>] {
            var base: CallBase?
            return reads.map { read in
                do throws(NodeError) {
                    return .success(try answer(read, &base))
                } catch {
                    return .failure(error.chainError)
                }
            }
        }
        do throws(NodeError) {
            return try await onState { () throws(NodeError) in answers() }
        } catch {
            throw error.chainError
        }
    }

    /// Accepts a signed transaction (eth_sendRawTransaction).
    ///
    /// - Throws: `ChainError` with the words of a real node, also for a known transaction.
    package func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        do throws(NodeError) {
            return try await submit(raw: raw)
        } catch {
            throw error.chainError
        }
    }

    /// Turns instant mining on or off; turning it on mines waiting transactions.
    ///
    /// - Throws: `SandboxError` if a block cannot be stored.
    package func setAutomine(_ enabled: Bool) async throws(SandboxError) {
        isAutomining = enabled
        if enabled { try await mineWaiting() }
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
