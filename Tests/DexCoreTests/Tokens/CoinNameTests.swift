import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Names of the chain's own coin")
struct CoinNameTests {
    private let market: TestMarket
    private let coin = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
    private let zero = "0x0000000000000000000000000000000000000000"

    init() throws { market = try TestMarket() }

    @Test("the address that stands for the coin is the coin where the coin can be named")
    func address() async throws {
        let session = try market.session()
        for name in [coin, coin.lowercased(), "ETH", "eth"] {
            #expect(try session.tokens.namesCoin(name), "\(name)")
            let pair = try await MarketPair(session: session).pair("\(name)/USDC")
            #expect(pair.base.isNativeCoin && pair.base.decimals == 18, "\(name)")
            let transfer = try await Transfer(
                .send(asset: name, amount: "1", to: TestMarket.proxy.checksummed),
                account: market.trader.address,
                session: session,
                settings: TradeSettings()
            )
            #expect(transfer.amount == TestMarket.unit && transfer.token == nil)
            let alert = try await AlertParser(session: session).parse("balance \(name) < 1")
            #expect(alert.condition == .balance(nil, .less, "1"))
        }
    }

    @Test(
        "where only a token can be named, it and the zero address are refused with the coin's name"
    )
    func refused() async throws {
        let session = try market.session()
        let resolver = TokenResolver(session: session)
        for name in [coin, zero] {
            let token = await refusal { try await resolver.token(name) }
            #expect(token?.code == "unknown-token" && token?.hint?.contains("Write ETH") == true)
            for pair in ["\(name)/WETH", "WETH/\(name)"] {
                #expect(await refusal { try await resolver.pair(pair) }?.code == "unknown-token")
            }
            let added = await refusal { try await TokenAdditionModel(session: session).load(name) }
            #expect(added?.code == "unknown-token")
            #expect(await refusal { try session.tokens.resolve(name) }?.code == "unknown-token")
        }
        for name in [coin, coin.lowercased(), zero] {
            let request = ContractRequest(contract: name, function: "f()", arguments: [])
            let read = await refusal { try request.read(by: market.trader.address, session) }
            #expect(read?.code == "unknown-token" && read?.hint?.contains("Write ETH") == true)
        }
        let wrongCase = await refusal {
            try await resolver.token("0xeEeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")
        }
        #expect(wrongCase?.code == "bad-address")
        #expect(market.chain.rounds.isEmpty)
        let lost = await refusal {
            try await Transfer(
                .send(asset: "ETH", amount: "1", to: coin),
                account: market.trader.address,
                session: session,
                settings: TradeSettings()
            )
        }
        #expect(lost?.exit == .refused && lost?.code == "bad-recipient")
        let sent = await refusal {
            try await Transfer(
                .send(asset: zero, amount: "1", to: TestMarket.proxy.checksummed),
                account: market.trader.address,
                session: session,
                settings: TradeSettings()
            )
        }
        #expect(sent?.hint?.contains("Write ETH") == true)
    }

    @Test("a token list cannot give these addresses a symbol or decimals")
    func listed() throws {
        func entry(_ address: String, _ symbol: String) -> String {
            """
            {"chainId": 1337, "address": "\(address)", "symbol": "\(symbol)", "name": "x",
             "decimals": 6}
            """
        }
        let list = """
            {"name": "mine", "timestamp": "2026-01-01T00:00:00Z",
             "version": {"major": 1, "minor": 0, "patch": 0},
             "tokens": [\(entry(coin, "COIN")), \(entry(zero, "NIL"))]}
            """
        let map = try TokenMap(chainID: 1337, userList: Array(list.utf8))
        #expect(map.known(TokenMap.coinAddress) == nil && map.known(.zero) == nil)
        #expect(throws: DexError.self) { try map.resolve("COIN") }
        #expect(try map.namesCoin(coin))
    }

    @Test("the coin has its chain's symbol, and ETH names a token where it is one")
    func otherCoin() throws {
        let bsc = try TokenMap(chainID: 56, coin: try #require(CoinSymbol("BNB")))
        #expect(try bsc.namesCoin("bnb"))
        #expect(try !bsc.namesCoin("ETH"))
        #expect(try bsc.resolve("ETH").address.checksummed.hasPrefix("0x2170"))
    }

    @Test("a symbol that is both is refused with both addresses")
    func both() throws {
        let map = try TokenMap(chainID: 1, coin: try #require(CoinSymbol("POL")))
        #expect {
            _ = try map.namesCoin("POL")
        } throws: { error in
            let hint = (error as? DexError)?.hint ?? ""
            return (error as? DexError)?.code == "ambiguous-token" && hint.contains(coin)
                && hint.contains("0x455e53CBB86018Ac2B8092FdCd39d8444aFFC3F6")
        }
        #expect(try map.namesCoin(coin))
    }

    @Test("an order of such a token is not believed")
    func order() async throws {
        let order = try await market.order(
            by: market.makers[0],
            give: (TokenMap.coinAddress, 5),
            get: (TestMarket.weth, 1)
        )
        #expect(try market.session().rejection(of: order) == .reservedToken(TokenMap.coinAddress))
        let checked = await OrderVerifier(session: try market.session()).verify([order])
        #expect(checked.verified.isEmpty)
    }
}
