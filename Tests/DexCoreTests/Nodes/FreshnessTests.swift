import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Nodes of which each can be asked alone, as `JSONRPCChainClient` has them.
private final class FakeNodes: NodeChoice {
    let nodes: [FakeChain]
    private let first = Mutex(0)

    init(_ nodes: [FakeChain]) {
        self.nodes = nodes
    }

    var preferred: Int { first.withLock { $0 } }
    var nodeCount: Int { nodes.count }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        try await nodes[preferred].read(reads)
    }

    func read(
        _ reads: [ChainRead],
        at node: Int
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        try await nodes[node].read(reads)
    }

    func prefer(_ node: Int) {
        first.withLock { $0 = node }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await nodes[preferred].send(raw: raw)
    }
}

/// A clock that a test sets.
private final class Clock: Sendable {
    private let seconds: Mutex<UInt64>

    init(_ now: UInt64) {
        seconds = Mutex(now)
    }

    var now: UInt64 { seconds.withLock { $0 } }

    func set(_ now: UInt64) {
        seconds.withLock { $0 = now }
    }
}

@Suite("A node that stands still: the freshest one answers, and nothing is signed on an old state")
struct FreshnessTests {
    private static let now: UInt64 = 1_700_000_000
    private static let account = TestMarket.address("0x00000000000000000000000000000000000000a1")
    private static let day: UInt64 = 86_400

    private struct Stage {
        let nodes: FakeNodes
        let memory = FreshnessMemory()
        let clock = Clock(FreshnessTests.now)
        let client: FreshChainClient

        /// - Parameter heads: number and age in seconds of each node's latest block.
        init(_ heads: [(number: UInt64, age: Int64)], limit: UInt64? = 60, isAlone: Bool = false) {
            nodes = FakeNodes(
                heads.map { head in
                    let node = FakeChain()
                    node.set { state in
                        state.blocks[head.number] = TestMarket.block(
                            head.number,
                            timestamp: UInt64(Int64(FreshnessTests.now) - head.age)
                        )
                        // What tells one node's answers from another's.
                        state.ether[FreshnessTests.account] = Wei(UInt256(head.number))
                    }
                    return node
                }
            )
            let clock = clock
            client = FreshChainClient(
                nodes,
                nodes: isAlone ? nil : nodes,
                chainID: 1337,
                rule: FreshnessRule(limit: limit),
                now: { clock.now },
                elapsed: { clock.now * 1_000 },
                memory: memory
            )
        }

        /// The ether that the answering node says.
        func ether() async throws -> UInt64? {
            let reads: [ChainRead] = [
                .block(.latest), .balance(FreshnessTests.account, .latest),
            ]
            let answers = try await client.read(reads)
            #expect(answers.count == reads.count)
            guard case .success(.wei(let wei)) = answers[1] else { return nil }
            return wei.rawValue.uint64
        }

        var asked: [Int] { nodes.nodes.map(\.rounds.count) }
    }

    @Test("a fresh node is asked alone, up to the very second of the limit")
    func fresh() async throws {
        let stage = Stage([(100, 60), (105, 0)])
        #expect(try await stage.ether() == 100)
        #expect(stage.asked == [1, 0])
        #expect(stage.memory.stale == nil)
        stage.clock.set(Self.now + 1)
        #expect(try await stage.ether() == 105)
    }

    @Test("where it stands still the one that is furthest answers, now and from then on")
    func standing() async throws {
        let stage = Stage([(100, 86_400), (7_200, 61), (7_300, 3)])
        #expect(try await stage.ether() == 7_300)
        #expect(stage.memory.stale == nil)
        #expect(stage.nodes.preferred == 2)
        #expect(stage.asked == [2, 1, 1])
        #expect(try await stage.ether() == 7_300)
        #expect(stage.asked == [2, 1, 2])
    }

    @Test("where all stand still the furthest answers, it is noted, and they are compared at times")
    func allStanding() async throws {
        let stage = Stage([(100, 86_400), (101, 80_000)])
        #expect(try await stage.ether() == 101)
        let stale = StaleChain(block: 101, age: 80_000, limit: 60, nodes: 2)
        #expect(stage.memory.stale == stale)
        #expect(stage.asked == [2, 1])
        for _ in 0..<5 { #expect(try await stage.ether() == 101) }
        #expect(stage.asked == [2, 6])
        // One goes on.
        stage.nodes.nodes[0].set { state in
            state.blocks[200] = TestMarket.block(200, timestamp: Self.now + 9)
        }
        stage.clock.set(Self.now + 10)
        #expect(try await stage.ether() == 100)
        #expect(stage.memory.stale == nil)
    }

    @Test("one of another chain, from the future, behind, or without an answer proves nothing")
    func others() async throws {
        for index in 0..<4 {
            let heads: [(UInt64, Int64)] = [
                (200, 5), (200, -61), (99, 5), (200, 5),
            ]
            let stage = Stage([(100, 86_400), heads[index]])
            stage.nodes.nodes[1].set { state in
                if index == 0 { state.chainID = 1 }
                if index == 3 {
                    state.onRound = { _, _ in .failure(.unreachable(url: "u", reason: "down")) }
                }
            }
            #expect(try await stage.ether() == 100, "\(index)")
            #expect(stage.memory.stale?.age == Self.day, "\(index)")
            #expect(stage.nodes.preferred == 0)
        }
    }

    @Test("a clock that is a little behind the node's is no reason to ask others")
    func ahead() async throws {
        let stage = Stage([(100, -1_000), (200, 0)])
        #expect(try await stage.ether() == 100)
        #expect(stage.asked == [1, 0])
        #expect(stage.memory.stale == nil)
    }

    @Test("a single node, and nodes that must agree, are held against the rule as well")
    func alone() async throws {
        let stage = Stage([(100, 61)], isAlone: true)
        #expect(try await stage.ether() == 100)
        #expect(stage.memory.stale == StaleChain(block: 100, age: 61, limit: 60, nodes: 1))
        stage.clock.set(Self.now - 1)
        #expect(try await stage.ether() == 100)
        #expect(stage.memory.stale == nil)
    }

    @Test("a sandbox makes blocks on demand, so its age says nothing")
    func sandbox() async throws {
        let stage = Stage([(100, 86_400), (101, 0)], limit: nil)
        #expect(try await stage.ether() == 100)
        #expect(stage.asked == [1, 0])
        #expect(stage.memory.stale == nil)
        for network in try NetworkCatalog.bundled() {
            #expect((network.freshnessRule.limit == nil) == network.isSandbox)
        }
    }

    @Test("reads without the latest block change nothing that was noted")
    func otherReads() async throws {
        let stage = Stage([(100, 86_400)], isAlone: true)
        _ = try await stage.ether()
        _ = try await stage.client.read([.balance(Self.account, .latest)])
        #expect(stage.memory.stale != nil)
        stage.nodes.nodes[0].set { state in
            state.onRound = { _, _ in .answers([.success(.block(nil))]) }
        }
        _ = try await stage.client.read([.block(.latest)])
        #expect(stage.memory.stale != nil)
    }

    // MARK: Signing

    private func model(
        _ market: LiveMarket,
        _ clock: Clock,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> AllowanceModel {
        var session = try market.session(isSandbox: false)
        session.chain = FreshChainClient(
            session.chain,
            nodes: nil,
            chainID: session.network.chainID,
            rule: session.network.freshnessRule,
            now: { clock.now },
            elapsed: { 0 },
            memory: session.freshness
        )
        return AllowanceModel(
            session: session,
            journal: market.journal,
            settings: market.settings(change)
        )
    }

    private static let request = AllowanceRequest(token: "ZRX", amount: .exactly("12.5"))

    private func head(_ market: LiveMarket) async throws -> UInt64 {
        try await ChainHead.read(try market.session()).timestamp
    }

    @Test("on an old state a plan is shown, and nothing is signed without the flag")
    func refused() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        let clock = Clock(try await head(market) + Self.day)
        let model = try model(market, clock)
        let planned = try await model.plan(Self.request, account: market.trader.address)
        #expect(PlanRunner(model.context).staleStop?.code == "stale-chain")
        await #expect {
            try await model.execute(planned, signer: market.signer)
        } throws: { error in
            let error = error as? DexError
            return error?.code == "stale-chain" && error?.exit == .refused
                && error?.hint?.contains("--allow-stale") == true
        }
        #expect(try market.journaled().isEmpty)
        #expect(try await market.allowance(TestMarket.zrx) == 0)
    }

    @Test("with the flag it is signed")
    func allowed() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        let clock = Clock(try await head(market) + Self.day)
        let model = try model(market, clock) { $0.allowsStaleChain = true }
        let planned = try await model.plan(Self.request, account: market.trader.address)
        #expect(PlanRunner(model.context).staleStop == nil)
        let outcome = try await model.execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(try await market.allowance(TestMarket.zrx) == TestMarket.units("12.5"))
    }

    @Test("a state that is read again before the signature counts, not that of the plan")
    func later() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        let time = try await head(market)
        let clock = Clock(time)
        let model = try model(market, clock)
        let planned = try await model.plan(Self.request, account: market.trader.address)
        #expect(PlanRunner(model.context).staleStop == nil)
        // The user takes a day to answer, and the chain has stood still meanwhile.
        clock.set(time + Self.day)
        await #expect {
            try await model.execute(planned, signer: market.signer)
        } throws: { error in
            (error as? DexError)?.code == "stale-chain"
        }
        #expect(try market.journaled().isEmpty)
        // A plan on an old state may be carried out once the state is fresh.
        let old = try await model.plan(Self.request, account: market.trader.address)
        #expect(PlanRunner(model.context).staleStop != nil)
        clock.set(time)
        _ = try await model.plan(Self.request, account: market.trader.address)
        #expect(try await model.execute(old, signer: market.signer).exit == .done)
    }

    @Test("the mark says the block, its age, and what may be wrong")
    func words() {
        let one = StaleChain(block: 7, age: 86_400, limit: 60, nodes: 1)
        #expect(
            one.warning
                == "The node's latest block, 7, is 1 d old, and more than 1 m is too old on this "
                + "network: what is shown is as of then. The node or the chain stands still, or this "
                + "machine's clock is wrong."
        )
        let many = StaleChain(block: 7, age: 61, limit: 60, nodes: 3)
        #expect(
            many.warning.hasPrefix("The latest block that any of 3 nodes has, 7, is 1 m 1 s old")
        )
    }
}
