import DexStore
import Ethereum
import Synchronization
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Several accounts are watched at once, and one's failure does not stop the others")
struct WatchAccountsTests {
    private let stage: WatchStage
    private let statuses = Statuses()

    /// What was told of watching, and of whom.
    private final class Statuses: Sendable {
        private let state = Mutex<[(Address, WatchStatus)]>([])

        var all: [(Address, WatchStatus)] { state.withLock { $0 } }

        func note(_ account: Address, _ status: WatchStatus) {
            state.withLock { $0.append((account, status)) }
        }
    }

    init() throws {
        stage = try WatchStage()
        stage.market.chain.set { [stage] chain in
            chain.ether[stage.other] = .zero
            chain.minedNonces[stage.other] = 0
        }
    }

    private static let busy = InputError.badTime("Text")

    private func watch(
        refusing: @escaping @Sendable (Address) -> Bool = { _ in false }
    ) throws -> WatchAccounts {
        let members = try [stage.account, stage.other].map { account in
            WatchAccounts.Member(
                account: account,
                model: WatchModel(
                    session: try stage.market.session(),
                    journal: stage.store.journal,
                    settings: WatchSettings(interval: 1_000),
                    sinks: [stage.sink],
                    accountName: account == stage.other ? "other" : "trader",
                    tell: { _ in }
                ),
                claim: { () throws(DexError) in
                    if refusing(account) { throw Self.busy }
                    return .own(account)
                },
                tell: { status in
                    statuses.note(account, status)
                }
            )
        }
        return WatchAccounts(members, environment: stage.market.clock.environment)
    }

    private func pay(_ amount: UInt64, in block: UInt64) {
        stage.mine(
            block,
            transaction: amount,
            [stage.transfer(from: stage.other, to: stage.account, UInt256(amount))]
        )
    }

    private func words(_ account: Address) -> [String] {
        stage.sink.notices.filter { $0.account == account }.map(\.word)
    }

    @Test("each gets what is its own, under its name")
    func both() async throws {
        #expect(try await watch().once(from: .journal) == [])
        pay(1, in: 101)
        #expect(try await watch().once(from: .journal) == [])
        #expect(words(stage.account) == ["received"] && words(stage.other) == ["sent"])
        #expect(Set(stage.sink.notices.map(\.accountName)) == ["trader", "other"])
    }

    @Test("checked once, the others are reported and the failure is its exit")
    func onceFailing() async throws {
        #expect(try await watch().once(from: .journal) == [])
        pay(1, in: 101)
        let other = stage.other
        await #expect(throws: DexError.self) {
            do {
                _ = try await watch { $0 == other }.once(from: .journal)
            } catch let error as DexError {
                #expect(error.code == Self.busy.code && error.message.contains("1 of 2 accounts"))
                throw error
            }
        }
        #expect(words(stage.account) == ["received"] && words(stage.other).isEmpty)
        let reported = statuses.all
        #expect(reported.map(\.0) == [other] && reported.map(\.1) == [.unchecked(Self.busy)])
        // What it missed is reported once it can be checked.
        #expect(try await watch().once(from: .journal) == [])
        #expect(words(stage.other) == ["sent"])
    }

    @Test("followed, a failed account is reported once, tried again, and goes on where it stopped")
    func followFailing() async throws {
        #expect(try await watch().once(from: .journal) == [])
        pay(1, in: 101)
        let refusals = Mutex(3)
        let other = stage.other
        let stage = stage
        // Both follow until both were told; how often either sleeps before is up to the scheduler.
        stage.market.clock.onSleep { _ in
            let reported = Set(stage.sink.notices.map(\.account))
            let retries = stage.market.clock.sleeps.count { $0 >= 5_000 }
            if reported.count == 2 || retries > 10 { throw CancellationError() }
        }
        try await watch { account in
            account == other
                && refusals.withLock { left in
                    left -= 1
                    return left >= 0
                }
        }.follow(from: .journal)
        #expect(words(stage.account) == ["received"] && words(other) == ["sent"])
        let reported = statuses.all
        #expect(reported.map(\.0) == [other] && reported.map(\.1) == [.failing(Self.busy)])
    }

    @Test("where no account can be watched it ends with the first one's error")
    func hopeless() async throws {
        stage.market.clock.onSleep { number in
            if number > 200 { throw CancellationError() }
        }
        await #expect(throws: Self.busy) {
            try await watch { _ in true }.follow(from: .journal)
        }
        await #expect(throws: DexError.self) {
            _ = try await watch { _ in true }.once(from: .journal)
        }
    }

    @Test("kinds that are not asked for are recorded, and never reported later")
    func kinds() async throws {
        var settings = WatchSettings()
        settings.kinds = [.received]
        try await stage.look(settings)
        pay(1, in: 101)
        stage.mine(
            102,
            transaction: 2,
            [stage.transfer(from: stage.account, to: stage.other, 2)]
        )
        #expect(try await stage.look(settings).map(\.word) == ["received"])
        #expect(try await stage.look().isEmpty)
        settings.kinds = [.sent]
        #expect(try await stage.look(from: .block(0), settings).isEmpty)
    }
}
