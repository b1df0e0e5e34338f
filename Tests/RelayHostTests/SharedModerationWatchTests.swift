import DexRelay
import Ethereum
import Logging
import Synchronization
import Testing
import ZeroEx

@testable import RelayHost

/// What a running instance takes of decisions that stand in the store of all.
@Suite struct SharedModerationWatchTests {
    /// A store whose answers are a list.
    private final class Store: SharedModeration {
        let answers: Mutex<[[ModerationDecision]?]>
        let stream: AsyncStream<Void>
        let sender: AsyncStream<Void>.Continuation

        init(_ answers: [[ModerationDecision]?]) {
            self.answers = Mutex(answers.reversed())
            (stream, sender) = AsyncStream.makeStream(of: Void.self)
        }

        func decisions() async throws(OrderStoreError) -> [ModerationDecision] {
            let next = answers.withLock { $0.popLast() ?? nil }
            guard let next else { throw .unavailable(reason: "it is away") }
            return next
        }

        func decide(
            _ action: Moderation.Action,
            _ subject: Moderation.Subject,
            reason: String?
        ) async throws(OrderStoreError) -> ModerationDecision {
            ModerationDecision(time: 0, action: action, subject: subject, reason: reason)
        }

        func takeOver(_ decisions: [ModerationDecision]) async throws(OrderStoreError) -> Int { 0 }

        func operatorWakeUps() -> AsyncStream<Void> { stream }
    }

    private static func hide(_ maker: UInt64) -> ModerationDecision {
        ModerationDecision(
            time: 1_700_000_000 + maker,
            action: .hide,
            subject: .maker(Address(truncating: UInt256(maker).word)),
            reason: nil
        )
    }

    @Test("news are applied once; while the store is away the decisions stay, and it says so once")
    func applies() async throws {
        let (one, two) = ([Self.hide(1)], [Self.hide(1), Self.hide(2)])
        let store = Store([[], one, one, nil, nil, two])
        let lines = Mutex<[String]>([])
        let sleeps = Mutex(0)
        let applied = Mutex(0)
        let watch = SharedModerationWatch(
            moderation: store,
            live: [:],
            log: RelayLog(form: .text, level: .info, milliseconds: { 0 }) { line in
                lines.withLock { $0.append(line) }
            },
            sleep: { _ in sleeps.withLock { $0 += 1 } }
        )
        for _ in 0..<4 { store.sender.yield() }
        store.sender.finish()
        await watch.run { applied.withLock { $0 += 1 } }
        #expect(applied.withLock { $0 } == 3)
        #expect(sleeps.withLock { $0 } == 2)
        #expect(lines.withLock { $0.count { $0.contains("stay as they are") } } == 1)
        #expect(lines.withLock { $0.count { $0.contains("about orders were read: 2.") } } == 1)
    }

    @Test("the wait for a store that is away ends with the relay")
    func ends() async {
        let store = Store([])
        let watch = SharedModerationWatch(
            moderation: store,
            live: [:],
            log: RelayLog(form: .text, level: .critical, milliseconds: { 0 }, write: { _ in }),
            sleep: { _ in throw CancellationError() }
        )
        store.sender.yield()
        await watch.run { Issue.record("nothing was read") }
    }
}
