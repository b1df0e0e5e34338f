import DexRelay
import Ethereum
import StrictJSON
import Testing
import ZeroEx

/// Pages, Link headers, query checks and the rate limit.
@Suite struct PagingTests {
    /// A relay with so many asks and bids of one pair, the best first.
    private func fixture(
        asks: Int,
        bids: Int,
        configure: (inout RelayConfiguration) -> Void = { _ in }
    ) async throws -> RelayFixture {
        let fixture = try RelayFixture(configure: configure)
        var orders: [any SignedOrder] = []
        for index in 0..<asks {
            orders.append(
                try await fixture.order { $0.takerAmount = UInt256(UInt64(2000 + index)) }
            )
        }
        for index in 0..<bids {
            orders.append(
                try await fixture.order {
                    $0.makerToken = RelayFixture.weth
                    $0.takerToken = RelayFixture.zrx
                    $0.makerAmount = UInt256(UInt64(1900 - index))
                    $0.takerAmount = 1000
                }
            )
        }
        try await fixture.add(orders)
        return fixture
    }

    private static let bookPath =
        "/v0/orderbook?baseTokenAddress=\(RelayFixture.zrx.lowercaseHex)"
        + "&quoteTokenAddress=\(RelayFixture.weth.lowercaseHex)"

    @Test(
        "pages of a book count for each side and join to the whole book",
        arguments: Wire.allCases
    )
    func bookPages(wire: Wire) async throws {
        let fixture = try await fixture(asks: 230, bids: 120)
        try await fixture.talk(wire) { relay in
            var asks: [OrderHash] = []
            var bids: [OrderHash] = []
            for page in 1...4 {
                let answer = try await relay.get(Self.bookPath + "&page=\(page)&per_page=100")
                let json = try answer.json
                let (newAsks, newBids) = (try hashes(json["asks"]), try hashes(json["bids"]))
                #expect(newAsks.count == [100, 100, 30, 0][page - 1])
                #expect(newBids.count == [100, 20, 0, 0][page - 1])
                asks += newAsks
                bids += newBids
            }
            #expect(Set(asks).count == 230)
            #expect(Set(bids).count == 120)
            let direction = PairDirection(
                makerToken: RelayFixture.zrx,
                takerToken: RelayFixture.weth
            )
            let side = fixture.server.intake.book.read { $0.side(direction) }
            #expect(side.entries.map(\.hash) == asks)
        }
    }

    @Test("a request without per_page gets at most 100 orders")
    func standardPage() async throws {
        let fixture = try await fixture(asks: 101, bids: 0)
        try await fixture.talk(.inProcess) { relay in
            let answer = try await relay.get("/v0/orders")
            let count = try answer.json.arrayValue?.count
            #expect(count == 100)
        }
    }

    @Test("Link leads to the first, previous, next and last page", arguments: Wire.allCases)
    func links(wire: Wire) async throws {
        let fixture = try await fixture(asks: 25, bids: 0)
        let zrx = RelayFixture.zrx.lowercaseHex
        try await fixture.talk(wire) { relay in
            func link(_ page: Int) async throws -> String? {
                try await relay.get(
                    "/v0/orders?tokenAddress=\(zrx)&page=\(page)&per_page=10&ignored=1"
                ).headers["link"]
            }
            func url(_ page: Int, _ relation: String) -> String {
                "<http://relay.test/v0/orders?tokenAddress=\(zrx)&page=\(page)&per_page=10>; "
                    + "rel=\"\(relation)\""
            }
            let first = try await link(1)
            #expect(
                first == [url(1, "first"), url(2, "next"), url(3, "last")].joined(separator: ", ")
            )
            let second = try await link(2)
            #expect(
                second
                    == [url(1, "first"), url(1, "prev"), url(3, "next"), url(3, "last")]
                    .joined(separator: ", ")
            )
            let third = try await link(3)
            #expect(
                third == [url(1, "first"), url(2, "prev"), url(3, "last")].joined(separator: ", ")
            )
            let beyond = try await link(9)
            #expect(
                beyond == [url(1, "first"), url(3, "prev"), url(3, "last")].joined(separator: ", ")
            )
            let whole = try await relay.get("/v0/orders?per_page=25")
            let one = ["first", "last"].map {
                "<http://relay.test/v0/orders?page=1&per_page=25>; rel=\"\($0)\""
            }
            #expect(whole.headers["link"] == one.joined(separator: ", "))
        }
    }

    @Test("a host that could break out of the Link header is not repeated in it")
    func hostileHost() async throws {
        let fixture = try await fixture(asks: 2, bids: 0)
        try await fixture.live { port in
            for host in ["evil>; rel=x", "a b", "\"x\"", String(repeating: "h", count: 300)] {
                let head =
                    "GET /v0/orders?per_page=1 HTTP/1.1\r\nHost: \(host)\r\n"
                    + "Connection: close\r\n\r\n"
                let answer = try await Socket.exchange(port: port, Array(head.utf8))
                guard answer.status == 200 else { continue }
                #expect(answer.headers["link"]?.hasPrefix("</v0/orders?page=1") == true)
            }
        }
    }

    @Test(
        "a wrong query names its field and code",
        arguments: [
            ("orders?page=0", "page 1004"), ("orders?page=", "page 1001"),
            ("orders?page=-1", "page 1001"), ("orders?page=1e3", "page 1001"),
            ("orders?page=99999999999999999999999", "page 1004"),
            ("orders?per_page=101", "per_page 1004"), ("orders?per_page=0", "per_page 1004"),
            ("orders?page=1&page=2", "page 1001"), ("orders?maker=", "maker 1002"),
            ("orders?maker=0x12", "maker 1002"), ("token_pairs?tokenA=ZRX", "tokenA 1002"),
            ("orders?taker=0Xe41d2489571d322189246dafa5ebde1f4699f498", "taker 1002"),
            ("orders?taker=%00e41d2489571d322189246dafa5ebde1f4699f498", "taker 1002"),
            ("orders?trader=0xE41d2489571d322189246dafa5ebde1f4699f498", "trader 1002"),
            ("orderbook", "baseTokenAddress 1000,quoteTokenAddress 1000"),
            (
                "orderbook?baseTokenAddress=0xe41d2489571d322189246dafa5ebde1f4699f498",
                "quoteTokenAddress 1000"
            ),
            ("orders?maker=x&per_page=x", "maker 1002,per_page 1001"),
            (
                "orders?" + (0..<33).map { "a\($0)=1" }.joined(separator: "&"), "query 1004"
            ),
        ]
    )
    func wrongQuery(path: String, faults: String) async throws {
        let fixture = try RelayFixture()
        try await fixture.talk(.inProcess) { relay in
            let answer = try await relay.get("/v0/\(path)")
            #expect(answer.status == 400)
            #expect(try answer.code == "100")
            #expect(try answer.faults == faults.split(separator: ",").map(String.init))
        }
    }

    @Test("an address with a right checksum, or with escapes, is the same address")
    func friendlyAddresses() async throws {
        let fixture = try await fixture(asks: 1, bids: 0)
        try await fixture.talk(.inProcess) { relay in
            for text in [
                RelayFixture.zrx.checksummed,
                RelayFixture.zrx.lowercaseHex.replacing("x", with: "%78"),
            ] {
                let answer = try await relay.get("/v0/orders?makerTokenAddress=\(text)")
                let count = try answer.json.arrayValue?.count
                #expect(count == 1)
            }
        }
    }

    @Test("the limit of requests an hour is told, kept, and starts again", arguments: Wire.allCases)
    func rateLimit(wire: Wire) async throws {
        let fixture = try RelayFixture { $0.requestsPerHour = 2 }
        try await fixture.talk(wire) { relay in
            let first = try await relay.get("/v0/orders")
            #expect(first.headers["x-ratelimit-limit"] == "2")
            #expect(first.headers["x-ratelimit-remaining"] == "1")
            let nextHour = (RelayFixture.startTime / 3600 + 1) * 3600
            #expect(first.headers["x-ratelimit-reset"] == "\(nextHour)")
            _ = try await relay.get("/v0/orders")
            let third = try await relay.get("/v0/orders")
            #expect(third.status == 429)
            #expect(try third.code == "103")
            #expect(third.headers["x-ratelimit-remaining"] == "0")
            fixture.clock.advance(by: 3600)
            let later = try await relay.get("/v0/orders")
            #expect(later.status == 200)
        }
        let free = try RelayFixture()
        try await free.talk(.inProcess) { relay in
            let answer = try await relay.get("/v0/orders")
            #expect(answer.headers["x-ratelimit-limit"] == nil)
        }
    }
}
