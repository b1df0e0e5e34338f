import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v1 orders on the wire")
struct OrderWireV1Tests {
    private let zeroEx = ZeroExV1()

    private func wire() throws -> JSONObject {
        try #require(zeroEx.encodeOrder(SampleOrder().unsigned).objectValue)
    }

    private func decoded(_ key: String, _ value: JSONValue?) throws -> SignedOrderV1 {
        var object = try wire()
        object[key] = value
        return try #require(zeroEx.decodeOrder(.object(object)) as? SignedOrderV1)
    }

    private func signature(_ key: String, _ value: JSONValue?) throws -> SignedOrderV1 {
        var object = try wire()
        var parts = try #require(object["ecSignature"]?.objectValue)
        parts[key] = value
        object["ecSignature"] = .object(parts)
        return try #require(zeroEx.decodeOrder(.object(object)) as? SignedOrderV1)
    }

    @Test("the text of an order is that of its tree of values", arguments: [UInt256.zero, 7, .max])
    func text(number: UInt256) throws {
        var sample = SampleOrder()
        for parity in [UInt8(0), 1] {
            let address = Address(truncating: number.word)
            sample.draft.taker = address
            sample.draft.fees = OrderFees(recipient: address, makerFee: number, takerFee: number)
            sample.draft.makerAmount = number
            sample.draft.expiry = number
            sample.draft.salt = number
            let signature = try #require(
                Signature(r: number.word, s: UInt256(2).word, yParity: parity)
            )
            let order = SignedOrderV1(terms: sample.draft, signature: signature)
            #expect(
                String(decoding: order.wireText, as: UTF8.self)
                    == zeroEx.encodeOrder(order).text
            )
        }
    }

    static let required = [
        "exchangeContractAddress", "maker", "makerTokenAddress", "takerTokenAddress",
        "makerTokenAmount", "takerTokenAmount", "makerFee", "takerFee",
        "expirationUnixTimestampSec", "salt", "ecSignature",
    ]
    static let numbers = [
        "makerTokenAmount", "takerTokenAmount", "makerFee", "takerFee",
        "expirationUnixTimestampSec", "salt",
    ]
    static let addresses = [
        "exchangeContractAddress", "maker", "taker", "makerTokenAddress", "takerTokenAddress",
        "feeRecipient",
    ]

    @Test("a member that is absent or null is named", arguments: required)
    func missing(field: String) throws {
        #expect(throws: OrderError.missing(field: field)) { try decoded(field, nil) }
        #expect(throws: OrderError.missing(field: field)) { try decoded(field, .null) }
    }

    @Test("a member of a wrong type is refused", arguments: required)
    func wrongType(field: String) throws {
        for value in [true, [], ["x"], JSONValue.object(JSONObject())] as [JSONValue] {
            #expect(throws: OrderError.self) { try decoded(field, value) }
        }
    }

    @Test(
        "what is no whole number within 256 bits is no amount",
        arguments: [
            "", "-1", "+1", "1e-18", "1e78", "1.5e0", "1e", "5.5", "5.", ".5", "0x10", " 5", "5 ",
            "5.0.0", "٥", "1,000",
            "115792089237316195423570985008687907853269984665640564039457584007913129639936",
            "999999999999999999999999999999999999999999999999999999999999999999999999999999",
            "9999999999999999999999999999999999999999999999999999999999999999999999999999990",
            String(repeating: "0", count: 201), "NaN", "null",
        ]
    )
    func notAnAmount(text: String) throws {
        for field in Self.numbers {
            #expect(throws: OrderError.malformed(field: field, found: text)) {
                try decoded(field, .string(text))
            }
        }
    }

    @Test(
        "a JSON number is an amount only as an integer",
        arguments: ["-1", "1e-3", "5.5", "1.2345e3", "1E99", "-0"]
    )
    func notAnInteger(literal: String) throws {
        #expect(throws: OrderError.malformed(field: "salt", found: literal)) {
            try decoded("salt", .number(literal))
        }
    }

    @Test("amounts are strings or JSON numbers in any notation of an integer")
    func tolerantAmounts() throws {
        let largest = UInt256.max.description
        #expect(try decoded("salt", .string(largest)).salt == .max)
        #expect(try decoded("salt", .number(largest)).salt == .max)
        #expect(try decoded("salt", "5.0").salt == 5)
        #expect(try decoded("salt", "5.000").salt == 5)
        #expect(try decoded("salt", "007").salt == 7)
        #expect(try decoded("salt", 12).salt == 12)
        #expect(try decoded("salt", .number("1.7e+21")).salt == 1_700_000_000_000_000_000_000)
        #expect(try decoded("salt", "1.7E21").salt == 1_700_000_000_000_000_000_000)
        #expect(try decoded("salt", .number("2500e-2")).salt == 25)
        #expect(try decoded("salt", .number("5.0")).salt == 5)
    }

    @Test("an address in any letter case is taken, and written in lower case", arguments: addresses)
    func letterCase(field: String) throws {
        let mixed = "0xE41D2489571d322189246DAFA5ebde1f4699F498"
        let order = try decoded(field, .string(mixed))
        #expect(zeroEx.encodeOrder(order)[field] == .string(mixed.lowercased()))
    }

    @Test("what is not 20 bytes of hexadecimal is no address", arguments: addresses)
    func notAnAddress(field: String) throws {
        for text in [
            "0x12", "e41d2489571d322189246dafa5ebde1f4699f498",
            "0x" + String(repeating: "g", count: 40),
            "0x" + String(repeating: "0", count: 41), "0x" + String(repeating: "0", count: 64),
        ] {
            #expect(throws: OrderError.malformed(field: field, found: text)) {
                try decoded(field, .string(text))
            }
        }
        #expect(throws: OrderError.self) { try decoded(field, 0) }
    }

    @Test(
        "no taker and no fee recipient are the zero address",
        arguments: ["taker", "feeRecipient"],
        [nil, .null, "", "0x", "0x0000000000000000000000000000000000000000"] as [JSONValue?]
    )
    func optionalAddresses(field: String, value: JSONValue?) throws {
        let order = try decoded(field, value)
        #expect(order.taker == .zero)
        #expect(order.feeRecipient == .zero)
    }

    @Test("v is 27 or 28, or 0 or 1, as a number or as text in any notation")
    func v() throws {
        for value in [27, 0, "27", "0", "0x1b", .number("27.0")] as [JSONValue] {
            #expect(try signature("v", value).signature.v == 27)
        }
        for value in [28, 1, "28", "1"] as [JSONValue] {
            #expect(try signature("v", value).signature.v == 28)
        }
        for value in [26, 29, -1, "", "0x1d", " 27", true, []] as [JSONValue] {
            #expect(throws: OrderError.self) { try signature("v", value) }
        }
        #expect(throws: OrderError.self) { try signature("v", .number("27.5")) }
        #expect(throws: OrderError.missing(field: "ecSignature.v")) { try signature("v", nil) }
    }

    @Test("r and s may be short and in any letter case", arguments: ["r", "s"])
    func shortWords(part: String) throws {
        let order = try signature(part, "0XaB")
        let word = part == "r" ? order.signature.r : order.signature.s
        #expect(UInt256(word) == 0xAB)
        #expect(
            zeroEx.encodeOrder(order)["ecSignature"]?[part]
                == .string("0x" + String(repeating: "0", count: 62) + "ab")
        )
        for text in ["", "0x", "ab", "0xg1", "0x" + String(repeating: "1", count: 65), "0x 1"] {
            #expect(throws: OrderError.malformed(field: "ecSignature.\(part)", found: text)) {
                try signature(part, .string(text))
            }
        }
        #expect(throws: OrderError.missing(field: "ecSignature.\(part)")) {
            try signature(part, nil)
        }
        #expect(throws: OrderError.self) { try signature(part, 17) }
    }

    @Test("an order is found in the envelopes of later and of Radar Relay's own APIs")
    func envelopes() throws {
        let object = JSONValue.object(try wire())
        let hash = try SampleOrder().unsigned.hash
        for json in [
            object, ["order": object, "metaData": [:]], ["signedOrder": object, "state": "OPEN"],
        ] as [JSONValue] {
            #expect(try zeroEx.decodeOrder(json).hash == hash)
        }
    }

    @Test("unknown members are passed over")
    func unknownMembers() throws {
        let order = try decoded("hologram", ["a": [1, 2, 3]])
        #expect(order.hash == (try SampleOrder().unsigned.hash))
    }

    @Test(
        "what is no object is no order",
        arguments: [.null, 1, "0x", [], true] as [JSONValue]
    )
    func notAnOrder(json: JSONValue) {
        #expect(throws: OrderError.notAnOrder) { try zeroEx.decodeOrder(json) }
    }

    @Test("an order of a later version has no maker")
    func laterVersion() {
        let json: JSONValue = ["makerAddress": "0x00", "makerAssetData": "0x"]
        #expect(throws: OrderError.self) { try zeroEx.decodeOrder(json) }
    }

    @Test("every truncation of an order's text throws")
    func truncations() throws {
        let text = zeroEx.encodeOrder(try SampleOrder().unsigned).utf8
        for length in text.indices {
            #expect(throws: (any Error).self) {
                try zeroEx.decodeOrder(JSONParser.parse(text.prefix(length)))
            }
        }
    }

    @Test("errors are sentences that name the member and do not repeat a flood")
    func sentences() {
        #expect(OrderError.missing(field: "salt").description == "The order has no salt.")
        let flood = OrderError.malformed(field: "salt", found: String(repeating: "9", count: 5000))
        #expect(flood.description.count < 150)
        #expect(flood.description.hasPrefix("The order's salt is not valid: \"999"))
        #expect(OrderError.notAnOrder.description.contains("a JSON object is expected"))
    }

    @Test("a draft asks for fees with nine members")
    func draft() throws {
        let json = zeroEx.encodeDraft(SampleOrder().draft)
        let keys = try #require(json.objectValue).members.map(\.key)
        #expect(
            keys == [
                "exchangeContractAddress", "maker", "taker", "makerTokenAddress",
                "takerTokenAddress", "makerTokenAmount", "takerTokenAmount",
                "expirationUnixTimestampSec", "salt",
            ]
        )
        #expect(json["makerTokenAmount"] == "100")
    }
}
