import DexSandbox
import Ethereum

/// Keeps a copy of another machine's chain: fetches its blocks and verifies each by executing it.
///
/// One task runs it; servers read `state`.
package struct ChainFollower: Sendable {
    /// The most blocks that another branch may replace, as on the sandbox itself.
    package static let maximumReplaced = SandboxChain.maximumReorganization
    /// The most blocks of a copy: about 19 months at a block every 12 s, and 2 GB of memory.
    package static let maximumBlocks: UInt64 = 1 << 22
    /// The most bytes of another branch, which is read completely before it replaces anything.
    private static let maximumBranchBytes = 64 << 20

    let chain: SandboxChain
    let leader: any LeaderConnection
    /// 16 hexadecimal digits that name this copy to the other machine.
    let name: String
    package let state: CopyState
    var maximumBlocks = Self.maximumBlocks
    let now: @Sendable () -> UInt64

    /// Fetches the next blocks, appends those that verify, and copies the orders once there are no
    /// more blocks.
    ///
    /// - Parameter copyOrders: gets what names the content of the other machine's books.
    /// - Returns: whether the other machine has more blocks.
    /// - Throws: `LeaderSilence`, and the copy goes on serving; `CopyRefusal`, and it stops;
    ///   `SandboxError` if a block cannot be stored; what `copyOrders` throws. The state tells.
    package func step(
        copyOrders: (_ books: String) async throws -> Void = { _ in }
    ) async throws -> Bool {
        do {
            let (hasMore, books) = try await follow()
            if !hasMore, let books { try await copyOrders(books) }
            // At first only once it serves all that the other machine has.
            state.change {
                if !hasMore || $0.condition != .connecting { $0.condition = .following }
            }
            return hasMore
        } catch let silence as LeaderSilence {
            state.change { $0.condition = .cutOff(reason: silence.reason) }
            throw silence
        } catch let refusal as CopyRefusal {
            await noteHead()
            state.change { $0.condition = .stopped(reason: refusal.description) }
            throw refusal
        }
    }

    private func follow() async throws -> (hasMore: Bool, books: String?) {
        let own = await chain.latestBlock
        let (batch, books) = try await fetch(after: own.number)
        if let first = batch.blocks.first {
            if first.parentHash == own.hash {
                try await append(batch.blocks)
            } else {
                try await followBranch()
            }
        } else if await chain.hash(ofBlock: batch.newest) != batch.newestHash {
            // It has no more blocks than the copy, and other ones. A branch as long may win.
            if batch.newest < own.number {
                try await checkGenesis()
            } else {
                try await followBranch()
            }
        }
        await noteHead()
        let head = await chain.latestBlock.number
        return (batch.newest > head && head > own.number, books)
    }

    private func noteHead() async {
        let head = await chain.latestBlock
        state.change {
            $0.block = head.number
            $0.timestamp = head.timestamp
        }
    }

    /// - Throws: `LeaderSilence`, also for an answer that cannot be read.
    private func fetch(after: UInt64) async throws -> (BlockBatch, books: String?) {
        let verified = await chain.latestBlock.number
        let path =
            "\(LeaderRoutes.blocksPath)?after=\(after)&verified=\(verified)&copy=\(name)"
        let answer = try await leader.get(path)
        guard answer.status == 200 else {
            throw LeaderSilence(reason: "it answered with HTTP \(answer.status)")
        }
        guard let batch = BlockBatch(answer.body) else {
            throw LeaderSilence(reason: "its answer cannot be read as blocks")
        }
        let time = now()
        state.change {
            $0.leaderBlock = batch.newest
            $0.answered = time
        }
        return (batch, answer.books)
    }

    private func append(_ blocks: [SharedBlock]) async throws {
        for block in blocks {
            guard await chain.latestBlock.number < maximumBlocks else {
                throw CopyRefusal.tooLong(maximum: maximumBlocks)
            }
            do {
                try await chain.append(block)
            } catch let mismatch as BlockMismatch {
                throw CopyRefusal.block(mismatch)
            }
        }
    }

    /// Finds where the other machine's chain leaves the copy, and changes to its branch.
    ///
    /// The branch is read until it is as long as what it replaces. If it ends before, or does not
    /// verify, the copy keeps the blocks that it had.
    private func followBranch() async throws {
        let own = await chain.latestBlock.number
        let base = own > Self.maximumReplaced ? own - Self.maximumReplaced : 0
        var fork = base
        var branch: [SharedBlock] = []
        var bytes = 0
        // Every answer brings at least one block nearer to the end.
        while fork + UInt64(branch.count) < max(own, fork + 1) {
            let (batch, _) = try await fetch(after: fork + UInt64(branch.count))
            // It answers less than it did a moment ago.
            guard let first = batch.blocks.first else { return }
            if fork == base, branch.isEmpty { try await checkShared(base, first) }
            var rest = batch.blocks[...]
            while branch.isEmpty, let next = rest.first,
                await chain.hash(ofBlock: fork + 1) == next.hash
            {
                fork += 1
                rest = rest.dropFirst()
            }
            // All are the copy's own: its answers contradict each other, or it has changed.
            if rest.isEmpty, fork >= own { return }
            bytes += rest.reduce(0) { $0 + $1.size }
            guard bytes <= Self.maximumBranchBytes else {
                throw LeaderSilence(reason: "the branch that it changed to is too large")
            }
            branch += rest
        }
        do {
            try await chain.replaceBlocks(after: fork, with: branch)
        } catch let mismatch as BlockMismatch {
            throw CopyRefusal.block(mismatch)
        }
    }

    /// Checks that the blocks up to a number are the copy's.
    ///
    /// - Parameter next: the other machine's block after it.
    private func checkShared(_ base: UInt64, _ next: SharedBlock) async throws {
        let shared = await chain.hash(ofBlock: base)
        guard next.parentHash != shared else { return }
        guard await !chain.hasBlock(next.hash) else {
            throw LeaderSilence(reason: "it answered another question")
        }
        try await checkGenesis()
        guard base == 0, let shared else {
            throw CopyRefusal.deepFork(block: base, depth: Self.maximumReplaced)
        }
        throw CopyRefusal.block(
            BlockMismatch(
                block: 1,
                difference: .parent(announced: next.parentHash.word, expected: shared.word)
            )
        )
    }

    /// - Throws: `CopyRefusal.otherGenesis`; `LeaderSilence`.
    private func checkGenesis() async throws {
        let found = try await CopyOrigin.fetch(from: leader).genesis
        let expected = await chain.genesisHash
        guard found == expected else {
            throw CopyRefusal.otherGenesis(found: found, expected: expected)
        }
    }
}
