import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A log is asked of a node once, whoever needs it")
struct EventStoreTests: ActivityScene {
    let ether: EtherStage

    /// The latest block that is kept.
    private static let settled: UInt64 = 472

    /// An order of the trader is filled in block 300, and another maker's in 310 and 590.
    init() async throws {
        ether = try EtherStage()
        for number: UInt64 in 0...600 { ether.mine(number) }
        let market = stage.market
        let mine = try await market.ask(by: market.trader, "10", for: "1")
        try stage.store.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: TestMarket.exchange,
                hash: mine.hash,
                maker: mine.maker,
                wire: market.protocolV1.encodeOrder(mine).text,
                created: TestMarket.now
            )
        )
        let others = try await market.ask(by: market.makers[0], "10", for: "1")
        let taker = market.makers[1].address
        self.mine(300, [sender(1)], logs: [market.fillLog(mine, taker: taker, filling: 5)])
        self.mine(310, [sender(2)], logs: [market.fillLog(others, taker: taker, filling: 6)])
        self.mine(590, [sender(3)], logs: [market.fillLog(others, taker: taker, filling: 7)])
    }

    /// A transaction that neither the trader sent nor that pays anybody.
    private func sender(_ number: UInt64) -> EtherStage.Payment {
        EtherStage.Payment(number: number, from: other, to: TestMarket.exchange, value: 0)
    }

    private var session: Session { get throws { try stage.market.session() } }
    private var journal: Journal { stage.store.journal }

    /// The old blocks whose logs of a contract were asked for since a round; nil is of any contract.
    private func old(_ contract: Address?, since round: Int) -> [ClosedRange<UInt64>] {
        stage.market.chain.rounds.dropFirst(round).joined().compactMap { read in
            guard case .logs(let filter) = read, filter.addresses == [contract].compactMap(\.self),
                case .number(let first) = filter.fromBlock,
                case .number(let last) = filter.toBlock, first <= Self.settled, first != last
            else { return nil }
            return first...last
        }
    }

    private func ownTrades() async throws -> [MinedTrades] {
        try await TradeSync(session: session, journal: journal).catchUp(account)
        return try journal.trades(of: account, network: session.network)
    }

    private func fills() async throws -> [MarketFill] {
        let sync = MarketSync(session: try session, journal: journal)
        return try await sync.read(try await sync.plan(from: .time(TestMarket.now))).fills
    }

    private var rounds: Int { stage.market.chain.rounds.count }

    @Test("history, then activity: the exchange's old logs are asked once, the transfers' too")
    func otherCommand() async throws {
        #expect(try await ownTrades().map(\.block) == [300])
        #expect(old(TestMarket.exchange, since: 0) == [0...600])
        var round = rounds
        let state = try await load()
        #expect(state.rows.contains { $0.block == 300 && $0.kind == .trade })
        #expect(old(TestMarket.exchange, since: round).isEmpty)
        #expect(!old(nil, since: round).isEmpty)
        // What activity derived is lost, as after an upgrade: its logs are still there.
        for range in try journal.activityRanges(ActivityPlace(chainID: 1337, account: account)) {
            let place = ActivityPlace(chainID: 1337, account: account)
            try journal.forgetActivity(range, of: place, isAnchored: false)
        }
        round = rounds
        #expect(words(try await load()) == words(state))
        #expect(old(nil, since: round).isEmpty && old(TestMarket.exchange, since: round).isEmpty)
    }

    @Test("trades, then the history of any maker: the exchange's old logs are not asked again")
    func narrower() async throws {
        #expect(try await fills().map(\.block) == [300, 310, 590])
        let round = rounds
        #expect(try await ownTrades().map(\.block) == [300])
        #expect(try await load().rows.contains { $0.block == 300 && $0.kind == .trade })
        #expect(old(TestMarket.exchange, since: round).isEmpty)
    }

    @Test("history, then trades: all makers' logs are asked, and the times of fills once")
    func wider() async throws {
        _ = try await ownTrades()
        var round = rounds
        #expect(try await fills().map(\.time) == [300, 310, 590].map { TestMarket.now + $0 })
        #expect(old(TestMarket.exchange, since: round) == [0...600])
        round = rounds
        #expect(try await fills().map(\.block) == [300, 310, 590])
        #expect(old(TestMarket.exchange, since: round).isEmpty)
        #expect(!headers(since: round).contains { [300, 310].contains($0) })
    }

    @Test("a log that was kept without its time gets it once")
    func times() async throws {
        var pages = try pager()
        while try await pages.next() != nil {}
        var round = rounds
        #expect(try await fills().map(\.time) == [300, 310, 590].map { TestMarket.now + $0 })
        #expect(old(TestMarket.exchange, since: round).isEmpty)
        #expect(Set(headers(since: round)).isSuperset(of: [300, 310]))
        round = rounds
        #expect(try await fills().map(\.time) == [300, 310, 590].map { TestMarket.now + $0 })
        #expect(!headers(since: round).contains { [300, 310].contains($0) })
    }

    @Test("what is forgotten while it is read, as by another process, is asked of the node")
    func forgottenMeanwhile() async throws {
        let parts = try session.eventFilter(maker: nil, from: .latest, to: .latest)
            .parts(chainID: 1337)
        _ = try await fills()
        let all = try #require(
            try journal.eventRanges(covering: parts, touching: 0...600).first
        )
        let logs = try journal.events(parts[0], blocks: 0...472).logs
        try journal.forgetEvents(all)
        let range = KeptRange(first: 250, last: all.range.last)
        try journal.keepEvents(range, of: parts, logs: logs)
        var pages = try pager()
        let first = try #require(try await pages.next())
        #expect(first.blocks == 0...249 && !first.isKept)
        try journal.forgetEvents(EventRange(filter: parts[0], range: range))
        let round = rounds
        var blocks: [UInt64?] = []
        while let page = try await pages.next() { blocks += page.logs.map(\.blockNumber) }
        #expect(blocks == [300, 310, 590])
        #expect(old(TestMarket.exchange, since: round).first?.lowerBound == 250)
    }

    /// All makers' logs of the exchange.
    private func pager() throws -> LogPager {
        let session = try session
        return LogPager(
            session: session,
            blocks: 0...600,
            store: EventStore(journal, head: 600),
            filters: { from, to in [session.eventFilter(maker: nil, from: from, to: to)] }
        )
    }

    @Test("a kept log of a block that the chain never had is forgotten, and read anew")
    func poisoned() async throws {
        let filter = try session.eventFilter(maker: nil, from: .latest, to: .latest)
        let parts = filter.parts(chainID: 1337)
        let end = WatchedBlock(number: 472, hash: TestMarket.blockHash(472))
        let order = try await stage.market.ask(by: stage.market.makers[0], "10", for: "1")
        let log = stage.market.fillLog(order, taker: other, filling: 5)
        let lie = Log(
            address: log.address,
            topics: log.topics,
            data: log.data,
            blockNumber: 200,
            blockHash: TestMarket.blockHash(200, fork: 7),
            transactionHash: WatchStage.hash(9),
            logIndex: 0
        )
        try journal.keepEvents(KeptRange(first: 0, last: end), of: parts, logs: [lie])
        await #expect {
            _ = try await fills()
        } throws: {
            ($0 as? DexError)?.code == "reorganized"
        }
        #expect(try await fills().map(\.block) == [300, 310, 590])
    }

    @Test("a rebuilt history asks the node for every log, and a node's contradiction is not kept")
    func node() async throws {
        _ = try await fills()
        let round = rounds
        _ = try await TradeSync(session: session, journal: journal).rebuild(account, from: 0)
        #expect(old(TestMarket.exchange, since: round) == [0...600])

        let other = try await EventStoreTests()
        other.stage.market.chain.set { chain in
            let logs = chain.logs
            chain.logs = { filter in
                logs?(filter).map { logs in
                    logs + logs.map { $0.replacing(hash: TestMarket.blockHash(1, fork: 3)) }
                } ?? .success([])
            }
        }
        let filter = try other.session.eventFilter(maker: nil, from: .latest, to: .latest)
        var pages = try other.pager()
        while try await pages.next() != nil {}
        let parts = filter.parts(chainID: 1337)
        #expect(try other.journal.eventRanges(covering: parts, touching: 0...600).isEmpty)
    }

    /// The numbers of the headers that were asked for since a round.
    private func headers(since round: Int) -> [UInt64] {
        stage.market.chain.rounds.dropFirst(round).joined().compactMap { read in
            if case .block(.number(let number)) = read { number } else { nil }
        }
    }
}
