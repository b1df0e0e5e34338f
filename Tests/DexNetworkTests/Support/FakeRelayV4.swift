import Ethereum
import StrictJSON

@testable import DexNetwork
@testable import ZeroEx

/// A relay of API v4 in memory that pages as the server does that 0x published.
enum FakeRelayV4 {
    static let base = "https://relay.example:8443/sra/v4"
    static let domain = ExchangeDomainV4(chainID: 137, exchange: address(0xE1))

    static let zeroEx = ZeroExV4(domain: domain, signatureKind: .ethSign)

    /// An address with little in it.
    static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }

    /// An order; orders differ by their number, which is their salt.
    static func signed(
        _ number: Int,
        makerToken: Address = address(0xB1),
        takerToken: Address = address(0xB2)
    ) -> SignedOrderV4 {
        SignedOrderV4(
            terms: LimitOrderV4(
                makerToken: makerToken,
                takerToken: takerToken,
                makerAmount: 1_000,
                takerAmount: 2_000,
                takerTokenFeeAmount: 3,
                maker: address(0xA1),
                expiry: 1_900_000_000,
                salt: UInt256(UInt64(number))
            ),
            domain: domain,
            signature: SignatureV4(type: 3, v: 27, r: UInt256(1).word, s: UInt256(2).word)
        )
    }

    /// Its record, with the hash that the relay says.
    static func record(_ order: SignedOrderV4) -> String {
        OrderRecordV4(
            order: order,
            metadata: OrderRecordV4.Metadata(
                orderHash: order.hash,
                remaining: 2_000,
                state: "ADDED",
                createdAt: "2026-01-31T12:00:00.000Z"
            )
        ).json.text
    }

    static func record(_ number: Int) -> String {
        record(signed(number))
    }

    /// A page in its envelope.
    static func envelope(_ records: [String], total: Int, _ request: HTTPRequest) -> String {
        let page = FakeRelay.page(of: request)
        let list = records.joined(separator: ",")
        return #"{"total":\#(total),"page":\#(page),"perPage":250,"records":[\#(list)]}"#
    }

    /// The part of a list that is on the page that a request asks for.
    static func slice(_ count: Int, _ request: HTTPRequest) -> Range<Int> {
        let perPage = FakeRelay.parameter("perPage", of: request).flatMap { Int($0) } ?? 20
        return FakeRelay.slice(count, request, perPage: perPage)
    }

    static func page(_ count: Int, first: Int = 0, _ request: HTTPRequest) -> String {
        envelope(slice(count, request).map { record(first + $0) }, total: count, request)
    }

    /// Answers /orders with so many orders.
    static func orders(_ count: Int) -> FakeTransport {
        FakeTransport { request, _ in .success(HTTPResponse(200, page(count, request))) }
    }

    /// Answers /orderbook with so many orders on each side.
    static func book(bids: Int, asks: Int) -> FakeTransport {
        FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    #"{"bids":\#(page(bids, request)),"#
                        + #""asks":\#(page(asks, first: 1_000_000, request))}"#
                )
            )
        }
    }

    static func client(
        _ transport: any HTTPTransport,
        base: String = base,
        clock: FakeClock = FakeClock()
    ) -> RelayClientV4 {
        RelayClientV4(
            baseURL: base,
            exchangeProtocol: zeroEx,
            transport: transport,
            clock: clock.clock
        )
    }
}
