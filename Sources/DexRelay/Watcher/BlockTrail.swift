package import Ethereum
package import ZeroEx

/// The latest blocks that a watcher has followed: the head and at most 64 before it.
///
/// Given a node's new head, it says which blocks are missing in between, which were undone, or that
/// the trail does not reach far enough back.
package struct BlockTrail: Hashable, Sendable {
    /// The deepest reorganization that can be followed, in blocks.
    package static let depth = 64

    /// The oldest first; empty before the first block.
    package private(set) var steps: [WatchPosition.Step] = []

    /// The way from the trail to a node's head.
    package enum Path: Hashable, Sendable {
        /// The head is the trail's.
        case unchanged
        /// The head is an earlier block of the trail: the node is behind another one.
        case behind
        /// The block of this hash is to be read next.
        case missing(BlockHash)
        /// These blocks were undone, and these came in their place; both the oldest first.
        case follow(undone: [WatchPosition.Step], new: [Block])
        /// There is no trail, or it does not reach back to where the head's chain leaves it.
        case restart
    }

    /// A trail without blocks.
    package init() {}

    /// The trail of a stored position; it has no blocks if the steps are not consecutive.
    package init(_ position: WatchPosition?) {
        let steps = position?.steps ?? []
        let isRun = zip(steps, steps.dropFirst()).allSatisfy { step, next in
            step.number < .max && step.number + 1 == next.number
        }
        self.steps = isRun ? Array(steps.suffix(Self.depth + 1)) : []
    }

    package var head: WatchPosition.Step? { steps.last }

    package var position: WatchPosition { WatchPosition(steps: steps) }

    /// The way to the first of these blocks.
    ///
    /// - Parameter blocks: the node's head, its parent, the parent's parent, and so on: as many as
    ///   `.missing` named.
    /// - Throws: `ChainError.nonsense` if a block is not the parent of the one before it.
    package func path(to blocks: [Block]) throws(ChainError) -> Path {
        for (block, parent) in zip(blocks, blocks.dropFirst()) {
            guard parent.hash == block.parentHash, block.number > 0,
                parent.number == block.number - 1
            else {
                throw .nonsense(
                    "block \(parent.number) \(parent.hash) is not the parent of block "
                        + "\(block.number) \(block.hash)"
                )
            }
        }
        guard let target = blocks.first, let last = blocks.last, let oldest = steps.first,
            let head
        else { return .restart }
        if target.hash == head.hash { return .unchanged }
        if steps.contains(where: { $0.hash == target.hash }) { return .behind }
        if let fork = steps.lastIndex(where: { $0.hash == last.parentHash }) {
            guard last.number > 0, steps[fork].number == last.number - 1 else {
                throw .nonsense(
                    "block \(last.number) \(last.hash) follows block \(steps[fork].number)"
                )
            }
            return .follow(undone: Array(steps[(fork + 1)...]), new: blocks.reversed())
        }
        let isTooFar =
            target.number > head.number
            && target.number - head.number > UInt64(Self.depth)
        // Its parent is no newer than the oldest known block, and is not that one.
        guard !isTooFar, last.number > oldest.number, last.number - oldest.number > 1 else {
            return .restart
        }
        return .missing(last.parentHash)
    }

    /// Begins a new trail with one block.
    package mutating func restart(at block: Block) {
        steps = [Self.step(block, touched: [])]
    }

    /// Replaces undone blocks with new ones.
    ///
    /// - Parameters:
    ///   - undone: how many of the latest blocks were undone.
    ///   - new: follow each other and the block before the undone ones.
    ///   - touched: for each new block, the orders that its logs touched.
    package mutating func follow(
        undone: Int,
        new: [Block],
        touched: [[OrderHash]]
    ) {
        steps.removeLast(min(undone, steps.count))
        for (block, orders) in zip(new, touched) {
            steps.append(Self.step(block, touched: orders))
        }
        steps.removeFirst(max(0, steps.count - Self.depth - 1))
    }

    /// Adds orders to those that the head touched, to be audited again if it is undone.
    package mutating func note(_ orders: some Sequence<OrderHash>) {
        guard let head = steps.popLast() else { return }
        steps.append(
            WatchPosition.Step(
                number: head.number,
                hash: head.hash,
                time: head.time,
                touched: Set(head.touched).union(orders).sorted()
            )
        )
    }

    private static func step(_ block: Block, touched: [OrderHash]) -> WatchPosition.Step {
        WatchPosition.Step(
            number: block.number,
            hash: block.hash,
            time: block.timestamp,
            touched: touched
        )
    }
}
