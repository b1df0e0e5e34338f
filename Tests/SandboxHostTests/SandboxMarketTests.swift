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
        _ version: ProtocolVersion = .v1,
        seed: UInt64 = 1,
        start: UInt64 = start,
        orders: Int? = nil
    ) throws -> SandboxMarket {
        SandboxMarket(
            venue: SandboxDeployment(version),
            seed: seed,
            start: start,
            orders: orders,
            accounts: try SandboxAccounts(seed: seed)
        )
    }

    private func block0() throws -> (Genesis, [SandboxMarket]) {
        let markets = try SandboxDeployment.all().map { try market($0.version) }
        let genesis = Genesis.sandbox(
            markets,
            accounts: try SandboxAccounts(seed: 1),
            start: markets[0].start
        )
        return (genesis, markets)
    }

    private func hashes(_ market: SandboxMarket) -> [OrderHash] {
        market.orders.map { market.venue.exchangeProtocol.hash(of: $0.draft) }
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

    @Test(
        "the same seed in the same minute gives the same orders, any other others",
        arguments: ProtocolVersion.allCases
    )
    func determinism(version: ProtocolVersion) throws {
        let first = hashes(try market(version))
        let minute = Self.start - Self.start % 60
        #expect(hashes(try market(version, start: minute)) == first)
        #expect(hashes(try market(version, start: minute + 59)) == first)
        #expect(Set(hashes(try market(version, start: minute + 60))).isDisjoint(with: first))
        #expect(Set(hashes(try market(version, seed: 2))).isDisjoint(with: first))
        #expect(Set(first).count == first.count)
    }

    @Test("the hashes of v1's market, which scripts may rely on, are those of before there was v4")
    func unchanged() throws {
        let hash = try #require(hashes(try market()).first)
        #expect(hash.hex == "0x09ef5731a7829aebb405a0b91683e73792aae78ff45ae0f3557318b46e172a2c")
    }

    @Test("both markets have the same makers, prices and amounts; only fees and salts differ")
    func markets() throws {
        let (first, second) = (try market(.v1), try market(.v4))
        #expect(first.orders.count == second.orders.count)
        for (first, second) in zip(first.orders, second.orders) {
            var draft = first.draft
            draft.exchange = second.draft.exchange
            draft.salt = second.draft.salt
            draft.fees = second.draft.fees
            #expect(draft == second.draft)
            #expect(first.filled == second.filled)
            #expect(first.draft.exchange != second.draft.exchange)
        }
        // A pair is cancelled by the least salt that stays valid: orders made later are above.
        let later = try #require(
            SandboxDeployment(.v4).exchangeProtocol.minValidSalt(from: second.start)
        )
        #expect(second.orders.allSatisfy { $0.draft.salt >= later })
        let next = try #require(
            SandboxDeployment(.v4).exchangeProtocol.minValidSalt(from: second.start + 1)
        )
        #expect(second.orders.allSatisfy { $0.draft.salt < next })
    }

    @Test("where v1's orders have fees in ZRX, v4's have a share of what the taker pays")
    func fees() throws {
        let (first, second) = (try market(.v1), try market(.v4))
        #expect(second.orders.allSatisfy { $0.draft.fees.makerFee == .zero })
        var shares: Set<UInt256> = []
        for (first, second) in zip(first.orders, second.orders) {
            let fees = second.draft.fees
            #expect((first.draft.fees == .none) == (fees == .none))
            try SandboxDeployment(.v4).exchangeProtocol.check(second.draft)
            guard fees != .none else { continue }
            #expect(fees.recipient == (try market()).accounts.relay?.address)
            let scaled = (fees.takerFee + 1) * 1_000_000
            shares.insert(scaled / second.draft.takerAmount)
        }
        #expect(shares == [250, 500, 1_000])
    }

    @Test(
        "every book is one that a trader would take for live",
        arguments: ProtocolVersion.allCases
    )
    func plausibility(version: ProtocolVersion) throws {
        let market = try market(version)
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
        let (genesis, markets) = try block0()
        let market = markets[0]
        var balances: [Address: [Address: UInt256]] = [:]
        for balance in genesis.balances {
            balances[balance.owner, default: [:]][balance.token] = balance.amount
        }
        for planned in markets.flatMap(\.orders) {
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
            let promised = markets.map { market in
                market.orders.map(\.draft)
                    .filter {
                        $0.maker == maker.address && $0.makerToken == SandboxTokens.weth.address
                    }
                    .reduce(UInt256.zero) { $0 + $1.makerAmount }
            }
            let owned = balances[maker.address]?[SandboxTokens.weth.address] ?? .zero
            #expect((owned < promised.reduce(.zero, +)) == (index >= 4))
            // Whoever is short is so in each market by itself.
            for part in promised { #expect((owned < part) == (index >= 4)) }
        }
        for trader in market.accounts.traders {
            for token in SandboxTokens.all {
                #expect(balances[trader.address]?[token.address] ?? .zero > .zero)
            }
        }
        #expect(genesis.orders.count == 30)
        #expect(genesis.nativeOrders.count == 30)
        let partly = markets[1].orders.filter { $0.filled > .zero }
        #expect(genesis.nativeOrders.map(\.filled) == partly.map(\.filled))
        #expect(genesis.protocolFeeMultiplier == 0)
        #expect(genesis.timestamp == market.start)
        #expect(genesis.exchangeProxy == SandboxTokens.exchangeProxy)
        #expect(
            genesis.exchangeProxy.lowercaseHex == "0x5315e44798395d4a952530d131249fe00f554565"
        )
    }

    @Test(
        "a book of 10,000 has as many orders, all signed by their makers",
        arguments: ProtocolVersion.allCases
    )
    func largeBook(version: ProtocolVersion) async throws {
        let market = try market(version, orders: 10_001)
        let first = MarketPair.all[0]
        let count = market.orders.count {
            [$0.draft.makerToken, $0.draft.takerToken].contains(first.base.address)
        }
        #expect(count == 10_001)
        let small = try self.market(version, orders: 300)
        let signed = try await small.signed()
        #expect(signed.map(\.hash) == hashes(small))
        for order in signed {
            try small.venue.exchangeProtocol.verify(
                order,
                exchange: small.venue.contracts.exchange,
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
        for venue in SandboxDeployment.all() {
            let network = try #require(try json("networks")[venue.network])
            #expect(network["chainId"]?.numberText == "\(SandboxTokens.chainID)")
            #expect(network["protocol"]?.stringValue == venue.version.rawValue)
            #expect(network["exchange"]?.stringValue == venue.contracts.exchange.lowercaseHex)
            #expect(network["zrx"]?.stringValue == venue.contracts.feeToken?.lowercaseHex)
            #expect(network["weth"]?.stringValue == SandboxTokens.weth.address.lowercaseHex)
            #expect(network["sandbox"] == true)
        }
        let first = try json("networks")["sandbox"]
        #expect(
            first?["transferProxy"]?.stringValue
                == SandboxTokens.contracts.transferContract.lowercaseHex
        )
    }
}
