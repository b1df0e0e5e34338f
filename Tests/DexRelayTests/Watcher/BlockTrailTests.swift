import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

/// The trail of followed blocks, over chains that fork.
@Suite struct BlockTrailTests {
    /// A tree of blocks by hash.
    private struct Tree {
        var blocks: [BlockHash: Block] = [:]

        mutating func extend(_ parent: Block?) -> Block {
            let block = Block(
                number: parent.map { $0.number + 1 } ?? 7,
                hash: BlockHash(Keccak256.hash(UInt256(UInt64(blocks.count)).bigEndianBytes)),
                parentHash: parent?.hash ?? BlockHash(.zero),
                timestamp: 1_000 + UInt64(blocks.count),
                baseFeePerGas: nil,
                gasLimit: 0,
                gasUsed: 0
            )
            blocks[block.hash] = block
            return block
        }

        /// A block and all before it, the latest first.
        func branch(_ head: Block) -> [Block] {
            Array(sequence(first: head) { blocks[$0.parentHash] })
        }
    }

    private static func orders(_ block: Block) -> [OrderHash] {
        [OrderHash(block.hash.word)]
    }

    /// Walks from the trail to a head as the watcher does, and counts the blocks that it asks for.
    private func walk(
        _ trail: BlockTrail,
        to head: Block,
        in tree: Tree
    ) throws -> (path: BlockTrail.Path, asked: Int) {
        var blocks = [head]
        while true {
            let path = try trail.path(to: blocks)
            guard case .missing(let hash) = path else { return (path, blocks.count - 1) }
            blocks.append(try #require(tree.blocks[hash]))
            try #require(blocks.count < 200)
        }
    }

    @Test("over random trees the trail is the node's branch, and names what came and what went")
    func trees() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var tree = Tree()
            var head = tree.extend(nil)
            var trail = BlockTrail()
            #expect(try trail.path(to: [head]) == .restart)
            trail.restart(at: head)
            for _ in 0..<200 {
                let old = head
                let back = random.pick(weighted: [
                    (60, 0), (20, 1), (10, random.below(10)), (10, random.below(70)),
                ])
                let branch = tree.branch(head)
                head = branch[min(back, branch.count - 1)]
                for _ in 0..<random.pick(weighted: [(70, 1), (20, 3), (10, random.below(70))]) {
                    head = tree.extend(head)
                }
                let known = trail.steps
                let (path, asked) = try walk(trail, to: head, in: tree)
                let new = Array(
                    tree.branch(head).prefix { block in !known.contains { $0.hash == block.hash } }
                        .reversed()
                )
                let fork = new.first.flatMap { first in
                    known.firstIndex { $0.hash == first.parentHash }
                }
                switch path {
                case .unchanged: #expect(head.hash == old.hash)
                case .behind:
                    #expect(known.dropLast().contains { $0.hash == head.hash })
                    head = old
                case .restart:
                    let isFar = head.number > old.number + 64
                    #expect(fork == nil || isFar, "seed \(seed)")
                    trail.restart(at: head)
                    #expect(trail.steps.map(\.hash) == [head.hash])
                case .follow(let undone, let added):
                    let fork = try #require(fork)
                    #expect(added == new)
                    #expect(undone == Array(known[(fork + 1)...]))
                    #expect(asked == new.count - 1)
                    trail.follow(
                        undone: undone.count,
                        new: added,
                        touched: added.map(Self.orders)
                    )
                case .missing: Issue.record("still missing")
                }
                #expect(trail.steps.count <= 65)
                let wanted = tree.branch(head).prefix(trail.steps.count).reversed().map(\.hash)
                #expect(trail.steps.map(\.hash) == wanted, "seed \(seed)")
                for step in trail.steps where !step.touched.isEmpty {
                    #expect(step.touched == [OrderHash(step.hash.word)])
                }
                #expect(BlockTrail(trail.position) == trail)
            }
        }
    }

    @Test("64 undone blocks are followed, one more begins anew")
    func depth() throws {
        var tree = Tree()
        var blocks = [tree.extend(nil)]
        for _ in 0..<100 { blocks.append(tree.extend(blocks[blocks.count - 1])) }
        var trail = BlockTrail()
        trail.restart(at: blocks[0])
        for block in blocks.dropFirst() {
            trail.follow(undone: 0, new: [block], touched: [Self.orders(block)])
        }
        let other = tree.extend(blocks[blocks.count - 1 - 64])
        guard case .follow(let undone, let new) = try trail.path(to: [other]) else {
            Issue.record("not followed")
            return
        }
        #expect(undone.count == 64)
        #expect(new == [other])
        let deeper = tree.extend(blocks[blocks.count - 1 - 65])
        #expect(try trail.path(to: [deeper]) == .restart)
    }

    @Test("a node far ahead is not followed block by block, one just near enough is")
    func gap() throws {
        var tree = Tree()
        let first = tree.extend(nil)
        var trail = BlockTrail()
        trail.restart(at: first)
        var head = first
        for _ in 0..<64 { head = tree.extend(head) }
        guard case .follow(_, let new) = try walk(trail, to: head, in: tree).path else {
            Issue.record("not followed")
            return
        }
        #expect(new.count == 64)
        let (path, asked) = try walk(trail, to: tree.extend(head), in: tree)
        #expect(path == .restart)
        #expect(asked == 0)
    }

    @Test("a block that is not the parent of the one before it is refused")
    func lies() throws {
        var tree = Tree()
        let first = tree.extend(nil)
        var trail = BlockTrail()
        trail.restart(at: first)
        let second = tree.extend(first)
        let third = tree.extend(second)
        #expect(throws: ChainError.self) { try trail.path(to: [third, first]) }
        func numbered(_ block: Block, _ number: UInt64) -> Block {
            Block(
                number: number,
                hash: block.hash,
                parentHash: block.parentHash,
                timestamp: 0,
                baseFeePerGas: nil,
                gasLimit: 0,
                gasUsed: 0
            )
        }
        #expect(throws: ChainError.self) { try trail.path(to: [third, numbered(second, 70)]) }
        #expect(throws: ChainError.self) { try trail.path(to: [numbered(second, 70)]) }
        // At the very beginning of a chain there is no parent to ask for.
        #expect(try trail.path(to: [numbered(third, 0)]) == .restart)
    }

    @Test("a stored trail with a gap counts as none")
    func stored() {
        let step = { (number: UInt64) in
            WatchPosition.Step(number: number, hash: BlockHash(.zero), time: 0, touched: [])
        }
        #expect(BlockTrail(nil).steps.isEmpty)
        #expect(BlockTrail(WatchPosition(steps: [step(1), step(3)])).steps.isEmpty)
        #expect(BlockTrail(WatchPosition(steps: [step(.max), step(0)])).steps.isEmpty)
        let long = WatchPosition(steps: (1...100).map { step($0) })
        #expect(BlockTrail(long).steps.map(\.number) == Array(36...100))
    }
}
