import DexTestSupport
import Ethereum
import NetworkTestSupport
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("lists of a relay, read to the end")
struct RelayPagingTests {
    private func salts(_ orders: RelayOrders) -> [UInt64] {
        orders.orders.map(\.salt.w0)
    }

    private func failure(_ transport: FakeTransport) async -> RelayError? {
        do throws(RelayError) {
            _ = try await FakeRelay.client(transport).orders(OrderQuery())
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "every order comes once and in order, with Link headers and without",
        arguments: [0, 1, 99, 100, 101, 200, 250, 1000, 2550],
        FakeRelay.Links.allCases
    )
    func everyOrder(count: Int, links: FakeRelay.Links) async throws {
        let transport = FakeRelay.orders(count, links: links)
        let orders = try await FakeRelay.client(transport).orders(OrderQuery())
        #expect(salts(orders) == (0..<count).map { UInt64($0) })
        #expect(orders.unreadable.count == 0)
        let pages = transport.requests.map(FakeRelay.page)
        #expect(Set(pages).count == pages.count)
        let needed = max(1, (count + 99) / 100)
        switch links {
        case .nextAndLast: #expect(pages.count == needed)
        default: #expect(pages.count <= needed + RelayPager.maximumAtOnce)
        }
        // Without links a short page may have one behind it.
        if count < 100 { #expect(pages == (count > 0 && links == .none ? [1, 2] : [1])) }
        #expect(orders.shortfall == nil)
    }

    @Test(
        "both sides of a book are read to the end of the longer one",
        arguments: [
            (0, 0), (100, 0), (0, 150), (730, 20), (20, 730), (500, 500),
        ]
    )
    func book(bids: Int, asks: Int) async throws {
        for links in FakeRelay.Links.allCases {
            let transport = FakeRelay.book(bids: bids, asks: asks, links: links)
            let book = try await FakeRelay.client(transport).orderbook(base: .zero, quote: .zero)
            #expect(salts(book.bids) == (0..<bids).map { UInt64($0) })
            #expect(salts(book.asks) == (0..<asks).map { UInt64(1_000_000 + $0) })
        }
    }

    @Test("pages are asked for several at once")
    func concurrent() async throws {
        // Pages 2 to 4 come only when all three were asked for.
        let gate = Gate(opensAt: 3)
        let server = try ScriptedServer.answering { request in
            let request = HTTPRequest(.get, url: request.target)
            if (2...4).contains(FakeRelay.page(of: request)) { gate.wait() }
            let orders = FakeRelay.slice(450, request).map(FakeRelay.order)
            return ScriptedAnswer(body: "[\(orders.joined(separator: ","))]")
        }
        let client = RelayClientV0(
            baseURL: server.url + "/v0/",
            exchangeProtocol: ZeroExV1(),
            transport: CurlTransport(options: .patient())
        )
        let orders = try await client.orders(OrderQuery())
        #expect(salts(orders) == (0..<450).map { UInt64($0) })
    }

    @Test("the rest of a list whose last page is known is asked for at once")
    func allAtOnce() async throws {
        // Whoever waits for one page before asking for the next waits for ever.
        let transport = WaitingTransport(
            FakeRelay.orders(10_000, links: .nextAndLast),
            for: 99,
            where: { FakeRelay.page(of: $0) > 1 }
        )
        let client = RelayClientV0(
            baseURL: FakeRelay.base,
            exchangeProtocol: ZeroExV1(),
            transport: transport
        )
        let orders = try await client.orders(OrderQuery())
        #expect(salts(orders) == (0..<10_000).map { UInt64($0) })
    }

    @Test("every order of a book is handed out before the book is")
    func arrivals() async throws {
        let transport = FakeRelay.book(bids: 730, asks: 20, links: .nextAndLast)
        let arrived = Mutex<Set<OrderHash>>([])
        let book = try await FakeRelay.client(transport)
            .orderbook(base: .zero, quote: .zero) { orders in
                arrived.withLock { $0.formUnion(orders.map(\.hash)) }
            }
        let all = (book.bids.orders + book.asks.orders).map(\.hash)
        #expect(all.count == 750)
        #expect(arrived.withLock { $0 } == Set(all))
    }

    @Test("a relay whose pages are smaller is followed by its Link headers")
    func smallPages() async throws {
        for links in [FakeRelay.Links.next, .nextAndLast] {
            let transport = FakeRelay.orders(95, links: links, perPage: 20)
            let orders = try await FakeRelay.client(transport).orders(OrderQuery())
            #expect(salts(orders) == (0..<95).map { UInt64($0) })
        }
    }

    @Test("a later version's object around the records tells how many there are")
    func wrapped() async throws {
        let transport = FakeTransport { request, _ in
            let records = FakeRelay.slice(130, request, perPage: 50).map(FakeRelay.order)
                .map { #"{"order":\#($0),"metaData":{}}"# }.joined(separator: ",")
            return .success(
                HTTPResponse(
                    200,
                    #"{"total":130,"page":1,"perPage":50,"records":[\#(records)]}"#
                )
            )
        }
        let orders = try await FakeRelay.client(transport).orders(OrderQuery())
        #expect(salts(orders) == (0..<130).map { UInt64($0) })
        #expect(transport.requests.count == 3)
    }

    @Test("a relay that knows no pages is not asked for ever")
    func noPages() async throws {
        let orders = (0..<150).map(FakeRelay.order).joined(separator: ",")
        let transport = FakeTransport(body: "[\(orders)]")
        let answer = try await FakeRelay.client(transport).orders(OrderQuery())
        #expect(salts(answer) == (0..<150).map { UInt64($0) })
        #expect(transport.requests.count < 10)
        #expect(answer.shortfall == nil)
    }

    @Test("a Link header that promises a next page for ever ends with the first empty page")
    func promises() async throws {
        let transport = FakeTransport { request, _ in
            let orders = FakeRelay.slice(150, request).map(FakeRelay.order)
            return .success(
                HTTPResponse(
                    200,
                    "[\(orders.joined(separator: ","))]",
                    headers: [HTTPHeader("Link", "<\(FakeRelay.base)/orders?page=9>; rel=next")]
                )
            )
        }
        let orders = try await FakeRelay.client(transport).orders(OrderQuery())
        #expect(salts(orders) == (0..<150).map { UInt64($0) })
    }

    @Test("a list without end is given up")
    func endless() async throws {
        let transport = FakeTransport { request, _ in
            let page = FakeRelay.page(of: request)
            return .success(
                HTTPResponse(
                    200,
                    "[\(FakeRelay.order(page))]",
                    headers: [HTTPHeader("Link", "<\(FakeRelay.base)/x>; rel=next")]
                )
            )
        }
        #expect(
            await failure(transport) == .nonsense("the list does not end after 1000 pages")
        )
        #expect(transport.requests.count == 1000)
    }

    @Test("an order that moves to the next page meanwhile is taken once")
    func moved() async throws {
        let transport = FakeTransport { request, _ in
            let page = FakeRelay.page(of: request)
            let range = page == 1 ? 0..<100 : page == 2 ? 98..<150 : 0..<0
            let orders = range.map(FakeRelay.order).joined(separator: ",")
            return .success(HTTPResponse(200, "[\(orders)]"))
        }
        let orders = try await FakeRelay.client(transport).orders(OrderQuery())
        #expect(salts(orders) == (0..<150).map { UInt64($0) })
    }

    @Test("a forged copy that comes first shadows no order, on its page or on a later one")
    func forgedFirst() async throws {
        let ones = String(repeating: "1", count: 64)
        @Sendable func forged(_ number: Int) -> String {
            FakeRelay.order(number).replacing(ones, with: String(repeating: "3", count: 64))
        }
        let transport = FakeTransport { request, _ in
            let orders: [String] =
                switch FakeRelay.page(of: request) {
                case 1: (0..<50).map(forged) + (0..<50).map(FakeRelay.order)
                // Nothing but copies of orders that were there: not the same page again.
                case 2:
                    (0..<50).map { forged($0).replacing("\"v\":27", with: "\"v\":28") }
                        + (0..<50).map(forged)
                case 3: (50..<60).map(FakeRelay.order)
                default: []
                }
            return .success(HTTPResponse(200, "[\(orders.joined(separator: ","))]"))
        }
        let orders = try await FakeRelay.client(transport).orders(OrderQuery()).orders
        let genuine = try (0..<60).map { number in
            try ZeroExV1().decodeOrder(JSONParser.parse(text: FakeRelay.order(number))).copyID
        }
        #expect(Set(genuine).isSubset(of: orders.map(\.copyID)))
        #expect(orders.count == 160)
    }

    @Test("a relay that answers 404 behind the last page has none there")
    func notFoundBehindTheEnd() async throws {
        let transport = FakeTransport { request, _ in
            guard FakeRelay.page(of: request) <= 2 else {
                return .success(HTTPResponse(404, #"{"code":404,"reason":"Not Found"}"#))
            }
            let orders = FakeRelay.slice(200, request).map(FakeRelay.order)
            return .success(HTTPResponse(200, "[\(orders.joined(separator: ","))]"))
        }
        let orders = try await FakeRelay.client(transport).orders(OrderQuery())
        #expect(salts(orders).count == 200)
    }

    @Test("a failure behind the last page does not matter, one in front of it does")
    func failures() async throws {
        func transport(failing: Int) -> FakeTransport {
            FakeTransport { request, _ in
                guard FakeRelay.page(of: request) != failing else {
                    return .success(HTTPResponse(400, #"{"code":100,"reason":"no such page"}"#))
                }
                let orders = FakeRelay.slice(250, request).map(FakeRelay.order)
                return .success(HTTPResponse(200, "[\(orders.joined(separator: ","))]"))
            }
        }
        let orders = try await FakeRelay.client(transport(failing: 4)).orders(OrderQuery())
        #expect(salts(orders).count == 250)
        #expect(
            await failure(transport(failing: 2))
                == .refused(status: 400, code: 100, reason: "no such page", fields: [])
        )
    }

    @Test("no more requests are sent ahead than the relay still grants")
    func remaining() async throws {
        let transport = FakeRelay.orders(
            250,
            headers: [HTTPHeader("X-RateLimit-Remaining", "0")]
        )
        let orders = try await FakeRelay.client(transport).orders(OrderQuery())
        #expect(salts(orders).count == 250)
        #expect(transport.requests.map(FakeRelay.page) == [1, 2, 3, 4])
    }

    @Test("orders that cannot be read are counted and do not end the list")
    func unreadable() async throws {
        let transport = FakeTransport { request, _ in
            let range = FakeRelay.slice(250, request)
            let orders = range.map { number in
                number.isMultiple(of: 2) ? FakeRelay.order(number) : #"{"maker":7}"#
            }
            return .success(HTTPResponse(200, "[\(orders.joined(separator: ","))]"))
        }
        let orders = try await FakeRelay.client(transport).orders(OrderQuery())
        #expect(orders.orders.count == 125)
        #expect(orders.unreadable.count == 125)
        let hopeless = FakeTransport { request, _ in
            let range = FakeRelay.slice(250, request)
            return .success(
                HTTPResponse(200, "[\(range.map { _ in "1" }.joined(separator: ","))]")
            )
        }
        let none = try await FakeRelay.client(hopeless).orders(OrderQuery())
        #expect(none.orders.isEmpty)
        #expect(none.unreadable.count == 250)
        #expect(none.unreadable.examples == [OrderError](repeating: .notAnOrder, count: 10))
    }

    @Test(
        "Link headers are read as relays write them",
        arguments: [
            (#"<https://a.b/o?page=2>; rel="next""#, true, nil),
            (
                #"<https://a.b/o?page=2&per_page=9>; rel="next", <https://a.b/o?x=1&page=7>; rel="last""#,
                true, 7
            ),
            (#"</o?page=2>; rel=next,</o?page=9>;rel=last"#, true, 9),
            (#"<https://a.b:443/o?page=1>; REL="PREV First""#, false, nil),
            (#"<https://A.B/o?page=99999999999999999999>; title="x"; rel="last""#, false, nil),
        ] as [(String, Bool, Int?)]
    )
    func links(value: String, hasNext: Bool, last: Int?) throws {
        let response = HTTPResponse(200, "", headers: [HTTPHeader("link", value)])
        let links = try #require(RelayLinks(response, server: WebAddress("https://a.b/o")))
        #expect(links.hasNext == hasNext)
        #expect(links.last == last)
    }

    @Test(
        "Link headers to another server, or none at all, tell nothing",
        arguments: [
            #"<https://evil.example/o?page=2>; rel="next""#, #"<http://a.b/o?page=2>; rel="next""#,
            #"<//evil.example/o>; rel="next""#, #"<ftp://a.b/o>; rel="next""#, "", "<", "<>;",
            ";rel=next",
            "<https://a.b/o?page=2>", "<https://a.b/o>; rel", "\u{1B}[2J<",
        ]
    )
    func foreignLinks(value: String) {
        let response = HTTPResponse(200, "", headers: [HTTPHeader("link", value)])
        #expect(RelayLinks(response, server: WebAddress("https://a.b/o")) == nil)
    }
}
