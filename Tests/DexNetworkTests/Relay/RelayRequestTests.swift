import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("the six requests to a relay")
struct RelayRequestTests {
    private let base = FakeRelay.base
    private let zrx = "0xe41d2489571d322189246dafa5ebde1f4699f498"
    private let weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"

    private func address(_ text: String) throws -> Address {
        try Address(lenient: text)
    }

    private func order(_ number: Int = 1) throws -> any SignedOrder {
        try ZeroExV1().decodeOrder(JSONParser.parse(text: FakeRelay.order(number)))
    }

    @Test(
        "paths go behind the base, whatever its end",
        arguments: [
            ("https://a.b/0x/v0", "https://a.b/0x/v0/orders?page=1&per_page=100"),
            ("https://a.b/0x/v0///", "https://a.b/0x/v0/orders?page=1&per_page=100"),
            ("https://a.b", "https://a.b/orders?page=1&per_page=100"),
            ("https://a.b/v0/?key=k", "https://a.b/v0/orders?key=k&page=1&per_page=100"),
            ("https://a.b/v0#x", "https://a.b/v0/orders?page=1&per_page=100"),
        ]
    )
    func paths(base: String, expected: String) async throws {
        let transport = FakeTransport(body: "[]")
        _ = try await FakeRelay.client(transport, base: base).orders(OrderQuery())
        #expect(transport.requests.map(\.url) == [expected])
    }

    @Test("unused filters are left out, used ones are sent in lower case")
    func filters() async throws {
        let transport = FakeTransport(body: "[]")
        let client = FakeRelay.client(transport)
        var query = OrderQuery()
        query.exchange = try address("0x12459C951127e0c374FF9105DdA097662A027093")
        query.token = try address(zrx)
        query.makerToken = try address(zrx)
        query.takerToken = try address(weth)
        query.maker = .zero
        query.taker = .zero
        query.trader = .zero
        query.feeRecipient = .zero
        _ = try await client.orders(query)
        let zero = "0x0000000000000000000000000000000000000000"
        #expect(
            transport.requests[0].url
                == "\(base)/orders?exchangeContractAddress=0x12459c951127e0c374ff9105dda097662a027093"
                + "&tokenAddress=\(zrx)&makerTokenAddress=\(zrx)&takerTokenAddress=\(weth)"
                + "&maker=\(zero)&taker=\(zero)&trader=\(zero)&feeRecipient=\(zero)"
                + "&page=1&per_page=100"
        )
        #expect(transport.requests[0].method == .get)
    }

    @Test("token pairs with their bounds and precision")
    func tokenPairs() async throws {
        let transport = FakeTransport(
            body: """
                [{"tokenA":{"address":"0xE41d2489571d322189246DaFA5ebDe1F4699F498","minAmount":"1",\
                "maxAmount":1000000000000000000000,"precision":5,"name":"?"},
                "tokenB":{"address":"\(weth)","minAmount":"5.0","maxAmount":null,"precision":"8"}},
                {"tokenA":{"address":"\(weth)"},"tokenB":{"address":"\(zrx)","precision":1.5}}]
                """
        )
        let pairs = try await FakeRelay.client(transport)
            .tokenPairs(try address(weth), nil)
        #expect(
            transport.requests[0].url == "\(base)/token_pairs?tokenA=\(weth)&page=1&per_page=100"
        )
        let expected = [
            RelayTokenPair(
                tokenA: .init(
                    token: try address(zrx),
                    minimum: 1,
                    maximum: UInt256(decimal: "1000000000000000000000"),
                    precision: 5
                ),
                tokenB: .init(token: try address(weth), minimum: 5, maximum: nil, precision: 8)
            ),
            RelayTokenPair(
                tokenA: .init(token: try address(weth), minimum: nil, maximum: nil, precision: nil),
                tokenB: .init(token: try address(zrx), minimum: nil, maximum: nil, precision: nil)
            ),
        ]
        #expect(pairs == expected)
    }

    @Test(
        "token pairs that cannot be read are nonsense",
        arguments: [
            (#"[{}]"#, "a token pair's tokenA has no address"),
            (
                #"[{"tokenA":{"address":"0x12"}}]"#,
                "the address of a token pair's tokenA is not an address"
            ),
            (
                #"[{"tokenA":{"address":"0xe41d2489571d322189246dafa5ebde1f4699f498","minAmount":"-1"}}]"#,
                "a token pair's tokenA.minAmount is not a whole number of at most 256 bits"
            ),
            (
                #"[{"tokenA":{"address":"0xe41d2489571d322189246dafa5ebde1f4699f498","maxAmount":115792089237316195423570985008687907853269984665640564039457584007913129639936}}]"#,
                "a token pair's tokenA.maxAmount is not a whole number of at most 256 bits"
            ),
            (
                #"{"pairs":[]}"#,
                "what it sent for token pairs is neither a list nor an object with records"
            ),
            (#"<html>"#, "it is a web page"),
        ]
    )
    func badPairs(body: String, reason: String) async throws {
        await #expect(throws: RelayError.nonsense(reason)) {
            try await FakeRelay.client(FakeTransport(body: body)).tokenPairs(nil, nil)
        }
    }

    @Test(
        "one order by its hash, alone or wrapped",
        arguments: ["@", #"{"order":@,"metaData":{}}"#, #"{"signedOrder":@,"state":"OPEN"}"#]
    )
    func order(wrapper: String) async throws {
        let wanted = try order()
        let transport = FakeTransport(body: wrapper.replacing("@", with: FakeRelay.order(1)))
        let found = try await FakeRelay.client(transport).order(wanted.hash)
        #expect(found?.hash == wanted.hash)
        #expect(transport.requests.map(\.url) == ["\(base)/order/\(wanted.hash.hex)"])
    }

    @Test(
        "an order that the relay does not know is nil",
        arguments: ["", "<html>", #"{"code":404,"reason":"x"}"#]
    )
    func unknownOrder(body: String) async throws {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(404, body)) }
        let found = try await FakeRelay.client(transport).order(try order().hash)
        #expect(found == nil)
        #expect(transport.requests.count == 1)
    }

    @Test("another order than the one asked for, or none at all, is nonsense")
    func wrongOrder() async throws {
        let wanted = try order(1).hash
        await #expect(
            throws: RelayError.nonsense("it is another order than the one that was asked for")
        ) {
            try await FakeRelay.client(FakeTransport(body: FakeRelay.order(2))).order(wanted)
        }
        await #expect(
            throws: RelayError.nonsense(
                "the order cannot be read: The order has no exchangeContractAddress"
            )
        ) {
            try await FakeRelay.client(FakeTransport(body: "{}")).order(wanted)
        }
    }

    @Test("a book asks for both tokens and may be wrapped as in later versions")
    func book() async throws {
        let transport = FakeTransport(
            body: """
                {"bids":{"total":1,"page":1,"perPage":100,"records":[{"order":\(FakeRelay.order(1))}]},
                "asks":[\(FakeRelay.order(2)),\(FakeRelay.order(3))],"timestamp":1}
                """
        )
        let book = try await FakeRelay.client(transport)
            .orderbook(base: try address(zrx), quote: try address(weth))
        #expect(book.bids.orders.map(\.salt) == [1])
        #expect(book.asks.orders.map(\.salt) == [2, 3])
        #expect(
            transport.requests.map(\.url)
                == [1, 2].map { page in
                    "\(base)/orderbook?baseTokenAddress=\(zrx)&quoteTokenAddress=\(weth)"
                        + "&page=\(page)&per_page=100"
                }
        )
    }

    @Test(
        "a book without both sides is nonsense",
        arguments: [
            ("{}", "the book's bids is neither a list nor an object with records"),
            (#"{"bids":[]}"#, "the book's asks is neither a list nor an object with records"),
            ("[]", "the book's bids is neither a list nor an object with records"),
            ("null", "the book's bids is neither a list nor an object with records"),
            (
                String(repeating: "[", count: 10_000),
                "it is not valid JSON: values nested deeper than 64 (at byte 65)"
            ),
        ]
    )
    func badBook(body: String, reason: String) async throws {
        await #expect(throws: RelayError.nonsense(reason)) {
            try await FakeRelay.client(FakeTransport(body: body)).orderbook(
                base: .zero,
                quote: .zero
            )
        }
    }

    @Test(
        "a posted order is taken with any status of success and any body",
        arguments: [200, 201, 202, 204]
    )
    func post(status: Int) async throws {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(status, "<p>thanks")) }
        let order = try order()
        try await FakeRelay.client(transport).post(order)
        let request = transport.requests[0]
        #expect(request.method == .post)
        #expect(request.url == "\(base)/order")
        #expect(!request.mayRepeat)
        #expect(try JSONParser.parse(request.body) == ZeroExV1().encodeOrder(order))
    }
}
