import Ethereum
import EthereumWallet
import NIOCore
import Testing
import ZeroEx

@testable import DexRelay

/// Pages that are served again without being made again.
@Suite struct PageCacheTests {
    private static func key(_ page: Int) -> PageCache.Key {
        PageCache.Key(base: RelayFixture.zrx, quote: RelayFixture.weth, page: page, pageSize: 1)
    }

    /// A cache over a book, with a count of the pages that were made.
    private final class Stage {
        let book = OrderBook(.v1)
        let cache: PageCache
        private(set) var made = 0

        init(maximumBytes: Int = 1 << 20) {
            cache = PageCache(book: book, maximumBytes: maximumBytes)
        }

        func page(
            _ key: PageCache.Key = PageCacheTests.key(1),
            at horizon: UInt64 = RelayFixture.startTime,
            size: Int = 10
        ) -> CachedPage {
            cache.page(key, at: horizon) { horizon in
                made += 1
                let book = PageCache.Book(
                    base: RelayFixture.zrx,
                    quote: RelayFixture.weth,
                    in: book
                )
                let asks = book.asks.page(.init(horizon: horizon)) { 0..<$0 }
                let bids = book.bids.page(.init(horizon: horizon)) { 0..<$0 }
                let text = (asks.listings + bids.listings).map(\.entry.hash.hex).joined()
                return PageCache.Content(
                    body: ByteBuffer(
                        string: text + String(repeating: " ", count: size)
                    ),
                    total: 10_000,
                    book: book,
                    validUntil: min(asks.validUntil, bids.validUntil)
                )
            }
        }

        func add(_ number: UInt64, _ direction: PairDirection, life: UInt64 = 100) throws {
            let order = PlainOrder(
                number,
                direction: direction,
                expiry: RelayFixture.startTime + life
            )
            let entry = try #require(OrderEntry(order, body: []))
            book.apply([BookChange(number, entry)])
        }
    }

    @Test("a page is made once, and again after a change of either side, of no other pair's")
    func changes() throws {
        let stage = Stage()
        #expect(stage.page() === stage.page())
        #expect(stage.made == 1)
        try stage.add(1, PlainOrder.ask)
        let one = stage.page()
        #expect(one === stage.page())
        #expect(stage.made == 2)
        try stage.add(2, PlainOrder.bid)
        #expect(stage.page().etag != one.etag)
        #expect(stage.made == 3)
        try stage.add(
            3,
            PairDirection(makerToken: RelayFixture.dai, takerToken: RelayFixture.weth)
        )
        _ = stage.page()
        #expect(stage.made == 3)
    }

    @Test("a page is made again in the second in which an order expires, and not before")
    func expiry() throws {
        let stage = Stage()
        let start = RelayFixture.startTime
        try stage.add(1, PlainOrder.ask, life: 10)
        try stage.add(2, PlainOrder.bid, life: 20)
        let both = stage.page(at: start)
        #expect(stage.page(at: start + 9) === both)
        let one = stage.page(at: start + 10)
        #expect(one.body.readableBytes < both.body.readableBytes)
        #expect(stage.page(at: start + 19) === one)
        #expect(stage.page(at: start + 20).body.readableBytes < one.body.readableBytes)
        #expect(stage.made == 3)
        // A clock that is put back shows what was there.
        #expect(stage.page(at: start).etag == both.etag)
        #expect(stage.made == 4)
    }

    @Test("many pages stay within the bytes, and one that is asked for again and again stays")
    func bounded() throws {
        let stage = Stage(maximumBytes: 100_000)
        let hot = stage.page()
        for number in 0..<1_000 {
            _ = stage.page(Self.key(2 + number), size: 2_000)
            #expect(stage.cache.bytes <= 100_000)
            #expect(stage.page() === hot)
        }
        #expect(stage.made == 1_001)
        // One that is larger than all that may be kept is served all the same.
        let large = Self.key(5_000)
        #expect(stage.page(large, size: 200_000).body.readableBytes == 200_000)
        #expect(stage.page(large, size: 200_000).body.readableBytes == 200_000)
        #expect(stage.made == 1_003)
        #expect(stage.page() === hot)
    }

    @Test(
        "the entity tags of equal books are equal, whichever relay serves them",
        arguments: [0, 1]
    )
    func tags(version: Int) async throws {
        let path =
            version == 0
            ? "/v0/orderbook?baseTokenAddress=\(RelayFixtureV4.base)"
                + "&quoteTokenAddress=\(RelayFixtureV4.quote)"
            : "/sra/v4/orderbook?baseToken=\(RelayFixtureV4.base)&quoteToken=\(RelayFixtureV4.quote)"
        func tags(_ orders: [any SignedOrder]) async throws -> [String] {
            let fixture = try RelayFixtureV4()
            let market = fixture.server.markets[version]
            let found = Found()
            for order in orders {
                _ = try await market.intake.add([order])
                try await fixture.talk(.inProcess) { relay in
                    await found.add(try await relay.get(path).headers["etag"] ?? "none")
                }
            }
            return await found.texts
        }
        let fixture = try RelayFixtureV4()
        var orders: [any SignedOrder] = []
        for salt in 1...3 {
            if version == 1 {
                orders.append(try await fixture.order { $0.salt = UInt256(UInt64(salt)) })
            } else {
                let draft = OrderDraft(
                    exchange: RelayFixture.exchange,
                    maker: fixture.maker.address,
                    makerToken: RelayFixture.zrx,
                    takerToken: RelayFixture.weth,
                    makerAmount: 1000,
                    takerAmount: 2000,
                    expiry: UInt256(RelayFixture.startTime + 3600),
                    salt: UInt256(UInt64(salt))
                )
                orders.append(try await ZeroExV1().sign(draft, with: fixture.maker))
            }
        }
        let one = try await tags(orders)
        let other = try await tags(orders.reversed())
        #expect(one.last == other.last)
        #expect(Set(one + other).count == 5)
        #expect(one.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.count == 34 })
    }

    @Test("a page is named by what it shows and by nothing else of a request", arguments: [0, 1])
    func names(version: Int) async throws {
        let (path, base, quote, size) =
            version == 0
            ? ("/v0/orderbook", "baseTokenAddress", "quoteTokenAddress", "per_page")
            : ("/sra/v4/orderbook", "baseToken", "quoteToken", "perPage")
        let pair = ["\(base)=\(RelayFixtureV4.base)", "\(quote)=\(RelayFixtureV4.quote)"]
        let usual = version == 0 ? 100 : 20
        let fixture = try RelayFixtureV4()
        let pages = fixture.server.markets[version].pages
        try await fixture.talk(.inProcess) { relay in
            let first = try await relay.get("\(path)?\(pair[0])&\(pair[1])")
            #expect(first.status == 200)
            let kept = pages.bytes
            #expect(kept > 0)
            for query in [
                "\(pair[1])&\(pair[0])", "\(pair[0])&\(pair[1])&x=1", "x&\(pair[0])&y=&\(pair[1])",
                "\(pair[0])&\(pair[1])&page=1", "\(pair[0])&\(pair[1])&page=01&\(size)=\(usual)",
                "\(pair[0].replacing("0x", with: "%30x"))&\(pair[1])",
            ] {
                let again = try await relay.get("\(path)?\(query)")
                #expect(again.status == 200, "\(query)")
                #expect(again.headers["etag"] == first.headers["etag"], "\(query)")
                #expect(pages.bytes == kept, "\(query)")
            }
            // Pages beyond the last are all alike, and not kept.
            for page in [2, 3, 1_000_000] {
                let query = "\(pair[0])&\(pair[1])&page=\(page)"
                #expect(try await relay.get("\(path)?\(query)").status == 200)
                #expect(pages.bytes == kept)
            }
        }
    }

    private actor Found {
        private(set) var texts: [String] = []

        func add(_ text: String) { texts.append(text) }
    }

    @Test("contents that differ in a byte, in their length or in their order have other digests")
    func digests() {
        var contents: [[UInt8]] = [[]]
        for length in 1...70 {
            contents.append([UInt8](repeating: 0, count: length))
            for place in 0..<length {
                var content = [UInt8](repeating: 0, count: length)
                content[place] = 1
                contents.append(content)
            }
        }
        let digests = Set(contents.map { ContentDigest($0).hex })
        #expect(digests.count == contents.count)
        #expect(digests.allSatisfy { $0.utf8.count == 32 })
        // The same in every process and on every instance.
        #expect(ContentDigest([]).hex == ContentDigest(ByteBuffer().readableBytesView).hex)
    }
}
