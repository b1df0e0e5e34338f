import DexCore
import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What is paid in ether is told, each payment once")
struct WatchEtherTests {
    private let ether: EtherStage
    private var stage: WatchStage { ether.stage }

    init() throws {
        ether = try EtherStage()
    }

    private func words(_ notices: [WatchNotice]) -> [String] {
        notices.map { "\($0.word) \($0.event.amount)" }
    }

    @Test("what comes in and goes out, with whom; gas and what fails are not told")
    func payments() async throws {
        try await stage.look()
        ether.mine(101, [ether.incoming(1, 7), ether.outgoing(2, 5, to: ether.other)])
        var failed = ether.incoming(3, 9)
        failed.succeeds = false
        var refused = ether.outgoing(4, 9, to: ether.other)
        refused.succeeds = false
        ether.mine(102, [failed, refused, ether.outgoing(5, 0, to: ether.other)])
        ether.mine(103, [ether.outgoing(6, 4, to: ether.account), ether.outgoing(7, 3, to: nil)])
        ether.mine(
            104,
            [EtherStage.Payment(number: 8, from: ether.other, to: ether.other, value: 1)]
        )
        let reported = try await stage.look()
        #expect(words(reported) == ["received 7", "sent 5", "sent 4", "sent 3"])
        #expect(
            reported.allSatisfy { $0.currency == .coin(.ether) && $0.event.place.logIndex == nil }
        )
        #expect(
            reported.map(\.event.counterparty) == [ether.other, ether.other, ether.account, nil]
        )
        #expect(reported.map(\.event.transaction) == [1, 2, 6, 7].map { WatchStage.hash($0) })
        #expect(
            reported.map { $0.event.place.time }
                == [101, 101, 103, 103].map { TestMarket.now + $0 }
        )
        // Another look, another process, all from the beginning.
        ether.mine(105)
        #expect(try await stage.look().isEmpty)
        #expect(try await stage.look(from: .block(0)).isEmpty)
        // Blocks in which nothing of the account changed are not read.
        #expect(Set(ether.wholeBlocks) == [101, 102, 103])
    }

    @Test("what is wrapped is not sent, and what is unwrapped is not received")
    func wraps() async throws {
        try await stage.look()
        ether.mine(
            101,
            [ether.outgoing(1, 5, to: TestMarket.weth)],
            logs: [stage.wrap(ERC20.depositTopic, 5)]
        )
        ether.mine(
            102,
            [ether.outgoing(2, 0, to: TestMarket.weth)],
            logs: [stage.wrap(ERC20.withdrawalTopic, 3)],
            got: 3
        )
        // A contract's account wraps without a transaction of its own.
        ether.mine(103, logs: [stage.wrap(ERC20.depositTopic, 5)], gave: 5)
        #expect(
            words(try await stage.look()) == ["wrapped 5", "unwrapped 3", "wrapped 5"]
        )
    }

    @Test("what a contract pays is told without its transaction, by the balance to the wei")
    func contracts() async throws {
        try await stage.look()
        ether.mine(101, got: 11)
        ether.mine(102, [ether.incoming(1, 7), ether.outgoing(2, 5, to: ether.other)], got: 13)
        // A contract's account pays without using a nonce.
        ether.mine(103, gave: 2)
        let reported = try await stage.look()
        #expect(
            words(reported) == ["received 11", "received 7", "sent 5", "received 13", "sent 2"]
        )
        #expect(reported.map { $0.event.transaction == nil } == [true, false, false, true, true])
        #expect(
            reported.filter { $0.event.transaction == nil }.allSatisfy {
                $0.event.counterparty == nil && $0.currency == .coin(.ether)
            }
        )
        ether.mine(104)
        #expect(try await stage.look().isEmpty)
    }

    @Test("where gas may have cost more than is told, no difference is taken for a payment")
    func unknownGas() async throws {
        try await stage.look()
        var silent = ether.outgoing(1, 0, to: ether.other)
        silent.price = nil
        ether.mine(101, [silent], got: 500_000)
        // A chain that charges for data beside the gas.
        ether.mine(102, [ether.outgoing(2, 0, to: ether.other)], gave: 99)
        #expect(try await stage.look().isEmpty)
    }

    @Test("a reorganization takes payments out and brings them back; a contract's is another one")
    func reorganizations() async throws {
        try await stage.look()
        ether.mine(101, [ether.incoming(1, 7)])
        ether.mine(102, got: 11)
        #expect(words(try await stage.look()) == ["received 7", "received 11"])
        ether.forget(from: 101)
        for number: UInt64 in 101...103 { stage.mine(number, fork: 1) }
        #expect(words(try await stage.look()) == ["undone received 7", "undone received 11"])
        ether.mine(104, fork: 1, [ether.incoming(1, 7)], got: 11)
        #expect(words(try await stage.look()) == ["restored received 7", "received 11"])
        // Moved: the transaction is the same one.
        ether.forget(from: 104)
        stage.mine(104, fork: 2)
        ether.mine(105, fork: 2, [ether.incoming(1, 7)])
        #expect(words(try await stage.look()) == ["undone received 11"])
        ether.mine(106, fork: 2)
        #expect(try await stage.look().isEmpty)
    }

    @Test("in thousands of blocks a few are read, found in few requests")
    func searches() async throws {
        for number: UInt64 in 101...6_000 { stage.mine(number) }
        ether.mine(150, [ether.incoming(1, 7)])
        ether.mine(3_000, [ether.outgoing(2, 5, to: ether.other)])
        ether.mine(3_001, [ether.incoming(3, 9)])
        // Out and in again by the same: only the nonce tells.
        ether.mine(
            5_900,
            [ether.outgoing(4, 42_000, to: ether.other)],
            got: 42_000 + EtherStage.gas * 2
        )
        let before = stage.market.chain.rounds.count
        let reported = try await stage.look(from: .block(1))
        #expect(
            words(reported) == [
                "received 7", "sent 5", "received 9", "sent 42000", "received 84000",
            ]
        )
        #expect(ether.wholeBlocks == [150, 3_000, 3_001, 5_900])
        let rounds = stage.market.chain.rounds[before...]
        // Head, orders, logs and blocks; both ends and four cuts; whole blocks and receipts.
        #expect(rounds.count <= 13)
        let questions = rounds.joined().count { read in
            if case .balance = read { true } else { false }
        }
        #expect(questions <= 2 + 4 * 4 * 15)
    }

    @Test("a node without the state of old blocks is told of, and what it has is told")
    func pruned() async throws {
        for number: UInt64 in 101...600 { stage.mine(number) }
        ether.mine(200, [ether.incoming(1, 7)])
        ether.mine(590, [ether.incoming(2, 9)])
        let stage = stage
        let isPruned = Recorder()
        stage.market.chain.set { chain in
            let holdings = chain.holdings
            chain.holdings = { owner, block in
                guard isPruned.values.isEmpty || block > 470 else {
                    return .failure(.rpc(code: -32_000, message: "missing trie node"))
                }
                return holdings?(owner, block) ?? .failure(.nonsense("none"))
            }
        }
        #expect(words(try await stage.look(from: .block(580))) == ["received 9"])
        isPruned.append(1)
        // What was told before is not undone.
        #expect(try await stage.look(from: .block(1)).isEmpty)
        let unavailable = stage.statuses.compactMap { status -> UInt64? in
            if case .etherPaymentsUnavailable(let block, let reason) = status {
                #expect(reason.contains("missing trie node"))
                return block
            }
            return nil
        }
        #expect(unavailable == [1])
        #expect(stage.statuses.contains(.etherReported(from: 474)))
        stage.mine(601)
        #expect(try await stage.look().isEmpty)
    }

    @Test("what one node did not tell another one tells from there on")
    func unavailable() async throws {
        ether.mine(101, [ether.incoming(1, 7)])
        let stage = stage
        let isAnother = Recorder()
        stage.market.chain.set { chain in
            let holdings = chain.holdings
            chain.holdings = { owner, block in
                guard block != 100 || !isAnother.values.isEmpty else {
                    return .failure(.rpc(code: -32_000, message: "missing trie node"))
                }
                return holdings?(owner, block) ?? .failure(.nonsense("none"))
            }
        }
        #expect(try await stage.look(from: .block(101)).isEmpty)
        isAnother.append(1)
        #expect(words(try await stage.look(from: .block(101))) == ["received 7"])
    }

    @Test("a block whose receipts cannot be read is told of by itself")
    func oldReceipts() async throws {
        try await stage.look()
        ether.mine(101, [ether.incoming(1, 7)])
        ether.mine(102, [ether.incoming(2, 9)])
        let stage = stage
        stage.market.chain.set { chain in
            let second = chain.receipts[WatchStage.hash(2)] ?? nil
            chain.onRound = { _, reads in
                guard reads.contains(.receipt(WatchStage.hash(1))) else { return nil }
                return .answers(
                    reads.map { read in
                        read == .receipt(WatchStage.hash(2))
                            ? .success(.receipt(second))
                            : .failure(.nonsense("the receipt has no status"))
                    }
                )
            }
        }
        #expect(words(try await stage.look()) == ["received 9"])
        #expect(
            stage.statuses.suffix(2) == [
                .etherPaymentsUnavailable(
                    from: 101,
                    reason: "The node's answer makes no sense: the receipt has no status."
                ),
                .etherReported(from: 102),
            ]
        )
    }

    @Test("a node that goes away in the middle of it has told nothing")
    func gone() async throws {
        try await stage.look()
        ether.mine(101, [ether.incoming(1, 7)])
        let stage = stage
        stage.market.chain.set { chain in
            chain.onRound = { _, reads in
                reads.contains { if case .fullBlock = $0 { true } else { false } }
                    ? .failure(.unreachable(url: "http://node.example", reason: "gone")) : nil
            }
        }
        let error = await #expect(throws: DexError.self) { try await stage.look() }
        #expect(error?.code == "node-unreachable")
        stage.market.chain.set { $0.onRound = nil }
        #expect(words(try await stage.look()) == ["received 7"])
    }
}
