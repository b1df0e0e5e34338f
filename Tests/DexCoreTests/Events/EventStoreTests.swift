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

    // MARK: The newest blocks

    /// The blocks whose logs of the exchange were asked for since a round.
    private func asked(since round: Int) -> [ClosedRange<UInt64>] {
        stage.market.chain.rounds.dropFirst(round).joined().compactMap { read in
            guard case .logs(let filter) = read, filter.addresses == [TestMarket.exchange],
                case .number(let first) = filter.fromBlock,
                case .number(let last) = filter.toBlock
            else { return nil }
            return first...last
        }
    }

    @Test("the newest logs are asked once in one command, whoever needs them, until a new block")
    func newest() async throws {
        let session = try session
        let history = TradeSync(session: session, journal: journal)
        let activity = ActivitySync(session: session, account: account, journal: journal)
        let market = MarketSync(session: session, journal: journal)
        try await history.catchUp(account)
        #expect(asked(since: 0) == [0...600])
        var round = rounds
        _ = try await activity.catchUp(from: .time(TestMarket.now))
        #expect(asked(since: round).isEmpty)
        // Of any maker it is another question, whose answer has the answer to the first.
        var fills = try await market.read(try await market.plan(from: .time(TestMarket.now))).fills
        #expect(fills.map(\.block) == [300, 310, 590] && asked(since: round) == [0...600])
        round = rounds
        fills = try await market.read(try await market.plan(from: .time(TestMarket.now))).fills
        try await history.catchUp(account)
        #expect(fills.map(\.time) == [300, 310, 590].map { TestMarket.now + $0 })
        #expect(asked(since: round).isEmpty)
        #expect(!headers(since: round).contains(590))
        // Another command has its own memory.
        _ = try await ownTrades()
        #expect(asked(since: round) == [473...600])
        ether.mine(601)
        round = rounds
        try await history.catchUp(account)
        #expect(asked(since: round) == [473...601])
    }

    @Test("of another block at the same height the newest logs are asked anew")
    func newestReorganized() async throws {
        let session = try session
        let market = MarketSync(session: session, journal: journal)
        let plan = try await market.plan(from: .time(TestMarket.now))
        #expect(try await market.read(plan).fills.map(\.block) == [300, 310, 590])
        for number: UInt64 in 580...600 { ether.mine(number, fork: 3) }
        let next = try await market.plan(from: .time(TestMarket.now))
        #expect(try await market.read(next).fills.map(\.block) == [300, 310])
    }

    @Test("activity, then the search for tokens: the transfers' old logs are asked once")
    func discovery() async throws {
        _ = try await load()
        var round = rounds
        let search = TokenDiscovery(session: try session, journal: journal)
        #expect(try await search.find(of: account, from: 0, at: 600).rows.isEmpty)
        #expect(old(nil, since: round).isEmpty)
        // And the other way round.
        let second = try await EventStoreTests()
        let journal = second.journal
        _ = try await TokenDiscovery(session: second.session, journal: journal)
            .find(of: account, from: 0, at: 600)
        round = second.rounds
        let pages = TransferLog.filters(of: account, from: .latest, to: .latest)
            .flatMap { $0.parts(chainID: 1337) }
        #expect(try journal.eventRanges(covering: pages, touching: 0...600).count == 2)
        _ = try await second.load()
        // The approvals alone.
        #expect(second.old(nil, since: round).count == 1)
    }

    @Test("the pages of a server share what they read, and write no user's journal")
    func pages() async throws {
        let session = try stage.market.session(withRelay: false)
        let scope = ChainScope(session)
        #expect(try await RecentFills(session, in: scope).read().fills.count == 3)
        let round = rounds
        let own = try journal.orders(chainID: 1337, exchange: TestMarket.exchange, maker: account)
        let details = try await OrderDetailsModel(scope).load(try #require(own.first).hash)
        #expect(details?.entries.map(\.block.number) == [300])
        #expect(asked(since: round).isEmpty)
        let parts = session.eventFilter(maker: nil, from: .latest, to: .latest)
            .parts(chainID: 1337)
        #expect(try journal.eventRanges(covering: parts, touching: 0...600).isEmpty)
    }

    // MARK: Nodes that lie

    private func rebuild(from block: UInt64 = 0) async throws -> TradeSync.Rebuild {
        try await TradeSync(session: session, journal: journal).rebuild(account, from: block)
    }

    private func tradesOfActivity() async throws -> [UInt64] {
        try await load().rows.filter { $0.kind == .trade }.compactMap(\.block)
    }

    @Test("a log that a node left out is missing for all, until a rebuilt history asks for it")
    func omitted() async throws {
        stage.fund(TestMarket.units("1000"))
        func nobodyHasIt() async throws {
            #expect(try await ownTrades().isEmpty)
            #expect(try await fills().map(\.block) == [590])
            #expect(try await tradesOfActivity().isEmpty)
            #expect(try await stage.look(from: .block(250)).isEmpty)
        }
        stage.hide([300, 310])
        try await nobodyHasIt()
        stage.hide([])
        // What is kept is believed.
        try await nobodyHasIt()
        #expect(try await rebuild().added == 1)
        #expect(try await ownTrades().map(\.block) == [300])
        #expect(try await fills().map(\.block) == [300, 310, 590])
        #expect(try await tradesOfActivity() == [300])
        #expect(try await stage.look(from: .block(250)).map(\.word) == ["fill"])
    }

    @Test("a history that is rebuilt from a block on forgets no older logs")
    func rebuiltPart() async throws {
        stage.hide([300, 310])
        #expect(try await fills().map(\.block) == [590])
        stage.hide([])
        _ = try await rebuild(from: 305)
        let round = rounds
        #expect(try await fills().map(\.block) == [310, 590])
        #expect(old(TestMarket.exchange, since: round).isEmpty)
    }

    @Test("a rebuilt history leaves what others read as it was if the node does not answer")
    func rebuiltInVain() async throws {
        #expect(try await fills().count == 3)
        stage.market.chain.set { chain in
            chain.logs = { _ in .failure(.rpc(code: -32_000, message: "pruned")) }
        }
        await #expect(throws: DexError.self) { _ = try await rebuild() }
        let parts = try session.eventFilter(maker: nil, from: .latest, to: .latest)
            .parts(chainID: 1337)
        let kept = try journal.events(parts[0], blocks: 0...472).logs
        #expect(kept.map(\.blockNumber) == [300, 310])
    }

    @Test("of two nodes that must agree, one that leaves a log out is seen, and nothing is kept")
    func quorum() async throws {
        var session = try session
        let node = stage.market.chain
        session.chain = QuorumChainClient(
            [
                QuorumChainClient.Member(name: "a", client: node),
                QuorumChainClient.Member(name: "b", client: OmittingNode(node: node, block: 300)),
            ],
            quorum: 2
        )
        let sync = MarketSync(session: session, journal: journal)
        await #expect {
            _ = try await sync.read(try await sync.plan(from: .time(TestMarket.now)))
        } throws: {
            ($0 as? DexError)?.exit == .unreachable
        }
        let parts = session.eventFilter(maker: nil, from: .latest, to: .latest)
            .parts(chainID: 1337)
        #expect(try journal.eventRanges(covering: parts, touching: 0...600).isEmpty)
        #expect(try await fills().map(\.block) == [300, 310, 590])
    }

    @Test("logs of another chain's blocks, kept unseen, stop one reading and are forgotten")
    func otherChain() async throws {
        let account = account
        for feature in 0..<3 {
            let test = try await EventStoreTests()
            let (session, journal) = (try test.session, test.journal)
            test.replaceLogs { log in
                log.replacing(hash: TestMarket.blockHash(log.blockNumber ?? 0, fork: 9))
            }
            // A reader that asks for no blocks, as a search for tokens.
            var pages = try test.pager()
            while try await pages.next() != nil {}
            test.replaceLogs { log in
                log.replacing(hash: TestMarket.blockHash(log.blockNumber ?? 0))
            }
            func read() async throws {
                switch feature {
                case 0: #expect(try await test.fills().map(\.block) == [300, 310, 590])
                case 1: #expect(try await test.ownTrades().map(\.block) == [300])
                default:
                    _ = try await ActivitySync(session: session, account: account, journal: journal)
                        .catchUp(from: .time(TestMarket.now))
                    #expect(try await test.tradesOfActivity() == [300])
                }
            }
            await #expect {
                try await read()
            } throws: {
                ($0 as? DexError)?.code == "reorganized"
            }
            try await read()
        }
    }

    /// The node changes each of its logs.
    private func replaceLogs(_ change: @escaping @Sendable (Log) -> Log) {
        stage.market.chain.set { chain in
            let logs = chain.logs
            chain.logs = { filter in logs?(filter).map { $0.map(change) } ?? .success([]) }
        }
    }

    @Test("a fork below all that is kept: what is kept is forgotten, and read anew")
    func deepFork() async throws {
        #expect(try await fills().map(\.block) == [300, 310, 590])
        let order = try await stage.market.ask(by: stage.market.makers[0], "10", for: "1")
        for number: UInt64 in 0...600 { ether.mine(number, fork: 2) }
        let log = stage.market.fillLog(order, taker: stage.market.makers[1].address, filling: 4)
        mine(200, fork: 2, [sender(8)], logs: [log])
        let round = rounds
        #expect(try await fills().map(\.block) == [200])
        #expect(old(TestMarket.exchange, since: round) == [0...600])
    }

    @Test("logs beyond what was asked for are not kept: of other contracts, and of other topics")
    func tooMany() async throws {
        stage.market.chain.set { [stage] chain in
            let logs = chain.logs
            let transfer = stage.transfer(from: stage.other, to: stage.account, 7)
            chain.logs = { filter in
                logs?(filter).map { logs in
                    logs
                        + logs.prefix(1).flatMap { log in
                            [(transfer.address, 90), (log.address, 91)].map { contract, index in
                                Log(
                                    address: contract,
                                    topics: transfer.topics,
                                    data: transfer.data,
                                    blockNumber: log.blockNumber,
                                    blockHash: log.blockHash,
                                    transactionHash: log.transactionHash,
                                    logIndex: index
                                )
                            }
                        }
                } ?? .success([])
            }
        }
        var pages = try pager()
        while try await pages.next() != nil {}
        let parts = try session.eventFilter(maker: nil, from: .latest, to: .latest)
            .parts(chainID: 1337)
        let kept = try journal.events(parts[0], blocks: 0...472).logs
        #expect(kept.map(\.blockNumber) == [300, 310])
    }

    @Test("a damaged log in the journal is an error that names it, and rebuilding mends it")
    func damaged() async throws {
        #expect(try await fills().count == 3)
        try stage.store.damage("UPDATE events SET topics = x'01'")
        await #expect {
            _ = try await fills()
        } throws: {
            ($0 as? DexError)?.code == "journal-damaged"
                && ($0 as? DexError)?.hint == "Read it again from the chain: dex history rebuild"
        }
        _ = try await rebuild()
        #expect(try await fills().count == 3)
    }

    /// The numbers of the headers that were asked for since a round.
    private func headers(since round: Int) -> [UInt64] {
        stage.market.chain.rounds.dropFirst(round).joined().compactMap { read in
            if case .block(.number(let number)) = read { number } else { nil }
        }
    }
}

/// A node that leaves the logs of a block out.
private struct OmittingNode: ChainClient {
    let node: FakeChain
    let block: UInt64

    func read(_ reads: [ChainRead]) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        try await node.read(reads).map { answer in
            answer.map { answer in
                guard case .logs(let logs) = answer else { return answer }
                return .logs(logs.filter { $0.blockNumber != block })
            }
        }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await node.send(raw: raw)
    }
}
