import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import DexCore
@testable import DexCoreTestSupport
@testable import ZeroEx

@Suite("Filling an RFQ order of 0x v4 from a file")
struct RfqFillTests {
    /// Sells 100 ZRX for 1 WETH.
    private func order(
        _ market: LiveMarket,
        origin: Address,
        taker: Address = .zero,
        by signer: PrivateKeySigner? = nil
    ) async throws -> SignedRfqOrderV4 {
        let terms = RfqOrderV4(
            makerToken: TestMarket.zrx,
            takerToken: TestMarket.weth,
            makerAmount: try #require(TestMarket.units("100").uint128),
            takerAmount: try #require(TestMarket.units("1").uint128),
            maker: market.makers[0].address,
            taker: taker,
            txOrigin: origin,
            expiry: TestMarket.now + 86_400,
            salt: 7
        )
        let domain = ExchangeDomainV4(chainID: 1337, exchange: market.network.exchange)
        let kind = SignatureKindV4.eip712
        let made = try await (signer ?? market.makers[0])
            .sign(digest: kind.digest(of: terms.hash(in: domain)))
        return SignedRfqOrderV4(
            terms: terms,
            domain: domain,
            signature: SignatureV4(made, kind: kind)
        )
    }

    private func model(_ market: LiveMarket) throws -> FillModel {
        var settings = TradeSettings()
        // Nothing else is in the book.
        settings.allowsUncheckedPrice = true
        return FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        )
    }

    private func plan(
        _ json: JSONValue,
        _ amount: String? = nil,
        _ market: LiveMarket
    ) async throws -> Plan<TradePlan> {
        try await model(market).plan(
            FillRequest(source: .signed(json.text), amount: amount),
            account: market.trader.address
        )
    }

    @Test("its origin fills it, by an amount of base", arguments: [0, 70_000] as [UInt32])
    func fills(multiplier: UInt32) async throws {
        let market = try LiveMarket(version: .v4, protocolFeeMultiplier: multiplier)
        let order = try await order(market, origin: market.trader.address)
        let plan = try await plan(order.json, "25", market)
        #expect(plan.content.legs.map(\.orderHash) == [order.hash])
        #expect(plan.content.expectedPay == TestMarket.units("0.25"))
        // RFQ orders pay the exchange nothing.
        #expect(plan.content.gas.protocolFee == .zero)
        let outcome = try await model(market).execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("25"))
        #expect(outcome.paid == TestMarket.units("0.25"))
        #expect(outcome.legs.map(\.status) == [.filled])
        let sent = try SignedTransaction(
            raw: try #require(market.node.sent.first),
            recoverer: Secp256k1()
        ).transaction
        guard case .rfq(.fill(let terms, _, _)) = try ExchangeCallV4(data: sent.data) else {
            Issue.record("another call was sent")
            return
        }
        #expect(terms == order.terms)
        #expect(sent.value == .zero)
        let more = await refusal { try await self.plan(order.json, "76", market) }
        #expect(more?.code == "amount-too-large")
    }

    @Test("in a record it is the same order")
    func record() async throws {
        let market = try LiveMarket(version: .v4)
        let order = try await order(market, origin: market.trader.address)
        let plan = try await plan(["order": order.json], nil, market)
        #expect(plan.content.legs.map(\.orderHash) == [order.hash])
        #expect(plan.content.expectedReceive == TestMarket.units("100"))
    }

    @Test("whoever is not its origin or its taker is refused with that")
    func otherOrigin() async throws {
        let market = try LiveMarket(version: .v4)
        let rival = market.rival.address
        let others = try await order(market, origin: rival)
        let error = await refusal { try await plan(others.json, nil, market) }
        #expect(error?.code == "order-other-taker")
        #expect(error?.exit == .refused)
        #expect(
            error?.message.hasSuffix(
                "it is an RFQ order, and only \(rival.checksummed) (its txOrigin) may send the "
                    + "transaction that fills it."
            ) == true,
            "\(error as Any)"
        )
        let reserved = try await order(market, origin: market.trader.address, taker: rival)
        let second = await refusal { try await plan(reserved.json, nil, market) }
        #expect(second?.code == "order-other-taker")
        #expect(second?.message.hasSuffix("only \(rival.checksummed) may fill it.") == true)
    }

    @Test("one without an origin, of another signer, chain or exchange is refused with that")
    func refused() async throws {
        let market = try LiveMarket(version: .v4)
        let trader = market.trader.address
        let noOrigin = try await order(market, origin: .zero)
        let forged = try await order(market, origin: trader, by: market.rival)
        let good = try await order(market, origin: trader)
        let elsewhere = SignedRfqOrderV4(
            terms: good.terms,
            domain: ExchangeDomainV4(chainID: 1, exchange: market.network.exchange),
            signature: good.signature
        )
        let foreign = SignedRfqOrderV4(
            terms: good.terms,
            domain: ExchangeDomainV4(chainID: 1337, exchange: TestMarket.exchange),
            signature: good.signature
        )
        for (order, code) in [
            (noOrigin, "no-origin"), (forged, "bad-signature"), (elsewhere, "wrong-chain"),
            (foreign, "wrong-exchange"),
        ] {
            let error = await refusal { try await plan(order.json, nil, market) }
            #expect(error?.code == code)
            #expect(error?.exit == .refused)
        }
    }

    @Test("one that is filled says so")
    func gone() async throws {
        let market = try LiveMarket(version: .v4)
        let order = try await order(market, origin: market.trader.address)
        let planned = try await plan(order.json, nil, market)
        _ = try await model(market).execute(planned, signer: market.signer)
        _ = try await StatusModel(session: try market.session(), journal: market.journal)
            .load(try #require(market.journaled().last?.hash).word)
        let again = await refusal { try await plan(order.json, nil, market) }
        #expect(again?.code == "order-filled")
    }

    @Test("a relay's book takes no RFQ order for a limit order")
    func relayed() async throws {
        let market = try LiveMarket(version: .v4)
        let order = try await order(market, origin: market.trader.address)
        // Whatever a relay makes of its members, the signature is of other terms.
        let read = try market.exchangeProtocol.decodeOrder(order.json)
        #expect(!(read is SignedRfqOrderV4))
        #expect(read.hash != order.hash)
        market.setBook(asks: [read])
        let state = try await OrderbookModel(session: try market.session())
            .load(pairText: "ZRX/WETH")
        #expect(state.asks.isEmpty)
        #expect(state.dropped.map(\.reason.code) == ["bad-signature"])
    }
}
