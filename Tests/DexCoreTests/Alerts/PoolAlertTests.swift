import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

/// Without a relay, at Uniswap's pools of the simulated chain, at 12 s a block.
@Suite("Alerts of prices at pools fire by two blocks and a mean")
struct PoolAlertTests {
    private let market: LiveMarket

    init() throws {
        market = try LiveMarket(
            LiveMarket.Holdings(pools: LiveMarket.PoolScene().genesis())
        )
    }

    private func market(
        cardinality: UInt16?,
        hasPair: Bool = false,
        hasDust: Bool = false
    ) throws -> LiveMarket {
        let scene = LiveMarket.PoolScene(
            cardinality: cardinality,
            hasPair: hasPair,
            hasDust: hasDust
        )
        return try LiveMarket(LiveMarket.Holdings(pools: scene.genesis()))
    }

    /// What a step of a watch does.
    private enum Step {
        case sells
        case buys
        case nothing

        func callAsFunction(_ market: LiveMarket) async throws {
            try await market.clock.environment.sleep(12_000)
            switch self {
            case .sells: try await market.rivalTrades(.sell, "6500")
            case .buys: try await market.rivalTrades(.buy, "6500")
            case .nothing: try await market.chain.mine()
            }
        }
    }

    /// The words of the changes in each block, of a watch that has read every block; and what it
    /// said of itself.
    private func watch(
        _ market: LiveMarket,
        _ text: String,
        _ steps: [Step]
    ) async throws -> (changes: [String], statuses: [WatchStatus]) {
        let session = try market.session()
        let model = AlertsModel(session: session, journal: market.journal)
        let parsed = try await AlertParser(session: session).parse(text)
        var alert = model.alert(parsed, account: nil, isOnce: false)
        let statuses = Mutex<[WatchStatus]>([])
        var changes: [String] = []
        for step in steps {
            try await step(market)
            // Each look is a process of its own.
            var watched = WatchedAlerts(
                session: session,
                journal: market.journal,
                subject: WatchTarget(
                    chainID: 1337,
                    exchange: session.network.exchange,
                    account: market.trader.address
                ),
                tell: { status in statuses.withLock { $0.append(status) } }
            )
            let head = try await ChainHead.read(session)
            let found = await watched.changes([alert], head: head, isNewBlock: true)
            var word = "-"
            for change in found {
                switch change {
                case .fired: (word, alert) = ("fired", Self.alert(alert, isArmed: false))
                case .rearmed: (word, alert) = ("armed", Self.alert(alert, isArmed: true))
                case .ended: word = "ended"
                }
            }
            changes.append(word)
        }
        return (changes, statuses.withLock { $0 })
    }

    private static func alert(_ alert: JournalAlert, isArmed: Bool) -> JournalAlert {
        JournalAlert(
            chainID: alert.chainID,
            exchange: alert.exchange,
            account: alert.account,
            condition: alert.condition,
            text: alert.text,
            isOnce: alert.isOnce,
            created: alert.created,
            isArmed: isArmed
        )
    }

    @Test(
        "one block alone neither fires nor arms: two blocks, and no mean that says otherwise",
        arguments: [false, true]
    )
    func blocks(hasDust: Bool) async throws {
        let market = try market(cardinality: nil, hasPair: true, hasDust: hasDust)
        // A sale of 6,500 moves the pair by a fifth.
        let (changes, statuses) = try await watch(
            market,
            "ZRX/WETH < 0.0095",
            [.nothing, .sells, .buys, .nothing, .sells, .nothing, .nothing, .buys, .nothing]
        )
        #expect(changes == ["-", "-", "-", "-", "-", "fired", "-", "-", "armed"])
        let reason = "Only v3 pools keep one, and none has a tenth of the depth of ZRX/WETH."
        #expect(Set(statuses) == [.alertsWithoutMean(reason)])
    }

    @Test("where an oracle knows the mean, the mean has to be there too")
    func mean() async throws {
        let steps: [Step] = [.nothing, .sells] + Array(repeating: .nothing, count: 26)
        let (changes, statuses) = try await watch(market, "ZRX/WETH bid < 0.0099", steps)
        let fired = try #require(changes.firstIndex(of: "fired"))
        #expect(fired > 15)
        #expect(changes.filter { $0 == "fired" }.count == 1)
        #expect(statuses.isEmpty)
    }

    /// How many alerts a screen that reads every block shows in each of them.
    private func monitor(
        _ market: LiveMarket,
        _ text: String,
        _ steps: [Step]
    ) async throws -> [Int] {
        let session = try market.session()
        let pair = try await TokenResolver(session: session).pair("ZRX/WETH")
        let parsed = try await AlertParser(session: session).parse(text)
        let alert = AlertsModel(session: session, journal: market.journal)
            .alert(parsed, account: nil, isOnce: false)
        var monitor = AlertMonitor([alert])
        var counts: [Int] = []
        for step in steps {
            try await step(market)
            let pools = try await PoolReading.read(pair, account: nil, session: session)
            counts.append(monitor.fire(in: pools).count)
            // The same block again says nothing new.
            #expect(monitor.fire(in: pools).isEmpty)
        }
        return counts
    }

    @Test("a screen's alert fires in the second block, and is armed in the second one again")
    func monitorByBlocks() async throws {
        let counts = try await monitor(
            try market(cardinality: nil, hasPair: true),
            "ZRX/WETH bid < 0.0095",
            [.nothing, .sells, .buys, .nothing, .sells, .nothing, .buys, .sells]
        )
        #expect(counts == [0, 0, 0, 0, 0, 1, 0, 0])
    }

    @Test("where an oracle knows the mean, a screen's alert waits for it as a watch does")
    func monitorByMean() async throws {
        let counts = try await monitor(
            market,
            "ZRX/WETH bid < 0.0099",
            [.nothing, .sells] + Array(repeating: .nothing, count: 26)
        )
        #expect(counts.reduce(0, +) == 1)
        #expect(try #require(counts.firstIndex(of: 1)) > 15)
    }

    @Test("a spread has no mean: two blocks are enough")
    func spread() async throws {
        let (changes, _) = try await watch(market, "ZRX/WETH spread > 0.05%", [.nothing, .nothing])
        #expect(changes.first == "fired")
    }
}
