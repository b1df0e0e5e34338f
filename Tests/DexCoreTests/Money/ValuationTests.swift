import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What balances are worth by the middle of the books")
struct ValuationTests {
    private func market() async throws -> LiveMarket {
        let market = try LiveMarket(
            LiveMarket.Holdings(ether: "10", weth: "100", zrx: "10000", usdt: "0", heavy: "0")
        )
        // 0.01 and 0.03: the middle is 0.02 WETH for a ZRX.
        market.setBook(
            bids: [try await market.bid(0, "100", for: "1")],
            asks: [try await market.ask(1, "100", for: "3")]
        )
        market.relay.set { $0.pairs = .success([Self.pair(TestMarket.zrx, TestMarket.weth)]) }
        return market
    }

    private static func pair(_ a: Address, _ b: Address) -> RelayTokenPair {
        RelayTokenPair(
            tokenA: .init(token: a, minimum: nil, maximum: nil, precision: nil),
            tokenB: .init(token: b, minimum: nil, maximum: nil, precision: nil)
        )
    }

    private func load(
        _ market: LiveMarket,
        _ unit: BalanceModel.Unit,
        tokens: [String] = [],
        withRelay: Bool = true
    ) async throws -> BalanceState {
        var session = try market.session()
        if !withRelay { session.relay = nil }
        return try await BalanceModel(session: session)
            .load(owner: market.trader.address, tokens: tokens, unit: unit)
    }

    @Test("in ether: WETH one to one, ZRX by its book, and the sum")
    func ether() async throws {
        let marketValue = try #require(try await load(try await market(), .ether).marketValue)
        #expect(marketValue.unit == .coin(.ether))
        #expect(marketValue.ether == TestMarket.units("10"))
        #expect(marketValue.tokens[TestMarket.weth] == TestMarket.units("100"))
        #expect(marketValue.tokens[TestMarket.zrx] == TestMarket.units("200"))
        #expect(marketValue.total == TestMarket.units("310"))
        #expect(marketValue.failure == nil)
    }

    @Test("in a token: ether by the book of WETH, whichever way round the pair is told")
    func token() async throws {
        let marketValue = try #require(
            try await load(try await market(), .named("ZRX")).marketValue
        )
        #expect(marketValue.unit.symbol == "ZRX")
        // The same orders seen from WETH: 33.33 and 100 ZRX, so 66.67 in the middle.
        let middle = TestMarket.units("666.666666666666666666")
        let ether = try #require(marketValue.ether)
        #expect(ether >= middle - 1_000 && ether <= middle + 1_000)
        #expect(marketValue.tokens[TestMarket.zrx] == TestMarket.units("10000"))
    }

    @Test("what has no book, or a book of one side, is left out of the sum")
    func unknown() async throws {
        let market = try await market()
        market.relay.set { $0.pairs = .success([]) }
        let none = try #require(try await load(market, .ether).marketValue)
        #expect(none.tokens[TestMarket.zrx] == nil)
        #expect(none.total == TestMarket.units("110"))
        market.relay.set { $0.pairs = .success([Self.pair(TestMarket.zrx, TestMarket.weth)]) }
        market.setBook(bids: [try await market.bid(0, "100", for: "1")])
        let half = try #require(try await load(market, .ether).marketValue)
        #expect(half.tokens[TestMarket.zrx] == nil)
        #expect(half.failure == nil)
    }

    @Test("a book that cannot be read is told, and the rest still counts")
    func bookFails() async throws {
        let market = try await market()
        market.relay.set { $0.book = .failure(.unreachable(url: "u", reason: "down")) }
        let marketValue = try #require(try await load(market, .ether).marketValue)
        // What could not be priced is in no sum.
        #expect(marketValue.total == nil && marketValue.known == TestMarket.units("110"))
        #expect(marketValue.failure == "The relay at u cannot be reached: down.")
    }

    @Test("without a relay the balance is shown alone, unless a unit was asked for")
    func noRelay() async throws {
        let market = try await market()
        let state = try await load(market, .ether, withRelay: false)
        #expect(state.marketValue == nil)
        #expect(state.rows.count == 2)
        let error = await refusal { try await load(market, .named("ETH"), withRelay: false) }
        #expect(error?.code == "no-relay")
        market.relay.set { $0.pairs = .failure(.unreachable(url: "u", reason: "down")) }
        let unvalued = try await load(market, .ether)
        #expect(unvalued.marketValue == nil)
        #expect(
            unvalued.warnings
                == ["The value is not shown: The relay at u cannot be reached: down."]
        )
        let named = await refusal { try await load(market, .named("ETH")) }
        #expect(named?.code == "relay-unreachable")
    }

    @Test("nothing is asked of the relay where no worth is wanted, or an unknown unit is named")
    func notAsked() async throws {
        let market = try await market()
        #expect(try await load(market, .none, tokens: ["ZRX"]).marketValue == nil)
        let error = await refusal { try await load(market, .named("NOPE")) }
        #expect(error?.exit == .usage)
        #expect(market.relay.requests.isEmpty)
    }
}
