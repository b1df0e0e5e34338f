import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What became of an order")
struct OrderStatusTests {
    let market: TestMarket
    let store = TemporaryJournal()

    init() throws {
        market = try TestMarket()
        market.fund(market.makers[0].address, TestMarket.zrx, balance: TestMarket.units("1000"))
    }

    private func model() throws -> StatusModel {
        StatusModel(session: try market.session(), journal: store.journal)
    }

    private func ask() async throws -> any SignedOrder {
        let order = try await market.ask(by: market.makers[0], "100", for: "1")
        market.relay.set { $0.orders[order.hash] = .success(order) }
        market.chain.set { state in
            state.receipts[TransactionHash(order.hash.word)] = .some(nil)
            state.transactions[TransactionHash(order.hash.word)] = .some(nil)
        }
        return order
    }

    private func order(_ state: StatusState) throws -> StatusState.Order {
        guard case .order(let status) = state else {
            throw DexError(.fault, code: "test", message: "It is a transaction.")
        }
        return status
    }

    @Test("an order is told by what is filled and cancelled, with its fills from the logs")
    func order() async throws {
        let ask = try await ask()
        let other = try await market.ask(by: market.makers[0], "100", for: "2")
        market.use(ask, filled: TestMarket.units("0.3"), cancelled: TestMarket.units("0.1"))
        let logs = [
            market.fillLog(other, taker: market.trader.address, filling: 5),
            market.fillLog(ask, taker: market.trader.address, filling: TestMarket.units("0.3")),
            market.cancelLog(ask, cancelling: TestMarket.units("0.1")),
        ]
        market.chain.set { $0.logs = { _ in .success(logs) } }

        let state = try await model().load(ask.hash.word)

        let status = try order(state)
        let (row, fills) = (status.row, status.fills)
        #expect(row.standing == .partlyFilled)
        #expect(row.state.filled == TestMarket.units("0.3"))
        #expect(row.state.cancelled == TestMarket.units("0.1"))
        #expect(row.state.remaining == TestMarket.units("0.6"))
        #expect(row.fillable == TestMarket.units("0.6"))
        #expect(status.block == TestMarket.head && status.warnings.isEmpty)
        #expect(fills.map(\.takerAmount) == [TestMarket.units("0.3")])
        #expect(state.exit == .done)
        // Two rounds, the logs beside the second.
        #expect(market.chain.rounds.count == 3)
    }

    @Test("a node that serves no logs leaves the fills out")
    func noLogs() async throws {
        let ask = try await ask()
        market.use(ask, filled: TestMarket.units("0.3"))
        market.chain.set {
            $0.logs = { _ in .failure(.rpc(code: -32_601, message: "method not found")) }
        }

        let status = try order(try await model().load(ask.hash.word))

        #expect(status.row.state.filled == TestMarket.units("0.3"))
        #expect(status.fills.isEmpty)
        #expect(
            status.warnings == [
                "The fills in the node's logs come to 0 WETH; the exchange counts 0.3 WETH as "
                    + "filled: some fills are not shown."
            ]
        )
    }

    @Test("logs that could not be read are not an order without fills")
    func unreadLogs() async throws {
        let ask = try await ask()
        market.use(ask, filled: TestMarket.units("0.3"))
        market.chain.set {
            $0.logs = { _ in .failure(.rateLimited(url: "http://n", retryAfter: 1)) }
        }
        await #expect {
            _ = try await model().load(ask.hash.word)
        } throws: {
            ($0 as? DexError)?.exit == .unreachable
        }
    }

    @Test("fills before the last 10,000 blocks are looked for only where some are missing")
    func oldFills() async throws {
        let ask = try await ask()
        market.mine(19_872, timestamp: TestMarket.now)
        market.mine(20_000, timestamp: TestMarket.now)
        let log = market.fillLog(ask, taker: market.trader.address, filling: 9)
        market.chain.set { state in
            state.logs = { .success($0.fromBlock == .number(0) ? [log] : []) }
        }
        let untouched = try order(try await model().load(ask.hash.word))
        #expect(untouched.fills.isEmpty)
        #expect(market.chain.rounds.count == 3)

        market.use(ask, filled: 9)
        let filled = try order(try await model().load(ask.hash.word))

        #expect(filled.fills.map(\.takerAmount) == [9])
        #expect(market.chain.rounds.count == 7)
        // What is kept is not asked for again.
        #expect(asked() == [10_000...20_000, 19_873...20_000, 0...9_999])
    }

    /// The blocks whose logs were asked for.
    private func asked() -> [ClosedRange<UInt64>] {
        market.chain.rounds.joined().compactMap { read in
            guard case .logs(let filter) = read, case .number(let first) = filter.fromBlock,
                case .number(let last) = filter.toBlock
            else { return nil }
            return first...last
        }
    }

    /// Fills of an order with their places in the chain; they are all of its fills.
    private func mine(_ fills: [(block: UInt64, amount: UInt256)], of order: any SignedOrder) {
        let logs = fills.map { block, amount in
            let log = market.fillLog(order, taker: market.trader.address, filling: amount)
            return Log(
                address: log.address,
                topics: log.topics,
                data: log.data,
                blockNumber: block,
                blockHash: TestMarket.blockHash(block),
                transactionHash: WatchStage.hash(block),
                logIndex: 0
            )
        }
        market.use(order, filled: fills.map(\.amount).reduce(0, +))
        market.chain.set {
            $0.logs = { filter in .success(logs.filter(LogPattern(filter).matches)) }
        }
    }

    @Test("its logs are asked once of a node, old ones by all commands, new ones by one")
    func askedOnce() async throws {
        let ask = try await ask()
        for number: UInt64 in [9_000, 9_999, 15_000, 19_872, 20_000] {
            market.mine(number, timestamp: TestMarket.now)
        }
        mine([(9_000, 3), (15_000, 4)], of: ask)
        let model = try model()
        for _ in 0..<2 {
            let fills = try order(try await model.load(ask.hash.word)).fills
            #expect(fills.map(\.takerAmount) == [3, 4])
            #expect(asked() == [10_000...20_000, 0...9_999])
        }
        let other = try order(try await self.model().load(ask.hash.word)).fills
        #expect(other.map(\.takerAmount) == [3, 4])
        #expect(asked().dropFirst(2) == [19_873...20_000])
    }

    /// Keeps an answer without logs of some blocks, as another command does.
    private func keepNone(_ blocks: ClosedRange<UInt64>) async throws {
        let logs = LogScan(session: try market.session())
        market.chain.set { $0.logs = { _ in .success([]) } }
        var pages = logs.pages(
            maker: market.makers[0].address,
            blocks: blocks,
            store: EventStore(
                store.journal,
                head: TestMarket.block(20_000, timestamp: TestMarket.now)
            )
        )
        #expect(try await pages.whole().logs.isEmpty)
        try pages.keep()
    }

    @Test("kept logs that do not add up to what is filled are read anew, the last blocks first")
    func shortKept() async throws {
        let ask = try await ask()
        for number: UInt64 in [9_000, 9_999, 15_000, 19_872, 20_000] {
            market.mine(number, timestamp: TestMarket.now)
        }
        try await keepNone(0...20_000)
        mine([(15_000, 3), (20_000, 4)], of: ask)
        let model = try model()
        let round = asked().count
        let read = try order(try await model.load(ask.hash.word))
        #expect(read.fills.map(\.takerAmount) == [3, 4] && read.warnings.isEmpty)
        #expect(asked().dropFirst(round) == [19_873...20_000, 10_000...20_000])
        // From then on they are kept.
        let kept = try order(try await model.load(ask.hash.word)).fills
        #expect(kept.map(\.takerAmount) == [3, 4] && asked().count == round + 2)
        // An older one is missing.
        mine([(9_000, 2), (15_000, 3), (20_000, 4)], of: ask)
        let all = try order(try await model.load(ask.hash.word)).fills
        #expect(all.map(\.takerAmount) == [2, 3, 4])
        #expect(asked().suffix(1) == [0...9_999])
    }

    @Test("an answer that is short is said to be, and keeps no fill from the next reading")
    func short() async throws {
        let ask = try await ask()
        for number: UInt64 in [9_999, 15_000, 19_872, 20_000] {
            market.mine(number, timestamp: TestMarket.now)
        }
        market.use(ask, filled: 7)
        market.chain.set { $0.logs = { _ in .success([]) } }
        let short = try order(try await model().load(ask.hash.word))
        #expect(short.fills.isEmpty && short.warnings.count == 1)
        let parts = try market.session()
            .eventFilter(maker: market.makers[0].address, from: .latest, to: .latest)
            .parts(chainID: 1337)
        let kept = try store.journal.eventRanges(covering: parts, touching: 0...20_000)
        #expect(kept.isEmpty)
        mine([(15_000, 3), (20_000, 4)], of: ask)
        let whole = try order(try await model().load(ask.hash.word))
        #expect(whole.fills.map(\.takerAmount) == [3, 4] && whole.warnings.isEmpty)
    }

    @Test("a fill that the node repeats is one; one too many is told")
    func repeated() async throws {
        let ask = try await ask()
        for number: UInt64 in [9_999, 15_000, 19_872, 20_000] {
            market.mine(number, timestamp: TestMarket.now)
        }
        mine([(15_000, 3), (20_000, 4)], of: ask)
        market.chain.set { chain in
            let logs = chain.logs
            chain.logs = { filter in (logs?(filter) ?? .success([])).map { $0 + $0 } }
        }
        let status = try order(try await model().load(ask.hash.word))
        #expect(status.fills.map(\.takerAmount) == [3, 4] && status.warnings.isEmpty)
        market.use(ask, filled: 3)
        #expect(
            try order(try await model().load(ask.hash.word)).warnings == [
                "The fills in the node's logs come to 0.000000000000000007 WETH; the exchange "
                    + "counts 0.000000000000000003 WETH as filled: not all of these fills happened."
            ]
        )
    }

    @Test("logs of blocks that were not asked for count as logs that the node does not serve")
    func otherBlocks() async throws {
        let ask = try await ask()
        market.use(ask, filled: 3)
        let log = market.fillLog(ask, taker: market.trader.address, filling: 3)
        market.chain.set { state in
            state.logs = { _ in
                .success(
                    [
                        Log(
                            address: log.address,
                            topics: log.topics,
                            data: log.data,
                            blockNumber: TestMarket.head + 1
                        )
                    ]
                )
            }
        }
        #expect(try order(try await model().load(ask.hash.word)).fills.isEmpty)
    }

    @Test("an order of the journal needs no relay that knows it")
    func fromJournal() async throws {
        let ask = try await ask()
        market.relay.set { $0.orders[ask.hash] = .success(nil) }
        market.chain.set { $0.logs = { _ in .success([]) } }
        try store.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: TestMarket.exchange,
                hash: ask.hash,
                maker: ask.maker,
                wire: market.protocolV1.encodeOrder(ask).text,
                created: TestMarket.now
            )
        )

        let row = try order(try await model().load(ask.hash.word)).row

        #expect(row.isOwn)
        #expect(!row.isOnRelay)
        #expect(row.standing == .open)
    }

    @Test("a forged order of the relay is refused")
    func forged() async throws {
        let ask = try await ask()
        let signed = try #require(ask as? SignedOrderV1)
        var terms = signed.terms
        terms.salt = 77
        let forged = SignedOrderV1(terms: terms, signature: signed.signature)
        market.relay.set { state in
            state.orders[forged.hash] = .success(forged)
            state.onOrders = { _ in .success(RelayOrders(orders: [forged])) }
        }
        market.chain.set { state in
            state.receipts[TransactionHash(forged.hash.word)] = .some(nil)
            state.transactions[TransactionHash(forged.hash.word)] = .some(nil)
        }

        await #expect {
            _ = try await model().load(forged.hash.word)
        } throws: { ($0 as? DexError)?.code == "bad-signature" }
    }

    @Test("waiting for an order ends when it is no longer open")
    func wait() async throws {
        let ask = try await ask()
        let market = market
        market.chain.set { $0.logs = { _ in .success([]) } }
        market.clock.onSleep { count in
            if count == 1 { market.use(ask, filled: TestMarket.units("0.5")) }
            if count == 2 { market.use(ask, filled: TestMarket.units("1")) }
        }

        let row = try order(try await model().wait(ask.hash.word)).row

        #expect(row.standing == .filled)
        #expect(market.clock.sleeps.count == 3)
    }
}
