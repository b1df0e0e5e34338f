import DexStore
import Ethereum
import Synchronization
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Who only reads shows what a running watch reports, and changes nothing")
struct WatchReaderTests {
    private let stage: WatchStage
    private let shown = RecordingSink("terminal")

    init() throws {
        stage = try WatchStage()
    }

    private var journal: Journal { stage.store.journal }

    private func subject() throws -> WatchTarget {
        let network = try stage.market.session().network
        return WatchTarget(
            chainID: network.chainID,
            exchange: network.exchange,
            account: stage.account
        )
    }

    /// What the running watch does: notes an event of a block, with a message for its terminal.
    private func note(_ kind: WatchEvent.Kind = .received, in number: UInt64) throws {
        stage.mine(number)
        let subject = try subject()
        var cursor = try #require(try journal.watchCursor(subject))
        cursor.next = number + 1
        let block = WatchedBlock(number: number, hash: TestMarket.blockHash(number))
        let event = subject.event(
            kind,
            in: WatchStage.hash(number),
            token: TestMarket.zrx,
            amount: UInt256(number),
            counterparty: stage.other,
            ordinal: 0,
            place: WatchEvent.Place(block: block, logIndex: 0, time: TestMarket.now)
        )
        let step = WatchStep(
            subject: subject,
            cursor: cursor,
            changes: [.new(event)],
            sinks: ["terminal"],
            now: TestMarket.now
        )
        #expect(try journal.record(step))
    }

    /// Reads until the given look; `act` runs before each further one.
    private func read(
        _ settings: WatchSettings = WatchSettings(interval: 1_000),
        looks: Int,
        _ act: @escaping @Sendable (Int) throws -> Void
    ) async throws {
        // Follows as `dex watch` does: the claim says that another one runs.
        let model = try stage.model(settings, sinks: [shown])
        let watch = WatchAccounts(
            [
                WatchAccounts.Member(
                    account: stage.account,
                    model: model,
                    claim: { () throws(DexError) in .attached },
                    tell: { _ in }
                )
            ],
            environment: stage.market.clock.environment
        )
        stage.market.clock.onSleep { number in
            if number >= looks { throw CancellationError() }
            try act(number)
        }
        try await watch.follow(from: .journal)
    }

    @Test("it shows new messages once, from where it began, and marks none as delivered")
    func shows() async throws {
        try await stage.look()
        try note(in: 101)
        let subject = try subject()
        try await read(looks: 5) { number in
            if number == 1 { try note(in: 102) }
        }
        #expect(shown.notices.map(\.event.amount) == [102])
        #expect(shown.notices.first?.currency.symbol == "ZRX")
        #expect(stage.statuses.filter { $0 == .attached(next: 102) }.count == 1)
        let pending = try journal.pendingMessages(subject, sink: "terminal", limit: 9)
        #expect(pending.map(\.attempts) == [0, 0])
        #expect(try journal.watchCursor(subject)?.next == 103)
    }

    @Test("its own kinds are its own choice")
    func kinds() async throws {
        try await stage.look()
        var settings = WatchSettings(interval: 1_000)
        settings.kinds = [.sent]
        try await read(settings, looks: 4) { number in
            if number == 1 { try note(in: 101) }
            if number == 2 { try note(.sent, in: 102) }
        }
        #expect(shown.notices.map(\.word) == ["sent"])
    }

    @Test("that nobody reads on is said once after a minute, and that somebody does again")
    func unread() async throws {
        try await stage.look()
        let stage = stage
        try await read(looks: 200) { number in
            if number == 1 { stage.mine(101) }
            if number == 150 { try note(in: 101) }
        }
        let reported = stage.statuses.filter { status in
            switch status {
            case .attached, .unread: true
            default: false
            }
        }
        #expect(reported == [.attached(next: 101), .unread(from: 101), .attached(next: 102)])
        #expect(shown.notices.map(\.word) == ["received"])
    }

    @Test("a node that does not answer is said once, and what is noted is shown all the same")
    func nodeAway() async throws {
        try await stage.look()
        let stage = stage
        try await read(looks: 8) { number in
            if number == 1 {
                stage.market.chain.set { chain in
                    chain.onRound = { _, _ in .failure(.unreachable(url: "u", reason: "away")) }
                }
            }
            if number == 3 { try note(in: 101) }
            if number == 6 { stage.market.chain.set { $0.onRound = nil } }
        }
        #expect(shown.notices.map(\.word) == ["received"])
        let failing = stage.statuses.count { if case .failing = $0 { true } else { false } }
        #expect(failing == 1 && stage.statuses.contains(.recovered))
    }

    @Test("it ends where nobody reads what it prints")
    func closed() async throws {
        try await stage.look()
        shown.answer(.closed)
        let looks = Mutex(0)
        try await read(looks: 10) { number in
            looks.withLock { $0 = number }
            if number == 1 { try note(in: 101) }
        }
        #expect(looks.withLock { $0 } == 1)
    }
}
