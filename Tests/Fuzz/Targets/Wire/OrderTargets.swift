import Ethereum
import StrictJSON

@testable import DexNetwork
@testable import DexRelay
@testable import ZeroEx

extension FuzzTarget {
    /// Orders of v1 as relays write them: what was read is written again in a form that is read
    /// the same, by the fast way too, and that our own relay takes.
    static let order = FuzzTarget("order", maximumLength: 2_048, seeds: OrderTarget.seeds) {
        input in
        guard let json = try? JSONParser.parse(input) else { return }
        guard let order = try? OrderWireV1.decode(json) else { return }
        try OrderTarget.check(order)
    }

    /// The fast reader of orders against the slow one: what it reads, that one reads the same; on
    /// lists, and on whole books.
    static let scanner = FuzzTarget(
        "order-scanner",
        maximumLength: 4_096,
        seeds: OrderTarget.lists
    ) { input in
        let json = try? JSONParser.parse(input)
        if let orders = JSONCursor.read(input, { OrderScannerV1.orders(&$0) }) {
            try OrderTarget.requireSame(orders, json)
        }
        let client = RelayClientV0(
            baseURL: "http://relay.test",
            exchangeProtocol: ZeroExV1(),
            transport: ScriptedTransport([])
        )
        if let book = JSONCursor.read(input, { client.scanBook(&$0) }) {
            try require(book.count == 2, "a book has two sides")
            try OrderTarget.requireSame(book[0].orders, json?["bids"])
            try OrderTarget.requireSame(book[1].orders, json?["asks"])
        }
    }
}

private enum OrderTarget {
    static func check(_ order: SignedOrderV1) throws {
        let wire = ZeroExV1().encodeOrder(order)
        let again = try OrderWireV1.decode(wire)
        try requireEqual(again.terms, order.terms, "an order that was written is read again")
        try requireEqual(again.signature, order.signature, "its signature too")
        try requireEqual(again.hash, order.hash, "its hash too")
        try requireEqual(order.hash, hash(order.terms), "an order's hash")
        try requireEqual(
            OrderSchemaV0.faults(inOrder: wire).map(\.name),
            [],
            "our own relay refuses the form that we write"
        )
        let list = JSONValue.array([wire, wire]).utf8
        guard let scanned = JSONCursor.read(list, { OrderScannerV1.orders(&$0) }) else {
            throw Violation("the fast reader does not know the form that we write")
        }
        try requireSame(scanned, .array([wire, wire]))
    }

    /// Keccak-256 over the fields in the order of the contract's `getOrderHash`.
    private static func hash(_ terms: OrderDraft) -> OrderHash {
        var bytes: [UInt8] = []
        for address in [
            terms.exchange, terms.maker, terms.taker, terms.makerToken, terms.takerToken,
            terms.fees.recipient,
        ] {
            bytes += address.bytes
        }
        for number in [
            terms.makerAmount, terms.takerAmount, terms.fees.makerFee, terms.fees.takerFee,
            terms.expiry, terms.salt,
        ] {
            bytes += number.bigEndianBytes
        }
        return OrderHash(Keccak256.hash(bytes))
    }

    /// Orders from the fast reader are those that the slow one reads in the same text.
    static func requireSame(_ orders: [any SignedOrder], _ json: JSONValue?) throws {
        guard let elements = json?.arrayValue else {
            throw Violation("the fast reader takes what is no list")
        }
        try requireEqual(orders.count, elements.count, "the number of orders")
        for (order, element) in zip(orders, elements) {
            let slow = try OrderWireV1.decode(element)
            guard let fast = order as? SignedOrderV1 else { throw Violation("another version") }
            try requireEqual(fast.terms, slow.terms, "the fast and the slow reader disagree")
            try requireEqual(fast.signature, slow.signature, "they disagree on a signature")
            try requireEqual(fast.hash, slow.hash, "they disagree on a hash")
        }
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let wire = ZeroExV1().encodeOrder(try SampleOrders.signed(salt: 1))
        guard case .object(let object) = wire else { return [] }
        var loose = object
        loose["taker"] = nil
        loose["feeRecipient"] = "0x"
        loose["makerFee"] = 0
        loose["takerFee"] = "0.00"
        loose["salt"] = .number("12345678901234567890")
        loose["ecSignature"] = ["r": "0x1", "s": "0xABC", "v": "1"]
        var enveloped = JSONObject()
        enveloped["order"] = wire
        enveloped["metaData"] = [:]
        var wrong = object
        wrong["makerTokenAmount"] = "1e18"
        return [wire, .object(loose), .object(enveloped), ["signedOrder": wire], .object(wrong)]
            .map(\.utf8)
    }

    @Sendable
    static func lists() throws -> [[UInt8]] {
        let orders = try (1...3).map { ZeroExV1().encodeOrder(try SampleOrders.signed(salt: $0)) }
        let turned = orders.map { wire -> JSONValue in
            var object = JSONObject()
            for member in (wire.objectValue?.members ?? []).reversed() {
                object[member.key] = member.value
            }
            return .object(object)
        }
        let one = String(decoding: orders[0].utf8, as: UTF8.self)
        let spaced = one.replacing(":", with: " : ").replacing(",", with: "\n,\t")
        let doubled = one.replacing("{\"exchange", with: "{\"salt\":1,\"exchange")
        let book: JSONValue = ["bids": [orders[0]], "asks": [orders[1]]]
        let turnedBook: JSONValue = ["asks": [turned[1]], "bids": []]
        return [
            JSONValue.array([]).utf8, JSONValue.array([orders[0]]).utf8,
            JSONValue.array(orders).utf8, JSONValue.array([turned[0], orders[1]]).utf8,
            Array("[\(spaced)]".utf8), Array("[\(doubled)]".utf8),
            Array("[\(one.replacing("\"1000\"", with: "1000"))]".utf8),
            book.utf8, turnedBook.utf8,
        ]
    }
}
