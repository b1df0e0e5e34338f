import DexTestSupport
import Ethereum
import HTTPServing
import Logging
import NIOCore
import NIOEmbedded
import StrictJSON

@testable import DexRelay
@testable import ZeroEx

/// A feed on a port of its own: changes are applied by hand, and the clock of its flushes is turned
/// by hand.
struct FeedFixture {
    let timer = NIOAsyncTestingEventLoop()
    let clock = RelayFixture.Clock()
    let hub: FeedHub
    /// The hub's, of both versions.
    let books: [OrderBook]
    let relay: RelayFixture
    let relayV4: RelayFixtureV4
    var limits = RelayLimits()
    var isLocal = false

    init() throws {
        let clock = clock
        let hub = FeedHub(timer: timer) { clock.now }
        self.hub = hub
        books = [ProtocolVersion.v1, .v4].map { OrderBook($0, feed: hub) }
        relay = try RelayFixture()
        relayV4 = try RelayFixtureV4()
    }

    let keys = RelayKeys(now: { 1_700_000_000 })

    func pass(_ milliseconds: Int64) async {
        await timer.advanceTime(by: .milliseconds(milliseconds))
    }

    /// Serves while the body runs; the body gets the port.
    func serve(_ body: @escaping @Sendable (_ port: Int) async throws -> Void) async throws {
        let (ports, sender) = AsyncStream.makeStream(of: Int.self)
        let limits = limits
        // A loaded machine answers late.
        var times = WebSocketTimes()
        times.ping = .hours(1)
        times.closing = .minutes(1)
        let feed = FeedServer(
            hub: hub,
            books: books,
            isLocal: isLocal,
            times: times,
            keys: keys,
            limits: { limits },
            clientAddress: { peer, forwarded in forwarded.last ?? peer }
        )
        let http = HTTPServer(
            Router(),
            port: 0,
            webSockets: feed.webSockets,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let server = Task {
            defer { sender.finish() }
            try await http.run { sender.yield($0) }
        }
        defer { server.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw Unexpected("no server") }
        try await body(port)
    }

    // MARK: Changes

    /// Hands changes to the books, as the ledger does.
    func apply(_ changes: [BookChange]) {
        for book in books { book.apply(changes) }
    }

    func reset(to orders: [BookChange], sequences: [MarketKey: UInt64]) {
        for book in books { book.reset(to: orders, sequences: sequences) }
    }

    /// An ask of v1, ZRX for WETH, as the relay keeps it.
    func entry(
        salt: UInt64,
        _ change: (inout OrderDraft) -> Void = { _ in }
    ) async throws -> OrderEntry {
        let order = try await relay.order { draft in
            draft.salt = UInt256(salt)
            change(&draft)
        }
        guard let entry = OrderEntry(order, body: relay.json(order)) else {
            throw Unexpected("no price")
        }
        return entry
    }

    /// The same of v4.
    func entryV4(
        salt: UInt64,
        _ change: (inout LimitOrderV4) -> Void = { _ in }
    ) async throws -> OrderEntry {
        let order = try await relayV4.order { terms in
            terms.salt = UInt256(salt)
            change(&terms)
        }
        let body = relayV4.json(order)
        guard
            let entry = OrderEntry(
                order,
                body: body,

                ranking: .priceWithTakerFee
            )
        else { throw Unexpected("no price") }
        return entry
    }

    /// A change of an order of v1, or of v4 if its entry is.
    static func change(
        _ entry: OrderEntry,
        _ sequence: UInt64,
        _ state: ListingState = .shown,
        from previous: ListingState? = nil,
        left: UInt256 = 2_000,
        isPartlyFilled: Bool = false
    ) -> BookChange {
        BookChange(
            number: sequence,
            pairSequence: sequence,
            version: entry.order is SignedOrderV4 ? .v4 : .v1,
            entry: entry,
            state: state,
            standing: OrderStanding(fillable: left, isPartlyFilled: isPartlyFilled),
            since: RelayFixture.startTime,
            previous: previous
        )
    }

    static let market = MarketKey(
        version: .v1,
        pair: PairDirection(makerToken: RelayFixture.zrx, takerToken: RelayFixture.weth)
    )
    static let marketV4 = MarketKey(version: .v4, pair: market.pair)

    // MARK: Messages

    /// A subscription of API v0 to ZRX/WETH, with more members of the payload.
    static func subscription(_ id: String = "1", _ more: String = "") -> [UInt8] {
        FrameClient.text(
            "{\"type\":\"subscribe\",\"channel\":\"orderbook\",\"requestId\":\(id),\"payload\":{"
                + "\"baseTokenAddress\":\"\(RelayFixture.zrx.lowercaseHex)\","
                + "\"quoteTokenAddress\":\"\(RelayFixture.weth.lowercaseHex)\"\(more)}}"
        )
    }

    /// A subscription of API v4 with these members of the payload.
    static func subscriptionV4(_ id: String, _ payload: String) -> [UInt8] {
        FrameClient.text(
            "{\"type\":\"subscribe\",\"channel\":\"orders\",\"requestId\":\"\(id)\","
                + "\"payload\":{\(payload)}}"
        )
    }

    static let tokensV4 =
        "\"makerToken\":\"\(RelayFixture.zrx.lowercaseHex)\","
        + "\"takerToken\":\"\(RelayFixture.weth.lowercaseHex)\""
}

extension OrderEntry {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Its record in API v4.
    func record(_ state: String, left: String = "2000") -> String {
        "{\"order\":\(text),\"metaData\":{\"orderHash\":\"\(hash.hex)\","
            + "\"remainingFillableTakerAmount\":\"\(left)\",\"state\":\"\(state)\"}}"
    }
}
