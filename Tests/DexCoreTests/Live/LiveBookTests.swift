import DexTestSupport
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A book that follows changes")
struct LiveBookTests {
    let market: TestMarket
    let pair: Pair

    init() throws {
        market = try TestMarket()
        pair = try market.zrxWeth()
    }

    /// Orders of few makers, with and without fees in ZRX, which is BASE: so that both sides of a
    /// maker share a pool.
    private func orders(_ count: Int, _ random: inout SeededGenerator) async throws
        -> [any SignedOrder]
    {
        var orders: [any SignedOrder] = []
        for index in 0..<count {
            let maker = market.makers[Int.random(in: 0..<3, using: &random)]
            let base = UInt256(UInt64.random(in: 1...1_000, using: &random)) * 1_000_000_000
            let quote = UInt256(UInt64.random(in: 1...1_000, using: &random)) * 1_000_000_000
            let isAsk = Bool.random(using: &random)
            let fees =
                Int.random(in: 0..<3, using: &random) == 0
                ? OrderFees(
                    recipient: maker.address,
                    makerFee: base / 10,
                    takerFee: base / 20
                ) : .none
            orders.append(
                try await market.order(
                    by: maker,
                    give: isAsk ? (TestMarket.zrx, base) : (TestMarket.weth, quote),
                    get: isAsk ? (TestMarket.weth, quote) : (TestMarket.zrx, base),
                    fees: fees,
                    expiry: UInt256(TestMarket.now + UInt64.random(in: 0..<600, using: &random)),
                    salt: UInt256(UInt64(index + 1))
                )
            )
        }
        return orders
    }

    /// What a book from scratch and the following one know.
    private struct World {
        var orders: [OrderHash: (order: any SignedOrder, state: OrderState)] = [:]
        var holdings: [HoldingKey: Holding] = [:]
        var assembler: BookAssembler
        var block: Block

        func sides() async -> BookAssembler.Sides {
            let all = orders.values.sorted { $0.order.hash < $1.order.hash }
            return await assembler.assemble(
                all.map(\.order),
                states: all.map(\.state),
                holdings: holdings
            )
        }
    }

    private func state(
        of order: any SignedOrder,
        _ random: inout SeededGenerator
    ) -> OrderState {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: OrderState(filled: order.takerAmount, cancelled: 0, remaining: 0)
        case 1: OrderState(filled: 0, cancelled: order.takerAmount, remaining: 0)
        case 2:
            OrderState(
                filled: order.takerAmount / 3,
                cancelled: 0,
                remaining: order.takerAmount - order.takerAmount / 3
            )
        default: OrderState(filled: 0, cancelled: 0, remaining: order.takerAmount)
        }
    }

    private func holding(_ random: inout SeededGenerator) -> Holding {
        let amounts: [UInt256] = [0, 500_000_000_000, 3_000_000_000_000, .max]
        let index = Int.random(in: 0..<8, using: &random)
        // Most makers can pay for all; a token may not answer.
        let amount = index < amounts.count ? amounts[index] : .max
        return Holding(balance: index == 7 ? nil : amount, allowance: .max)
    }

    private func isEqual(_ entries: some Sequence<BookEntry>, _ other: [BookEntry]) -> Bool {
        Array(entries).elementsEqual(other) { one, two in
            one.order.hash == two.order.hash && one.state == two.state && one.price == two.price
                && one.fillableTaker == two.fillableTaker
                && one.fillableMaker == two.fillableMaker && one.flags == two.flags
        }
    }

    @Test("after random changes it equals the book from scratch", arguments: [1, 2, 3] as [UInt64])
    func equalsScratch(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let pool = try await orders(60, &random)
        let block = Block(
            number: 1,
            hash: BlockHash(UInt256(1).word),
            parentHash: BlockHash(UInt256(2).word),
            timestamp: TestMarket.now,
            baseFeePerGas: nil,
            gasLimit: 0,
            gasUsed: 0
        )
        let assembler = BookAssembler(
            exchangeProtocol: market.protocolV1,
            contracts: TestMarket.contracts,
            pricing: OrderPricing(base: TestMarket.zrx, quote: TestMarket.weth),
            weth: TestMarket.weth,
            timestamp: TestMarket.now,
            now: TestMarket.now,
            gasPrice: nil,
            account: market.makers[2].address,
            settings: ReadSettings()
        )
        var world = World(assembler: assembler, block: block)
        let materials = BookMaterials(
            assembler: assembler,
            orders: [],
            states: [],
            holdings: [:]
        )
        var book = LiveBook(pair: pair, block: block, materials)
        for step in 0..<3_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let order = pool[Int.random(in: 0..<pool.count, using: &random)]
                let state = state(of: order, &random)
                var holdings: [HoldingKey: Holding] = [:]
                for token in [TestMarket.zrx, TestMarket.weth] {
                    let key = HoldingKey(owner: order.maker, token: token)
                    holdings[key] = world.holdings[key] ?? holding(&random)
                }
                world.orders[order.hash] = (order, state)
                world.holdings.merge(holdings) { $1 }
                book.apply(
                    .shown([LiveBook.Shown(order: order, state: state)], holdings: holdings)
                )
            case 4..<6:
                let hash = pool[Int.random(in: 0..<pool.count, using: &random)].hash
                world.orders[hash] = nil
                book.apply(.removed([hash]))
            case 6..<8:
                let order = pool[Int.random(in: 0..<pool.count, using: &random)]
                let state = state(of: order, &random)
                if world.orders[order.hash] != nil { world.orders[order.hash]?.state = state }
                book.apply(.read(states: [order.hash: state], holdings: [:]))
            case 8:
                guard
                    let key = world.holdings.keys.sorted(by: {
                        ($0.owner, $0.token) < ($1.owner, $1.token)
                    }).randomElement(using: &random)
                else { continue }
                // A maker without an order is not followed.
                guard world.orders.values.contains(where: { $0.order.maker == key.owner }) else {
                    continue
                }
                let holding = holding(&random)
                world.holdings[key] = holding
                book.apply(.read(states: [:], holdings: [key: holding]))
            default:
                let time = TestMarket.now + UInt64.random(in: 0..<700, using: &random)
                let gas = Wei(UInt256(UInt64.random(in: 0..<3, using: &random) * 10_000_000))
                world.assembler.timestamp = time
                world.assembler.now = time
                world.assembler.gasPrice = gas
                let block = Block(
                    number: world.block.number + 1,
                    hash: world.block.hash,
                    parentHash: world.block.parentHash,
                    timestamp: time,
                    baseFeePerGas: gas,
                    gasLimit: 0,
                    gasUsed: 0
                )
                book.apply(.time(block, now: time, gasPrice: gas))
            }
            guard step % 10 == 0 else { continue }
            let sides = await world.sides()
            let isSame =
                isEqual(book.asks.entries, sides.asks)
                && isEqual(book.bids.entries, sides.bids)
            #expect(isSame, "seed \(seed), step \(step)")
            guard isSame else { return }
            #expect(book.asks.count == sides.asks.count)
            #expect(book.asks.best == BookDepth(sides.asks, side: .buy).best)
            #expect(book.bids.best == BookDepth(sides.bids, side: .sell).best)
            #expect(
                Set(book.dropped.map { "\($0.orderHash?.hex ?? "") \($0.reason)" })
                    == Set(sides.dropped.map { "\($0.orderHash?.hex ?? "") \($0.reason)" })
            )
        }
    }

    @Test("a whole reading is the book that the commands show")
    func wholeReading() async throws {
        let asks = [
            try await market.ask(by: market.makers[0], "100", for: "1"),
            try await market.ask(by: market.makers[1], "100", for: "2"),
        ]
        let bids = [try await market.bid(by: market.makers[2], "200", for: "1")]
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: .max)
            market.fund(maker.address, TestMarket.weth, balance: .max)
        }
        market.setBook(bids: bids, asks: asks)

        let snapshot = try await BookReader(session: market.session()).snapshot(of: pair)
        let book = LiveBook(snapshot)

        #expect(isEqual(book.asks.entries, snapshot.asks))
        #expect(isEqual(book.bids.entries, snapshot.bids))
        #expect(book.mid == snapshot.mid)
        #expect(book.asks.count == 2)
        #expect(book.bids.count == 1)
    }
}
