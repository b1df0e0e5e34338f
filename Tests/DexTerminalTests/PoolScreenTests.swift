import DexTerminal
import Ethereum
import StrictJSON
import Testing
import Uniswap
import ZeroEx

@testable import DexCore

@Suite("Uniswap's pools on screen")
struct PoolScreenTests {
    private static let unit: UInt256 = 1_000_000_000_000_000_000
    private static let block = LiveFixtures.block

    private static func pool(_ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(Fixtures.zrx.address, Fixtures.weth.address, kind))
    }

    /// The same as guards and alerts read them, without a mean.
    static func reading() throws -> PoolReading {
        let book = try book()
        return PoolReading(
            pair: book.pair,
            book: book,
            before: book,
            moves: [],
            mean: .missing("No oracle reaches back."),
            balances: [:]
        )
    }

    /// Two v3 pools and a pair around 0.002 WETH for 1 ZRX.
    static func book() throws -> PoolBook {
        let isBaseFirst = Fixtures.zrx.address < Fixtures.weth.address
        let tick: Int32 = isBaseFirst ? -62_150 : 62_149
        func range(_ fee: UInt32, _ spacing: Int32, _ liquidity: UInt128) throws -> PoolDepth {
            .v3(
                try PoolState(
                    sqrtPrice: try #require(TickMath.price(tick)),
                    tick: tick,
                    liquidity: liquidity,
                    fee: fee,
                    tickSpacing: spacing,
                    words: TickBitmap.words(spacing: spacing),
                    ticks: [
                        InitialisedTick(tick: -600_000, liquidityNet: Int128(liquidity)),
                        InitialisedTick(tick: 600_000, liquidityNet: -Int128(liquidity)),
                    ]
                )
            )
        }
        let reserves = isBaseFirst ? (50_000, 100) : (100, 50_000) as (UInt256, UInt256)
        let pair = try #require(
            PairState(reserve0: reserves.0 * unit, reserve1: reserves.1 * unit)
        )
        let pools: [PoolID: PoolDepth] = [
            try pool(.v2): .v2(pair),
            try pool(.v3(fee: 500)): try range(500, 10, 40_000_000_000_000_000_000_000),
            try pool(.v3(fee: 3_000)): try range(3_000, 60, 90_000_000_000_000_000_000_000),
        ]
        var addresses: [PoolID: Address] = [:]
        for (index, pool) in pools.keys.sorted(by: { $0.kind.name < $1.kind.name }).enumerated() {
            addresses[pool] = Fixtures.address(UInt64(0xB001 + index))
        }
        return PoolBook(
            pair: Fixtures.pair,
            tokens: (Fixtures.zrx.address, Fixtures.weth.address),
            PoolDepths(pools: pools, checked: Set(pools.keys)),
            addresses: addresses,
            at: block
        )
    }

    private func state(depth: Int? = 6) throws -> PoolBookState {
        PoolBookState(try Self.book(), nodes: 1, depth: depth)
    }

    private func list() throws -> PoolListState {
        let book = try Self.book()
        func row(
            _ kind: PoolKind,
            _ oracle: PoolListState.Oracle,
            volume: UInt256?
        ) throws -> PoolListState.Row {
            let pool = try Self.pool(kind)
            let depth = try #require(book.pools[pool])
            let side = PoolOrientation(pool, base: Fixtures.zrx.address)
            func moved(_ direction: TradeSide) -> PoolListState.Depth? {
                side.amounts(direction, of: depth, ticks: 100)
                    .map { PoolListState.Depth(base: $0.base, quote: $0.quote) }
            }
            return PoolListState.Row(
                pool: pool,
                address: try #require(book.addresses[pool]),
                price: side.marginalPrice(of: depth),
                sell: moved(.sell),
                buy: moved(.buy),
                liquidity: depth.liquidity,
                reserves: kind == .v2
                    ? PoolListState.Depth(base: 50_000 * Self.unit, quote: 100 * Self.unit) : nil,
                oracle: oracle,
                volume: volume
            )
        }
        return PoolListState(
            pair: Fixtures.pair,
            block: Self.block,
            mid: book.mid,
            nodes: 1,
            rows: [
                try row(
                    .v3(fee: 3_000),
                    .reaches(seconds: 3_600, observations: 128),
                    volume: 120 * Self.unit
                ),
                try row(
                    .v3(fee: 500),
                    .reaches(seconds: 0, observations: 1),
                    volume: 40 * Self.unit
                ),
                try row(.v2, .none, volume: 1_500_000_000_000_000_000),
            ]
        )
    }

    @Test(
        "the ladder fits 40, 80 and 120 columns, and says whose prices they are",
        arguments: [40, 80, 120]
    )
    func ladder(width: Int) throws {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now + 5)
        let lines = PoolBookView(try state()).lines(screen)
        for line in lines { #expect(TerminalText.width(of: line) <= width, "\(line)") }
        let text = lines.joined(separator: " ")
        #expect(text.contains("one node"))
        #expect(text.contains("spread"))
        try expectSnapshot(lines, named: "pool-book-\(width)")
    }

    @Test("asks are red and bids green")
    func colours() throws {
        let screen = Screen(width: 80, style: .marked, now: Fixtures.now)
        try expectSnapshot(PoolBookView(try state()).lines(screen), named: "pool-book-colours")
    }

    @Test("every width from 1 on is drawn, and every height", arguments: 1...130)
    func everyWidth(width: Int) throws {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now)
        let words = 17  // the longest word is never broken
        for line in PoolBookView(try state(depth: 1)).lines(screen) {
            #expect(TerminalText.width(of: line) <= max(width, words), "\(width): \(line)")
        }
        for line in PoolListView(try list()).lines(screen) {
            #expect(TerminalText.width(of: line) <= max(width, words), "\(width): \(line)")
        }
    }

    @Test(
        "the list of pools fits 40, 80 and 120 columns, the deepest first",
        arguments: [40, 80, 120]
    )
    func pools(width: Int) throws {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now)
        let lines = PoolListView(try list()).lines(screen)
        for line in lines { #expect(TerminalText.width(of: line) <= width, "\(line)") }
        try expectSnapshot(lines, named: "pool-list-\(width)")
    }

    @Test("the list with colours; what was not read has a dash and a warning")
    func listColours() throws {
        var state = try list()
        state.rows[0].volume = nil
        state.warnings = ["The volume is not shown: the node is gone."]
        let screen = Screen(width: 80, style: .marked, now: Fixtures.now)
        try expectSnapshot(PoolListView(state).lines(screen), named: "pool-list-colours")
    }

    @Test("the price without an amount names the pools, their spread and the node")
    func price() throws {
        let state = try state()
        var price = PriceState(
            pair: state.pair,
            block: LiveFixtures.block.number,
            bid: state.bid,
            ask: state.ask,
            mid: state.mid,
            quote: nil
        )
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        #expect(!PriceView(price).lines(screen).joined().contains("node"))
        price.pools = state
        try expectSnapshot(PriceView(price).lines(screen), named: "pool-price")
        let data = ReadJSON.price(price)
        #expect(data["nodeCount"]?.numberText == "1")
        #expect(
            data["pools"]?.arrayValue?.map { $0["source"]?.stringValue }
                == ["v3:0.05%", "v2:0.3%", "v3:0.3%"]
        )
    }

    @Test("the price of an amount stands below the pools' best prices")
    func amount() throws {
        let state = try state()
        var price = PriceState(
            pair: state.pair,
            block: LiveFixtures.block.number,
            bid: state.bid,
            ask: state.ask,
            mid: state.mid,
            quote: nil,
            pools: state
        )
        price.offers = [
            PriceState.Offer(
                venue: .pools,
                name: "Uniswap pools",
                total: Self.unit / 10,
                average: Price(quote: 1, base: 1_000),
                worst: Price(quote: 995, base: 1_000_000),
                gas: 120_000,
                reason: nil
            )
        ]
        let lines = PriceView(price).lines(
            Screen(width: 80, style: .plain, now: Fixtures.now)
        )
        for line in lines { #expect(TerminalText.width(of: line) <= 80, "\(line)") }
        try expectSnapshot(lines, named: "pool-price-amount")
    }

    @Test("JSON: a row has the fields of an order's row, those of an order null, and its pool")
    func json() throws {
        let data = PoolJSON.book(try state())
        #expect(data["venue"] == "pools" && data["nodeCount"]?.numberText == "1")
        #expect(data["asks"]?.arrayValue?.count == 6)
        let row = try #require(data["asks"]?.arrayValue?.first)
        for key in ["takerFee", "orderHash", "maker", "expires"] {
            #expect(row[key]?.isNull == true, "\(key)")
        }
        #expect(row["source"] == "v3:0.05%" && row["takeable"] == true)
        #expect(row["amount"] == row["fillable"] && row["quoteAmount"]?["symbol"] == "WETH")
        let lists = PoolJSON.pools(try list())
        let pools = try #require(lists["pools"]?.arrayValue)
        #expect(pools.map { $0["feePercent"] } == ["0.3", "0.05", "0.3"])
        #expect(pools.map { $0["sharePercent"] } == ["74.30", "24.76", "0.92"])
        #expect(pools[0]["oracle"]?["seconds"]?.numberText == "3600")
        #expect(pools[2]["oracle"]?.isNull == true)
        #expect(pools[2]["reserves"]?["baseAmount"]?["value"] == "50000")
        #expect(pools[0]["reserves"]?.isNull == true)
    }
}
