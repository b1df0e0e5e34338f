import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import DexCoreTestSupport
@testable import ZeroEx

@Suite("A relay of v4 that sends what is no order, or not what it seems")
struct HostileRelayV4Tests {
    private static let pool = UInt256(0x9001).word
    private let market: LiveMarket
    private let own: ExchangeDomainV4

    init() throws {
        market = try LiveMarket(version: .v4)
        own = ExchangeDomainV4(chainID: 1337, exchange: market.network.exchange)
    }

    /// An order of a maker's that sells 10 ZRX, cheaper than any honest one.
    private func bait(
        in domain: ExchangeDomainV4? = nil,
        by signer: PrivateKeySigner? = nil,
        kind: SignatureKindV4 = .ethSign,
        _ change: (inout LimitOrderV4) -> Void = { _ in }
    ) async throws -> SignedOrderV4 {
        var terms = LimitOrderV4(
            makerToken: TestMarket.zrx,
            takerToken: TestMarket.weth,
            makerAmount: try #require(TestMarket.units("10").uint128),
            takerAmount: try #require(TestMarket.units("0.01").uint128),
            maker: market.makers[0].address,
            expiry: TestMarket.now + 86_400,
            salt: 1
        )
        change(&terms)
        return try await SignedOrderV4.sign(
            terms,
            in: domain ?? own,
            kind: kind,
            with: signer ?? market.makers[0]
        )
    }

    private func resigned(
        _ order: SignedOrderV4,
        _ change: (inout SignatureV4) -> Void
    ) -> SignedOrderV4 {
        var signature = order.signature
        change(&signature)
        return SignedOrderV4(terms: order.terms, domain: order.domain, signature: signature)
    }

    /// The other signature that the same key could have made.
    private func highTwin(of order: SignedOrderV4) throws -> SignedOrderV4 {
        let n = try #require(
            UInt256(quantity: "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
        )
        return resigned(order) { signature in
            signature.s = (n - UInt256(signature.s)).word
            signature.v = 55 - signature.v
        }
    }

    /// What nobody can fill, each with the code of its refusal.
    private func lies() async throws -> [(SignedOrderV4, String)] {
        let elsewhere = ExchangeDomainV4(
            chainID: 1337,
            exchange: TestMarket.address("0x00000000000000000000000000000000000000e1")
        )
        let mainnet = ExchangeDomainV4(chainID: 1, exchange: own.exchange)
        return [
            (try await bait(in: mainnet) { $0.salt = 2 }, "wrong-chain"),
            (try await bait(in: elsewhere) { $0.salt = 3 }, "wrong-exchange"),
            (try await bait(by: market.rival) { $0.salt = 4 }, "bad-signature"),
            (try highTwin(of: await bait { $0.salt = 5 }), "bad-signature"),
            (resigned(try await bait { $0.salt = 6 }) { $0.type = 2 }, "bad-signature"),
            (resigned(try await bait { $0.salt = 7 }) { $0.type = 4 }, "bad-signature"),
            (resigned(try await bait { $0.salt = 8 }) { $0.type = 0 }, "bad-signature"),
            (resigned(try await bait { $0.salt = 9 }) { $0.v = 29 }, "bad-signature"),
            (resigned(try await bait { $0.salt = 10 }) { $0.type = 200 }, "bad-signature"),
            (
                try await bait { terms in
                    terms.salt = 11
                    terms.takerAmount = 0
                }, "zero-amount"
            ),
        ]
    }

    private func model() throws -> FillModel {
        FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func wire(_ order: any SignedOrder) -> String {
        market.exchangeProtocol.encodeOrder(order).text
    }

    @Test("the book drops what does not hold, each with its reason, and buys past it all")
    func book() async throws {
        let honest = try await bait { terms in
            terms.takerAmount *= 20
            terms.pool = Self.pool
            terms.salt = 99
        }
        let lies = try await lies()
        let expired = try await bait { terms in
            terms.salt = 12
            terms.expiry = TestMarket.now
        }
        let reserved = try await bait { terms in
            terms.salt = 13
            terms.sender = market.rival.address
        }
        let orders = lies.map(\.0) + [expired, reserved, honest]
        let book = RelayOrderbook(
            bids: RelayOrders(orders: []),
            asks: RelayOrders(
                orders: orders,
                unreadable: [.tooLarge(field: "makerAmount", bits: 128)]
            )
        )
        market.relay.set { $0.book = .success(book) }
        let state = try await OrderbookModel(session: try market.session())
            .load(pairText: "ZRX/WETH", account: market.trader.address)
        #expect(state.received == orders.count + 1)
        for (order, code) in lies + [(expired, "expired")] {
            let dropped = state.dropped.first { $0.orderHash == order.hash }
            #expect(dropped?.reason.code == code, "salt \(order.salt)")
            #expect(dropped?.reason.words.hasSuffix(".") == true)
        }
        let unreadable = state.dropped.filter { $0.orderHash == nil }
        #expect(unreadable.count == 1)
        #expect(unreadable.first?.reason.words.contains("128 bits") == true)
        #expect(state.dropped.count == lies.count + 2)
        #expect(state.asks.map(\.orderHash) == [reserved.hash, honest.hash])
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(outcome.legs.map(\.orderHash) == [honest.hash], "a pool changes nothing")
        #expect(outcome.received == TestMarket.units("10"))
    }

    /// The contract is asked about each copy with its own signature, so that it calls only the forged
    /// ones badly signed.
    @Test("forged copies that come first, or last, do not shadow the genuine order")
    func forgedCopies() async throws {
        let honest = try await bait { $0.salt = 31 }
        let forged = (1...3).map { number in
            resigned(honest) { $0.r = UInt256(UInt64(number)).word }
        }
        for orders in [forged + [honest], [honest] + forged, [forged[0], honest, forged[1]]] {
            let book = RelayOrderbook(
                bids: RelayOrders(orders: []),
                asks: RelayOrders(orders: orders)
            )
            market.relay.set { $0.book = .success(book) }
            let state = try await OrderbookModel(session: try market.session())
                .load(pairText: "ZRX/WETH", account: market.trader.address)
            #expect(state.asks.map(\.orderHash) == [honest.hash])
            #expect(state.verified == 1)
            #expect(state.dropped.count == orders.count - 1)
        }
    }

    @Test("none of them can be filled by itself either, whoever hands it over")
    func fill() async throws {
        for (order, code) in try await lies() {
            let error = await refusal {
                try await model().plan(
                    FillRequest(source: .signed(wire(order))),
                    account: market.trader.address
                )
            }
            #expect(error?.code == code, "salt \(order.salt)")
            #expect(error?.exit == .refused)
        }
        let expired = try await bait { $0.expiry = TestMarket.now }
        let late = await refusal {
            try await model().plan(
                FillRequest(source: .signed(wire(expired))),
                account: market.trader.address
            )
        }
        #expect(late?.exit == .refused)
        #expect(market.node.sent.isEmpty)
    }

    @Test("an order for another sender is told whose it is; the sender itself may fill it")
    func sender() async throws {
        let forRival = try await bait { $0.sender = market.rival.address }
        let error = await refusal {
            try await model().plan(
                FillRequest(source: .signed(wire(forRival))),
                account: market.trader.address
            )
        }
        #expect(error?.code == "order-other-taker")
        #expect(error?.message.contains(market.rival.address.checksummed) == true)
        let forUs = try await bait { $0.sender = market.trader.address }
        let plan = try await model().plan(
            FillRequest(source: .signed(wire(forUs))),
            account: market.trader.address
        )
        let outcome = try await model().execute(plan, signer: market.signer)
        #expect(outcome.received == TestMarket.units("10"))
    }

    @Test("numbers that no order holds are refused by their member, at their width and beyond it")
    func widths() async throws {
        let order = try await bait()
        let members = [
            ("makerAmount", 128), ("takerAmount", 128), ("takerTokenFeeAmount", 128),
            ("expiry", 64), ("salt", 256),
        ]
        for (member, bits) in members {
            let greatest = UInt256.max >> (256 - bits)
            var json = try #require(try JSONParser.parse(text: wire(order)).objectValue)
            json[member] = .string(greatest.description)
            let decoded = try market.exchangeProtocol.decodeOrder(.object(json))
            #expect(decoded.hash != order.hash)
            let beyond =
                bits == 256
                ? "115792089237316195423570985008687907853269984665640564039457584007913129639936"
                : (greatest + 1).description
            json[member] = .string(beyond)
            let text = JSONValue.object(json).text
            let error = await refusal {
                try await model().plan(
                    FillRequest(source: .signed(text)),
                    account: market.trader.address
                )
            }
            #expect(error?.code == "bad-order", "\(member)")
            #expect(error?.exit == .usage)
            #expect(error?.message.contains(member) == true, "\(error?.message ?? "")")
        }
    }

    @Test("a fee that nobody can pay makes an order dear, never an overflow")
    func dearFee() async throws {
        let expensive = try await bait { terms in
            terms.salt = 21
            terms.takerTokenFeeAmount = .max
            terms.feeRecipient = market.rival.address
        }
        let honest = try await bait { terms in
            terms.salt = 22
            terms.takerAmount *= 20
        }
        market.setBook(asks: [expensive, honest])
        let state = try await OrderbookModel(session: try market.session())
            .load(pairText: "ZRX/WETH", account: market.trader.address)
        #expect(state.asks.map(\.orderHash) == [honest.hash, expensive.hash])
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.legs.map(\.orderHash) == [honest.hash])
        let error = await refusal {
            try await model().plan(
                FillRequest(source: .signed(wire(expensive))),
                account: market.trader.address
            )
        }
        #expect(error?.exit == .refused, "\(error?.message ?? "")")
    }
}
