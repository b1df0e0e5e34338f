import DexTestSupport
import Ethereum
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("lists of a relay of API v4, read to their total")
struct RelayV4PagingTests {
    private func salts(_ orders: RelayOrders) -> [UInt64] {
        orders.orders.map(\.salt.w0)
    }

    private func orders(_ transport: FakeTransport) async throws -> RelayOrders {
        try await FakeRelayV4.client(transport).orders(OrderQuery())
    }

    @Test(
        "every order comes once and in order, with no page more than the total needs",
        arguments: [0, 1, 249, 250, 251, 500, 1_000, 2_600]
    )
    func everyOrder(count: Int) async throws {
        let transport = FakeRelayV4.orders(count)
        let found = try await orders(transport)
        #expect(salts(found) == (0..<count).map { UInt64($0) })
        #expect(found.unreadable.count == 0)
        #expect(transport.requests.count == max(1, (count + 249) / 250))
    }

    @Test(
        "each side of a book is read to its own total",
        arguments: [(0, 0), (250, 0), (0, 251), (1_200, 20), (20, 1_200), (500, 500)]
    )
    func book(bids: Int, asks: Int) async throws {
        let transport = FakeRelayV4.book(bids: bids, asks: asks)
        let arrived = Mutex<Set<OrderHash>>([])
        let book = try await FakeRelayV4.client(transport)
            .orderbook(base: .zero, quote: .zero) { orders in
                arrived.withLock { $0.formUnion(orders.map(\.hash)) }
            }
        #expect(salts(book.bids) == (0..<bids).map { UInt64($0) })
        #expect(salts(book.asks) == (0..<asks).map { UInt64(1_000_000 + $0) })
        #expect(
            arrived.withLock { $0 } == Set((book.bids.orders + book.asks.orders).map(\.hash))
        )
        #expect(transport.requests.count == max(1, (max(bids, asks) + 249) / 250))
    }

    @Test("a side whose pages are shorter than asked for is read to its total all the same")
    func shortSide() async throws {
        // The bids come 250 a page, the asks 100.
        let transport = FakeTransport { request, _ in
            let asks = FakeRelay.slice(260, request, perPage: 100)
                .map { FakeRelayV4.record(1_000_000 + $0) }
            return .success(
                HTTPResponse(
                    200,
                    #"{"bids":\#(FakeRelayV4.page(300, request)),"#
                        + #""asks":\#(FakeRelayV4.envelope(asks, total: 260, request))}"#
                )
            )
        }
        let book = try await FakeRelayV4.client(transport).orderbook(base: .zero, quote: .zero)
        #expect(salts(book.bids).count == 300)
        #expect(salts(book.asks) == (0..<260).map { UInt64(1_000_000 + $0) })
    }

    @Test("pages of unfillable orders hold more than was asked for, and the total counts")
    func unfillable() async throws {
        // Two sources are paged separately, as that server does: 600 on the book, 300 behind it.
        let transport = FakeTransport { request, _ in
            let live = FakeRelay.slice(600, request, perPage: 250).map { FakeRelayV4.record($0) }
            let dead = FakeRelay.slice(300, request, perPage: 250)
                .map { FakeRelayV4.record(5_000 + $0) }
            return .success(
                HTTPResponse(200, FakeRelayV4.envelope(live + dead, total: 900, request))
            )
        }
        var query = OrderQuery()
        query.maker = FakeRelayV4.address(0xA1)
        query.includesUnfillable = true
        let found = try await FakeRelayV4.client(transport).orders(query)
        #expect(Set(salts(found)).count == 900)
        #expect(transport.requests[0].url.contains("&unfillable=true&"))
        #expect(Set(transport.requests.map(FakeRelay.page)).isSuperset(of: [1, 2, 3]))
    }

    @Test("the rest of a list whose total is known is asked for at once")
    func allAtOnce() async throws {
        let transport = WaitingTransport(
            FakeRelayV4.orders(10_000),
            for: 39,
            where: { FakeRelay.page(of: $0) > 1 }
        )
        let found = try await FakeRelayV4.client(transport).orders(OrderQuery())
        #expect(salts(found) == (0..<10_000).map { UInt64($0) })
    }

    @Test("bare arrays, bare orders and totals that are missing are taken")
    func tolerance() async throws {
        let array = FakeTransport { request, _ in
            let list = FakeRelayV4.slice(600, request).map { FakeRelayV4.signed($0).json }
            return .success(HTTPResponse(200, JSONValue.array(list).text))
        }
        #expect(salts(try await orders(array)).count == 600)
        let nameless = FakeTransport { request, _ in
            let list = FakeRelayV4.slice(600, request).map { FakeRelayV4.record($0) }
            return .success(HTTPResponse(200, #"{"records":[\#(list.joined(separator: ","))]}"#))
        }
        #expect(salts(try await orders(nameless)).count == 600)
        let book = FakeTransport(
            body: """
                {"asks":[\(FakeRelayV4.record(1))],"bids":{"records":[
                \(FakeRelayV4.signed(2).json.text)],"total":1},"timestamp":5}
                """
        )
        let found = try await FakeRelayV4.client(book).orderbook(base: .zero, quote: .zero)
        #expect(salts(found.asks) == [1])
        #expect(salts(found.bids) == [2])
    }

    @Test(
        "a total that is a lie neither ends in a storm of requests nor without an end",
        arguments: ["9223372036854775807", "-5", "0", "1e9", "99999999999999999999"]
    )
    func lyingTotal(total: String) async throws {
        let transport = FakeTransport { request, _ in
            let list = FakeRelayV4.slice(300, request).map { FakeRelayV4.record($0) }
            return .success(
                HTTPResponse(
                    200,
                    #"{"total":\#(total),"page":1,"perPage":250,"#
                        + #""records":[\#(list.joined(separator: ","))]}"#
                )
            )
        }
        let found = try await orders(transport)
        #expect(salts(found).count == 300)
        #expect(transport.requests.count <= 2 + RelayPager.maximumKnownAtOnce)
    }

    @Test("the same page for ever ends with its second time; a list without end is given up")
    func endless() async throws {
        let same = FakeTransport { request, _ in
            let list = (0..<250).map { FakeRelayV4.record($0) }
            return .success(
                HTTPResponse(200, FakeRelayV4.envelope(list, total: 1_000_000, request))
            )
        }
        #expect(salts(try await orders(same)).count == 250)
        #expect(same.requests.count <= 1 + RelayPager.maximumKnownAtOnce)
        let endless = FakeTransport { request, _ in
            let record = FakeRelayV4.record(FakeRelay.page(of: request))
            return .success(
                HTTPResponse(200, FakeRelayV4.envelope([record], total: .max, request))
            )
        }
        await #expect(throws: RelayError.nonsense("the list does not end after 1000 pages")) {
            try await orders(endless)
        }
        #expect(endless.requests.count == 1_000)
    }

    @Test("an order that moves to the next page meanwhile is taken once")
    func moved() async throws {
        let transport = FakeTransport { request, _ in
            let range = FakeRelay.page(of: request) == 1 ? 0..<250 : 248..<400
            let list = range.map { FakeRelayV4.record($0) }
            return .success(HTTPResponse(200, FakeRelayV4.envelope(list, total: 402, request)))
        }
        #expect(salts(try await orders(transport)) == (0..<400).map { UInt64($0) })
    }

    @Test("a forged copy that comes first shadows no order, whichever of its tokens is asked for")
    func forgedFirst() async throws {
        let genuine = FakeRelayV4.signed(1)
        var signature = genuine.signature
        signature.r = signature.s
        let forged = SignedOrderV4(
            terms: genuine.terms,
            domain: genuine.domain,
            signature: signature
        )
        #expect(forged.hash == genuine.hash)
        let transport = FakeTransport { request, _ in
            let order =
                FakeRelay.parameter("makerToken", of: request) == nil ? genuine : forged
            let list = [FakeRelayV4.record(order)]
            return .success(HTTPResponse(200, FakeRelayV4.envelope(list, total: 1, request)))
        }
        var query = OrderQuery()
        query.token = FakeRelayV4.address(0xB1)
        let found = try await FakeRelayV4.client(transport).orders(query).orders
        #expect(found.map(\.copyID) == [forged.copyID, genuine.copyID])
    }

    @Test("orders that cannot be read, or have another hash than the relay says, are counted")
    func unreadable() async throws {
        let lie = FakeRelayV4.signed(7).hash.hex
        let transport = FakeTransport { request, _ in
            let list = FakeRelayV4.slice(300, request).map { number in
                switch number {
                case 5: #"{"order":{"maker":7}}"#
                case 6: "null"
                case 8:
                    FakeRelayV4.record(8)
                        .replacing(FakeRelayV4.signed(8).hash.hex, with: lie)
                default: FakeRelayV4.record(number)
                }
            }
            return .success(HTTPResponse(200, FakeRelayV4.envelope(list, total: 300, request)))
        }
        let found = try await orders(transport)
        #expect(found.orders.count == 297)
        #expect(
            found.unreadable
                == UnreadableOrders([
                    .missing(field: "makerToken"), .notAnOrder,
                    .malformed(field: "metaData.orderHash", found: lie),
                ])
        )
    }

    @Test("a page that is missing behind the first ends the list, one that is a web page does not")
    func missingPage() async throws {
        func transport(_ body: String) -> FakeTransport {
            FakeTransport { request, _ in
                guard FakeRelay.page(of: request) == 1 else {
                    return .success(HTTPResponse(404, body))
                }
                return .success(HTTPResponse(200, FakeRelayV4.page(300, request)))
            }
        }
        #expect(salts(try await orders(transport(#"{"reason":"Not Found"}"#))).count == 250)
        await #expect(throws: RelayError.self) { try await orders(transport("\n <!DOCTYPE html>")) }
    }
}
