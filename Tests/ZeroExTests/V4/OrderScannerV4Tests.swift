import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v4 orders straight from a relay's text")
struct OrderScannerV4Tests {
    private func record(salt: UInt256 = 7, chainID: UInt64 = 1337) -> OrderRecordV4 {
        var terms = SamplesV4.limit
        terms.salt = salt
        let order = SignedOrderV4(
            terms: terms,
            domain: ExchangeDomainV4(chainID: chainID, exchange: SampleOrder.exchange),
            signature: SamplesV4.signature
        )
        return OrderRecordV4(
            order: order,
            metadata: OrderRecordV4.Metadata(
                orderHash: order.hash,
                remaining: 2_900,
                state: "ADDED",
                createdAt: "2023-01-31T12:00:00.000Z"
            )
        )
    }

    private func scan(_ text: String) -> [any SignedOrder]? {
        JSONCursor.read(Array(text.utf8)) { OrderScannerV4.orders(&$0) }
    }

    private func scan(_ records: [JSONValue]) -> [any SignedOrder]? {
        scan(JSONValue.array(records).text)
    }

    /// A record with something of its order or its metadata changed.
    private func changed(
        _ part: String = "order",
        _ change: (inout JSONObject) -> Void
    ) throws -> [any SignedOrder]? {
        var record = try #require(record().json.objectValue)
        var object = try #require(record[part]?.objectValue)
        change(&object)
        record[part] = .object(object)
        return scan([.object(record)])
    }

    private func isSame(_ scanned: [any SignedOrder], _ text: String) throws -> Bool {
        let list = try #require(JSONParser.parse(text: text).arrayValue)
        return try scanned.count == list.count
            && zip(scanned, list).allSatisfy { scanned, json in
                let expected = try OrderRecordV4(json: json)
                let scanned = try #require(scanned as? SignedOrderV4)
                return scanned.terms == expected.order.terms
                    && scanned.domain == expected.order.domain
                    && scanned.signature == expected.order.signature
                    && scanned.hash == expected.order.hash
                    && expected.metadata.orderHash.map { $0 == scanned.hash } ?? true
            }
    }

    @Test("a list of plain records is read as the other reader reads it")
    func list() throws {
        let other = try JSONParser.parse(
            text: record(salt: .max, chainID: .max).json.text
                .replacing("\"1000\"", with: "1000")
                .replacing(
                    "0x00000000000000000000000000000000000000a1",
                    with: "0X00000000000000000000000000000000000000A1"
                )
        )
        let text = JSONValue.array([record().json, other, record(salt: 0).json]).text
        let scanned = try #require(scan(text))
        #expect(scanned.count == 3)
        #expect(scanned.map(\.salt) == [7, .max, 0])
        #expect(try isSame(scanned, text))
        #expect(scan("[]")?.isEmpty == true)
        #expect(scan(" [ ] ")?.isEmpty == true)
    }

    @Test("members may come in any order, and in another one in each record")
    func anyOrder() throws {
        func turned(_ json: JSONValue) -> JSONValue {
            guard let object = json.objectValue else { return json }
            var reversed = JSONObject()
            for member in object.members.reversed() { reversed[member.key] = turned(member.value) }
            return .object(reversed)
        }
        let text = JSONValue.array([
            record().json, turned(record(salt: 8).json), record(salt: 9).json,
        ]).text
        #expect(try isSame(try #require(scan(text)), text))
    }

    @Test("orders of several chains and exchanges keep their own")
    func domains() throws {
        let records = [1, 1, 137, 1].map { record(chainID: $0).json }
        let text = JSONValue.array(records).text
        let scanned = try #require(scan(text))
        #expect(try isSame(scanned, text))
        #expect(scanned[0].hash != scanned[2].hash)
        #expect(scanned[1].hash == scanned[3].hash)
    }

    @Test("what relays may leave out is zero")
    func optional() throws {
        for field in ["taker", "sender", "feeRecipient", "pool", "takerTokenFeeAmount"] {
            var wire = try #require(record().json.objectValue)
            var order = try #require(wire["order"]?.objectValue)
            order[field] = nil
            wire["order"] = .object(order)
            wire["metaData"] = nil
            let text = JSONValue.array([.object(wire)]).text
            #expect(try isSame(try #require(scan(text)), text), "\(field)")
        }
        for field in ["orderHash", "remainingFillableTakerAmount", "state", "createdAt"] {
            #expect(try changed("metaData") { $0[field] = nil }?.count == 1)
        }
        #expect(try changed("metaData") { $0 = JSONObject() }?.count == 1)
    }

    @Test("a record whose relay names another hash is left to the other reader")
    func otherHash() throws {
        let other = SamplesV4.rfq.hash(in: SamplesV4.domain).hex
        #expect(try changed("metaData") { $0["orderHash"] = .string(other) } == nil)
        #expect(try changed { $0["salt"] = "8" } == nil)
    }

    @Test("whatever is not plain is left to the other reader")
    func notPlain() throws {
        for field in [
            "makerToken", "takerToken", "maker", "verifyingContract", "makerAmount", "takerAmount",
            "expiry", "salt", "chainId", "signature",
        ] {
            #expect(try changed { $0[field] = nil } == nil, "\(field)")
            #expect(try changed { $0[field] = .null } == nil, "\(field)")
        }
        let values: [(String, JSONValue)] = [
            ("taker", .null), ("taker", ""), ("pool", "0x5"), ("maker", "0x12"),
            ("remaining", "1"), ("takerAmount", "3000.0"), ("takerAmount", "-1"),
            ("takerAmount", .number("1e3")), ("takerAmount", ""),
            ("takerAmount", .string((UInt256(1) << 128).description)),
            ("takerTokenFeeAmount", .string((UInt256(1) << 128).description)),
            ("expiry", "18446744073709551616"), ("chainId", .number("18446744073709551616")),
            ("salt", .string(UInt256.max.description + "0")),
        ]
        for (field, value) in values {
            #expect(try changed { $0[field] = value } == nil, "\(field) \(value)")
        }
        let parts: [(String, JSONValue?)] = [
            ("signatureType", nil), ("v", nil), ("r", nil), ("s", nil), ("v", 256), ("v", "27"),
            ("signatureType", .number("2.0")), ("r", "0x1"), ("t", 1),
        ]
        for (part, value) in parts {
            #expect(
                try changed { object in
                    var signature = object["signature"]?.objectValue ?? JSONObject()
                    signature[part] = value
                    object["signature"] = .object(signature)
                } == nil,
                "\(part)"
            )
        }
        let metadata: [(String, JSONValue)] = [
            ("state", .null), ("state", "a\\b"), ("state", "ä"), ("createdAt", 5),
            ("remainingFillableTakerAmount", 5), ("orderHash", "0x12"), ("other", "1"),
        ]
        for (field, value) in metadata {
            #expect(try changed("metaData") { $0[field] = value } == nil, "\(field) \(value)")
        }
        let text = record().json.text
        let bare = record().order.json.text
        for list in [
            "[\(bare)]", "[\(text),]", "[\(text)\(text)]", "[\(text)", "[\(text)]]", text,
            #"[{"metaData":{}}]"#, "[{}]", #"[{"order":\#(bare),"metaData":null}]"#,
        ] {
            #expect(scan(list) == nil, "\(list)")
        }
    }

    @Test("a member that is there twice is not read")
    func twice() throws {
        let text = record().json.text
        let bare = record().order.json.text
        #expect(scan("[\(text.replacing("\"salt\":", with: "\"salt\":\"1\",\"salt\":"))]") == nil)
        #expect(scan("[\(text.replacing("\"pool\"", with: "\"salt\""))]") == nil)
        #expect(scan("[\(text.replacing("\"state\"", with: "\"createdAt\""))]") == nil)
        #expect(scan("[\(text.replacing("\"v\":", with: "\"v\":27,\"v\":"))]") == nil)
        #expect(scan(#"[{"order":\#(bare),"order":\#(bare)}]"#) == nil)
        #expect(scan(#"[{"order":\#(bare),"metaData":{},"metaData":{}}]"#) == nil)
    }

    @Test("no changed byte makes the two readers disagree, and none traps")
    func everyByte() throws {
        // Without the relay's hash, so that changed digits are other orders.
        let text = Array(#"[{"order":\#(record().order.json.text),"metaData":{"state":"A"}}]"#.utf8)
        var accepted = 0
        for index in text.indices {
            for byte in [UInt8(ascii: "0"), 0x39, 0x22, 0x5C, 0x2E, 0x7D, 0x2C, 0x20, 0x80, 0] {
                var changed = text
                changed[index] = byte
                guard let scanned = JSONCursor.read(changed, { OrderScannerV4.orders(&$0) }) else {
                    continue
                }
                accepted += 1
                #expect(try isSame(scanned, String(decoding: changed, as: UTF8.self)))
            }
        }
        #expect(accepted > 500)
    }

    @Test("a list cut off anywhere is not read")
    func truncated() throws {
        let text = Array(JSONValue.array([record().json]).text.utf8)
        for length in text.indices {
            let cut = Array(text[..<length])
            #expect(JSONCursor.read(cut) { OrderScannerV4.orders(&$0) } == nil)
        }
    }

    @Test("all 36 limit orders of the vectors are scanned with their hashes")
    func vectors() throws {
        let records = try Vectors.orderV4.array("limitOrders").map { vector -> JSONValue in
            var json = try #require(vector["order"]?.objectValue)
            json["chainId"] = vector["chainId"]
            json["verifyingContract"] = vector["verifyingContract"]
            json["signature"] = vector["signatures"]?["eip712"]
            return [
                "order": .object(json),
                "metaData": ["orderHash": vector["orderHash"] ?? .null],
            ]
        }
        let text = JSONValue.array(records).text
        let scanned = try #require(scan(text))
        #expect(scanned.count == 36)
        #expect(try isSame(scanned, text))
    }
}
