import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Logs of all blocks at once, and answers of one node that differ")
struct WholeLogsTests: ActivityScene {
    let ether: EtherStage

    private static let blocks: ClosedRange<UInt64> = 0...600
    private var maker: Address { stage.market.trader.address }
    private var journal: Journal { stage.store.journal }

    /// An order of the trader is filled in block 300, and again in 590.
    init() async throws {
        ether = try EtherStage()
        for number in Self.blocks { ether.mine(number) }
        let market = stage.market
        let order = try await market.ask(by: market.trader, "10", for: "1")
        let taker = market.makers[1].address
        for (number, block) in [(1, 300), (2, 590)] as [(UInt64, UInt64)] {
            let payment = EtherStage.Payment(
                number: number,
                from: other,
                to: TestMarket.exchange,
                value: 0
            )
            let log = market.fillLog(order, taker: taker, filling: UInt256(block))
            mine(block, [payment], logs: [log])
        }
    }

    private func pages(_ session: Session, _ maker: Address? = nil) throws -> LogPager {
        LogScan(session: session).pages(
            maker: maker,
            blocks: Self.blocks,
            store: EventStore(
                journal,
                head: TestMarket.block(600, timestamp: TestMarket.now + 600)
            )
        )
    }

    /// The blocks of all logs, and whether the node returned all of them; they are kept.
    private func read(
        _ session: Session,
        _ maker: Address? = nil
    ) async throws -> (blocks: [UInt64], isFresh: Bool) {
        var pages = try pages(session, maker)
        let (logs, isFresh) = try await pages.whole()
        try pages.keep()
        return (logs.compactMap(\.blockNumber).sorted(), isFresh)
    }

    private func code(_ session: Session, _ maker: Address? = nil) async -> String? {
        await #expect(throws: DexError.self) { _ = try await read(session, maker) }?.code
    }

    /// The node changes its answers.
    private func answer(
        _ change: @escaping @Sendable (LogFilter, [Log]) -> Result<[Log], ChainError>
    ) {
        stage.market.chain.set { chain in
            let logs = chain.logs
            chain.logs = { filter in (logs?(filter) ?? .success([])).flatMap { change(filter, $0) }
            }
        }
    }

    /// What the node answers now.
    private func answers() -> (@Sendable (LogFilter) -> Result<[Log], ChainError>)? {
        var found: (@Sendable (LogFilter) -> Result<[Log], ChainError>)?
        stage.market.chain.set { found = $0.logs }
        return found
    }

    private func keptBlocks() throws -> [ClosedRange<UInt64>] {
        let parts = try stage.market.session().eventFilter(maker: nil, from: .latest, to: .latest)
            .parts(chainID: 1337)
        return try journal.eventRanges(covering: parts, touching: Self.blocks).map(\.range.blocks)
    }

    private var rounds: Int { stage.market.chain.rounds.count }

    @Test("they are asked once in a command, and the newest again in the next, in one round trip")
    func once() async throws {
        let session = try stage.market.session()
        var answer = try await read(session)
        #expect(answer.blocks == [300, 590] && answer.isFresh)
        #expect(asked(since: 0) == [0...600] && rounds == 1)
        answer = try await read(session)
        #expect(answer.blocks == [300, 590] && !answer.isFresh)
        #expect(asked(since: 1).isEmpty && rounds == 2)
        answer = try await read(try stage.market.session())
        #expect(answer.blocks == [300, 590] && !answer.isFresh)
        #expect(asked(since: 2) == [473...600] && rounds == 3)
        // A part of what is kept.
        #expect(try await read(session, maker).blocks == [300, 590])
    }

    @Test("a node that refuses them ends it at once, and one that is silent too; nothing is kept")
    func refused() async throws {
        let errors: [(ChainError, String)] = [
            (
                .rpc(code: -32_005, message: "query returned more than 10000 results"),
                "logs-refused"
            ),
            (.rpc(code: -32_601, message: "method not found"), "logs-refused"),
            (.unreachable(url: "http://n", reason: "gone"), "node-unreachable"),
            (.rateLimited(url: "http://n", retryAfter: 1), "node-rate-limited"),
        ]
        for (error, code) in errors {
            let test = try await WholeLogsTests()
            test.answer { _, _ in .failure(error) }
            let session = try test.stage.market.session()
            #expect(await test.code(session) == code)
            #expect(test.rounds == 1)
            #expect(try test.keptBlocks().isEmpty)
            // Pages are as long as before.
            #expect(session.logPages.size.size == LogPageSize.usual)
        }
    }

    @Test("logs of blocks that were not asked for are no answer")
    func otherBlocks() async throws {
        let session = try stage.market.session()
        _ = try await read(session)
        let next = try await WholeLogsTests()
        next.answer { filter, logs in
            .success(filter.fromBlock == .number(0) ? logs + [logs[0].moved(to: 601)] : logs)
        }
        #expect(await next.code(try next.stage.market.session()) == "logs-refused")
        #expect(try next.keptBlocks().isEmpty)
        // Of the newest blocks alone, an old log is one of these.
        let parts = session.eventFilter(maker: nil, from: .latest, to: .latest)
            .parts(chainID: 1337)
        let kept = try journal.events(parts[0], blocks: Self.blocks).logs
        let old = try #require(kept.first)
        answer { _, logs in .success(logs + [old]) }
        #expect(await code(try stage.market.session()) == "logs-refused")
    }

    @Test("what the chain has no longer is forgotten, and asked for in a second round trip")
    func reorganized() async throws {
        let session = try stage.market.session()
        _ = try await read(session)
        for number: UInt64 in 400...600 { ether.mine(number, fork: 2) }
        let round = rounds
        var pages = LogScan(session: session).pages(
            maker: nil,
            blocks: Self.blocks,
            store: EventStore(
                journal,
                head: TestMarket.block(600, timestamp: TestMarket.now + 600, fork: 2)
            )
        )
        let (logs, isFresh) = try await pages.whole()
        #expect(logs.map(\.blockNumber) == [300] && isFresh)
        #expect(rounds == round + 2)
        try pages.keep()
        #expect(try keptBlocks() == [0...472])
    }

    // MARK: Answers that differ at the same block

    @Test("one feature's logs are whole, another's short at the same block: an error, not a gap")
    func short() async throws {
        let session = try stage.market.session()
        #expect(try await read(session, maker).blocks == [300, 590])
        let truth = answers()
        // Of any maker the node leaves the newest fill out.
        let any = session.eventFilter(maker: nil, from: .latest, to: .latest).topics
        answer { filter, logs in
            .success(filter.topics == any ? logs.filter { $0.blockNumber != 590 } : logs)
        }
        let market = MarketSync(session: session, journal: journal)
        let plan = try await market.plan(from: .time(TestMarket.now))
        let error = await #expect(throws: DexError.self) { _ = try await market.read(plan) }
        #expect(error?.code == "logs-incomplete" && error?.retryable == true)
        #expect(error?.message.contains("590") == true)
        // Which answer is wrong is unknown: both are asked for again, and a node that mended is read.
        stage.market.chain.set { $0.logs = truth }
        #expect(try await market.read(plan).fills.map(\.block) == [300, 590])
        #expect(try await read(session, maker).blocks == [300, 590])
    }

    @Test("of two answers that were read at once, the short one hides no log of the other")
    func together() throws {
        let session = try stage.market.session()
        let head = TestMarket.blockHash(600)
        let any = session.eventFilter(maker: nil, from: .latest, to: .latest)
            .parts(chainID: 1337)
        let own = session.eventFilter(maker: maker, from: .latest, to: .latest)
            .parts(chainID: 1337)
        let filter = session.eventFilter(maker: nil, from: .number(473), to: .number(600))
        let answer = try #require(answers())
        let logs = try answer(filter).get()
        for isShortFirst in [true, false] {
            let recent = RecentLogs()
            func note(_ filters: [EventFilter], _ logs: [Log]) {
                recent.note(logs, of: filters, in: 473...600, times: [:], at: head)
            }
            if isShortFirst { note(any, []) }
            note(own, logs)
            if !isShortFirst { note(any, []) }
            let known = recent.logs(own[0], in: 473...600, at: head)
            #expect(known?.map(\.blockNumber) == [590])
            // Each covers a part.
            note(any, [])
            recent.note([], of: any, in: 400...480, times: [:], at: head)
            #expect(recent.logs(own[0], in: 450...600, at: head)?.count == 1)
            #expect(recent.logs(own[0], in: 300...600, at: head) == nil)
        }
    }
}

extension Log {
    /// The same in another block.
    fileprivate func moved(to block: UInt64) -> Log {
        Log(
            address: address,
            topics: topics,
            data: data,
            blockNumber: block,
            blockHash: blockHash,
            transactionHash: transactionHash,
            logIndex: logIndex
        )
    }
}
