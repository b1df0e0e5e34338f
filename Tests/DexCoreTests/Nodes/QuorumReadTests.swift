import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Nodes that must agree: reads")
struct QuorumReadTests {
    private typealias Pair = NodePair

    // MARK: Agreement and its cost

    @Test("nodes that agree at one block are asked once each, at once")
    func agreement() async throws {
        let pair = Pair()
        var batch = ReadBatch()
        let chainID = batch.add(.chainID)
        let head = batch.add(.latestBlock)
        let balance = batch.add(Pair.balance)
        let ether = batch.add(.balance(Pair.account, .latest))
        let answers = try await pair.client.read(batch)
        #expect(try answers[chainID].get() == 1337)
        #expect(try answers[head].get().number == 100)
        #expect(try UInt256(bigEndian: answers[balance].get()) == 1_000)
        #expect(try answers[ether].get() == Wei(5))
        #expect(pair.rounds == [1, 1])
        // The latest block was asked for anyway.
        #expect(pair.nodes[0].rounds[0].count == 4)
    }

    @Test("both nodes are asked at once: neither waits for the other's answer")
    func concurrent() async throws {
        let meeting = Meeting(of: 2)
        let client = QuorumChainClient(
            (0..<2).map { index in
                QuorumChainClient.Member(
                    name: Pair.name(index),
                    client: MeetingNode(node: Pair().nodes[0], meeting: meeting)
                )
            },
            quorum: 2
        )
        // It returns only once both are within their read.
        #expect(try await client.read(.chainID) == 1337)
    }

    @Test("where one is a block behind, both answer once more at its block")
    func lag() async throws {
        let pair = Pair(heads: [100, 101])
        pair.nodes[1].set { state in
            // What the later block changed is not a difference.
            state.calls = [:]
            state.onCall = { _, tag in
                .success(UInt256(tag == .number(100) ? 1_000 : 900).bigEndianBytes)
            }
        }
        var batch = ReadBatch()
        let head = batch.add(.latestBlock)
        let balance = batch.add(Pair.balance)
        let answers = try await pair.client.read(batch)
        #expect(try answers[head].get() == TestMarket.block(100, timestamp: 1_200))
        #expect(try UInt256(bigEndian: answers[balance].get()) == 1_000)
        #expect(pair.rounds == [2, 2])
    }

    @Test("where the caller names the block, a node that is ahead costs nothing")
    func namedBlock() async throws {
        let pair = Pair(heads: [100, 101])
        #expect(try await pair.client.read(.balance(Pair.account, .number(100))) == Wei(5))
        #expect(pair.rounds == [1, 1])
    }

    @Test("a block that comes in the middle of one node's answer is no disagreement")
    func moving() async throws {
        let pair = Pair()
        pair.nodes[1].set { state in
            state.calls = [:]
            state.onCall = { _, tag in
                .success(UInt256(tag == .latest ? 900 : 1_000).bigEndianBytes)
            }
        }
        #expect(try UInt256(bigEndian: await pair.client.read(Pair.balance)) == 1_000)
        #expect(pair.rounds == [2, 2])
    }

    @Test("a node that is behind a named block has no answer, and is not taken for a liar")
    func behind() async throws {
        let pair = Pair(heads: [100, 99])
        let read = Read.balance(Pair.account, .number(100))
        guard case .missingBlock = await pair.error(read) else {
            Issue.record("it has to be missing")
            return
        }
        #expect(try await pair.client.read(.block(.number(100))) == nil)
    }

    // MARK: Lies

    @Test("a lie about anything that a block determines is named with both nodes")
    func lies() async throws {
        func check<Value: Sendable>(
            _ read: Read<Value>,
            _ subject: String,
            _ honest: String,
            _ lie: String,
            location: SourceLocation = #_sourceLocation,
            _ change: @Sendable (inout sending FakeChain.State) -> Void
        ) async {
            // Whichever of them lies.
            for liar in 0...1 {
                let pair = Pair()
                pair.nodes[liar].set { change(&$0) }
                let reported = await pair.disagreement(read)
                #expect(reported?.subject == subject, sourceLocation: location)
                let (first, second) = liar == 0 ? (lie, honest) : (honest, lie)
                #expect(
                    reported?.first == .init(node: "https://a.example", said: first),
                    sourceLocation: location
                )
                #expect(
                    reported?.second == .init(node: "https://b.example", said: second),
                    sourceLocation: location
                )
            }
        }
        let account = Pair.account
        let token = Pair.token
        let key = FakeChain.CallKey(to: token, data: ERC20.balanceOf(account))
        await check(.chainID, "the chain id", "1337", "5") { $0.chainID = 5 }
        await check(
            Pair.balance,
            "the balance of \(account) in the token \(token) at block 100",
            "1000",
            "2000"
        ) {
            $0.calls[key] = .success(UInt256(2_000).bigEndianBytes)
        }
        await check(
            Pair.balance,
            "the balance of \(account) in the token \(token) at block 100",
            "1000",
            "that it fails (\"revert\")"
        ) { $0.calls[key] = .failure(.reverted(data: [], message: "revert")) }
        await check(
            .balance(account, .latest),
            "the balance of \(account) at block 100",
            "5 wei",
            "6 wei"
        ) {
            $0.ether[account] = Wei(6)
        }
        await check(
            .transactionCount(account, .latest),
            "the nonce of \(account) at block 100",
            "7",
            "8"
        ) {
            $0.minedNonces[account] = 8
        }
        await check(
            .code(token, .latest),
            "the code of \(token) at block 100",
            "0x60 at byte 0 of 1",
            "nothing"
        ) { $0.code[token] = .success([]) }
        await check(
            .logs(LogFilter(fromBlock: .number(90), toBlock: .latest)),
            "the events of some blocks",
            "1 events with other contents or places",
            "0 events with other contents or places"
        ) { $0.logs = { _ in .success([]) } }
        await check(
            .latestBlock,
            "block 100",
            "\(TestMarket.blockHash(100))",
            "\(TestMarket.blockHash(100, fork: 1))"
        ) { $0.blocks[100] = TestMarket.block(100, timestamp: 1_200, fork: 1) }
        await check(
            .latestBlock,
            "block 100",
            "time 1200, base fee 1000000000, gas 0 of 30000000",
            "time 1201, base fee 1000000000, gas 0 of 30000000"
        ) { $0.blocks[100] = TestMarket.block(100, timestamp: 1_201) }
    }

    @Test("a long answer is shown from the word in which the nodes differ")
    func longAnswers() async throws {
        let pair = Pair()
        let read = Read.call(CallRequest(to: Pair.token, data: [1, 2, 3, 4]), .latest)
        for (index, node) in pair.nodes.enumerated() {
            var bytes = [UInt8](repeating: 0xaa, count: 96)
            bytes[70] = UInt8(index)
            node.answer(Pair.token, [1, 2, 3, 4], with: .success(bytes))
        }
        let reported = try #require(await pair.disagreement(read))
        #expect(
            reported.subject
                == "what \(Pair.token) returns for the function 0x01020304 at block 100"
        )
        #expect(reported.first.said.hasSuffix(" at byte 64 of 96"))
        #expect(reported.first.said != reported.second.said)
        #expect(DexError(ChainError.disagreement(reported)).message.count <= 500)
    }

    @Test("reverts agree whatever the nodes' words; what the contract returned must be the same")
    func reverts() async throws {
        let words = Pair()
        for (node, message) in zip(words.nodes, ["execution reverted", "VM Exception: revert"]) {
            node.answer(
                Pair.token,
                ERC20.balanceOf(Pair.account),
                with: .failure(.reverted(data: message.count > 18 ? [1, 2] : [], message: message))
            )
        }
        guard case .reverted(let data, _)? = await words.error(Pair.balance) else {
            Issue.record("both say that it reverts")
            return
        }
        // The node that knows what was returned is the one to read.
        #expect(data == [1, 2])
        let reasons = Pair()
        for (index, node) in reasons.nodes.enumerated() {
            node.answer(
                Pair.token,
                ERC20.balanceOf(Pair.account),
                with: .failure(.reverted(data: [UInt8(index)], message: "revert"))
            )
        }
        #expect(await reasons.disagreement(Pair.balance) != nil)
    }

    @Test("what one node does not answer is not answered")
    func unanswered() async throws {
        let pair = Pair()
        pair.nodes[1].answer(
            Pair.token,
            ERC20.balanceOf(Pair.account),
            with: .failure(.rpc(code: -32_000, message: "out of \u{1B}[31mmemory"))
        )
        guard case .rpc = await pair.error(Pair.balance) else {
            Issue.record("the other node's word alone counts for nothing")
            return
        }
    }

    // MARK: Which nodes

    @Test("a node that stands still is not the present, and both blocks are named")
    func standingStill() async throws {
        for heads: [UInt64] in [[100, 90], [90, 100]] {
            let reported = try #require(await Pair(heads: heads).disagreement(Pair.balance))
            #expect(reported.subject == "the latest block")
            #expect(reported.first.said == "block 100")
            #expect(reported.second.said == "block 90")
        }
        // Two blocks are the normal lag.
        #expect(try await Pair(heads: [100, 98]).client.read(.chainID) == 1337)
    }

    @Test("a spare takes the place of a node that fails or stands still, and keeps it")
    func spare() async throws {
        let pair = Pair(3, quorum: 2, heads: [100, 60, 100])
        #expect(try await pair.client.read(.balance(Pair.account, .latest)) == Wei(5))
        #expect(pair.rounds == [1, 1, 1])
        #expect(try await pair.client.read(.balance(Pair.account, .latest)) == Wei(5))
        #expect(pair.rounds == [2, 1, 2])
        let dead = Pair(3, quorum: 2)
        dead.nodes[0].set {
            $0.onRound = { _, _ in .failure(.unreachable(url: "u", reason: "gone")) }
        }
        #expect(try await dead.client.read(.balance(Pair.account, .latest)) == Wei(5))
        #expect(dead.rounds == [1, 1, 1])
        #expect(try await dead.client.read(.balance(Pair.account, .latest)) == Wei(5))
        // The dead one is not waited for again.
        #expect(dead.rounds == [1, 2, 2])
    }

    @Test("a spare does not outvote: two nodes that disagree end the read")
    func noMajority() async throws {
        let pair = Pair(3, quorum: 2)
        pair.nodes[0].set { $0.ether[Pair.account] = Wei(6) }
        #expect(await pair.disagreement(.balance(Pair.account, .latest)) != nil)
        #expect(pair.rounds[2] == 0)
    }

    @Test("fewer answers than must agree are no answer, and say which node failed and why")
    func tooFew() async throws {
        let pair = Pair()
        pair.nodes[1].set {
            $0.onRound = { _, _ in
                .failure(.unreachable(url: "https://b.example", reason: "connection refused"))
            }
        }
        let error = try #require(await pair.error(Pair.balance))
        #expect(
            error.description
                == "2 nodes must agree, and only 1 can be used. The node at https://b.example cannot "
                + "be reached: connection refused."
        )
        #expect(DexError(error).exit == .unreachable)
        #expect(DexError(error).code == "too-few-nodes")
        let nonsense = Pair()
        for node in nonsense.nodes {
            node.set { $0.onRound = { _, _ in .answers([]) } }
        }
        let none = try #require(await nonsense.error(Pair.balance))
        #expect(none.description.hasPrefix("2 nodes must agree, and none can be used. https://a"))
    }

    @Test("a block that one node does not have is asked for twice, then named")
    func vanished() async throws {
        let pair = Pair(heads: [100, 101])
        pair.nodes[1].set { state in
            state.blocks = state.blocks.filter { $0.key != 100 }
        }
        guard case .missingBlock(_, let message)? = await pair.error(Pair.balance) else {
            Issue.record("the node lost the block")
            return
        }
        #expect(message == "https://b.example has no block 100")
        #expect(pair.rounds == [4, 4])
    }
}

/// Lets callers on only once all of them have come.
private actor Meeting {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of count: Int) {
        self.count = count
    }

    func arrive() async {
        await withCheckedContinuation {
            waiting.append($0); letOn()
        }
    }

    private func letOn() {
        guard waiting.count == count else { return }
        for one in waiting { one.resume() }
        waiting = []
    }
}

private struct MeetingNode: ChainClient {
    let node: FakeChain
    let meeting: Meeting

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        await meeting.arrive()
        return try await node.read(reads)
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await node.send(raw: raw)
    }
}
