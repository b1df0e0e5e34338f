import Ethereum

/// In which guards' blocks a price was reached, in readings that follow one another.
///
/// A reading counts only after the reading of the block before. So an outage, a stale block or
/// another branch of the chain begins again.
struct GuardStreak: Sendable {
    /// The first and the last of the readings in which a guard's price was reached.
    private var readings: [Int64: (first: Block, last: Block)] = [:]

    /// What one more reading in which the price is reached means.
    enum Step: Equatable {
        /// The first one.
        case begins
        /// The same block again.
        case stays
        /// It follows on the one before.
        ///
        /// - Parameter seconds: between the blocks of the first reading and of this one.
        case follows(seconds: UInt64)
    }

    /// - Parameter blocks: how many blocks may pass between two readings.
    mutating func add(_ id: Int64, at block: Block, within blocks: UInt64) -> Step {
        guard let (first, before) = readings[id], Self.follows(block, before, within: blocks) else {
            readings[id] = (block, block)
            return .begins
        }
        if before.hash == block.hash { return .stays }
        readings[id] = (first, block)
        return .follows(seconds: block.timestamp - min(block.timestamp, first.timestamp))
    }

    private static func follows(_ block: Block, _ before: Block, within blocks: UInt64) -> Bool {
        if before.hash == block.hash { return true }
        guard block.number > before.number else { return false }
        let distance = block.number - before.number
        return distance == 1 ? block.parentHash == before.hash : distance <= blocks
    }

    /// The price is not reached, or nothing is known of it.
    mutating func end(_ id: Int64) { readings[id] = nil }

    /// A reading failed: nothing is known of any price.
    mutating func endAll() { readings = [:] }
}
