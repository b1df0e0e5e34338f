/// The one rule of which logs eth_getLogs asks for, prepared for many logs.
///
/// A position without topics accepts any, but a log must have a topic there, as in geth.
/// Example: `[[transfer], [], [me]]` are the transfers to me.
public struct LogPattern: Sendable {
    private let contracts: Set<Address>
    private let topics: [Set<Bytes32>]
    private var blocks: ClosedRange<UInt64> = 0...UInt64.max
    private var block: BlockHash?

    /// - Parameter contracts: empty is any.
    public init(contracts: some Sequence<Address>, topics: [[Bytes32]]) {
        self.contracts = Set(contracts)
        self.topics = topics.map { Set($0) }
    }

    /// The pattern of what a node may answer to a filter.
    ///
    /// Nodes differ on whether a log must have a topic at the last positions that accept any: here
    /// it need not.
    public init(_ filter: LogFilter) {
        let last = filter.topics.lastIndex { !$0.isEmpty }
        self.init(
            contracts: filter.addresses,
            topics: Array(filter.topics.prefix(last.map { $0 + 1 } ?? 0))
        )
        block = filter.blockHash
        var (first, end): (UInt64, UInt64) = (0, .max)
        if case .number(let number) = filter.fromBlock { first = number }
        if case .number(let number) = filter.toBlock { end = number }
        blocks = first...max(first, end)
    }

    /// Whether a log is one of them; one that names no block lies in any range of numbers.
    public func matches(_ log: Log) -> Bool {
        guard contracts.isEmpty || contracts.contains(log.address),
            topics.count <= log.topics.count, block == nil || block == log.blockHash,
            log.blockNumber.map(blocks.contains) ?? true
        else { return false }
        return zip(topics, log.topics).allSatisfy { $0.isEmpty || $0.contains($1) }
    }
}
