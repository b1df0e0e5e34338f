import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Without a relay, at Uniswap's pools of the simulated chain, at 12 s a block.
@Suite("Guards at pools fire by two blocks and a mean, and by no block alone")
struct PoolGuardTests {
    /// The stop-loss of all these tests: sell 100 ZRX at 0.0099 WETH or less, 2 % slippage; the
    /// price is 0.01.
    struct Bench: GuardSuite {
        let market: LiveMarket

        init(_ scene: LiveMarket.PoolScene = LiveMarket.PoolScene()) throws {
            market = try LiveMarket(LiveMarket.Holdings(pools: scene.genesis()))
        }

        @discardableResult
        func stopLoss() async throws -> JournalGuard {
            try await add("100", price: "0.0099", slippage: 200)
        }

        /// What a look of a run meets.
        enum Step {
            /// The rival moves the price by about 1.2 %, in the only new block.
            case sells
            /// The rival moves it back.
            case buys
            /// A new block without a trade.
            case nothing
        }

        /// Runs the guards for so many looks, each with one new block; the others are empty.
        func run(
            _ looks: Int,
            _ log: GuardLog,
            steps: [Int: Step],
            isReal: Bool = true,
            before: @escaping @Sendable (Int) async throws -> Void = { _ in }
        ) async throws {
            let count = Mutex(0)
            var session = try market.session()
            session.environment.sleep = { [market] _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number > looks { throw CancellationError() }
                try await market.clock.environment.sleep(12_000)
                try await before(number)
                switch steps[number] ?? .nothing {
                case .sells: try await market.rivalTrades(.sell, "6500")
                case .buys: try await market.rivalTrades(.buy, "6500")
                case .nothing: try await market.chain.mine()
                }
            }
            var loop = GuardLoop(
                session: session,
                journal: market.journal,
                settings: TradeSettings(),
                account: market.trader.address,
                report: { log.add($0) }
            )
            let signer = market.signer
            _ = try await loop.run { signer }
        }

        func zrx() async throws -> UInt256 {
            try await market.balance(TestMarket.zrx, of: market.trader.address)
        }

        func reading() async throws -> PoolReading {
            let session = try market.session()
            return try await PoolReading.read(
                try await TokenResolver(session: session).pair("ZRX/WETH"),
                account: market.trader.address,
                session: session
            )
        }
    }

    private static let noMean = "Its price is reached, but not by the mean of the last 5 minutes."

    // MARK: Reading

    @Test("the pools of a pair are read with the block before and the mean, in two round trips")
    func reading() async throws {
        let bench = try Bench()
        bench.market.node.forgetRounds()
        let reading = try await bench.reading()
        // One more for the pair's tokens is not needed: they are in the list.
        #expect(bench.market.node.rounds.count == 2)
        let bid = try #require(reading.bid?.text(of: reading.pair))
        #expect(bid.hasPrefix("0.00999"))
        #expect(reading.before.bid != nil)
        guard case .known(let mean) = reading.mean else {
            Issue.record("no mean: \(reading.mean)")
            return
        }
        #expect(mean.sources == ["v3:0.05%"])
        #expect(try #require(mean.bid) < (try #require(mean.mid)))
        #expect(try #require(mean.mid) < (try #require(mean.ask)))
        #expect(mean.mid?.text(of: reading.pair)?.hasPrefix("0.0100") == true)
        #expect(reading.balances[TestMarket.zrx] == TestMarket.units("10000"))
    }

    @Test("what one block moved is seen in it, and in the next one no more")
    func moves() async throws {
        let bench = try Bench()
        try await bench.market.rivalTrades(.sell, "6500")
        let moved = try await bench.reading()
        #expect(moved.moved(beyond: 100) == LiveMarket.PoolScene.pool)
        #expect(moved.moved(beyond: 200) == nil)
        #expect(try #require(moved.before.bid) > (try #require(moved.bid)))
        try await bench.market.chain.mine()
        #expect(try await bench.reading().moved(beyond: 0) == nil)
    }

    @Test("a pool without depth has no say: neither its price, nor its moves, nor its oracle")
    func tiny() async throws {
        var scene = LiveMarket.PoolScene(cardinality: nil, hasPair: true, hasTinyPool: true)
        let alone = try await Bench(scene).reading()
        #expect(alone.bid?.text(of: alone.pair)?.hasPrefix("0.0099") == true)
        guard case .missing(let reason) = alone.mean else {
            Issue.record("the tiny pool has a say")
            return
        }
        #expect(
            reason == "Only v3 pools keep one, and none has a tenth of the depth of ZRX/WETH."
        )
        scene.cardinality = 128
        scene.hasPair = false
        let both = try await Bench(scene).reading()
        #expect(both.moves.map(\.pool) == [LiveMarket.PoolScene.pool])
        guard case .known(let mean) = both.mean else {
            Issue.record("no mean")
            return
        }
        #expect(mean.pools == [LiveMarket.PoolScene.pool])
        #expect(both.bid?.text(of: both.pair)?.hasPrefix("0.0099") == true)
    }

    // MARK: Firing

    @Test("it fires once the price has fallen and the mean has followed, at the pools, once")
    func fires() async throws {
        let bench = try Bench()
        let made = try await bench.stopLoss()
        #expect(made.isAtPools)
        #expect(made.exchange == bench.market.network.pools?.router)
        let log = GuardLog()
        let before = try await bench.zrx()
        let looks = Mutex(0)
        try await bench.run(45, log, steps: [2: .sells]) { number in
            looks.withLock { $0 = number }
        }
        #expect(log.fired == [made.id])
        #expect(log.outcomes.map(\.ending) == [.done])
        #expect(log.outcomes.first?.plan.venue == .pools)
        #expect(try await bench.zrx() == before - TestMarket.units("100"))
        // The mean of five minutes needs most of their 25 blocks.
        #expect(looks.withLock { $0 } > 15)
        #expect(log.held.contains(Self.noMean))
    }

    @Test("its sale never brings less than its limit, whatever happens before it is mined")
    func limit() async throws {
        let bench = try Bench()
        try await bench.stopLoss()
        let log = GuardLog()
        let market = bench.market
        let hasSold = Mutex(false)
        market.node.onSend { _, raw in
            // Somebody else's trade is mined before the guard's first sale.
            let isFirst = hasSold.withLock { hasSold in
                let isFirst = !hasSold && log.isFiring
                if isFirst { hasSold = true }
                return isFirst
            }
            if isFirst { try await market.rivalTrades(.sell, "20000") }
            return .pass
        }
        let before = try await bench.zrx()
        try await bench.run(45, log, steps: [2: .sells])
        #expect(hasSold.withLock { $0 })
        #expect(try await bench.zrx() == before)
        #expect(log.outcomes.map(\.ending) == [.reverted])
    }

    @Test(
        "a block that somebody moved fires nothing, nor do two, with and without a mean",
        arguments: [128, 1],
        [1, 2, 3]
    )
    func manipulated(cardinality: Int, blocks: Int) async throws {
        let bench = try Bench(
            LiveMarket.PoolScene(cardinality: UInt16(clamping: cardinality))
        )
        try await bench.stopLoss()
        let log = GuardLog()
        let before = try await bench.zrx()
        try await bench.run(12, log, steps: [3: .sells, 3 + blocks: .buys])
        #expect(log.fired.isEmpty)
        #expect(try await bench.zrx() == before)
        let guards = try bench.model().list()
        #expect(guards.map(\.state) == [.waiting])
    }

    @Test("without a mean it fires after a minute in which every reading reached the price")
    func patience() async throws {
        let bench = try Bench(LiveMarket.PoolScene(cardinality: nil, hasPair: true))
        let plan = try await bench.model().plan(
            GuardRequest(
                side: .sell,
                pair: "ZRX/WETH",
                amount: "100",
                trigger: .below,
                price: "0.0099",
                slippage: 500
            ),
            account: bench.market.trader.address
        )
        #expect(plan.warnings.contains { $0.hasPrefix("There is no mean price. Only v3 pools") })
        _ = try await bench.model().add(plan, signer: bench.market.signer)
        let log = GuardLog()
        let looks = Mutex(0)
        // 6,500 of 50,000 ZRX move a pair too far; 800 are 3 %.
        try await bench.run(20, log, steps: [:]) { [market = bench.market] number in
            looks.withLock { $0 = number }
            if number == 2 { try await market.rivalTrades(.sell, "400") }
        }
        #expect(log.fired.count == 1)
        #expect(log.outcomes.map(\.ending) == [.done])
        // Reached from the third look on, at 12 s each.
        #expect((8...10).contains(looks.withLock { $0 }))
    }

    @Test("a block in which a pool moved by more than the slippage is not the one that it fires in")
    func moved() async throws {
        let bench = try Bench(LiveMarket.PoolScene(cardinality: 1))
        _ = try await bench.add("100", price: "0.0099", slippage: 100)
        let log = GuardLog()
        try await bench.run(9, log, steps: [2: .sells])
        #expect(
            log.held == [
                "The price of the pool v3:0.05% moved by more than its slippage within the latest "
                    + "block. It is looked at again in the next one."
            ]
        )
        #expect(log.fired.count == 1)
    }

    @Test("a price that is far in one block, and near in the next, is no price for a minute")
    func flicker() async throws {
        let bench = try Bench(LiveMarket.PoolScene(cardinality: 1))
        try await bench.stopLoss()
        let log = GuardLog()
        try await bench.run(
            16,
            log,
            steps: [2: .sells, 5: .buys, 7: .sells, 10: .buys, 12: .sells, 15: .buys]
        )
        #expect(log.fired.isEmpty)
    }

    // MARK: A node that lies

    /// Changes the answers to calls of a pool's function at blocks that the node is asked about.
    private func lie(
        _ market: LiveMarket,
        _ data: [UInt8],
        _ change: @escaping @Sendable (Int, [UInt8]) -> [UInt8]
    ) {
        let count = Mutex(0)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .call(let call, _) = read, call.data == data,
                    case .success(.bytes(let bytes)) = answer, !bytes.isEmpty
                else { return answer }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return .success(.bytes(change(number, bytes)))
            }
        }
    }

    /// `slot0` of the deep pool at a tick.
    private static func slot(_ bytes: [UInt8], tick: Int32) -> [UInt8] {
        (TickMath.price(tick) ?? .zero).word.bytes
            + UInt256(truncatingIfNeeded: tick).word.bytes + bytes.dropFirst(64)
    }

    private static let low = LiveMarket.PoolScene.tick + 130

    @Test("one false price among the reads of a block is no state of the chain")
    func contradiction() async throws {
        for lying in 1...2 {
            let bench = try Bench()
            try await bench.market.chain.mine()
            lie(bench.market, ContractRead<PoolSlot?>.slot.data) { number, bytes in
                number == lying ? Self.slot(bytes, tick: Self.low) : bytes
            }
            let error = await #expect(throws: DexError.self) { _ = try await bench.reading() }
            #expect(error?.code == "reorganized")
        }
    }

    @Test("a node that lies about every price, and not about the mean, fires nothing")
    func falsePrice() async throws {
        let bench = try Bench()
        try await bench.stopLoss()
        let log = GuardLog()
        lie(bench.market, ContractRead<PoolSlot?>.slot.data) { _, bytes in
            bytes.count == 224 ? Self.slot(bytes, tick: Self.low) : bytes
        }
        try await bench.run(10, log, steps: [:])
        #expect(log.fired.isEmpty)
        #expect(log.held == [Self.noMean])
        #expect(bench.market.node.sent.isEmpty)
    }

    @Test("a node that lies about the mean, and not about the price, fires nothing")
    func falseMean() async throws {
        let bench = try Bench()
        try await bench.stopLoss()
        let log = GuardLog()
        let observe = ContractRead<[Int64]>.observe(secondsAgo: [300, 0])
        lie(bench.market, observe.data) { _, bytes in
            var bytes = bytes
            let first = UInt256.zero.word.bytes
            let second = UInt256(UInt64(Self.low) * 300).word.bytes
            bytes.replaceSubrange(96..<160, with: first + second)
            return bytes
        }
        try await bench.run(10, log, steps: [:])
        #expect(log.fired.isEmpty)
        #expect(log.held.isEmpty)
        #expect(bench.market.node.sent.isEmpty)
    }

    @Test("a parent that is not the block's own is no state of the chain")
    func otherParent() async throws {
        let bench = try Bench()
        try await bench.market.chain.mine()
        bench.market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .block(.number(0)) = read, case .success(.block(let block?)) = answer
                else { return answer }
                return .success(
                    .block(
                        Block(
                            number: block.number,
                            hash: BlockHash(UInt256(7).word),
                            parentHash: block.parentHash,
                            timestamp: block.timestamp,
                            baseFeePerGas: block.baseFeePerGas,
                            gasLimit: block.gasLimit,
                            gasUsed: block.gasUsed
                        )
                    )
                )
            }
        }
        let error = await #expect(throws: DexError.self) { _ = try await bench.reading() }
        #expect(error?.code == "reorganized")
    }

    // MARK: The venue

    @Test("a guard of the pools is signed with their router, and stays one beside a relay")
    func venue() async throws {
        let bench = try Bench()
        let made = try await bench.stopLoss()
        let message = String(decoding: try #require(GuardMessage.bytes(made)), as: UTF8.self)
        let router = try #require(bench.market.network.pools?.router)
        #expect(message.contains("exchange: \(router.checksummed)"))
        var session = try bench.market.session()
        session.relay = bench.market.relay
        let listed = try GuardsModel(session: session, journal: bench.market.journal).list()
        #expect(listed.map(\.isAtPools) == [true])
        #expect(listed.map(\.isConfirmed) == [true])
        // Without pools in the network's list it is no guard of this network.
        session.network.pools = nil
        let gone = try GuardsModel(session: session, journal: bench.market.journal).list()
        #expect(gone.isEmpty)
    }

    @Test("a guard of a relay's book does not fire at the pools when the relay is gone")
    func noRelay() async throws {
        let bench = try Bench()
        bench.market.setBook(bids: [try await bench.bid("9.95")])
        var session = try bench.market.session()
        session.relay = bench.market.relay
        let model = GuardsModel(session: session, journal: bench.market.journal)
        let plan = try await model.plan(
            GuardRequest(
                side: .sell,
                pair: "ZRX/WETH",
                amount: "100",
                trigger: .below,
                price: "0.02",
                slippage: 500,
                allowsHighSlippage: true,
                allowsImmediate: true
            ),
            account: bench.market.trader.address
        )
        #expect(!plan.guardOrder.isAtPools && plan.mean == nil)
        _ = try await model.add(plan, signer: bench.market.signer)
        let log = GuardLog()
        try await bench.run(4, log, steps: [:])
        #expect(log.held == [GuardCheck.noBook])
        #expect(log.fired.isEmpty)
    }

    @Test("a key confirms a guard for its network's exchange or router, and for no other contract")
    func contract() async throws {
        let bench = try Bench()
        let message = try #require(GuardMessage.bytes(try await bench.stopLoss()))
        var other = bench.market
        other.network.pools = nil
        let signer = other.signer
        await #expect(throws: SigningError.self) { _ = try await signer.sign(guardTerms: message) }
    }
}
