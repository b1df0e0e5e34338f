import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("the requests to a relay of API v4")
struct RelayV4RequestTests {
    private let base = FakeRelayV4.base
    private let first = "0x00000000000000000000000000000000000000b1"
    private let second = "0x00000000000000000000000000000000000000b2"
    private let empty = #"{"total":0,"page":1,"perPage":250,"records":[]}"#

    private func address(_ number: UInt64) -> Address {
        FakeRelayV4.address(number)
    }

    private var draft: OrderDraft {
        var draft = OrderDraft(FakeRelayV4.signed(1))
        draft.fees = .none
        return draft
    }

    @Test(
        "paths go behind the base; a base that is an order book is the book itself",
        arguments: [
            ("https://a.b/sra/v4", "https://a.b/sra/v4/orderbook?", "https://a.b/sra/v4/orders?"),
            ("https://a.b/sra/v4//", "https://a.b/sra/v4/orderbook?", "https://a.b/sra/v4/orders?"),
            ("https://a.b", "https://a.b/orderbook?", "https://a.b/orders?"),
            (
                "https://a.b/orderbook/v1", "https://a.b/orderbook/v1?",
                "https://a.b/orderbook/v1/orders?"
            ),
            (
                "https://a.b/x/orderbook/v1/?key=k", "https://a.b/x/orderbook/v1?key=k&",
                "https://a.b/x/orderbook/v1/orders?key=k&"
            ),
        ]
    )
    func paths(base: String, book: String, orders: String) async throws {
        let transport = FakeTransport(body: #"{"bids":\#(empty),"asks":\#(empty)}"#)
        _ = try await FakeRelayV4.client(transport, base: base)
            .orderbook(base: address(0xB1), quote: address(0xB2))
        #expect(
            transport.requests.map(\.url) == [
                "\(book)baseToken=\(first)&quoteToken=\(second)&page=1&perPage=250"
            ]
        )
        let list = FakeTransport(body: empty)
        _ = try await FakeRelayV4.client(list, base: base).orders(OrderQuery())
        #expect(list.requests.map(\.url) == ["\(orders)page=1&perPage=250"])
    }

    @Test("unused filters are left out, used ones have the names of API v4; no chain is named")
    func filters() async throws {
        let transport = FakeTransport(body: empty)
        var query = OrderQuery()
        query.exchange = address(0xE1)
        query.makerToken = address(0xB1)
        query.takerToken = address(0xB2)
        query.maker = address(1)
        query.taker = address(2)
        query.trader = address(3)
        query.feeRecipient = address(4)
        query.includesUnfillable = true
        _ = try await FakeRelayV4.client(transport).orders(query)
        func short(_ digit: Int) -> String { "0x" + String(repeating: "0", count: 39) + "\(digit)" }
        #expect(
            transport.requests.map(\.url) == [
                "\(base)/orders?verifyingContract=\(address(0xE1).lowercaseHex)&makerToken=\(first)"
                    + "&takerToken=\(second)&maker=\(short(1))&taker=\(short(2))&trader=\(short(3))"
                    + "&feeRecipient=\(short(4))&unfillable=true&page=1&perPage=250"
            ]
        )
    }

    @Test("a token on either side is asked for on each, and no order comes twice")
    func eitherSide() async throws {
        let transport = FakeTransport { request, _ in
            .success(HTTPResponse(200, FakeRelayV4.page(3, request)))
        }
        var query = OrderQuery()
        query.token = address(0xB1)
        let found = try await FakeRelayV4.client(transport).orders(query)
        #expect(found.orders.count == 3)
        let paging = "&page=1&perPage=250"
        #expect(
            transport.requests.map(\.url) == [
                "\(base)/orders?makerToken=\(first)\(paging)",
                "\(base)/orders?takerToken=\(first)\(paging)",
            ]
        )
        query.makerToken = address(0xB2)
        _ = try await FakeRelayV4.client(transport).orders(query)
        #expect(
            transport.requests.map(\.url).dropFirst(2) == [
                "\(base)/orders?makerToken=\(second)&takerToken=\(first)\(paging)"
            ]
        )
    }

    @Test("the pairs are those of the relay's orders, each once and by address")
    func tokenPairs() async throws {
        let pairs: [(UInt64, UInt64)] = [(0xB1, 0xB2), (0xB3, 0xB1), (0xB2, 0xB1), (0xB4, 0xB4)]
        let transport = FakeTransport { request, _ in
            let records = pairs.enumerated().map { number, pair in
                FakeRelayV4.record(
                    FakeRelayV4.signed(
                        number,
                        makerToken: FakeRelayV4.address(pair.0),
                        takerToken: FakeRelayV4.address(pair.1)
                    )
                )
            }
            return .success(
                HTTPResponse(200, FakeRelayV4.envelope(records, total: records.count, request))
            )
        }
        let client = FakeRelayV4.client(transport)
        func tokens(_ a: Address?, _ b: Address?) async throws -> [[Address]] {
            try await client.tokenPairs(a, b).map { pair in
                for side in [pair.tokenA, pair.tokenB] {
                    #expect(side.minimum == nil && side.maximum == nil && side.precision == nil)
                }
                return [pair.tokenA.token, pair.tokenB.token]
            }
        }
        let (b1, b2, b3) = (address(0xB1), address(0xB2), address(0xB3))
        #expect(try await tokens(nil, nil) == [[b1, b2], [b1, b3]])
        #expect(try await tokens(b2, nil) == [[b1, b2]])
        #expect(try await tokens(b3, b1) == [[b1, b3]])
        #expect(try await tokens(b2, b3).isEmpty)
        #expect(transport.requests[0].url == "\(base)/orders?page=1&perPage=250")
    }

    @Test("one order by its hash, in its record or bare")
    func order() async throws {
        let wanted = FakeRelayV4.signed(1)
        for body in [FakeRelayV4.record(1), wanted.json.text] {
            let transport = FakeTransport(body: body)
            let found = try await FakeRelayV4.client(transport).order(wanted.hash)
            #expect(found?.hash == wanted.hash)
            #expect(transport.requests.map(\.url) == ["\(base)/order/\(wanted.hash.hex)"])
        }
    }

    @Test(
        "an order that the relay does not know is nil",
        arguments: ["", #"{"reason":"Not Found"}"#, "Not Found"]
    )
    func unknownOrder(body: String) async throws {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(404, body)) }
        #expect(try await FakeRelayV4.client(transport).order(FakeRelayV4.signed(1).hash) == nil)
        #expect(transport.requests.count == 1)
    }

    @Test("a web page in place of an order says that the path is wrong")
    func wrongPath() async throws {
        let page = "<!DOCTYPE html><pre>Cannot GET /order/0x12</pre>"
        let transport = FakeTransport { _, _ in .success(HTTPResponse(404, page)) }
        await #expect(
            throws: RelayError.badStatus(
                url: FakeRelay.shown,
                reason: "it answered with HTTP 404; check the path in its address",
                isPermanent: true
            )
        ) {
            try await FakeRelayV4.client(transport).order(FakeRelayV4.signed(1).hash)
        }
    }

    @Test("another order than the one asked for, or one under another name, is nonsense")
    func wrongOrder() async throws {
        let (wanted, other) = (FakeRelayV4.signed(1), FakeRelayV4.signed(2))
        let renamed = FakeRelayV4.record(1).replacing(wanted.hash.hex, with: other.hash.hex)
        let bodies = [
            (FakeRelayV4.record(2), "it is another order than the one that was asked for"),
            (
                renamed,
                "the order cannot be read: The order's metaData.orderHash is not valid: "
                    + "\"\(other.hash.hex)\""
            ),
            ("{}", "the order cannot be read: The order has no makerToken"),
        ]
        for (body, reason) in bodies {
            await #expect(throws: RelayError.nonsense(reason)) {
                try await FakeRelayV4.client(FakeTransport(body: body)).order(wanted.hash)
            }
        }
    }

    @Test("what a relay wants is asked with the eight members of a draft")
    func fees() async throws {
        let transport = FakeTransport(
            body: """
                {"sender":"0x0000000000000000000000000000000000000000","feeRecipient":"\(first)",
                "takerTokenFeeAmount":"340282366920938463463374607431768211455"}
                """
        )
        let fees = try await FakeRelayV4.client(transport).fees(for: draft)
        #expect(
            fees
                == OrderFees(
                    recipient: address(0xB1),
                    makerFee: 0,
                    takerFee: UInt256(UInt128.max)
                )
        )
        let request = transport.requests[0]
        #expect(request.method == .post)
        #expect(request.url == "\(base)/order_config")
        #expect(try JSONParser.parse(request.body) == FakeRelayV4.zeroEx.encodeDraft(draft))
    }

    @Test("a relay that insists on filling orders itself is told of as a refusal")
    func sender() async throws {
        let transport = FakeTransport(body: #"{"sender":"\#(first)","takerTokenFeeAmount":"0"}"#)
        await #expect(
            throws: RelayError.refused(
                status: 200,
                code: nil,
                reason: "it carries only orders that \(address(0xB1).checksummed) alone may fill "
                    + "(their sender), and orders that are posted have no sender",
                fields: []
            )
        ) {
            try await FakeRelayV4.client(transport).fees(for: draft)
        }
    }

    @Test(
        "what a relay wants and cannot be read is nonsense",
        arguments: [
            ("[]", "This is not an order: a JSON object is expected"),
            ("{}", "The order has no takerTokenFeeAmount"),
            (
                #"{"takerTokenFeeAmount":"340282366920938463463374607431768211456"}"#,
                #"The order's takerTokenFeeAmount is not valid: "340282366920938463463374607431768211456""#
            ),
            (
                #"{"feeRecipient":"me","takerTokenFeeAmount":1}"#,
                #"The order's feeRecipient is not valid: "me""#
            ),
        ]
    )
    func badFees(body: String, reason: String) async throws {
        await #expect(
            throws: RelayError.nonsense("what it wants of an order cannot be read: \(reason)")
        ) {
            try await FakeRelayV4.client(FakeTransport(body: body)).fees(for: draft)
        }
    }

    @Test("fee recipients are read to their total, each once")
    func feeRecipients() async throws {
        let transport = FakeTransport { request, _ in
            let list = FakeRelayV4.slice(300, request)
                .map { "\"\(FakeRelayV4.address(UInt64($0 % 299)).checksummed)\"" }
            return .success(HTTPResponse(200, FakeRelayV4.envelope(list, total: 300, request)))
        }
        let found = try await FakeRelayV4.client(transport).feeRecipients()
        #expect(found == (0..<299).map { FakeRelayV4.address($0) })
        #expect(
            transport.requests.map(\.url)
                == [1, 2].map {
                    "\(base)/fee_recipients?page=\($0)&perPage=250"
                }
        )
        for body in [#"["0x12"]"#, "[7]"] {
            await #expect(
                throws: RelayError.nonsense("one of the addresses that it sent is none")
            ) {
                try await FakeRelayV4.client(FakeTransport(body: body)).feeRecipients()
            }
        }
    }

    @Test(
        "posted orders are taken with any status of success, and confirmation is never skipped",
        arguments: [200, 201, 202, 204]
    )
    func post(status: Int) async throws {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(status, "<p>thanks")) }
        let client = FakeRelayV4.client(transport)
        let orders = [FakeRelayV4.signed(1), FakeRelayV4.signed(2)]
        try await client.post(orders[0])
        try await client.post(orders)
        try await client.post([])
        #expect(transport.requests.map(\.url) == ["\(base)/order", "\(base)/orders"])
        #expect(transport.requests.allSatisfy { $0.method == .post && !$0.mayRepeat })
        #expect(try JSONParser.parse(transport.requests[0].body) == orders[0].json)
        #expect(
            try JSONParser.parse(transport.requests[1].body) == .array(orders.map(\.json))
        )
    }

    @Test(
        "a book without both sides is nonsense",
        arguments: [
            ("{}", "the book's bids is neither a list nor an object with records"),
            (
                #"{"bids":{"total":0}}"#,
                "the book's bids is neither a list nor an object with records"
            ),
            (
                #"{"bids":{"records":[]}}"#,
                "the book's asks is neither a list nor an object with records"
            ),
            ("<html>", "it is a web page"),
        ]
    )
    func badBook(body: String, reason: String) async throws {
        await #expect(throws: RelayError.nonsense(reason)) {
            try await FakeRelayV4.client(FakeTransport(body: body))
                .orderbook(base: .zero, quote: .zero)
        }
    }
}
