import Ethereum
import EthereumWallet
import Synchronization
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Balances are shown anew at each block that changed them")
final class BalanceWatchTests: Sendable {
    private let market: TestMarket
    private let shown = Mutex<[BalanceState]>([])

    init() throws {
        market = try TestMarket()
        market.fundTrader(ether: "1", zrx: 5)
    }

    private func load() async throws(DexError) -> BalanceState {
        let session: Session
        do {
            session = try market.session()
        } catch {
            throw DexError(ChainError.nonsense("no session"))
        }
        return try await BalanceModel(session: session)
            .load(owner: market.trader.address, tokens: ["ZRX"])
    }

    /// Watches until so many states were shown.
    private func watch(until count: Int) async throws {
        try await BalanceWatch(session: try market.session()).run {
            () async throws(DexError) in
            try await load()
        } show: { state in
            shown.withLock {
                $0.append(state)
                return $0.count < count
            }
        }
    }

    private var values: [String] {
        shown.withLock { $0.compactMap(\.rows.first?.balance?.description) }
    }

    @Test("a block that changes nothing shows nothing, and one that does shows it once")
    func changes() async throws {
        let market = market
        market.clock.onSleep { number in
            // Two sleeps to a block; the third block changes the balance.
            let block = TestMarket.head + UInt64(number / 2)
            market.mine(block, timestamp: TestMarket.now + UInt64(number))
            if number == 6 { market.fundTrader(ether: "1", zrx: 9) }
        }
        try await watch(until: 2)
        #expect(values == ["5", "9"])
        #expect(shown.withLock { $0.map(\.block) } == [TestMarket.head, TestMarket.head + 3])
    }

    @Test("ether counts, and so does another block of the same number")
    func reorganized() async throws {
        let market = market
        market.clock.onSleep { number in
            guard number == 1 else { return }
            market.mine(TestMarket.head, timestamp: TestMarket.now, fork: 9)
            market.fundTrader(ether: "2", zrx: 5)
        }
        try await watch(until: 2)
        #expect(shown.withLock { $0.map(\.ether) } == ["1", "2"].map { Wei(TestMarket.units($0)) })
    }

    @Test(
        "a node that is silent for a while is waited for; before the first balance it is an error"
    )
    func failures() async throws {
        let market = market
        let isDown = Mutex(false)
        market.chain.set { state in
            state.onRound = { _, _ in
                isDown.withLock { $0 } ? .failure(.unreachable(url: "n", reason: "down")) : nil
            }
        }
        market.clock.onSleep { number in
            isDown.withLock { $0 = (1...3).contains(number) }
            guard number == 4 else { return }
            market.mine(TestMarket.head + 1, timestamp: TestMarket.now + 1)
            market.fundTrader(ether: "1", zrx: 6)
        }
        try await watch(until: 2)
        #expect(values == ["5", "6"])
        #expect(market.clock.messages.contains { $0.contains("down") })
        isDown.withLock { $0 = true }
        await #expect(throws: DexError.self) { try await watch(until: 9) }
    }

    @Test("what could not be read is read again without another block")
    func again() async throws {
        let market = market
        let sleeps = Mutex(0)
        market.clock.onSleep { number in
            sleeps.withLock { $0 = number }
            guard number == 1 else { return }
            market.mine(TestMarket.head + 1, timestamp: TestMarket.now + 1)
            market.fundTrader(ether: "1", zrx: 6)
        }
        let loads = Mutex(0)
        try await BalanceWatch(session: try market.session()).run {
            () async throws(DexError) in
            let number = loads.withLock {
                $0 += 1
                return $0
            }
            guard number != 2 else {
                throw DexError(ChainError.unreachable(url: "n", reason: "down"))
            }
            return try await load()
        } show: { state in
            shown.withLock {
                $0.append(state)
                return $0.count < 2
            }
        }
        #expect(values == ["5", "6"])
        #expect(sleeps.withLock(\.self) == 2)
    }

    @Test("on a screen every block is shown")
    func everyBlock() async throws {
        let market = market
        market.clock.onSleep { number in
            let block = TestMarket.head + UInt64(number)
            market.mine(block, timestamp: TestMarket.now + UInt64(number))
        }
        try await BalanceWatch(session: try market.session()).run(everyBlock: true) {
            () async throws(DexError) in
            try await load()
        } show: { state in
            shown.withLock {
                $0.append(state)
                return $0.count < 3
            }
        }
        #expect(values == ["5", "5", "5"])
        #expect(
            shown.withLock { $0.map(\.block) }
                == [TestMarket.head, TestMarket.head + 1, TestMarket.head + 2]
        )
    }

    @Test("a failure that a retry does not mend ends it")
    func permanent() async throws {
        let market = market
        market.clock.onSleep { number in
            if number == 1 { market.chain.set { $0.chainID = 5 } }
            guard number < 50 else { throw CancellationError() }
        }
        let error = await #expect(throws: DexError.self) { try await watch(until: 9) }
        #expect(error?.code == "wrong-chain")
        #expect(values == ["5"])
    }

    @Test("it ends without an error when it is stopped")
    func stopped() async throws {
        market.clock.onSleep { _ in throw CancellationError() }
        try await watch(until: 9)
        #expect(values == ["5"])
    }
}
