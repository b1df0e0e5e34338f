import Ethereum
import EthereumWallet
import Foundation
import Testing

@testable import DexSandbox

@Suite("Blocks of another machine, verified by executing them")
struct FollowingTests {
    /// A chain that makes blocks, and a copy of it that makes none.
    private struct Pair {
        let leader: TestChain
        let copy: TestChain

        init(hasSwap: Bool = false) throws {
            leader = try hasSwap ? TestChain.withSwap() : TestChain()
            copy = try hasSwap ? TestChain.withSwap(mining: .manual) : TestChain(mining: .manual)
        }

        func blocks() async -> [SharedBlock] {
            await leader.chain.batch(after: await copy.chain.latestBlock.number).blocks
        }

        func follow() async throws {
            for block in await blocks() { try await copy.chain.append(block) }
        }

        func expectSame() async {
            let (own, other) = (await copy.chain.latestBlock, await leader.chain.latestBlock)
            #expect(own == other)
        }
    }

    /// Payments, a fill, a call that fails, an empty block: what blocks can hold.
    private func trade(_ test: TestChain) async throws {
        try await test.send(
            from: test.alice,
            to: TestChain.dai,
            data: ERC20.transfer(to: test.bob.address, amount: 5 * ether)
        )
        let order = try test.order(by: test.makers[0])
        try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: TestChain.fill(order, 4 * ether)
        )
        try await test.send(
            from: test.bob,
            to: TestChain.dai,
            data: ERC20.transfer(to: test.alice.address, amount: 1_000_000 * ether)
        )
        try await test.chain.mine()
        try await test.send(from: test.bob, to: test.alice.address, value: ether)
    }

    @Test("a copy comes to the same blocks, balances, receipts and logs")
    func honest() async throws {
        let pair = try Pair()
        try await trade(pair.leader)
        try await pair.follow()
        await pair.expectSame()
        for owner in [pair.leader.alice.address, pair.leader.bob.address] {
            #expect(try await pair.copy.etherBalance(owner) == pair.leader.etherBalance(owner))
            for token in TestChain.tokens.map(\.address) {
                let own = try await pair.copy.balance(token, owner)
                #expect(own == (try await pair.leader.balance(token, owner)))
            }
        }
        for block in 1...(await pair.leader.chain.latestBlock.number) {
            let body = Array(
                #"{"jsonrpc":"2.0","id":1,"method":"eth_getBlockReceipts","params":["0x\#(block)"]}"#
                    .utf8
            )
            #expect(
                await pair.copy.chain.answer(body: body) == pair.leader.chain.answer(body: body)
            )
        }
    }

    @Test("many transactions of a block, in the order of the block")
    func fullBlock() async throws {
        let leader = try TestChain(mining: .manual)
        let copy = try TestChain(mining: .manual)
        for number in 0..<5 {
            for signer in [leader.alice, leader.bob] {
                let signed = try await leader.transaction(
                    from: signer,
                    to: TestChain.dai,
                    data: ERC20.transfer(to: leader.makers[number].address, amount: ether),
                    tip: UInt256(UInt64(number + 1)) * 1_000_000
                )
                _ = try await leader.chain.send(raw: signed.raw)
            }
        }
        try await leader.chain.mine()
        let block = try #require(await leader.chain.batch(after: 0).blocks.first)
        #expect(block.transactions.count == 10)
        try await copy.chain.append(block)
        #expect(await copy.chain.latestBlock == leader.chain.latestBlock)
        // Another order of the same transactions is another block.
        let other = try TestChain(mining: .manual)
        var turned = block
        turned.transactions.reverse()
        await #expect(throws: BlockMismatch.self) { try await other.chain.append(turned) }
    }

    @Test("a pause of the swap venue and its end are blocks that verify")
    func operatorBlocks() async throws {
        let pair = try Pair(hasSwap: true)
        try await pair.leader.chain.setSwapPaused(true)
        try await trade(pair.leader)
        try await pair.leader.chain.setSwapPaused(false)
        try await pair.follow()
        await pair.expectSame()
        #expect(await pair.copy.chain.swapRegistry == pair.leader.chain.swapRegistry)
    }

    @Test("a token's fee that begins and ends is blocks that verify")
    func transferFee() async throws {
        let pair = try Pair(hasSwap: true)
        try await pair.leader.chain.setTransferFee(true, of: TestChain.dai)
        try await trade(pair.leader)
        try await pair.leader.chain.setTransferFee(false, of: TestChain.dai)
        try await trade(pair.leader)
        try await pair.follow()
        await pair.expectSame()
    }

    @Test("blocks of a reorganization, with their producer and base fee, are followed")
    func reorganized() async throws {
        let pair = try Pair()
        try await trade(pair.leader)
        try await pair.follow()
        _ = try await pair.leader.chain.reorganize(blocks: 2, transactions: .mined)
        let removed = try await pair.copy.chain.removeBlocks(after: 3)
        #expect(removed.count == 2)
        try await pair.follow()
        await pair.expectSame()
        // What was removed can be put back, too.
        _ = try await pair.copy.chain.removeBlocks(after: 3)
        for block in removed { try await pair.copy.chain.append(block) }
        #expect(await pair.copy.chain.latestBlock.number == 5)
    }

    @Test("a copy that is kept in a file goes on where it was")
    func restart() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system clears it, too
        let path = folder.appendingPathComponent("chain.sqlite").path
        let leader = try TestChain()
        try await trade(leader)
        do {
            let copy = try TestChain(mining: .manual, storePath: path)
            for block in await leader.chain.batch(after: 0).blocks.prefix(3) {
                try await copy.chain.append(block)
            }
        }
        let copy = try TestChain(mining: .manual, storePath: path)
        #expect(await copy.chain.latestBlock.number == 3)
        for block in await leader.chain.batch(after: 3).blocks {
            try await copy.chain.append(block)
        }
        #expect(await copy.chain.latestBlock == leader.chain.latestBlock)
    }

    // MARK: Lies

    /// A block whose header says something else, with the hash of that header.
    private func lie(
        _ block: SharedBlock,
        _ change: (inout SandboxHeader) -> Void
    ) throws -> SharedBlock {
        var header = try #require(SandboxHeader(rlp: RLP.decode(block.header)))
        change(&header)
        var changed = block
        changed.header = header.rlp.encoded
        changed.hash = BlockHash(Keccak256.hash(changed.header))
        return changed
    }

    private func refusal(
        _ block: SharedBlock,
        _ pair: Pair
    ) async throws -> BlockMismatch.Difference {
        let before = await pair.copy.chain.latestBlock
        let error = await #expect(throws: BlockMismatch.self) {
            try await pair.copy.chain.append(block)
        }
        #expect(await pair.copy.chain.latestBlock == before)
        let mismatch = try #require(error)
        #expect(mismatch.block == before.number + 1)
        #expect(mismatch.description.hasPrefix("Block \(before.number + 1) does not verify: "))
        return mismatch.difference
    }

    @Test("each result of the execution that is announced wrongly is named, with both values")
    func wrongResults() async throws {
        let pair = try Pair()
        try await trade(pair.leader)
        let block = try #require(await pair.blocks().first)
        let wrong = Keccak256.hash("a lie".utf8)
        for (result, change) in [
            (.transactionsRoot, { $0.transactionsRoot = wrong }),
            (.receiptsRoot, { $0.receiptsRoot = wrong }), (.stateRoot, { $0.stateRoot = wrong }),
            (.gasUsed, { $0.gasUsed += 1 }), (.bloom, { $0.bloom = .empty }),
        ] as [(BlockMismatch.Result, (inout SandboxHeader) -> Void)] {
            let found = try await refusal(lie(block, change), pair)
            guard case .result(result, let announced, let computed) = found else {
                Issue.record("\(result): \(found)")
                continue
            }
            #expect(announced != computed)
        }
        // The honest block is still taken.
        try await pair.follow()
        await pair.expectSame()
    }

    @Test("a state root without transactions that no operator's change gives is refused")
    func inventedState() async throws {
        let pair = try Pair(hasSwap: true)
        try await pair.leader.chain.mine()
        let block = try #require(await pair.blocks().first)
        let found = try await refusal(
            lie(block) { $0.stateRoot = Keccak256.hash("a lie".utf8) },
            pair
        )
        guard case .result(.stateRoot, _, _) = found else {
            Issue.record("\(found)")
            return
        }
    }

    @Test("a header against the chain's rules is refused before anything is executed")
    func wrongHeaders() async throws {
        let pair = try Pair()
        try await trade(pair.leader)
        let block = try #require(await pair.blocks().first)
        for change in [
            { $0.number = 2 }, { $0.number = .max }, { $0.timestamp = TestChain.start },
            { $0.timestamp = .max }, { $0.gasLimit = .max }, { $0.gasLimit -= 1 },
            { $0.coinbase = TestChain.exchange },
        ] as [(inout SandboxHeader) -> Void] {
            guard case .rule = try await refusal(lie(block, change), pair) else {
                Issue.record("taken for another lie")
                continue
            }
        }
        let orphan = try lie(block) { $0.parentHash = Keccak256.hash("a lie".utf8) }
        guard case .parent = try await refusal(orphan, pair) else {
            Issue.record("a foreign parent was taken")
            return
        }
        let skipped = try #require(await pair.blocks().dropFirst().first)
        guard case .parent = try await refusal(skipped, pair) else {
            Issue.record("a skipped block was taken")
            return
        }
    }

    @Test("the time and the base fee of a block are the operator's, as far as they may be")
    func operatorValues() async throws {
        let pair = try Pair()
        try await pair.leader.chain.mine()
        let block = try #require(await pair.blocks().first)
        let later = try lie(block) {
            $0.timestamp += 1_000_000
            $0.baseFee = .max
        }
        try await pair.copy.chain.append(later)
        let head = await pair.copy.chain.latestBlock
        #expect(head.hash == later.hash)
        // The fee of the next block is computed from it without a trap.
        #expect(await pair.copy.chain.baseFeeOfNextBlock > 0)
    }

    @Test("a header with a member that this chain does not have is refused")
    func foreignMember() async throws {
        let pair = try Pair()
        try await pair.leader.chain.mine()
        let block = try #require(await pair.blocks().first)
        guard case .list(var fields) = try RLP.decode(block.header) else {
            Issue.record("the header is no list")
            return
        }
        fields[12] = .bytes(Array("other words".utf8))  // extraData
        var other = block
        other.header = RLP.list(fields).encoded
        other.hash = BlockHash(Keccak256.hash(other.header))
        #expect(try await refusal(other, pair) == .malformedHeader)
    }

    @Test("a branch replaces blocks whole or not at all")
    func branch() async throws {
        let pair = try Pair()
        try await trade(pair.leader)
        try await pair.follow()
        let before = await pair.copy.chain.latestBlock
        _ = try await pair.leader.chain.reorganize(blocks: 2, transactions: .mined)
        let branch = await pair.leader.chain.batch(after: 3).blocks
        var wrong = branch
        wrong[2] = try lie(branch[2]) { $0.stateRoot = .zero }
        await #expect(throws: BlockMismatch.self) {
            try await pair.copy.chain.replaceBlocks(after: 3, with: wrong)
        }
        #expect(await pair.copy.chain.latestBlock == before)
        try await pair.copy.chain.replaceBlocks(after: 3, with: branch)
        await pair.expectSame()
    }

    @Test("a header that is no header, or has another hash than announced, is refused")
    func malformed() async throws {
        let pair = try Pair()
        try await pair.leader.chain.mine()
        let block = try #require(await pair.blocks().first)
        var other = block
        other.hash = BlockHash(Keccak256.hash("a lie".utf8))
        guard case .hash = try await refusal(other, pair) else {
            Issue.record("another hash was taken")
            return
        }
        for header in [
            [], [0xC0], Array(block.header.dropLast()), block.header + [0],
            Array(repeating: 0xFF, count: 2_000), RLP.list([.bytes([1])]).encoded,
        ] as [[UInt8]] {
            var broken = block
            broken.header = header
            broken.hash = BlockHash(Keccak256.hash(header))
            #expect(try await refusal(broken, pair) == .malformedHeader)
        }
    }

    @Test("a transaction that was not signed so, or cannot run there, is refused")
    func wrongTransactions() async throws {
        let pair = try Pair()
        try await trade(pair.leader)
        let block = try #require(await pair.blocks().first)
        let test = pair.leader
        let other = try await test.transaction(
            from: test.alice,
            to: TestChain.dai,
            nonce: 0,
            chainID: 1
        )
        let early = try await test.transaction(from: test.alice, to: TestChain.dai, nonce: 7)
        let cheap = try await test.transaction(
            from: test.alice,
            to: TestChain.dai,
            nonce: 0,
            maxFee: 1,
            tip: 0
        )
        let heavy = try await test.transaction(
            from: test.alice,
            to: TestChain.dai,
            gas: 40_000_000,
            nonce: 0
        )
        var forged = block.transactions[0]
        forged[forged.count - 1] ^= 1
        var cut = block.transactions[0]
        cut.removeLast()
        let list: [[[UInt8]]] = [
            [forged], [cut], [[]], [other.raw], [early.raw], [cheap.raw], [heavy.raw],
            [block.transactions[0], block.transactions[0]],
        ]
        for transactions in list {
            var changed = block
            changed.transactions = transactions
            switch try await refusal(changed, pair) {
            case .transaction(let index, let reason):
                #expect(index == transactions.count - 1)
                #expect(!reason.isEmpty)
            case .result(.transactionsRoot, _, _):
                // A changed signature may be one of another account, which has no funds, or not.
                #expect(transactions == [forged])
            case let found: Issue.record("\(found)")
            }
        }
        let next = try await test.transaction(from: test.alice, to: TestChain.dai, nonce: 1)
        var added = block
        added.transactions.append(next.raw)
        guard case .result(.transactionsRoot, _, _) = try await refusal(added, pair) else {
            Issue.record("a block with a transaction more was taken")
            return
        }
        // Each fits into a block, and both together do not.
        added.transactions = []
        for nonce in 0..<2 as Range<UInt64> {
            let heavy = try await test.transaction(
                from: test.alice,
                to: TestChain.dai,
                gas: 35_990_000,
                nonce: nonce
            )
            added.transactions.append(heavy.raw)
        }
        #expect(
            try await refusal(added, pair)
                == .transaction(index: 1, reason: "the block has no gas left for it")
        )
        var missing = block
        missing.transactions = []
        guard case .result(.transactionsRoot, _, _) = try await refusal(missing, pair) else {
            Issue.record("a block without its transaction was taken")
            return
        }
    }

    // MARK: The encoding

    @Test("a batch comes back as it was, and nothing else is one")
    func encoding() async throws {
        let test = try TestChain()
        try await trade(test)
        let batch = await test.chain.batch(after: 0)
        #expect(batch.blocks.count == 5)
        let bytes = batch.encoded
        #expect(BlockBatch(bytes) == batch)
        for count in 0..<bytes.count { #expect(BlockBatch(Array(bytes.prefix(count))) == nil) }
        #expect(BlockBatch(bytes + [0]) == nil)
        let empty = await test.chain.batch(after: 5)
        #expect(empty.blocks.isEmpty && empty.newest == 5)
        #expect(BlockBatch(empty.encoded) == empty)
        #expect(await test.chain.batch(after: .max).blocks.isEmpty)
        let few = await test.chain.batch(after: 3)
        #expect(few.blocks.count == 2)
    }

    @Test("counts and lengths beyond the limits are refused before memory is taken")
    func limits() {
        let head = Array("dxb1".utf8) + [UInt8](repeating: 0, count: 40)
        let block = [UInt8](repeating: 0, count: 32)
        for tail in [
            [0xFF, 0xFF], [0x00, 0x81], [0x00, 0x01] + block + [0xFF, 0xFF],
            [0x00, 0x01] + block + [0x00, 0x00, 0xFF, 0xFF],
            [0x00, 0x01] + block + [0x00, 0x00, 0x00, 0x01, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]] {
            #expect(BlockBatch(head + tail) == nil)
        }
        #expect(BlockBatch(head + [0, 0]) != nil)
        #expect(BlockBatch([UInt8](repeating: 0, count: BlockBatch.maximumBytes + 1)) == nil)
    }

    @Test("a batch ends after 128 blocks")
    func longChain() async throws {
        let test = try TestChain(mining: .manual)
        for _ in 0..<130 { try await test.chain.mine() }
        let batch = await test.chain.batch(after: 0)
        #expect(batch.blocks.count == BlockBatch.maximumBlocks)
        #expect(batch.newest == 130)
    }

    // MARK: A copy's node

    @Test("a copy's node neither makes blocks nor takes transactions itself")
    func access() {
        for method in RPCMethod.allCases {
            let isRefused = method.steers || method == .eth_sendRawTransaction
            #expect(RPCAccess.copy.allows(method) != isRefused, "\(method)")
        }
    }
}
