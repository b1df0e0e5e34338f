import DexTestSupport
import Ethereum
import Synchronization
import Testing

@testable import DexRelay

@Suite struct NextBlockTests {
    /// A chain's latest block, as a test sets it, and how often it was asked for.
    private final class Head: Sendable {
        let block = Mutex<UInt64?>(1)
        let reads = Mutex(0)

        @Sendable func latest() throws(ChainError) -> BlockHash {
            reads.withLock { $0 += 1 }
            guard let number = block.withLock({ $0 }) else {
                throw .unreachable(url: "", reason: "down")
            }
            return BlockHash(UInt256(number).word)
        }
    }

    private static let interval = Duration.milliseconds(NextBlock.interval)

    private func waiter(_ head: Head, _ clock: ManualClock) -> NextBlock {
        NextBlock(
            latest: { () async throws(ChainError) in try head.latest() },
            sleep: clock.sleep
        )
    }

    /// Moves the clock one round further once the round's question was answered.
    private func tick(_ head: Head, _ clock: ManualClock) async throws {
        try await clock.waitForSleepers(1, of: Self.interval)
        clock.advance(by: Self.interval)
    }

    @Test("all that wait go on with the next block, and one question a round serves them")
    func nextBlock() async throws {
        let (head, clock) = (Head(), ManualClock())
        let next = waiter(head, clock)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { await next.wait(milliseconds: 10_000) } }
            try await until("20 that wait for a block") { await next.count >= 20 }
            for _ in 0..<3 { try await tick(head, clock) }
            head.block.withLock { $0 = 2 }
            let before = head.reads.withLock { $0 }
            try await tick(head, clock)
            for try await result in group { #expect(result) }
            #expect(head.reads.withLock { $0 } <= before + 2)
        }
    }

    @Test("without a block it ends after the patience, also if the node fails meanwhile")
    func patience() async throws {
        let (head, clock) = (Head(), ManualClock())
        let next = waiter(head, clock)
        async let result = next.wait(milliseconds: 5 * NextBlock.interval)
        try await tick(head, clock)
        head.block.withLock { $0 = nil }
        for _ in 0..<4 { try await tick(head, clock) }
        #expect(await result)
        #expect(head.reads.withLock { $0 } == 5)
    }

    @Test("a node that does not answer does not hold them longer than some rounds")
    func stalled() async throws {
        let clock = ManualClock()
        let next = NextBlock(
            latest: { () async throws(ChainError) in
                try? await ManualClock().sleep(.seconds(1))  // until it is cancelled
                throw .unreachable(url: "", reason: "cancelled")
            },
            sleep: clock.sleep
        )
        async let result = next.wait(milliseconds: NextBlock.interval)
        try await clock.waitForSleepers(1)
        clock.advance(by: Self.interval * 5)
        try await clock.waitForSleepers(1)
        clock.advance(by: Self.interval)
        #expect(await result)
    }

    @Test("too many wait already: a further one does not")
    func bounded() async throws {
        let (head, clock) = (Head(), ManualClock())
        let next = waiter(head, clock)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<NextBlock.maximumWaiting + 1 {
                group.addTask { await next.wait(milliseconds: NextBlock.interval) }
            }
            // The one that did not wait is the first to end.
            #expect(try await group.next() == false)
            var waited = 0
            try await tick(head, clock)
            for try await result in group {
                #expect(result)
                waited += 1
            }
            #expect(waited == NextBlock.maximumWaiting)
        }
    }

    @Test("a caller that leaves waits no longer")
    func cancelled() async throws {
        let (head, clock) = (Head(), ManualClock())
        let next = waiter(head, clock)
        let task = Task { await next.wait(milliseconds: 60_000) }
        try await clock.waitForSleepers(1, of: Self.interval)
        task.cancel()
        #expect(await task.value == false)
    }
}
