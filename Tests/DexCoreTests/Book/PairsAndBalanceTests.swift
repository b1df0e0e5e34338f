import DexCore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Pairs, tokens and balances")
struct PairsAndBalanceTests {
    let market: TestMarket

    init() throws {
        market = try TestMarket()
    }

    private static func pair(_ a: Address, _ b: Address) -> RelayTokenPair {
        RelayTokenPair(
            tokenA: .init(token: a, minimum: 1, maximum: nil, precision: 5),
            tokenB: .init(token: b, minimum: nil, maximum: 9, precision: nil)
        )
    }

    // MARK: Pairs

    @Test("pairs name their quote as people do: a stable coin, else wrapped ether")
    func pairs() async throws {
        let (zrx, weth, usdc) = (TestMarket.zrx, TestMarket.weth, TestMarket.usdc)
        market.relay.set {
            $0.pairs = .success([
                Self.pair(weth, zrx), Self.pair(usdc, weth), Self.pair(zrx, usdc),
                Self.pair(zrx, weth), Self.pair(zrx, zrx),
            ])
        }

        let state = try await PairsModel(session: market.session()).load()

        #expect(state.rows.map(\.pair.name) == ["ZRX/WETH", "WETH/USDC", "ZRX/USDC"])
        #expect(state.rows.map(\.isKnown) == [true, true, true])
        #expect(state.rows.first?.details.tokenA.minimum == 1)
        #expect(state.relay == "http://127.0.0.1:2")
        #expect(market.chain.rounds.isEmpty)
    }

    @Test("a token outside the map is asked for on chain, and shown even if the node is down")
    func unknownPair() async throws {
        let strange = TestMarket.address("0x00000000000000000000000000000000deadbeef")
        market.relay.set { $0.pairs = .success([Self.pair(strange, TestMarket.weth)]) }
        market.chain.set { state in
            state.onRound = { _, _ in .failure(.unreachable(url: "n", reason: "down")) }
        }

        let state = try await PairsModel(session: market.session()).load()

        #expect(state.rows.map(\.isKnown) == [false])
        #expect(state.rows.map(\.pair.base.address) == [strange])
        #expect(state.rows.map(\.pair.base.symbol) == [strange.shortened])
        #expect(market.clock.warnings == ["The node at n cannot be reached: down."])
    }

    @Test("pairs need a relay, and its failure is theirs")
    func pairsFail() async throws {
        await #expect {
            _ = try await PairsModel(session: market.session(withRelay: false)).load()
        } throws: { ($0 as? DexError)?.code == "no-relay" }
        market.relay.set { $0.pairs = .failure(.rateLimited(url: "u", retryAfter: 9)) }
        await #expect {
            _ = try await PairsModel(session: market.session()).load()
        } throws: { error in
            let error = error as? DexError
            return error?.code == "relay-rate-limited" && error?.retryable == true
                && error?.message == "The relay at u limits our requests; try again in 9 s."
        }
    }

    @Test("tokens are searched without any request")
    func tokens() throws {
        let model = TokensModel(session: try market.session())

        #expect(model.load(query: "usd").rows.map(\.token.symbol) == ["USDC"])
        #expect(model.load().rows.count == 6)
        #expect(model.load(query: "no such token").rows.isEmpty)
        #expect(model.load().network == "sandbox")
        #expect(market.chain.rounds.isEmpty)
    }

    // MARK: Balances

    private func setBalances() {
        let owner = market.trader.address
        market.fundTrader(
            ether: "2.5",
            zrx: TestMarket.units("7"),
            weth: 0,
            usdc: 0,
            allowance: 0
        )
        market.fund(owner, TestMarket.usdc, balance: 0, allowance: 5)
    }

    @Test("all known tokens of which there is a balance or an allowance, in two rounds")
    func balances() async throws {
        setBalances()
        let owner = market.trader.address
        for token in try market.session().tokens.search(nil)
        where ![TestMarket.zrx, TestMarket.weth, TestMarket.usdc].contains(token.address) {
            market.fund(owner, token.address, balance: 0, allowance: 0)
        }

        let state = try await BalanceModel(session: market.session()).load(owner: owner)

        #expect(state.ether == Wei(TestMarket.units("2.5")))
        #expect(state.rows.map(\.token.symbol) == ["USDC", "ZRX"])
        #expect(state.rows.map(\.amount?.value) == ["0", "7"])
        #expect(state.rows.map(\.allowance) == [5, 0])
        #expect(state.block == TestMarket.head)
        #expect(market.chain.rounds.count == 2)
        #expect(market.relay.requests.isEmpty)
    }

    @Test("a known token that has no contract on the chain is left out of the list")
    func absentToken() async throws {
        setBalances()
        market.chain.set { state in state.onCall = { _, _ in .success([]) } }
        for token in try market.session().tokens.search(nil) {
            market.chain.set { $0.code[token.address] = .success([]) }
        }

        let state = try await BalanceModel(session: market.session())
            .load(owner: market.trader.address)

        #expect(state.rows.map(\.token.symbol) == ["USDC", "ZRX"])
        #expect(state.warnings.isEmpty)
    }

    @Test("tokens that are named are shown even where they are zero, each once, ether aside")
    func namedTokens() async throws {
        setBalances()

        let state = try await BalanceModel(session: market.session())
            .load(owner: market.trader.address, tokens: ["WETH", "ETH", "eth", "WETH", "ZRX"])

        #expect(state.rows.map(\.token.symbol) == ["WETH", "ZRX"])
        #expect(state.rows.map(\.amount?.value) == ["0", "7"])
        #expect(market.relay.requests.isEmpty)
    }

    @Test(
        "a contract that is named and answers nothing of a token is refused",
        arguments: [true, false]
    )
    func notAToken(hasCode: Bool) async throws {
        setBalances()
        let strange = TestMarket.address("0x00000000000000000000000000000000deadbeef")
        market.chain.set { state in
            state.onCall = { _, _ in .success([]) }
            state.code[strange] = .success(hasCode ? [1] : [])
        }

        await #expect {
            _ = try await BalanceModel(session: market.session())
                .load(owner: market.trader.address, tokens: [strange.checksummed])
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .refused && error?.code == "not-a-token"
                && error?.message
                    == "The contract \(strange.checksummed) does not answer as a token."
        }
    }

    @Test("an unknown symbol is exit 2 before anything is asked")
    func unknownSymbol() async throws {
        await #expect {
            _ = try await BalanceModel(session: market.session())
                .load(owner: market.trader.address, tokens: ["NOPE"])
        } throws: { ($0 as? DexError)?.exit == .usage }
        #expect(market.chain.rounds.isEmpty)
    }
}
