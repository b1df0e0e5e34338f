import DexCore
import DexStore
import Ethereum
import Synchronization
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Each sink is told everything, in order, until it took it")
struct WatchDeliveryTests {
    let stage: WatchStage
    let hook = RecordingSink("webhook")

    init() throws {
        stage = try WatchStage()
    }

    private func pay(_ amount: UInt64, in block: UInt64) {
        stage.mine(
            block,
            transaction: amount,
            [stage.transfer(from: stage.other, to: stage.account, UInt256(amount))]
        )
    }

    private func once() async throws -> [String] {
        try await stage.model(sinks: [stage.sink, hook]).once(stage.account, from: .journal)
    }

    /// Watches for so many looks, a second apart, with a payment before the first of them.
    private func follow(
        _ looks: Int,
        _ action: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
        let stage = stage
        stage.market.clock.onSleep { number in
            if number + 1 == looks { throw CancellationError() }
            action(number)
        }
        try await stage.model(WatchSettings(interval: 1_000), sinks: [stage.sink, hook])
            .follow(stage.account, from: .journal)
    }

    @Test("what was noted and not told is told by the next process, whether or not a node answers")
    func restarts() async throws {
        try await stage.look()
        pay(1, in: 101)
        pay(2, in: 102)
        let down = WatchDelivery.later("It is down.")
        hook.answer(.delivered, down, down, down)
        #expect(try await once() == ["webhook"])
        #expect(stage.sink.notices.map(\.event.amount) == [1, 2])
        #expect(hook.notices.map(\.event.amount) == [1])
        #expect(hook.tries == 4)

        stage.market.chain.set { chain in
            chain.onRound = { _, _ in .failure(.unreachable(url: "u", reason: "down")) }
        }
        // Behind the wait that the last failure asks for.
        stage.market.clock.onSleep { _ in }
        for _ in 0..<10 { try await stage.market.clock.environment.sleep(1_000) }
        await #expect(throws: DexError.self) {
            try await stage.model(sinks: [stage.sink, hook]).follow(stage.account, from: .journal)
        }
        #expect(hook.notices.map(\.event.amount) == [1, 2])
        #expect(stage.sink.notices.map(\.event.amount) == [1, 2])
    }

    @Test("a sink that fails is tried after 1, 2, 4 seconds, and what comes behind waits for it")
    func backsOff() async throws {
        try await stage.look()
        pay(1, in: 101)
        pay(2, in: 102)
        let down = WatchDelivery.later("It is down.")
        hook.answer(down, down, down, down)
        let tries = Recorder()
        try await follow(18) { [hook] _ in tries.append(hook.tries) }
        // Looks a second apart: at 0, 1, 3, 7 and 15 seconds.
        #expect(tries.values == [1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 6, 6])
        #expect(hook.notices.map(\.event.amount) == [1, 2])
        #expect(stage.sink.notices.count == 2)
        #expect(
            stage.statuses.dropFirst(2) == [
                .undelivered(sink: "webhook", reason: "It is down."),
                .deliveredAgain(sink: "webhook"),
            ]
        )
    }

    @Test("a server that says when is not asked before, but within the hour")
    func waits() async throws {
        try await stage.look()
        pay(1, in: 101)
        hook.answer(.later("Too many.", after: 5), .later("Too many.", after: 999_999))
        let tries = Recorder()
        try await follow(3_610) { [hook] _ in tries.append(hook.tries) }
        #expect(Array(tries.values.prefix(6)) == [1, 1, 1, 1, 1, 2])
        #expect(tries.values.firstIndex(of: 3) == 3_605)
    }

    @Test("what is refused, or failed for a day, is given up and told; the next goes on")
    func givesUp() async throws {
        try await stage.look()
        pay(1, in: 101)
        pay(2, in: 102)
        hook.answer(.refused("It is gone."))
        #expect(try await once() == [])
        #expect(hook.notices.map(\.event.amount) == [2])
        pay(3, in: 103)
        hook.answer(.later("It is down."), .later("It is down."), .later("It is down."))
        #expect(try await once() == ["webhook"])
        pay(4, in: 104)
        stage.market.clock.onSleep { _ in }
        try await stage.market.clock.environment.sleep(86_400_000)
        hook.answer(.later("It is down."))
        #expect(try await once() == [])
        #expect(hook.notices.map(\.event.amount) == [2, 4])
        let given = stage.statuses.compactMap {
            if case .givenUp(_, _, let reason) = $0 { reason } else { nil }
        }
        #expect(given == ["It is gone.", "It is down."])
    }

    @Test("interrupted while a token's name is asked for, an event is kept for the next process")
    func interruptedName() async throws {
        try await stage.look()
        let token = stage.other
        stage.mine(
            101,
            transaction: 7,
            [stage.transfer(token, from: stage.other, to: stage.account, UInt256(7))]
        )
        let task = Mutex<Task<Void, any Error>?>(nil)
        let symbol = ChainRead.call(CallRequest(to: token, data: ERC20.symbol), .latest)
        stage.market.chain.set { chain in
            chain.onRound = { _, reads in
                guard reads.contains(symbol) else { return nil }
                task.withLock { $0?.cancel() }
                return .failure(.unreachable(url: "u", reason: "the request was cancelled"))
            }
        }
        var settings = WatchSettings(interval: 1_000)
        settings.tellsAllTokens = true
        let (model, account) = (try stage.model(settings), stage.account)
        task.withLock { held in
            held = Task { try await model.follow(account, from: .journal) }
        }
        try await task.withLock { $0 }?.value
        #expect(stage.sink.notices.isEmpty)
        // A node that does not tell the name is no reason to keep it longer.
        task.withLock { $0 = nil }
        #expect(try await stage.model(settings).once(account, from: .journal).isEmpty)
        #expect(stage.sink.notices.map(\.event.amount) == [7])
    }

    @Test("where nobody listens any more it ends, and the message is kept")
    func closed() async throws {
        try await stage.look()
        pay(1, in: 101)
        stage.sink.answer(.closed)
        try await stage.model().follow(stage.account, from: .journal)
        #expect(stage.sink.notices.isEmpty)
        #expect(stage.market.clock.sleeps.isEmpty)
        #expect(try await stage.look().map(\.word) == ["received"])
    }

    @Test("a sink that was not on when something was noted is not told of it")
    func later() async throws {
        try await stage.look()
        pay(1, in: 101)
        try await stage.look()
        pay(2, in: 102)
        #expect(try await once() == [])
        #expect(hook.notices.map(\.event.amount) == [2])
    }

    @Test("a node that fails meanwhile is told once, and asked again")
    func failing() async throws {
        try await stage.look()
        let stage = stage
        try await follow(5) { number in
            guard number < 2 else {
                stage.market.chain.set { $0.onRound = nil }
                return
            }
            stage.market.chain.set { chain in
                chain.onRound = { _, _ in .failure(.unreachable(url: "u", reason: "down")) }
            }
        }
        let reported = stage.statuses.dropFirst(2)
        #expect(reported.count == 2)
        guard case .failing(let error) = reported.first else {
            Issue.record("nothing was told: \(stage.statuses)")
            return
        }
        #expect(error.code == "node-unreachable")
        #expect(reported.last == .recovered)
    }

    @Test("a node that has not the logs of a block yet is asked again, for as long as it takes")
    func refusing() async throws {
        try await stage.look()
        let stage = stage
        let logs = Mutex<(@Sendable (LogFilter) -> Result<[Log], ChainError>)?>(nil)
        try await follow(4) { number in
            if number == 0 { pay(1, in: 101) }
            stage.market.chain.set { chain in
                let now = chain.logs
                logs.withLock { if $0 == nil { $0 = now } }
                if number == 0 {
                    chain.logs = { _ in
                        .failure(.rpc(code: -32_000, message: "beyond current head block"))
                    }
                } else {
                    chain.logs = logs.withLock { $0 }
                }
            }
        }
        #expect(stage.sink.notices.map(\.word) == ["received"])
        guard case .failing(let error) = stage.statuses.dropFirst(2).first else {
            Issue.record("nothing was told: \(stage.statuses)")
            return
        }
        #expect(error.code == "logs-refused")
        #expect(stage.statuses.last == .recovered)
    }

    @Test("another chain ends it at once, also later")
    func otherChain() async throws {
        try await stage.look()
        let stage = stage
        let error = await #expect(throws: DexError.self) {
            try await follow(5) { _ in stage.market.chain.set { $0.chainID = 5 } }
        }
        #expect(error?.code == "wrong-chain")
    }
}
