import DexNetwork
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import DexSandbox
@testable import SandboxHost

@Suite("A copy of another machine's sandbox")
struct FollowerTests {
    private static let start: UInt64 = 1_750_000_020
    private static let now: @Sendable () -> UInt64 = { start + 100 }

    private struct Bench {
        let leader: FakeLeader
        let chain: SandboxChain
        let follower: ChainFollower
        let alice: PrivateKeySigner

        init(maximumBlocks: UInt64 = ChainFollower.maximumBlocks) async throws {
            var choices = SandboxSettings.Choices()
            choices.orders = 2
            let settings = SandboxSettings(choices, now: FollowerTests.start)
            leader = try FakeLeader(settings, now: FollowerTests.now)
            chain = try FakeLeader.chain(settings, mining: .manual, now: FollowerTests.now)
            let head = await chain.latestBlock
            follower = ChainFollower(
                chain: chain,
                leader: leader,
                name: "0123456789abcdef",
                state: CopyState(CopyStatus(block: head.number, timestamp: head.timestamp)),
                maximumBlocks: maximumBlocks,
                now: FollowerTests.now
            )
            alice = try #require(settings.accounts().signer(named: "alice"))
        }

        var status: CopyStatus { follower.state.value }

        /// A payment on the other machine, in a block of its own.
        func pay(_ count: Int = 1) async throws {
            let client = leader.chain
            for _ in 0..<count {
                let nonce = try await client.read(.transactionCount(alice.address, .pending))
                let signed = try await alice.sign(payment(nonce: nonce), chainID: 1337)
                _ = try await leader.chain.send(raw: signed.raw)
            }
        }

        func payment(nonce: UInt64) -> Transaction {
            Transaction(
                chainID: 1337,
                nonce: nonce,
                fee: .legacy(gasPrice: Wei(3_000_000_000)),
                gasLimit: 21_000,
                to: .zero,
                value: Wei(1),
                data: []
            )
        }

        func expectSame() async {
            let (own, other) = (await chain.latestBlock, await leader.chain.latestBlock)
            #expect(own == other)
            #expect(status.block == own.number)
            #expect(status.condition == .following)
        }

        func expectStopped(_ words: String) async throws {
            let before = await chain.latestBlock
            await #expect(throws: CopyRefusal.self) { try await follower.step() }
            #expect(await chain.latestBlock == before)
            let reason = try #require(status.stop)
            #expect(reason.contains(words))
        }
    }

    @Test("it follows block by block, in batches, and says how far behind it is")
    func following() async throws {
        let bench = try await Bench()
        try await bench.pay(3)
        #expect(try await !bench.follower.step())
        await bench.expectSame()
        #expect(bench.status.behind == 0)
        for _ in 0..<150 { try await bench.leader.chain.mine() }
        #expect(try await bench.follower.step())
        #expect(bench.status.behind == 22)
        #expect(try await !bench.follower.step())
        await bench.expectSame()
    }

    @Test("a copy is connecting until it has all blocks and orders that there were at its start")
    func connecting() async throws {
        let bench = try await Bench()
        for _ in 0..<150 { try await bench.leader.chain.mine() }
        bench.leader.books = "first"
        var copied: [CopyStatus.Condition] = []
        let hasMore = try await bench.follower.step { _ in copied.append(bench.status.condition) }
        #expect(hasMore)
        #expect(copied.isEmpty)
        #expect(bench.status.condition == .connecting)
        #expect(bench.status.behind == 22)
        _ = try await bench.follower.step { _ in copied.append(bench.status.condition) }
        #expect(copied == [.connecting])
        await bench.expectSame()
        // From then on it follows, however far behind.
        for _ in 0..<150 { try await bench.leader.chain.mine() }
        #expect(try await bench.follower.step())
        #expect(bench.status.condition == .following)
    }

    @Test("a copy whose leader goes away before its orders are here is cut off, not following")
    func cutOffBeforeOrders() async throws {
        let bench = try await Bench()
        bench.leader.books = "first"
        await #expect(throws: LeaderSilence.self) {
            try await bench.follower.step { _ in throw LeaderSilence(reason: "gone") }
        }
        #expect(bench.status.condition == .cutOff(reason: "gone"))
    }

    @Test("cut off it keeps what it has verified, and catches up afterwards")
    func cutOff() async throws {
        let bench = try await Bench()
        try await bench.pay(2)
        _ = try await bench.follower.step()
        for fault in [
            .silent, .status(503), .body([]), .body([UInt8](repeating: 0x30, count: 1 << 20)),
            .body(Array("<!doctype html>".utf8)),
        ] as [FakeLeader.Fault] {
            bench.leader.fault = fault
            await #expect(throws: LeaderSilence.self) { try await bench.follower.step() }
            guard case .cutOff = bench.status.condition else {
                Issue.record("\(bench.status.condition)")
                continue
            }
            #expect(bench.status.stop == nil)
            #expect(await bench.chain.latestBlock.number == 2)
        }
        try await bench.pay(2)
        bench.leader.fault = nil
        _ = try await bench.follower.step()
        await bench.expectSame()
    }

    @Test("a reorganization is followed, of one block and of as many as may be replaced")
    func reorganizations() async throws {
        let bench = try await Bench()
        try await bench.pay(70)
        _ = try await bench.follower.step()
        for blocks in [1, 5, 64] as [UInt64] {
            _ = try await bench.leader.chain.reorganize(blocks: blocks, transactions: .gone)
            _ = try await bench.follower.step()
            await bench.expectSame()
        }
    }

    @Test("a branch that leaves the copy too far back is not followed")
    func deepFork() async throws {
        let bench = try await Bench()
        try await bench.pay(80)
        _ = try await bench.follower.step()
        // Two reorganizations while nobody looks reach further back than one may.
        _ = try await bench.leader.chain.reorganize(blocks: 64, transactions: .gone)
        _ = try await bench.leader.chain.removeBlocks(after: 10)
        for _ in 0..<90 { try await bench.leader.chain.mine() }
        try await bench.expectStopped("more than 64 blocks")
    }

    @Test("a shorter chain of the same blocks, or another as short one, changes nothing")
    func shorter() async throws {
        let bench = try await Bench()
        try await bench.pay(5)
        _ = try await bench.follower.step()
        let removed = try await bench.leader.chain.removeBlocks(after: 3)
        _ = try await bench.follower.step()
        #expect(await bench.chain.latestBlock.number == 5)
        #expect(bench.status.condition == .following)
        try await bench.leader.chain.mine()
        _ = try await bench.follower.step()
        #expect(await bench.chain.latestBlock.hash == removed.last?.hash)
        // As long as the copy's, and later longer: it wins.
        for _ in 0..<2 { try await bench.leader.chain.mine() }
        _ = try await bench.follower.step()
        await bench.expectSame()
    }

    // MARK: Lies

    private static func changed(
        _ block: SharedBlock,
        _ change: (inout SandboxHeader) -> Void
    ) -> SharedBlock {
        // The test's own blocks have headers.
        guard let rlp = try? RLP.decode(block.header), var header = SandboxHeader(rlp: rlp) else {
            return block
        }
        change(&header)
        let bytes = header.rlp.encoded
        return SharedBlock(
            hash: BlockHash(Keccak256.hash(bytes)),
            header: bytes,
            transactions: block.transactions
        )
    }

    private static func number(of block: SharedBlock) -> UInt64? {
        (try? RLP.decode(block.header)).flatMap { SandboxHeader(rlp: $0)?.number }  // nil: a lie
    }

    @Test(
        "at the first block that does not verify it stops, and says which and what",
        arguments: [
            "state root", "receipts root", "transactions root", "transaction 0", "transaction 1",
            "gas used", "time", "number", "parent", "hash", "header",
        ]
    )
    func lies(kind: String) async throws {
        let bench = try await Bench()
        try await bench.pay(2)
        _ = try await bench.follower.step()
        try await bench.pay(3)
        let wrong = Keccak256.hash("a lie".utf8)
        bench.leader.fault = .blocks { batch in
            switch kind {
            case "state root":
                batch.blocks[0] = Self.changed(batch.blocks[0]) { $0.stateRoot = wrong }
            case "receipts root":
                batch.blocks[0] = Self.changed(batch.blocks[0]) { $0.receiptsRoot = wrong }
            case "transactions root": batch.blocks[0].transactions = []
            case "transaction 0": batch.blocks[0].transactions[0][5] ^= 1
            // The same once more.
            case "transaction 1":
                batch.blocks[0].transactions.append(batch.blocks[0].transactions[0])
            case "gas used": batch.blocks[0] = Self.changed(batch.blocks[0]) { $0.gasUsed -= 1 }
            case "time": batch.blocks[0] = Self.changed(batch.blocks[0]) { $0.timestamp = 5 }
            case "number": batch.blocks[0] = Self.changed(batch.blocks[0]) { $0.number = 9 }
            case "header":
                guard let index = batch.blocks.firstIndex(where: { Self.number(of: $0) == 3 })
                else { return }
                batch.blocks[index].header = [0xC0]
            case "parent": batch.blocks.removeAll { Self.number(of: $0) == 3 }
            default: batch.blocks[0].hash = BlockHash(wrong)
            }
        }
        try await bench.expectStopped(kind)
        let reason = try #require(bench.status.stop)
        #expect(reason.hasPrefix("Block 3 does not verify: "))
    }

    @Test("blocks before the false one are kept")
    func laterLie() async throws {
        let bench = try await Bench()
        try await bench.pay(4)
        bench.leader.fault = .blocks { batch in
            guard batch.blocks.count == 4 else { return }
            batch.blocks[2] = Self.changed(batch.blocks[2]) { $0.gasUsed += 1 }
        }
        await #expect(throws: CopyRefusal.self) { try await bench.follower.step() }
        #expect(await bench.chain.latestBlock.number == 2)
        #expect(bench.status.block == 2)
        #expect(bench.status.stop?.hasPrefix("Block 3 does not verify: its gas used") == true)
    }

    @Test("a false branch leaves the copy on the blocks that it had")
    func falseBranch() async throws {
        let bench = try await Bench()
        try await bench.pay(5)
        _ = try await bench.follower.step()
        let before = await bench.chain.latestBlock
        _ = try await bench.leader.chain.reorganize(blocks: 3, transactions: .gone)
        bench.leader.fault = .blocks { batch in
            guard let last = batch.blocks.last else { return }
            batch.blocks[batch.blocks.count - 1] = Self.changed(last) { $0.stateRoot = .zero }
        }
        try await bench.expectStopped("state root")
        #expect(await bench.chain.latestBlock == before)
    }

    @Test("a branch that is shorter than what it replaces is not followed, whatever is announced")
    func shortBranch() async throws {
        let bench = try await Bench()
        try await bench.pay(5)
        _ = try await bench.follower.step()
        let before = await bench.chain.latestBlock
        _ = try await bench.leader.chain.reorganize(blocks: 4, transactions: .gone)
        bench.leader.fault = .blocks { batch in
            // Two blocks of the branch, of very many.
            batch.newest = 1_000
            batch.blocks.removeAll { (Self.number(of: $0) ?? 0) > 3 }
        }
        for _ in 0..<3 { _ = try await bench.follower.step() }
        #expect(await bench.chain.latestBlock == before)
        #expect(bench.status.condition == .following)
        #expect(bench.status.behind == 995)
        bench.leader.fault = nil
        _ = try await bench.follower.step()
        await bench.expectSame()
    }

    @Test("a branch that comes in several answers is read whole before it replaces anything")
    func branchInPieces() async throws {
        let bench = try await Bench()
        try await bench.pay(40)
        _ = try await bench.follower.step()
        _ = try await bench.leader.chain.reorganize(blocks: 30, transactions: .mined)
        bench.leader.fault = .blocks { $0.blocks = Array($0.blocks.prefix(7)) }
        _ = try await bench.follower.step()
        #expect(await bench.chain.latestBlock.number >= 40)
        while try await bench.follower.step() {}
        await bench.expectSame()
    }

    @Test("an answer to another question cuts it off, and is no lie while it has the copy's blocks")
    func otherAnswer() async throws {
        let bench = try await Bench()
        try await bench.pay(6)
        _ = try await bench.follower.step()
        let before = await bench.chain.latestBlock
        let old = await bench.leader.chain.batch(after: 2)
        try await bench.pay(2)
        bench.leader.fault = .blocks { $0 = old }
        await #expect(throws: LeaderSilence.self) { try await bench.follower.step() }
        #expect(await bench.chain.latestBlock == before)
        bench.leader.fault = nil
        _ = try await bench.follower.step()
        await bench.expectSame()
    }

    @Test("a chain without an end is followed to the most blocks of a copy")
    func endless() async throws {
        let bench = try await Bench(maximumBlocks: 5)
        for _ in 0..<5 { try await bench.leader.chain.mine() }
        _ = try await bench.follower.step()
        await bench.expectSame()
        try await bench.leader.chain.mine()
        try await bench.expectStopped("more than 5 blocks")
        #expect(await bench.chain.latestBlock.number == 5)
    }

    @Test("orders that cannot be read cut it off, and its blocks go on")
    func orders() async throws {
        let bench = try await Bench()
        bench.leader.books = "1.1"
        try await bench.pay(1)
        await #expect(throws: LeaderSilence.self) {
            try await bench.follower.step { books in
                #expect(books == "1.1")
                throw LeaderSilence(reason: "its answer cannot be read as orders")
            }
        }
        #expect(await bench.chain.latestBlock.number == 1)
        guard case .cutOff = bench.status.condition else {
            Issue.record("\(bench.status.condition)")
            return
        }
    }

    @Test("each change of its condition is reported once")
    func changes() async throws {
        let bench = try await Bench()
        let seen = Mutex<[CopyStatus.Condition]>([])
        let follower = ChainFollower(
            chain: bench.chain,
            leader: bench.leader,
            name: "",
            state: CopyState(bench.status) { status in
                seen.withLock { $0.append(status.condition) }
            },
            now: Self.now
        )
        for fault in [nil, nil, .silent, .status(500), .silent, nil] as [FakeLeader.Fault?] {
            bench.leader.fault = fault
            do {
                _ = try await follower.step()
            } catch is LeaderSilence {
                // Expected: the state has it.
            }
        }
        let silent = CopyStatus.Condition.cutOff(reason: "the connection was refused")
        #expect(seen.withLock { $0 } == [.following, silent, .following])
    }

    @Test("a sandbox that was begun anew is another one", arguments: [true, false])
    func otherGenesis(isLonger: Bool) async throws {
        let bench = try await Bench()
        try await bench.pay(1)
        _ = try await bench.follower.step()
        let anew = try await Bench()
        var choices = SandboxSettings.Choices()
        choices.seed = 2
        choices.orders = 2
        let other = try FakeLeader(
            SandboxSettings(choices, now: Self.start),
            now: Self.now
        )
        let blocks = isLonger ? 3 : 0
        for _ in 0..<blocks { try await other.chain.mine() }
        let state = CopyState(bench.status)
        let follower = ChainFollower(
            chain: bench.chain,
            leader: other,
            name: "",
            state: state,
            now: Self.now
        )
        await #expect(throws: CopyRefusal.self) { try await follower.step() }
        #expect(state.value.stop?.contains("The sandbox began otherwise") == true)
        #expect(await anew.chain.genesisHash == bench.chain.genesisHash)
    }

    @Test(
        "a description that is none, or out of every range, is silence and no trap",
        arguments: [
            "", "{", "[]", "{}", #"{"settings":{},"genesis":"0x"}"#,
            #"{"settings":{"seed":"1","start":60,"orders":50001,"protocolFee":0},"genesis":"0x00"}"#,
        ]
    )
    func nonsense(text: String) async throws {
        let bench = try await Bench()
        bench.leader.fault = .body(Array(text.utf8))
        await #expect(throws: LeaderSilence.self) {
            try await CopyOrigin.fetch(from: bench.leader)
        }
        bench.leader.fault = .body([UInt8](repeating: 0x20, count: 65 << 10))
        await #expect(throws: LeaderSilence.self) {
            try await CopyOrigin.fetch(from: bench.leader)
        }
    }

    @Test("followers are listed, the one that lags most first, and at most 64 of them")
    func table() {
        let table = FollowerTable()
        table.note(address: "10.0.0.2", copy: "0123456789abcdef", block: 7, at: 100)
        table.note(address: "10.0.0.3", copy: "0123456789abcdef", block: 3, at: 90)
        table.note(address: "10.0.0.3", copy: "0123456789abcdef", block: 4, at: 95)
        let list = table.json(newest: 9, now: 105)
        #expect(list.arrayValue?.map { $0["address"]?.stringValue } == ["10.0.0.3", "10.0.0.2"])
        #expect(list.arrayValue?.map { $0["behind"]?.numberText } == ["5", "2"])
        #expect(list.arrayValue?.first?["silentFor"]?.numberText == "10")
        for number in 0..<200 {
            table.note(address: "10.0.1.\(number)", copy: "\u{1b}[2J", block: 9, at: 200)
        }
        let many = table.json(newest: 9, now: 200).arrayValue ?? []
        #expect(many.count == FollowerTable.maximum)
        #expect(many.allSatisfy { $0["copy"] == "" })
    }

    @Test("a copy's status comes back from its JSON")
    func status() throws {
        for condition in [
            .connecting, .following, .cutOff(reason: "x"), .stopped(reason: "Block 3 lies."),
        ] as [CopyStatus.Condition] {
            var status = CopyStatus(block: 5, timestamp: 77)
            status.condition = condition
            status.leaderBlock = 9
            status.answered = 90
            #expect(CopyStatus(status.json(now: 100), now: 100) == status)
            #expect(status.behind == 4)
        }
        #expect(CopyStatus([:], now: 1) == nil)
    }
}
