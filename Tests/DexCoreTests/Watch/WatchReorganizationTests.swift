import DexCore
import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What a reorganization takes back is told once, and what comes back is nothing new")
struct WatchReorganizationTests {
    let stage: WatchStage

    init() throws {
        stage = try WatchStage()
        stage.fund(TestMarket.units("1000"))
    }

    /// A transfer that came in with a transaction.
    private func pay(_ transaction: UInt64, in block: UInt64, fork: UInt64 = 0, index: UInt64 = 0) {
        stage.mine(
            block,
            fork: fork,
            transaction: transaction,
            firstIndex: index,
            [stage.transfer(from: stage.other, to: stage.account, UInt256(transaction))]
        )
    }

    private func rewinds() -> [UInt64] {
        stage.statuses.compactMap { if case .rewound(let to) = $0 { to } else { nil } }
    }

    @Test("out of the chain it is undone, in it again it is restored, each told once")
    func undone() async throws {
        try await stage.look()
        pay(1, in: 101)
        #expect(try await stage.look().map(\.word) == ["received"])
        for number: UInt64 in 101...102 { stage.mine(number, fork: 1) }

        let undone = try await stage.look()
        #expect(undone.map(\.word) == ["undone received"])
        // The block that it was in.
        #expect(undone.first?.event.place.block.hash == TestMarket.blockHash(101))
        #expect(rewinds() == [100])
        stage.mine(103, fork: 1)
        #expect(try await stage.look().isEmpty)

        pay(1, in: 104, fork: 1, index: 9)
        let restored = try await stage.look()
        #expect(restored.map(\.word) == ["restored received"])
        #expect(restored.first?.event.place.block.number == 104)
        #expect(restored.first?.event.place.logIndex == 9)
        stage.mine(105, fork: 1)
        #expect(try await stage.look().isEmpty)

        // And out again.
        for number: UInt64 in 104...106 { stage.mine(number, fork: 2) }
        #expect(try await stage.look().map(\.word) == ["undone received"])
        #expect(Set(stage.sink.notices.map(\.message.id)).count == 4)
    }

    @Test("what is in another block of the new branch is not told at all")
    func moved() async throws {
        try await stage.look()
        pay(1, in: 101)
        pay(2, in: 102)
        #expect(try await stage.look().count == 2)
        stage.mine(101, fork: 1)
        pay(2, in: 102, fork: 1, index: 3)
        pay(1, in: 103, fork: 1, index: 4)
        #expect(try await stage.look().isEmpty)
        // It is known where they are now: taking that branch out undoes them.
        for number: UInt64 in 102...104 { stage.mine(number, fork: 2) }
        #expect(try await stage.look().map(\.word) == ["undone received", "undone received"])
    }

    @Test("what is filled by another amount in the new branch is another event")
    func differs() async throws {
        let order = try await stage.own()
        try await stage.look()
        func fill(_ fork: UInt64, _ amount: UInt256) {
            stage.mine(
                101,
                fork: fork,
                transaction: 1,
                [stage.market.fillLog(order, taker: stage.other, filling: amount)]
            )
        }
        fill(0, TestMarket.units("0.5"))
        #expect(try await stage.look().map(\.word) == ["fill"])
        fill(1, TestMarket.units("0.2"))
        stage.mine(102, fork: 1)
        let reported = try await stage.look()
        #expect(reported.map(\.word) == ["undone fill", "fill"])
        #expect(
            reported.map { $0.other?.raw } == [TestMarket.units("0.5"), TestMarket.units("0.2")]
        )
    }

    @Test("a branch deeper than all that is remembered is read from further back")
    func deep() async throws {
        pay(1, in: 99)
        try await stage.look(from: .block(90))
        #expect(stage.sink.notices.map(\.word) == ["received"])
        for number: UInt64 in 0...101 { stage.mine(number, fork: 1) }
        pay(2, in: 95, fork: 1)
        #expect(try await stage.look().map(\.word) == ["undone received", "received"])
        // Before the first block that is watched nothing is told.
        #expect(rewinds() == [90])
    }

    @Test("the newest block that both branches have is found among those remembered")
    func fork() async throws {
        try await stage.look()
        for number: UInt64 in 101...110 {
            stage.mine(number)
            try await stage.look()
        }
        for number: UInt64 in 108...111 { stage.mine(number, fork: 1) }
        try await stage.look()
        #expect(rewinds() == [107])
        let cursor = try stage.store.journal.watchCursor(
            WatchTarget(chainID: 1337, exchange: TestMarket.exchange, account: stage.account)
        )
        #expect(cursor?.recent.map(\.number) == Array(100...107) + [111])
        #expect(cursor?.next == 112)
    }

    @Test("a node that is behind undoes nothing, and says so once")
    func behind() async throws {
        try await stage.look()
        pay(1, in: 101)
        try await stage.look()
        stage.cut(above: 100)
        let stage = stage
        stage.market.clock.onSleep { number in
            if number == 1 { stage.mine(101) }
            if number == 3 { throw CancellationError() }
        }
        try await stage.model().follow(stage.account, from: .journal)
        #expect(stage.sink.notices.map(\.word) == ["received"])
        let reported = stage.statuses.filter { if case .nodeBehind = $0 { true } else { false } }
        #expect(reported == [.nodeBehind(latest: 100, read: 101)])
        #expect(rewinds().isEmpty)
    }

    @Test("a shorter branch is seen by its blocks, and what it lacks is undone")
    func shorter() async throws {
        try await stage.look()
        stage.mine(101)
        try await stage.look()
        pay(1, in: 102)
        pay(2, in: 103)
        #expect(try await stage.look().count == 2)
        stage.cut(above: 100)
        stage.mine(101, fork: 1)
        stage.mine(102, fork: 1)
        #expect(try await stage.look().map(\.word) == ["undone received", "undone received"])
        #expect(rewinds() == [100])
    }

    @Test("logs that a node does not have yet are found later")
    func late() async throws {
        try await stage.look()
        pay(1, in: 101)
        stage.hide([101])
        #expect(try await stage.look().isEmpty)
        stage.mine(102)
        #expect(try await stage.look().isEmpty)
        stage.hide([])
        stage.mine(103)
        #expect(try await stage.look().map(\.word) == ["received"])
    }

    @Test("logs that are missing in the same block undo nothing")
    func incomplete() async throws {
        try await stage.look()
        pay(1, in: 101)
        try await stage.look()
        stage.mine(102)
        stage.hide([101])
        let error = await #expect(throws: DexError.self) { try await stage.look() }
        #expect(error?.code == "logs-incomplete")
        #expect(error?.retryable == true)
        stage.hide([])
        #expect(try await stage.look().isEmpty)
    }

    @Test("a chain that changes while it is read is read again")
    func changes() async throws {
        try await stage.look()
        pay(1, in: 101)
        let stage = stage
        let asked = Recorder()
        stage.market.chain.set { chain in
            let logs = chain.logs
            chain.logs = { filter in
                let answer = logs?(filter) ?? .success([])
                asked.append(1)
                // Behind the four filters of the first reading.
                if asked.values.count == 4 {
                    for number: UInt64 in 101...102 { stage.mine(number, fork: 1) }
                }
                return answer
            }
        }
        #expect(try await stage.look().isEmpty)
        #expect(asked.values.count == 8)
        #expect(stage.market.clock.sleeps.count == 1)
    }
}
