import Ethereum
import StrictJSON

@testable import DexNetwork
@testable import ZeroEx

extension FuzzTarget {
    /// Orders of v4 as relays write them: what was read is written again in a form that is read the
    /// same, and its hash is that of the general codec of EIP-712.
    static let orderV4 = FuzzTarget(
        "order-v4",
        maximumLength: 2_048,
        seeds: OrderV4Target.seeds
    ) { input in
        guard let json = try? JSONParser.parse(input) else { return }
        if let config = try? OrderConfigV4(json: json) {
            try requireEqual(try OrderConfigV4(json: config.json), config, "what a relay wants")
        }
        guard let record = try? OrderRecordV4(json: json) else { return }
        let again = try OrderRecordV4(json: record.json)
        let order = record.order
        try requireEqual(again.order.terms, order.terms, "an order that was written is read again")
        try requireEqual(again.order.domain, order.domain, "its chain and exchange too")
        try requireEqual(again.order.signature, order.signature, "its signature too")
        try requireEqual(again.metadata.remaining, record.metadata.remaining, "what remains of it")
        try requireEqual(
            again.metadata.orderHash,
            record.metadata.orderHash ?? order.hash,
            "the hash that a relay says"
        )
        try requireEqual(order.hash.word, try OrderV4Target.digest(order), "an order's hash")
        let list = JSONValue.array([again.json, again.json])
        let scanned = JSONCursor.read(list.utf8) { OrderScannerV4.orders(&$0) }
        if record.metadata.orderHash ?? order.hash != order.hash {
            try require(scanned == nil, "an order with another hash than the relay says")
        } else if let scanned {
            try OrderV4Target.requireSame(scanned, list)
        } else {
            let texts = [record.metadata.state, record.metadata.createdAt].compactMap { $0 }
            try require(
                !texts.allSatisfy(OrderV4Target.isPlain),
                "the fast reader does not know the form that we write"
            )
        }
    }

    /// The fast reader of records against the slow one: what it reads, that one reads the same; on
    /// lists, and on the pages of lists and books.
    static let scannerV4 = FuzzTarget(
        "order-scanner-v4",
        maximumLength: 4_096,
        seeds: OrderV4Target.lists
    ) { input in
        let json = try? JSONParser.parse(input)
        if let orders = JSONCursor.read(input, { OrderScannerV4.orders(&$0) }) {
            try OrderV4Target.requireSame(orders, json)
        }
        let client = OrderV4Target.client
        if let page = JSONCursor.read(input, { client.scanOrders(&$0) }) {
            try require(page.count == 1, "a list has one part")
            try OrderV4Target.requireSame(page[0], json)
        }
        if let book = JSONCursor.read(input, { client.scanBook(&$0) }) {
            try require(book.count == 2, "a book has two sides")
            try OrderV4Target.requireSame(book[0], json?["bids"])
            try OrderV4Target.requireSame(book[1], json?["asks"])
        }
    }
}

private enum OrderV4Target {
    /// The hash by the general codec, from the values in the contract's order.
    static func digest(_ order: SignedOrderV4) throws -> Bytes32 {
        let terms = order.terms
        let types = try TypedDataTypes([
            TypedDataStruct(
                "LimitOrder",
                [
                    ("makerToken", "address"), ("takerToken", "address"),
                    ("makerAmount", "uint128"), ("takerAmount", "uint128"),
                    ("takerTokenFeeAmount", "uint128"), ("maker", "address"),
                    ("taker", "address"), ("sender", "address"), ("feeRecipient", "address"),
                    ("pool", "bytes32"), ("expiry", "uint64"), ("salt", "uint256"),
                ]
            )
        ])
        let message = ABIValue.tuple([
            .address(terms.makerToken), .address(terms.takerToken),
            .uint(UInt256(terms.makerAmount)), .uint(UInt256(terms.takerAmount)),
            .uint(UInt256(terms.takerTokenFeeAmount)), .address(terms.maker),
            .address(terms.taker), .address(terms.sender), .address(terms.feeRecipient),
            .word(terms.pool), .uint(UInt256(terms.expiry)), .uint(terms.salt),
        ])
        let data = try TypedData(
            types: types,
            primaryType: "LimitOrder",
            domain: order.domain.typedDomain,
            message: message
        )
        return data.digest
    }

    static let domain = ExchangeDomainV4(chainID: 1337, exchange: SampleOrders.exchange)

    static let client = RelayClientV4(
        baseURL: "http://relay.test/sra/v4",
        exchangeProtocol: SampleOrdersV4.zeroEx,
        transport: ScriptedTransport([])
    )

    /// Printable ASCII that JSON needs not escape.
    static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    /// Orders from the fast reader are those that the slow one reads in the same text, and the
    /// relay's hashes are theirs.
    static func requireSame(_ orders: [any SignedOrder], _ json: JSONValue?) throws {
        guard let elements = json?.arrayValue else {
            throw Violation("the fast reader takes what is no list")
        }
        try requireEqual(orders.count, elements.count, "the number of orders")
        for (order, element) in zip(orders, elements) {
            let slow = try OrderRecordV4(json: element)
            guard let fast = order as? SignedOrderV4 else { throw Violation("another version") }
            try requireEqual(fast.terms, slow.order.terms, "the fast and the slow reader disagree")
            try requireEqual(fast.domain, slow.order.domain, "they disagree on a domain")
            try requireEqual(fast.signature, slow.order.signature, "they disagree on a signature")
            try requireEqual(fast.hash, slow.order.hash, "they disagree on a hash")
            try requireEqual(slow.metadata.orderHash ?? fast.hash, fast.hash, "the relay's hash")
        }
    }

    /// The same for a page in its envelope.
    static func requireSame(_ page: ScannedOrders, _ json: JSONValue?) throws {
        let list = try RelayDecoder.list(json, "a page")
        try requireSame(page.orders, .array(list.elements))
        try requireEqual(page.total, list.total, "the total of all pages")
    }

    static func record(salt: UInt256) -> OrderRecordV4 {
        let order = SignedOrderV4(
            terms: LimitOrderV4(
                makerToken: SampleOrders.zrx,
                takerToken: SampleOrders.weth,
                makerAmount: 1_000,
                takerAmount: .max,
                takerTokenFeeAmount: 3,
                maker: SampleOrders.proxy,
                pool: UInt256(9).word,
                expiry: SampleOrders.now,
                salt: salt
            ),
            domain: domain,
            signature: SignatureV4(type: 3, v: 28, r: UInt256(5).word, s: UInt256(6).word)
        )
        let metadata = OrderRecordV4.Metadata(
            orderHash: order.hash,
            remaining: 77,
            state: "ADDED",
            createdAt: "2023-01-31T12:00:00.000Z"
        )
        return OrderRecordV4(order: order, metadata: metadata)
    }

    @Sendable
    static func lists() throws -> [[UInt8]] {
        let records = [1, 2, .max].map { record(salt: $0).json }
        func page(_ records: [JSONValue]) -> JSONValue {
            [
                "total": .integer(records.count), "page": 1, "perPage": 100,
                "records": .array(records),
            ]
        }
        let one = String(decoding: records[0].utf8, as: UTF8.self)
        let plain = one.replacing(/,"metaData".*/, with: "}")
        let book: JSONValue = ["asks": page([records[1]]), "bids": page([])]
        return [
            JSONValue.array([]).utf8, JSONValue.array(records).utf8, page(records).utf8, book.utf8,
            Array("[\(one.replacing(":", with: " : ").replacing(",", with: "\n,\t"))]".utf8),
            Array("[\(plain)]".utf8),
            Array(#"{"records":[\#(plain)],"total":7}"#.utf8),
            Array(#"{"bids":{"records":[]},"asks":{"records":[\#(one)],"perPage":0}}"#.utf8),
        ]
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let record = record(salt: .max)
        let order = record.order
        guard case .object(var loose) = order.json else { return [] }
        for key in ["taker", "sender", "feeRecipient", "takerTokenFeeAmount"] { loose[key] = nil }
        loose["pool"] = "0x"
        loose["makerAmount"] = 5
        loose["takerAmount"] = "7.00"
        loose["chainId"] = "1"
        loose["signature"] = ["signatureType": "2", "v": "27", "r": "0x1", "s": "0xABC"]
        var wrong = loose
        wrong["makerAmount"] = .string((UInt256(1) << 128).description)
        let config = OrderConfigV4(
            sender: .zero,
            feeRecipient: SampleOrders.zrx,
            takerTokenFeeAmount: 1
        )
        return [
            record.json, order.json, .object(loose),
            .object(wrong), config.json,
        ].map(\.utf8)
    }
}
