import Ethereum
import StrictJSON
import Synchronization
import ZeroEx

@testable import DexNetwork

extension FuzzTarget {
    /// A relay's token pairs, fees and error bodies: what was read, written plainly, is read the
    /// same; and no text grows without bound.
    static let relayBodies = FuzzTarget(
        "relay-bodies",
        maximumLength: 2_048,
        seeds: RelayTarget.bodies
    ) { input in
        if case .refused(_, _, let reason, let fields)? = RelayDecoder.refusal(
            HTTPResponse(status: 400, body: input)
        ) {
            let texts = [reason] + fields.flatMap { [$0.field, $0.reason] }
            try require(
                fields.count <= 50 && texts.allSatisfy { $0.unicodeScalars.count <= 500 },
                "an error body's texts are longer than their bound"
            )
        }
        guard let json = try? RelayDecoder.json(input) else { return }
        if let fees = try? RelayDecoder.fees(json) {
            let written: JSONValue = [
                "feeRecipient": .string(fees.recipient.checksummed),
                "makerFee": .string(fees.makerFee.description),
                "takerFee": .number(fees.takerFee.description),
            ]
            try requireEqual(try RelayDecoder.fees(written), fees, "fees written and read")
        }
        if let list = try? RelayDecoder.list(json, "a list") {
            for element in list.elements { try RelayTarget.checkPair(element) }
        }
        try RelayTarget.checkPair(json)
    }

    /// The whole clients of both APIs against a relay that answers anything: it comes to an end after few
    /// requests; no copy of an order comes twice; what is handed out on the way is what comes in the end; a
    /// book that is read fast is the book that is read slowly.
    static let relayClient = FuzzTarget(
        concurrent: "relay-client",
        maximumLength: 8_192,
        slowness: 2,
        seeds: RelayTarget.conversations
    ) { input in
        var reader = InputReader(input)
        let operation = reader.byte()
        let script = reader.rest()
        let transport = ScriptedTransport(script: script)
        let isV4 = operation / 6 % 2 == 1
        let client = RelayTarget.client(transport, isV4: isV4)
        do {
            switch operation % 6 {
            case 0: try RelayTarget.checkPairs(try await client.tokenPairs(nil, nil))
            case 1: try RelayTarget.checkOrders(try await client.orders(OrderQuery()))
            case 2, 3: try await RelayTarget.checkBook(client, script, isV4: isV4)
            case 4: _ = try await client.fees(for: SampleOrders.draft(salt: 1))
            default: try await RelayTarget.checkPosting(client, isV4: isV4)
            }
        } catch let error as RelayError {
            try require(
                !error.description.contains(NodeTarget.secret),
                "an error shows a URL's query"
            )
        }
        let answers = script.split(separator: 0, omittingEmptySubsequences: false).count
        try require(
            transport.requests <= 3 * (answers + RelayPager.maximumKnownAtOnce),
            "\(transport.requests) requests for \(answers) answers"
        )
    }

    /// Headers and URLs: the pages that our relay's Link header names are the pages that our client
    /// reads; no wait is longer than what was said; nothing secret of a URL is shown.
    static let headers = FuzzTarget(
        "headers",
        maximumLength: 512,
        seeds: RelayTarget.headers
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        let server = WebAddress("http://relay.test/v0/orders")
        let response = HTTPResponse(
            status: 200,
            headers: [
                HTTPHeader("LINK", text), HTTPHeader("retry-after", text),
                HTTPHeader("x-ratelimit-reset", text), HTTPHeader("location", text),
            ]
        )
        if let links = RelayLinks(response, server: server) {
            try require(text.lowercased().contains("rel"), "links without relations")
            try require(!links.hasNext || text.lowercased().contains("next"), "a next page")
        }
        let now = SampleOrders.now
        if let wait = ServerAdvice.wait(in: response, now: now), let seconds = UInt64(text) {
            try requireEqual(wait, seconds, "a wait in seconds")
        }
        try require(!ServerAdvice.reason(for: response).isEmpty, "no reason")
        try RelayTarget.checkAddress(text)
    }
}

/// What the targets about relays have in common.
enum RelayTarget {
    static func client(_ transport: ScriptedTransport, isV4: Bool) -> any RelayClient {
        if isV4 {
            return RelayClientV4(
                baseURL: "http://relay.test/sra/v4?key=\(NodeTarget.secret)",
                exchangeProtocol: SampleOrdersV4.zeroEx,
                transport: transport,
                clock: .still
            )
        }
        return RelayClientV0(
            baseURL: "http://relay.test/v0?key=\(NodeTarget.secret)",
            exchangeProtocol: ZeroExV1(),
            transport: transport,
            clock: .still
        )
    }

    static func checkPair(_ json: JSONValue) throws {
        guard let pair = try? RelayDecoder.pair(json) else { return }
        func written(_ side: RelayTokenPair.Side) -> JSONValue {
            [
                "address": .string(side.token.checksummed),
                "minAmount": side.minimum.map { .string($0.description) } ?? .null,
                "maxAmount": side.maximum.map { .string("\($0).0") } ?? .null,
                "precision": side.precision.map { .integer($0) } ?? .null,
            ]
        }
        let again: JSONValue = ["tokenA": written(pair.tokenA), "tokenB": written(pair.tokenB)]
        try requireEqual(try RelayDecoder.pair(again), pair, "a pair written and read")
    }

    static func checkPairs(_ pairs: [RelayTokenPair]) throws {
        try requireEqual(Set(pairs).count, pairs.count, "a pair comes twice")
    }

    static func checkOrders(_ orders: RelayOrders) throws {
        let copies = orders.orders.map(\.copyID)
        try requireEqual(Set(copies).count, copies.count, "a copy of an order comes twice")
        for order in orders.orders {
            switch order {
            case let order as SignedOrderV1:
                try requireEqual(order.hash, ZeroExV1().hash(of: order.terms), "a relay's hash")
            case let order as SignedOrderV4:
                try requireEqual(order.hash, order.terms.hash(in: order.domain), "a relay's hash")
            default: throw Violation("another version")
            }
        }
    }

    static func checkBook(
        _ client: any RelayClient,
        _ script: [UInt8],
        isV4: Bool
    ) async throws {
        let arrived = Mutex<Set<OrderHash>>([])
        let tokens = (base: SampleOrders.zrx, quote: SampleOrders.weth)
        let fast = await outcome {
            try await client.orderbook(base: tokens.base, quote: tokens.quote) { orders in
                arrived.withLock { $0.formUnion(orders.map(\.hash)) }
            }
        }
        // The same JSON, written in a way that only the slow reader knows.
        let escaped = script.replacing(Array("\"bids\"".utf8), with: Array("\"\\u0062ids\"".utf8))
        let slow = await outcome {
            try await Self.client(ScriptedTransport(script: escaped), isV4: isV4)
                .orderbook(base: tokens.base, quote: tokens.quote)
        }
        switch (fast, slow) {
        case (.success(let book), .success(let other)):
            for (side, otherSide) in [(book.bids, other.bids), (book.asks, other.asks)] {
                try checkOrders(side)
                try requireEqual(
                    side.orders.map(\.hash),
                    otherSide.orders.map(\.hash),
                    "a book that is read fast"
                )
                try requireEqual(side.unreadable, otherSide.unreadable, "what is unreadable")
                let early = arrived.withLock { $0 }
                try require(
                    early.isSuperset(of: side.orders.map(\.hash)),
                    "an order came that was not handed out"
                )
            }
        // Their words name the byte at which the text goes wrong.
        case (.failure, .failure): break
        // Pages are asked for at once: it is chance which of them meets an answer that fails.
        case (.success, .failure(.rateLimited)), (.failure(.rateLimited), .success),
            (.success, .failure(.unreachable)), (.failure(.unreachable), .success),
            (.success, .failure(.badStatus)), (.failure(.badStatus), .success):
            break
        default: throw Violation("a book can only be read one way: \(fast), \(slow)")
        }
    }

    private static func outcome<Value>(
        _ body: () async throws -> Value
    ) async -> Result<Value, RelayError> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error as? RelayError ?? .nonsense("\(error)"))
        }
    }

    static func checkPosting(_ client: any RelayClient, isV4: Bool) async throws {
        let order: any SignedOrder =
            isV4 ? try SampleOrdersV4.signed(salt: 1) : try SampleOrders.signed(salt: 1)
        if let found = try await client.order(order.hash) {
            try requireEqual(found.hash, order.hash, "another order than was asked for")
        }
        try await client.post(order)
    }

    static func checkAddress(_ text: String) throws {
        guard let address = WebAddress(text) else {
            try requireEqual(
                WebAddress.shown(text),
                "an address that is not a URL",
                "what is shown of no URL"
            )
            return
        }
        try require(["http", "https"].contains(address.scheme), "another scheme")
        try require((0...65_535).contains(address.port), "a port out of range")
        let secret = "s3cr3t"
        let marked = WebAddress(
            "\(address.scheme)://u:\(secret)@\(address.host)/\(secret)?\(secret)"
        )
        if let marked {
            try require(!marked.shown.contains(secret), "a secret is shown: \(marked.shown)")
            try requireEqual(marked.host, address.host, "a host behind a user name")
        }
        if address.isLoopback {
            try require(
                address.host == "localhost" || address.host.hasPrefix("127.")
                    || address.host.contains("::1"),
                "not this machine: \(address.host)"
            )
        }
    }
}
