import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The journal's trades follow the chain")
struct TradeSyncTests {
    let market: TestMarket
    let store = TemporaryJournal()
    let trader: PrivateKeySigner
    let maker: PrivateKeySigner

    init() throws {
        market = try TestMarket()
        trader = market.trader
        maker = market.makers[0]
        market.chain.set { state in
            for number: UInt64 in 0...100 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
        }
    }

    private func keeper() throws -> TradeSync {
        TradeSync(session: try market.session(), journal: store.journal)
    }

    private func known(_ account: Address? = nil) throws -> [MinedTrades] {
        try store.journal.trades(
            chainID: 1337,
            exchange: TestMarket.exchange,
            account: account ?? trader.address
        )
    }

    private func scan() throws -> ClosedRange<UInt64>? {
        try store.journal.scan(
            chainID: 1337,
            exchange: TestMarket.exchange,
            account: trader.address
        )?.blocks
    }

    /// An order of ours in the journal, as old as the chain unless told.
    private func own(
        _ salt: UInt256 = 1,
        created: UInt64 = TestMarket.now
    ) async throws -> any SignedOrder {
        let order = try await market.ask(by: trader, "10", for: "1", salt: salt)
        try store.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: TestMarket.exchange,
                hash: order.hash,
                maker: order.maker,
                wire: market.protocolV1.encodeOrder(order).text,
                created: created
            )
        )
        return order
    }

    @Test("fills of own orders are noted with taker, gas and time, and read on from there")
    func catchesUp() async throws {
        let order = try await own()
        let hash = market.mine(
            [market.fillLog(order, taker: maker.address, filling: 5)],
            by: maker.address,
            block: 40,
            firstIndex: 3
        )

        try await keeper().catchUp(trader.address)
        let first = try #require(try known().first)
        let rounds = market.chain.rounds.count
        market.mine(
            [market.cancelLog(order, cancelling: 7)],
            by: trader.address,
            block: 300
        )
        try await keeper().catchUp(trader.address)

        #expect(first.transaction == hash)
        #expect(first.sender == maker.address)
        #expect(first.block == 40)
        #expect(first.time == TestMarket.now + 40)
        #expect(first.gasCost(hasRollupFee: false) == Wei(200_000_000_000_000))
        #expect(first.trades.map(\.logIndex) == [3])
        #expect(first.trades.map(\.taker) == [maker.address])
        #expect(try known().map(\.block) == [40, 300])
        #expect(try scan()?.lowerBound == 0)
        #expect(try scan()?.upperBound == 300)
        // Head, logs and what belongs to them: no search for the first block any more.
        #expect(market.chain.rounds.count - rounds == 4)
        let filters = market.chain.rounds.flatMap { $0 }.compactMap { read in
            if case .logs(let filter) = read { filter } else { nil }
        }
        #expect(filters.map(\.fromBlock) == [.number(0), .number(0)])
        #expect(filters.map(\.toBlock) == [.number(100), .number(300)])
    }

    @Test("the first reading begins shortly before our first order was signed")
    func begins() async throws {
        market.chain.set { state in
            for number: UInt64 in 0...100 {
                state.blocks[number] = TestMarket.block(
                    number,
                    timestamp: TestMarket.now + 1_000 * number
                )
            }
        }
        _ = try await own(created: TestMarket.now + 50_000)

        try await keeper().catchUp(trader.address)

        // An hour before block 50, which clocks may differ by.
        #expect(try scan()?.lowerBound == 46)
    }

    @Test("without an own order nothing is read but where the next reading begins")
    func noOrders() async throws {
        try await keeper().catchUp(trader.address)
        #expect(try scan()?.lowerBound == TestMarket.head)
        #expect(try known().isEmpty)
    }

    @Test("others' orders and others' fills are left out")
    func others() async throws {
        _ = try await own()
        let foreign = try await market.ask(by: maker, "10", for: "1")
        market.mine(
            [market.fillLog(foreign, taker: market.makers[1].address, filling: 5)],
            by: market.makers[1].address,
            block: 40
        )
        try await keeper().catchUp(trader.address)
        _ = try await keeper().rebuild(trader.address, from: 0)
        #expect(try known().isEmpty)
    }

    @Test("a fill that a reorganization took out is gone after the next reading")
    func reorganization() async throws {
        let order = try await own()
        market.mine(
            [market.fillLog(order, taker: maker.address, filling: 5)],
            by: maker.address,
            block: 99
        )
        try await keeper().catchUp(trader.address)
        #expect(try known().map(\.block) == [99])

        market.mine(99, timestamp: TestMarket.now, fork: 1)
        market.mine(100, timestamp: TestMarket.now, fork: 1)
        market.chain.set { $0.logs = { _ in .success([]) } }
        try await keeper().catchUp(trader.address)

        #expect(try known().isEmpty)
    }

    @Test("a trade that a node leaves out stays, and what it was left out of is read again")
    func leftOut() async throws {
        let order = try await own()
        market.mine(
            [market.fillLog(order, taker: maker.address, filling: 5)],
            by: maker.address,
            block: 90
        )
        try await keeper().catchUp(trader.address)
        let kept = try known()
        var logs: (@Sendable (LogFilter) -> Result<[Log], ChainError>)?
        market.chain.set { chain in
            logs = chain.logs
            chain.logs = { _ in .success([]) }
        }
        for block: UInt64 in 101...300 { market.mine(block, timestamp: TestMarket.now + block) }
        await #expect {
            try await keeper().catchUp(trader.address)
        } throws: { error in
            let error = error as? DexError
            return error?.code == "logs-incomplete" && error?.exit == .unreachable
                && error?.retryable == true && error?.message.contains("block 90") == true
                && error?.hint?.hasSuffix("dex history rebuild --from-block 90") == true
        }
        #expect(try known() == kept && scan() == 0...100)

        market.chain.set { [logs] in $0.logs = logs }
        try await keeper().catchUp(trader.address)
        #expect(try known() == kept && scan() == 0...300)

        market.chain.set { $0.logs = { _ in .success([]) } }
        _ = try await keeper().rebuild(trader.address, from: 90)
        #expect(try known().isEmpty)
    }

    @Test("a reorganization takes out the swaps of its blocks alone")
    func swaps() async throws {
        func swap(_ block: UInt64) throws {
            let hash = market.mine([], by: trader.address, block: block)
            var receipt: TransactionReceipt?
            market.chain.set { receipt = $0.receipts[hash] ?? nil }
            try store.journal.note([
                MinedTrades(
                    pay: (TestMarket.usdc, 5),
                    receive: (TestMarket.zrx, 7),
                    in: try #require(receipt),
                    network: try market.session().network
                )
            ])
        }
        func swaps() throws -> [UInt64] {
            try store.journal.swapTrades(of: trader.address, network: market.session().network)
                .map(\.block)
        }
        try swap(60)
        try swap(98)
        let order = try await own()
        market.mine(
            [market.fillLog(order, taker: maker.address, filling: 5)],
            by: maker.address,
            block: 99
        )
        try await keeper().catchUp(trader.address)
        #expect(try swaps() == [60, 98])
        for block: UInt64 in 98...100 { market.mine(block, timestamp: TestMarket.now, fork: 1) }
        market.chain.set { $0.logs = { _ in .success([]) } }
        try await keeper().catchUp(trader.address)
        #expect(try swaps() == [60])
        #expect(try known().isEmpty)
    }

    @Test("blocks that change while they are read are an error that may be tried again")
    func changed() async throws {
        let order = try await own()
        market.mine(
            [market.fillLog(order, taker: maker.address, filling: 5)],
            by: maker.address,
            block: 99
        )
        market.mine(99, timestamp: TestMarket.now, fork: 1)

        await #expect {
            try await keeper().catchUp(trader.address)
        } throws: { error in
            let error = error as? DexError
            return error?.code == "reorganized" && error?.retryable == true
        }
        #expect(try known().isEmpty)
        #expect(try scan() == nil)
    }

    @Test("a rebuild finds what the account took and made, and tells what it changed")
    func rebuild() async throws {
        let made = try await own()
        let taken = try await market.ask(by: maker, "10", for: "1")
        market.mine(
            [market.fillLog(made, taker: maker.address, filling: 5)],
            by: maker.address,
            block: 10
        )
        market.mine(
            [market.fillLog(taken, taker: trader.address, filling: 6)],
            by: trader.address,
            block: 20
        )
        market.mine(
            [market.cancelLog(made, cancelling: 7)],
            by: trader.address,
            block: 30
        )

        let first = try await keeper().rebuild(trader.address, from: 0)
        let all = try known()
        let again = try await keeper().rebuild(trader.address, from: 0)
        let late = try await keeper().rebuild(trader.address, from: 25)

        #expect([first.before, first.after, first.removed, first.added] == [0, 3, 0, 3])
        #expect([again.before, again.after, again.removed, again.added] == [3, 3, 0, 0])
        #expect([late.before, late.after, late.removed, late.added] == [1, 1, 0, 0])
        #expect(all.map(\.block) == [10, 20, 30])
        #expect(try known() == all)
    }

    @Test("a rebuild that leaves a gap behind what was read does not hide the gap")
    func gap() async throws {
        let order = try await own()
        for block: UInt64 in 11...50 { market.mine(block, timestamp: TestMarket.now) }
        try store.journal.replace(
            TradeRange(
                chainID: 1337,
                exchange: TestMarket.exchange,
                account: trader.address,
                blocks: 0...10,
                onlyMaker: true
            ),
            with: [],
            scan: KeptRange(0...10)
        )
        market.mine(
            [market.fillLog(order, taker: maker.address, filling: 5)],
            by: maker.address,
            block: 30
        )

        _ = try await keeper().rebuild(trader.address, from: 40)
        #expect(try scan()?.upperBound == 10)
        #expect(try known().isEmpty)
        try await keeper().catchUp(trader.address)
        #expect(try known().map(\.block) == [30])
        _ = try await keeper().rebuild(trader.address, from: 40)
        #expect(try scan()?.lowerBound == 0 && scan()?.upperBound == 100)
    }

    @Test("where a journal without orders was rebuilt, the next reading goes on from there")
    func rebuiltFirst() async throws {
        _ = try await keeper().rebuild(trader.address, from: 20)
        #expect(try scan()?.lowerBound == 20 && scan()?.upperBound == 100)
    }

    @Test("an order that is saved with its block is where the first reading begins")
    func orderBlock() async throws {
        let order = try await market.ask(by: trader, "10", for: "1")
        let record = JournalOrder(
            chainID: 1337,
            exchange: TestMarket.exchange,
            hash: order.hash,
            maker: order.maker,
            wire: market.protocolV1.encodeOrder(order).text,
            created: TestMarket.now
        )
        try store.journal.save(record, at: 70, for: nil)
        try store.journal.save(record, at: 80, for: nil)
        #expect(try scan()?.lowerBound == 70 && scan()?.upperBound == 70)

        try await keeper().catchUp(trader.address)

        #expect(try scan()?.lowerBound == 70 && scan()?.upperBound == 100)
        // Head and logs: no search by time.
        #expect(market.chain.rounds.count == 2)
    }

    @Test("a sandbox that was restarted without a trade is read from its beginning")
    func restarted() async throws {
        let order = try await own()
        var session = try market.session()
        session.network.isSandbox = true
        let sync = TradeSync(session: session, journal: store.journal)
        try await sync.catchUp(trader.address)
        #expect(try scan() == 0...100)
        market.chain.set { $0.blocks = [:] }
        for block: UInt64 in 0...60 {
            market.mine(block, timestamp: TestMarket.now + block, fork: 1)
        }
        market.mine(
            [market.fillLog(order, taker: maker.address, filling: 5)],
            by: maker.address,
            block: 20,
            fork: 1
        )
        try await sync.catchUp(trader.address)
        #expect(try known().map(\.block) == [20])
        #expect(try scan() == 0...60)
    }

    @Test("a rebuild from a block that is not there yet is exit 2")
    func ahead() async throws {
        await #expect {
            _ = try await keeper().rebuild(trader.address, from: 101)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .usage && error?.code == "block-ahead"
                && error?.message == "The chain has no block 101 yet: its latest is 100."
        }
    }

    @Test("a receipt that cannot be read is not a transaction without a receipt")
    func unreadReceipt() async throws {
        let hash = try unsettled(try await market.ask(by: maker, "10", for: "1"))
        market.chain.set { state in
            state.onRound = { _, reads in
                guard reads.contains(.receipt(hash)) else { return nil }
                return .answers(
                    reads.map { read in
                        switch read {
                        case .chainID: .success(.number(1337))
                        case .block:
                            .success(.block(TestMarket.block(100, timestamp: TestMarket.now)))
                        default: .failure(.rateLimited(url: "http://n", retryAfter: 1))
                        }
                    }
                )
            }
        }
        await #expect {
            try await keeper().catchUp(trader.address)
        } throws: {
            ($0 as? DexError)?.exit == .unreachable
        }
        let history = try await HistoryModel(
            session: try market.session(),
            journal: store.journal
        ).load(trader.address)
        #expect(history.block == nil)
        #expect(history.warnings.contains { $0.hasPrefix("Only what the journal has is shown") })
    }

    @Test("an own fill that no command has told of yet is noted, and stays unsettled")
    func unseen() async throws {
        let hash = try unsettled(try await market.ask(by: maker, "10", for: "1"))

        try await keeper().catchUp(trader.address)

        #expect(try known().map(\.transaction) == [hash])
        #expect(try known().map(\.time) == [TestMarket.now + 20])
        #expect(
            try store.journal.unsettled(chainID: 1337, sender: trader.address).map(\.hash)
                == [hash]
        )
    }

    /// A fill of ours in block 20 that is in the journal, and that no command has told of.
    private func unsettled(_ taken: any SignedOrder) throws -> TransactionHash {
        let hash = market.mine(
            [market.fillLog(taken, taker: trader.address, filling: 6)],
            by: trader.address,
            block: 20
        )
        let intent = try store.journal.open(
            JournalIntent(
                chainID: 1337,
                account: trader.address,
                command: "market-buy",
                plan: "{}",
                created: TestMarket.now
            )
        )
        let reservation = try store.journal.reserveNonce(
            intent: intent,
            purpose: "fill",
            chainID: 1337,
            sender: trader.address,
            pendingCount: 0,
            now: TestMarket.now
        )
        try store.journal.record(raw: [1], hash: hash, for: reservation, now: TestMarket.now)
        return hash
    }
}
