import DexRelay
import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing
import ZeroEx

@testable import SandboxHost

@Suite struct SandboxMarketTests {
    private static let start: UInt64 = 1_700_000_030

    private func market(
        seed: UInt64 = 1,
        start: UInt64 = start,
        orders: Int? = nil
    ) throws -> SandboxMarket {
        SandboxMarket(
            seed: seed,
            start: start,
            orders: orders,
            accounts: try SandboxAccounts(seed: seed)
        )
    }

    private func hashes(_ market: SandboxMarket) -> [OrderHash] {
        market.orders.map { ZeroExV1().hash(of: $0.draft) }
    }

    @Test("the accounts follow from the seed, so that scripts may rely on their addresses")
    func accounts() throws {
        let accounts = try SandboxAccounts(seed: 1)
        #expect(accounts.traders.map(\.name) == ["alice", "bob", "carol", "dave"])
        #expect(
            accounts.traders[0].address.checksummed == "0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E"
        )
        #expect(Set(accounts.all.map(\.address)).count == 11)
        for account in accounts.all {
            #expect(accounts.signer(named: account.name)?.address == account.address)
            #expect(accounts.signer(of: account.address)?.address == account.address)
        }
        #expect(accounts.signer(named: "mallory") == nil)
        let other = try SandboxAccounts(seed: 2)
        #expect(Set(other.all.map(\.address)).isDisjoint(with: accounts.all.map(\.address)))
    }

    @Test("the same seed in the same minute gives the same orders, any other others")
    func determinism() throws {
        let first = hashes(try market())
        #expect(hashes(try market(start: Self.start + 29 - Self.start % 60)) != [])
        let minute = Self.start - Self.start % 60
        #expect(hashes(try market(start: minute)) == first)
        #expect(hashes(try market(start: minute + 59)) == first)
        #expect(Set(hashes(try market(start: minute + 60))).isDisjoint(with: first))
        #expect(Set(hashes(try market(seed: 2))).isDisjoint(with: first))
        #expect(Set(first).count == first.count)
    }

    @Test("every book is one that a trader would take for live")
    func plausibility() throws {
        let market = try market()
        #expect(MarketPair.all.count == 5)
        for pair in MarketPair.all {
            let drafts = market.orders.map(\.draft)
            let asks = drafts.filter {
                $0.makerToken == pair.base.address && $0.takerToken == pair.quote.address
            }
            let bids = drafts.filter {
                $0.makerToken == pair.quote.address && $0.takerToken == pair.base.address
            }
            #expect(asks.count == 42)
            #expect(bids.count == 42)
            let askPrices = try asks.map {
                try #require(Price(quote: $0.takerAmount, base: $0.makerAmount))
            }
            let bidPrices = try bids.map {
                try #require(Price(quote: $0.makerAmount, base: $0.takerAmount))
            }
            // Each side runs outward from its best price.
            #expect(zip(askPrices, askPrices.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(zip(bidPrices, bidPrices.dropFirst()).allSatisfy { $0 >= $1 })
            // The book is not crossed, the spread below 0.5 %, the depth above 1 % and below 6 %.
            let (ask, bid) = (try #require(askPrices.first), try #require(bidPrices.first))
            #expect(bid < ask)
            #expect(scaled(ask, by: 1000) < scaled(bid, by: 1005))
            let (worstAsk, worstBid) = (
                try #require(askPrices.last), try #require(bidPrices.last)
            )
            #expect(scaled(ask, by: 101) < scaled(worstAsk, by: 100))
            #expect(scaled(worstAsk, by: 100) < scaled(ask, by: 106))
            #expect(scaled(worstBid, by: 106) > scaled(bid, by: 100))
            #expect(Set((asks + bids).map(\.maker)).count == 6)
            #expect(Set(asks.map(\.makerAmount)).count > 15)
            // Prices are exact multiples of the tick: nothing was rounded.
            for (draft, price) in zip(asks, askPrices) {
                let unit = pair.quoteAmount(draft.makerAmount, price: pair.tick)
                #expect(unit > .zero && draft.takerAmount % unit == .zero, "\(price)")
            }
        }
    }

    private func scaled(_ price: Price, by factor: UInt64) -> Price {
        Price(quote: price.quote * UInt256(factor), base: price.base) ?? price
    }

    @Test("the first pair has orders for bob alone and orders that expire soon, on both sides")
    func specials() throws {
        let market = try market()
        let named = market.orders.map(\.draft).filter { $0.taker != .zero }
        #expect(named.count == 2)
        #expect(named.allSatisfy { $0.taker == market.accounts.traders[1].address })
        let soon = market.orders.map(\.draft).filter {
            $0.expiry < UInt256(market.start + 86_400)
        }
        #expect(soon.count == 2)
        #expect(soon.allSatisfy { $0.expiry == UInt256(market.start + 900) })
        #expect(market.orders.count { $0.filled > .zero } == 5 * 2 * 3)
        #expect(market.orders.allSatisfy { $0.filled < $0.draft.takerAmount })
        let fees = Set(market.orders.map(\.draft.fees))
        #expect(fees.count >= 4)
    }

    @Test("every order is funded alone; the last two makers have promised more than they own")
    func genesis() throws {
        let market = try market()
        let genesis = market.genesis(ZeroExV1())
        var balances: [Address: [Address: UInt256]] = [:]
        for balance in genesis.balances {
            balances[balance.owner, default: [:]][balance.token] = balance.amount
        }
        for planned in market.orders {
            let draft = planned.draft
            let owned = balances[draft.maker]?[draft.makerToken] ?? .zero
            #expect(owned >= draft.makerAmount)
            let spenders = genesis.allowances
                .filter { $0.owner == draft.maker && $0.token == draft.makerToken }
                .map(\.spender)
            #expect(
                Set(spenders) == [
                    SandboxTokens.contracts.transferContract, SandboxTokens.exchangeProxy,
                ]
            )
        }
        for (index, maker) in market.accounts.makers.enumerated() {
            let promised = market.orders.map(\.draft)
                .filter { $0.maker == maker.address && $0.makerToken == SandboxTokens.weth.address }
                .reduce(UInt256.zero) { $0 + $1.makerAmount }
            let owned = balances[maker.address]?[SandboxTokens.weth.address] ?? .zero
            #expect((owned < promised) == (index >= 4))
        }
        for trader in market.accounts.traders {
            for token in SandboxTokens.all {
                #expect(balances[trader.address]?[token.address] ?? .zero > .zero)
            }
        }
        #expect(genesis.orders.count == 30)
        #expect(genesis.timestamp == market.start)
        #expect(genesis.exchangeProxy == SandboxTokens.exchangeProxy)
        #expect(
            genesis.exchangeProxy.lowercaseHex == "0x5315e44798395d4a952530d131249fe00f554565"
        )
    }

    @Test("a book of 10,000 has as many orders, all signed by their makers")
    func largeBook() async throws {
        let market = try market(orders: 10_001)
        let first = MarketPair.all[0]
        let count = market.orders.count {
            [$0.draft.makerToken, $0.draft.takerToken].contains(first.base.address)
        }
        #expect(count == 10_001)
        let small = try self.market(orders: 300)
        let signed = try await small.signed(by: ZeroExV1())
        #expect(signed.map(\.hash) == hashes(small))
        for order in signed {
            try ZeroExV1().verify(
                order,
                exchange: SandboxTokens.contracts.exchange,
                recoverer: Secp256k1()
            )
        }
    }

    @Test("tokens and contracts are those of the files in Resources")
    func resources() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func json(_ name: String) throws -> JSONValue {
            try JSONParser.parse(
                [UInt8](Data(contentsOf: root.appendingPathComponent("Resources/\(name).json")))
            )
        }
        let tokens = try #require(try json("tokens")["1337"]?.objectValue)
        #expect(tokens.members.count == SandboxTokens.all.count)
        for token in SandboxTokens.all {
            let entry = try #require(tokens[token.address.checksummed], "\(token.symbol)")
            #expect(entry["symbol"]?.stringValue == token.symbol)
            #expect(entry["name"]?.stringValue == token.name)
            #expect(entry["decimals"]?.numberText == "\(token.decimals)")
        }
        let network = try #require(try json("networks")["sandbox"])
        let contracts = SandboxTokens.contracts
        #expect(network["chainId"]?.numberText == "\(SandboxTokens.chainID)")
        #expect(network["exchange"]?.stringValue == contracts.exchange.lowercaseHex)
        #expect(network["transferProxy"]?.stringValue == contracts.transferContract.lowercaseHex)
        #expect(network["zrx"]?.stringValue == contracts.feeToken?.lowercaseHex)
        #expect(network["weth"]?.stringValue == SandboxTokens.weth.address.lowercaseHex)
    }
}
