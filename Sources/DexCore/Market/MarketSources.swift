import DexStore
import Ethereum
import Uniswap

/// The contracts whose trades are read together.
struct MarketSources: Hashable, Sendable {
    var hasExchange: Bool
    /// By their contracts, which the factory has confirmed.
    var pools: [Address: PoolID]

    private static let topics = [
        PoolEvent.Topic.swapV3, PoolEvent.Topic.swapV2, PoolEvent.Topic.sync,
    ]

    var isEmpty: Bool { !hasExchange && pools.isEmpty }

    func filters(_ session: Session, _ from: BlockTag, _ to: BlockTag) -> [LogFilter] {
        var filters: [LogFilter] = []
        if hasExchange { filters.append(session.eventFilter(maker: nil, from: from, to: to)) }
        if !pools.isEmpty {
            filters.append(
                LogFilter(
                    fromBlock: from,
                    toBlock: to,
                    addresses: pools.keys.sorted(),
                    topics: [Self.topics]
                )
            )
        }
        return filters
    }

    /// The exchange and the pools as they are kept, each apart.
    func parts(_ session: Session) -> [EventFilter] {
        filters(session, .latest, .latest).flatMap { $0.parts(chainID: session.network.chainID) }
    }

    /// The pools' events among some logs, by block and log, each once.
    ///
    /// - Throws: `DexError`, exit 4, for what no node says that has them: an event without a place
    ///   or beyond the blocks, two at one place, two blocks of one number, and what a genuine pool
    ///   never emits.
    func poolLogs(
        in logs: [Log],
        _ blocks: ClosedRange<UInt64>
    ) throws(DexError) -> [PlacedLog] {
        var placed: [PlacedLog] = []
        for log in logs {
            guard let pool = pools[log.address] else { continue }
            guard let block = log.blockNumber, let hash = log.blockHash, blocks.contains(block),
                let index = log.logIndex, let transaction = log.transactionHash
            else { throw Self.nonsense("an event without its place in the chain") }
            guard Self.isReadable(log, pool) else {
                throw Self.nonsense("an event of the pool \(log.address) that no pool emits")
            }
            placed.append(PlacedLog(log, block, hash, index, transaction))
        }
        placed.sort { ($0.block, $0.index) < ($1.block, $1.index) }
        var result: [PlacedLog] = []
        result.reserveCapacity(placed.count)
        for log in placed {
            if let last = result.last, last.block == log.block {
                guard last.hash == log.hash else { throw ReadError.reorganized }
                if last.index == log.index {
                    guard last.log == log.log else {
                        throw Self.nonsense("two events at one place")
                    }
                    continue
                }
            }
            result.append(log)
        }
        return result
    }

    private static func isReadable(_ log: Log, _ pool: PoolID) -> Bool {
        switch (PoolEvent(log), pool.kind) {
        case (.sync, .v2): true
        case (.swap(let swap), let kind): (swap.after == nil) == (kind == .v2)
        default: false
        }
    }

    private static func nonsense(_ what: String) -> DexError {
        DexError(ChainError.nonsense("it returns \(what)"))
    }
}

/// A log with its place in the chain.
struct PlacedLog: Sendable {
    let log: Log
    let block: UInt64
    let hash: BlockHash
    let index: UInt64
    let transaction: TransactionHash

    init(
        _ log: Log,
        _ block: UInt64,
        _ hash: BlockHash,
        _ index: UInt64,
        _ transaction: TransactionHash
    ) {
        self.log = log
        self.block = block
        self.hash = hash
        self.index = index
        self.transaction = transaction
    }
}
