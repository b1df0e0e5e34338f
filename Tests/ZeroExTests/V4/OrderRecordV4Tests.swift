import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v4 orders as relays write them")
struct OrderRecordV4Tests {
    private static let zero = "0x0000000000000000000000000000000000000000"

    @Test(
        "the text that is written without a tree of values is the tree's",
        arguments: [0, 1, UInt256(UInt64.max), .max]
    )
    func text(number: UInt256) {
        var terms = SamplesV4.limit
        terms.salt = number
        terms.maker = Address(truncating: number.word)
        terms.pool = number.word
        for type in [UInt8(0), 2, 3, 255] {
            let order = SignedOrderV4(
                terms: terms,
                domain: ExchangeDomainV4(chainID: .max, exchange: SampleOrder.exchange),
                signature: SignatureV4(type: type, v: 255, r: number.word, s: number.word)
            )
            #expect(String(decoding: order.wireText, as: UTF8.self) == order.json.text)
        }
    }

    /// A record as the server of the standard relayer API v4 writes it.
    private func sample() throws -> JSONValue {
        try JSONParser.parse(
            text: """
                {"order":{"makerToken":"0x0000000000000000000000000000000000000071",
                "takerToken":"0x0000000000000000000000000000000000000072",
                "makerAmount":"1000","takerAmount":"3000","takerTokenFeeAmount":"30",
                "maker":"0x00000000000000000000000000000000000000a1",
                "taker":"0x00000000000000000000000000000000000000a2",
                "sender":"0x00000000000000000000000000000000000000a3",
                "feeRecipient":"0x00000000000000000000000000000000000000a4",
                "pool":"0x0000000000000000000000000000000000000000000000000000000000000005",
                "expiry":"1750003600","salt":"7","chainId":1337,
                "verifyingContract":"\(SampleOrder.exchange.lowercaseHex)",
                "signature":{"signatureType":2,"v":27,
                "r":"0x0000000000000000000000000000000000000000000000000000000000000001",
                "s":"0x0000000000000000000000000000000000000000000000000000000000000002"}},
                "metaData":{"orderHash":"\(SamplesV4.limit.hash(in: SamplesV4.domain))",
                "remainingFillableTakerAmount":"2900","state":"ADDED",
                "createdAt":"2023-01-31T12:00:00.000Z"}}
                """
        )
    }

    /// The record with a member of its order changed, or taken away.
    private func sample(_ field: String, _ value: JSONValue?) throws -> JSONValue {
        var record = try #require(sample().objectValue)
        var order = try #require(record["order"]?.objectValue)
        if field.hasPrefix("signature.") {
            var signature = try #require(order["signature"]?.objectValue)
            signature[String(field.dropFirst("signature.".count))] = value
            order["signature"] = .object(signature)
        } else {
            order[field] = value
        }
        record["order"] = .object(order)
        return .object(record)
    }

    private func failure(_ json: JSONValue) -> OrderError? {
        do throws(OrderError) {
            _ = try OrderRecordV4(json: json)
            return nil
        } catch {
            return error
        }
    }

    @Test("a record is read member for member and written as it was")
    func record() throws {
        let json = try sample()
        let record = try OrderRecordV4(json: json)
        #expect(record.order.terms == SamplesV4.limit)
        #expect(record.order.domain == SamplesV4.domain)
        #expect(record.order.signature == SamplesV4.signature)
        #expect(record.metadata.orderHash == record.order.hash)
        #expect(record.metadata.remaining == 2_900)
        #expect(record.metadata.state == "ADDED")
        #expect(record.metadata.createdAt == "2023-01-31T12:00:00.000Z")
        #expect(record.json == json)
        let bare = try OrderRecordV4(json: record.order.json)
        #expect(bare.order == record.order)
        #expect(bare.order.signature == record.order.signature)
        #expect(bare.metadata == .none)
        #expect(bare.json["metaData"]?["orderHash"]?.stringValue == record.order.hash.hex)
    }

    @Test("all 36 limit orders of the vectors are read with their hashes and written again")
    func vectors() throws {
        let vectors = try Vectors.orderV4.array("limitOrders")
        #expect(vectors.count == 36)
        for vector in vectors {
            var json = try #require(vector["order"]?.objectValue)
            json["chainId"] = vector["chainId"]
            json["verifyingContract"] = vector["verifyingContract"]
            for kind in ["eip712", "ethSign"] {
                json["signature"] = vector["signatures"]?[kind]
                let order = try OrderRecordV4(json: .object(json)).order
                #expect(order.hash.hex == (try vector.text("orderHash")))
                #expect(order.json == .object(json))
                let signer = try order.signature.signer(of: order.hash, recoverer: Secp256k1())
                #expect(signer == order.maker)
            }
        }
    }

    @Test("what relays may leave out is zero")
    func optionalMembers() throws {
        let values: [JSONValue?] = [nil, .null]
        for value in values + [""] + ["0x"] {
            for field in ["taker", "sender", "feeRecipient", "pool"] {
                let terms = try OrderRecordV4(json: sample(field, value)).order.terms
                let word =
                    switch field {
                    case "taker": terms.taker.word
                    case "sender": terms.sender.word
                    case "feeRecipient": terms.feeRecipient.word
                    default: terms.pool
                    }
                #expect(word == .zero)
            }
        }
        for value in values {
            let terms = try OrderRecordV4(json: sample("takerTokenFeeAmount", value)).order.terms
            #expect(terms.takerTokenFeeAmount == 0)
        }
    }

    @Test("numbers as text or JSON, addresses in any letter case and short words are taken")
    func tolerance() throws {
        let same: [(String, JSONValue)] = [
            ("makerAmount", 1000), ("takerAmount", "3000.0"), ("takerTokenFeeAmount", 30),
            ("expiry", 1_750_003_600), ("salt", 7), ("chainId", "1337"),
            ("maker", "0X00000000000000000000000000000000000000A1"), ("pool", "0x5"),
            ("signature.signatureType", "2"), ("signature.v", "27"), ("signature.r", "0x1"),
        ]
        for (field, value) in same {
            let order = try OrderRecordV4(json: sample(field, value)).order
            #expect(order.terms == SamplesV4.limit, "\(field)")
            #expect(order.domain == SamplesV4.domain)
            #expect(order.signature == SamplesV4.signature)
        }
    }

    @Test("a member that is missing or not what it must be is named")
    func refusals() throws {
        for field in [
            "makerToken", "takerToken", "makerAmount", "takerAmount", "maker", "expiry", "salt",
            "chainId", "verifyingContract", "signature", "signature.signatureType", "signature.v",
            "signature.r", "signature.s",
        ] {
            #expect(failure(try sample(field, nil)) == .missing(field: field))
            #expect(failure(try sample(field, .null)) == .missing(field: field))
            #expect(failure(try sample(field, true)) == .malformed(field: field, found: "true"))
        }
        let tooLarge = (UInt256(1) << 128).description
        let bad: [(String, String)] = [
            ("makerAmount", tooLarge), ("takerAmount", tooLarge),
            ("takerTokenFeeAmount", tooLarge), ("expiry", "18446744073709551616"),
            ("chainId", "18446744073709551616"), ("salt", UInt256.max.description + "0"),
            ("makerAmount", "-1"), ("makerAmount", "1e-3"), ("makerAmount", "1.5"),
            ("makerAmount", "0x10"), ("makerAmount", ""), ("maker", "0xa1"), ("maker", ""),
            ("taker", "nobody"), ("pool", "0x" + String(repeating: "0", count: 65)),
            ("signature.signatureType", "256"), ("signature.v", "256"), ("signature.r", "0x"),
            ("signature.s", "12"),
        ]
        for (field, text) in bad {
            #expect(
                failure(try sample(field, .string(text))) == .malformed(field: field, found: text)
            )
        }
        let maximum = (UInt256(1) << 128) - 1
        let largest = try OrderRecordV4(json: sample("makerAmount", .string(maximum.description)))
        #expect(largest.order.terms.makerAmount == .max)
        for json in [[], .null, "order", 7] as [JSONValue] {
            #expect(failure(json) == .notAnOrder)
        }
    }

    @Test("amounts with exponents are read, and a v of 0 or 1 is 27 or 28")
    func variants() throws {
        let amount = try OrderRecordV4(json: sample("makerAmount", .number("1.7e+21")))
        #expect(amount.order.terms.makerAmount == 1_700_000_000_000_000_000_000)
        for (written, v) in [
            (0, 27), (1, 28), ("0", 27), ("1", 28), ("0x1", 28), ("0x1c", 28), (27, 27), (2, 2),
        ] as [(JSONValue, UInt8)] {
            let record = try OrderRecordV4(json: sample("signature.v", written))
            #expect(record.order.signature.v == v)
        }
    }

    @Test("metadata that cannot be read is left out, and does not cost the order")
    func metadata() throws {
        let values: [JSONValue] = [
            .null, [], "x", ["orderHash": "0x12", "remainingFillableTakerAmount": -1, "state": 7],
        ]
        for value in values {
            var record = try #require(sample().objectValue)
            record["metaData"] = value
            let read = try OrderRecordV4(json: .object(record))
            #expect(read.metadata == .none)
            #expect(read.order.terms == SamplesV4.limit)
        }
        var record = try #require(sample().objectValue)
        record["metaData"] = ["state": "NEVER_HEARD_OF", "remainingFillableTakerAmount": 5]
        let read = try OrderRecordV4(json: .object(record))
        #expect(read.metadata.state == "NEVER_HEARD_OF")
        #expect(read.metadata.remaining == 5)
        #expect(read.metadata.orderHash == nil)
    }

    @Test("what a relay insists on is asked with eight members, and its answer is read")
    func config() throws {
        #expect(
            SamplesV4.limit.configRequest(in: SamplesV4.domain) == [
                "maker": "0x00000000000000000000000000000000000000a1",
                "taker": "0x00000000000000000000000000000000000000a2",
                "makerAmount": "1000", "takerAmount": "3000",
                "makerToken": "0x0000000000000000000000000000000000000071",
                "takerToken": "0x0000000000000000000000000000000000000072",
                "verifyingContract": .string(SampleOrder.exchange.lowercaseHex),
                "expiry": "1750003600",
            ]
        )
        let config = OrderConfigV4(
            sender: .zero,
            feeRecipient: SampleOrder.address(0xFE),
            takerTokenFeeAmount: .max
        )
        #expect(try OrderConfigV4(json: config.json) == config)
        #expect(
            try OrderConfigV4(json: ["takerTokenFeeAmount": 5])
                == OrderConfigV4(sender: .zero, feeRecipient: .zero, takerTokenFeeAmount: 5)
        )
        #expect(throws: OrderError.missing(field: "takerTokenFeeAmount")) {
            try OrderConfigV4(json: ["sender": .string(Self.zero)])
        }
        #expect(throws: OrderError.malformed(field: "sender", found: "7")) {
            try OrderConfigV4(json: ["sender": 7, "takerTokenFeeAmount": "0"])
        }
        #expect(throws: OrderError.notAnOrder) { try OrderConfigV4(json: []) }
    }
}
