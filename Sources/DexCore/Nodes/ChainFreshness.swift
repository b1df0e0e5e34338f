import Ethereum
import Synchronization

/// The one rule of how old a chain's latest block may be: everything that shows a state or signs goes
/// by it.
package struct FreshnessRule: Hashable, Sendable {
    /// Seconds; nil on a chain that makes blocks only on demand, such as a sandbox's.
    package let limit: UInt64?

    /// Seconds that an honest node's clock may be ahead of this machine's.
    static let maximumAhead: UInt64 = 60

    package init(limit: UInt64?) {
        self.limit = limit
    }

    /// Seconds since a block by this machine's clock; 0 for one that is ahead of it.
    static func age(_ block: Block, now: UInt64) -> UInt64 {
        now - min(now, block.timestamp)
    }

    /// The block is too old to be the present.
    func isStale(_ block: Block, now: UInt64) -> Bool {
        limit.map { Self.age(block, now: now) > $0 } ?? false
    }

    /// The block is so far ahead of this machine's clock that it proves nothing.
    static func isAhead(_ block: Block, now: UInt64) -> Bool {
        block.timestamp > now && block.timestamp - now > maximumAhead
    }
}

extension Network {
    package var freshnessRule: FreshnessRule {
        FreshnessRule(limit: isSandbox ? nil : freshness)
    }
}

/// A state that is older than the chain's rule, as of when it was read.
package struct StaleChain: Hashable, Sendable {
    /// The number of the latest block.
    package let block: UInt64
    /// Seconds between that block and the reading.
    package let age: UInt64
    /// Seconds that it may be old.
    package let limit: UInt64
    /// How many nodes are configured: none has a later block.
    package let nodes: Int

    package init(block: UInt64, age: UInt64, limit: UInt64, nodes: Int) {
        self.block = block
        self.age = age
        self.limit = limit
        self.nodes = nodes
    }

    /// What is so, as a sentence without its end.
    private var found: String {
        let whose =
            nodes > 1
            ? "The latest block that any of \(nodes) nodes has" : "The node's latest block"
        return "\(whose), \(block), is \(TimeSpan.text(age)) old"
    }

    /// For the screens that show it.
    package var warning: String {
        "\(found), and more than \(TimeSpan.text(limit)) is too old on this network: what is shown is "
            + "as of then. The node or the chain stands still, or this machine's clock is wrong."
    }

    /// For pictures, in one line.
    package var mark: String { "OLD STATE. \(found)." }

    var refusal: String { "\(found), so what was planned may no longer be so. Nothing was signed." }
}

/// What a command's reads of the latest block found, shared by all its reads.
package final class FreshnessMemory: Sendable {
    private let latest = Mutex<StaleChain?>(nil)

    package init() {}

    /// The state that was read last is old; nil if it is fresh, or none was read.
    package var stale: StaleChain? { latest.withLock { $0 } }

    func note(_ stale: StaleChain?) {
        latest.withLock { $0 = stale }
    }
}
