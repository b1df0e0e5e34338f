import Ethereum

/// In which guards' blocks a price was reached, in readings that follow one another.
///
/// A reading counts only after the reading of the block before. So an outage, a stale block or
/// another branch of the chain begins anew.
struct GuardStreak: Sendable {
    /// The last reading in which a guard's price was reached.
    private var last: [Int64: Block] = [:]

    /// What one more reading in which the price is reached means.
    enum Step {
        /// The first one.
        case begins
        /// The same block again.
        case stays
        /// It follows on the one before.
        case follows
    }

    /// - Parameter blocks: how many blocks may pass between two readings.
    mutating func add(_ id: Int64, at block: Block, within blocks: UInt64) -> Step {
        let before = last.updateValue(block, forKey: id)
        guard let before else { return .begins }
        if before.hash == block.hash { return .stays }
        guard block.number > before.number else { return .begins }
        let distance = block.number - before.number
        if distance == 1 { return block.parentHash == before.hash ? .follows : .begins }
        return distance <= blocks ? .follows : .begins
    }

    /// The price is not reached, or nothing is known of it.
    mutating func end(_ id: Int64) { last[id] = nil }

    /// A reading failed: nothing is known of any price.
    mutating func endAll() { last = [:] }
}
