import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("lists of relays whose pages are not as asked for")
struct RelayPageSizeTests {
    private func salts(_ orders: RelayOrders) -> [UInt64] {
        orders.orders.map(\.salt.w0)
    }

    private func read(_ transport: FakeTransport) async throws -> RelayOrders {
        try await FakeRelay.client(transport).orders(OrderQuery())
    }

    private static func list(_ range: Range<Int>) -> HTTPResponse {
        HTTPResponse(200, "[\(range.map(FakeRelay.order).joined(separator: ","))]")
    }

    /// Refuses larger pages than `maximum` with a body.
    private static func strict(_ count: Int, maximum: Int?, body: String) -> FakeTransport {
        FakeTransport { request, _ in
            let size = FakeRelay.parameter("per_page", of: request).flatMap { Int($0) }
            if let size, size > maximum ?? 0 { return .success(HTTPResponse(400, body)) }
            return .success(list(FakeRelay.slice(count, request, perPage: size ?? 30)))
        }
    }

    @Test(
        "a refused page size asks for the size that the relay names, else for smaller ones",
        arguments: [
            (
                60,
                #"{"code":100,"reason":"Validation failed","validationErrors":[{"field":"per_page","code":1004,"reason":"Must be at most 60"}]}"#,
                ["100", "60"]
            ),
            (25, #"{"code":100,"reason":"page size is out of range"}"#, ["100", "50", "20"]),
            (10, #"{"reason":"the limit is between 1 and 10 entries"}"#, ["100", "10"]),
            (nil, #"{"reason":"unknown parameter perPage"}"#, ["100", "50", "20", "10", "none"]),
            (nil, "", ["100", "none"]),
        ] as [(Int?, String, [String])]
    )
    func refusedSize(maximum: Int?, body: String, sizes: [String]) async throws {
        let transport = Self.strict(130, maximum: maximum, body: body)
        let orders = try await read(transport)
        #expect(salts(orders) == (0..<130).map { UInt64($0) })
        #expect(orders.shortfall == nil)
        var asked: [String] = []
        for request in transport.requests {
            let size = FakeRelay.parameter("per_page", of: request) ?? "none"
            if asked.last != size { asked.append(size) }
        }
        #expect(asked == sizes)
    }

    @Test("the size is learned once for all lists of a relay, and for the best orders")
    func learned() async throws {
        let transport = FakeTransport { request, _ in
            let size = FakeRelay.parameter("per_page", of: request).flatMap { Int($0) } ?? 0
            return size > 20
                ? .success(HTTPResponse(422, #"{"reason":"per_page is at most 20"}"#))
                : .success(HTTPResponse(200, #"{"bids":[],"asks":[]}"#))
        }
        let client = FakeRelay.client(transport)
        _ = try await client.bestOrders(base: .zero, quote: .zero)
        _ = try await client.orderbook(base: .zero, quote: .zero)
        #expect(
            transport.requests.map { FakeRelay.parameter("per_page", of: $0) }
                == ["100", "20", "20"]
        )
    }

    @Test("a refusal of something else is no reason for smaller pages")
    func otherRefusal() async throws {
        let transport = FakeTransport { _, _ in
            .success(HTTPResponse(400, #"{"code":100,"reason":"unknown token"}"#))
        }
        await #expect(throws: RelayError.self) { try await read(transport) }
        #expect(transport.requests.count == 1)
    }

    @Test(
        "pages that are shorter than asked for are read to the end, without links or a total",
        arguments: [3, 20, 50, 99]
    )
    func shortPages(size: Int) async throws {
        let transport = FakeRelay.orders(210, perPage: size)
        let orders = try await read(transport)
        #expect(salts(orders) == (0..<210).map { UInt64($0) })
        #expect(orders.shortfall == nil)
    }

    @Test("pages of changing length are read to the end")
    func unevenPages() async throws {
        let ranges = [0..<98, 98..<195, 195..<295, 295..<300]
        let transport = FakeTransport { request, _ in
            let page = FakeRelay.page(of: request)
            return .success(Self.list(page <= ranges.count ? ranges[page - 1] : 0..<0))
        }
        #expect(try await salts(read(transport)) == (0..<300).map { UInt64($0) })
    }

    @Test("behind a short page a refusal is the end, and a failure is said")
    func behindShortPage() async throws {
        func transport(_ status: Int) -> FakeTransport {
            FakeTransport { request, _ in
                FakeRelay.page(of: request) == 1
                    ? .success(Self.list(0..<7))
                    : .success(HTTPResponse(status, #"{"code":100,"reason":"no such page"}"#))
            }
        }
        let whole = try await read(transport(400))
        #expect(whole.orders.count == 7)
        #expect(whole.shortfall == nil)
        let doubtful = try await read(transport(403))
        #expect(doubtful.orders.count == 7)
        #expect(doubtful.shortfall == nil)
        let failed = try await read(transport(501))
        #expect(failed.orders.count == 7)
        let broken = try await read(transport(500))
        #expect(broken.orders.count == 7)
        guard case .unread(page: 2, _) = broken.shortfall else {
            Issue.record("\(String(describing: broken.shortfall))")
            return
        }
    }

    @Test("a total is a number or a text, in any notation")
    func totals() async throws {
        for total in ["130", "\"130\"", "130.0", "1.3e2"] {
            let transport = FakeTransport { request, _ in
                let records = FakeRelay.slice(130, request, perPage: 50).map(FakeRelay.order)
                    .joined(separator: ",")
                return .success(HTTPResponse(200, #"{"total":\#(total),"records":[\#(records)]}"#))
            }
            let orders = try await read(transport)
            #expect(salts(orders) == (0..<130).map { UInt64($0) })
            #expect(transport.requests.count == 3)
        }
    }

    @Test(
        "a total that is missing or no number does not end a list",
        arguments: ["null", "\"many\""]
    )
    func noTotal(total: String) async throws {
        let transport = FakeTransport { request, _ in
            let records = FakeRelay.slice(130, request, perPage: 50).map(FakeRelay.order)
                .joined(separator: ",")
            return .success(HTTPResponse(200, #"{"total":\#(total),"records":[\#(records)]}"#))
        }
        #expect(try await salts(read(transport)) == (0..<130).map { UInt64($0) })
    }

    @Test("fewer entries than the relay counts are said")
    func fewerThanTotal() async throws {
        let transport = FakeTransport { request, _ in
            let records = FakeRelay.page(of: request) == 1 ? 0..<100 : 0..<0
            let list = records.map(FakeRelay.order).joined(separator: ",")
            return .success(HTTPResponse(200, #"{"total":250,"records":[\#(list)]}"#))
        }
        let orders = try await read(transport)
        #expect(orders.orders.count == 100)
        #expect(orders.shortfall == .fewer(received: 100, total: 250))
        #expect(
            orders.shortfall?.description
                == "A relay's list may not be whole, so better orders may be missing: it counts "
                + "250 entries and its pages have 100."
        )
    }

    @Test("a repeated page does not count twice against the total")
    func repeated() async throws {
        let list = (0..<100).map(FakeRelay.order).joined(separator: ",")
        let transport = FakeTransport(body: #"{"total":150,"records":[\#(list)]}"#)
        let orders = try await read(transport)
        #expect(orders.orders.count == 100)
        #expect(orders.shortfall == .fewer(received: 100, total: 150))
    }

    @Test("a link to a next page that is empty is said, on either side of a book")
    func emptyNextPage() async throws {
        let transport = FakeTransport { request, _ in
            let isFirst = FakeRelay.page(of: request) == 1
            let asks = (isFirst ? 0..<40 : 0..<0).map(FakeRelay.order).joined(separator: ",")
            return .success(
                HTTPResponse(
                    200,
                    #"{"bids":[],"asks":[\#(asks)]}"#,
                    headers: isFirst
                        ? [HTTPHeader("Link", "<\(FakeRelay.base)/x?page=2>; rel=next")] : []
                )
            )
        }
        let book = try await FakeRelay.client(transport).orderbook(base: .zero, quote: .zero)
        #expect(book.asks.orders.count == 40)
        #expect(book.shortfall == .noNextPage(received: 40))
    }
}
