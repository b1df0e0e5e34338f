import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("v1 orders straight from a relay's text")
struct OrderScannerV1Tests {
    private let zeroEx = ZeroExV1()

    private func wire() throws -> JSONObject {
        try #require(zeroEx.encodeOrder(SampleOrder().unsigned).objectValue)
    }

    private func scan(_ text: String) -> [any SignedOrder]? {
        JSONCursor.read(Array(text.utf8)) { zeroEx.scanOrders(&$0) }
    }

    private func scan(_ orders: [JSONObject]) -> [any SignedOrder]? {
        scan(JSONValue.array(orders.map { .object($0) }).text)
    }

    private func changed(_ change: (inout JSONObject) -> Void) throws -> [any SignedOrder]? {
        var object = try wire()
        change(&object)
        return scan([object])
    }

    /// What the other reader makes of a list.
    private func decoded(_ text: String) throws -> [SignedOrderV1] {
        let list = try #require(JSONParser.parse(text: text).arrayValue)
        return try list.map { try #require(zeroEx.decodeOrder($0) as? SignedOrderV1) }
    }

    private func isSame(_ scanned: [any SignedOrder], _ text: String) throws -> Bool {
        let expected = try decoded(text)
        return try scanned.count == expected.count
            && zip(scanned, expected).allSatisfy { scanned, expected in
                let scanned = try #require(scanned as? SignedOrderV1)
                return scanned.terms == expected.terms && scanned.signature == expected.signature
                    && scanned.hash == expected.hash
            }
    }

    @Test("a list of plain orders is read as the other reader reads it")
    func list() throws {
        var second = try wire()
        second["salt"] = .integer(7)
        second["maker"] = .string("0X" + String(repeating: "aB", count: 20))
        let text = JSONValue.array([.object(try wire()), .object(second)]).text
        let scanned = try #require(scan(text))
        #expect(scanned.count == 2)
        #expect(try isSame(scanned, text))
        #expect(scan("[]")?.isEmpty == true)
        #expect(scan(" [ ] ")?.isEmpty == true)
    }

    @Test("members may come in any order, and in another one in each order")
    func anyOrder() throws {
        let members = try wire().members
        var shuffled = JSONObject()
        for member in members.reversed() { shuffled[member.key] = member.value }
        let text = JSONValue.array([
            .object(try wire()), .object(shuffled), .object(try wire()),
        ]).text
        #expect(try isSame(try #require(scan(text)), text))
    }

    @Test("whatever is not plain is left to the other reader")
    func notPlain() throws {
        #expect(try changed { $0["taker"] = nil } == nil)
        #expect(try changed { $0["taker"] = .null } == nil)
        #expect(try changed { $0["remaining"] = "1" } == nil)
        #expect(try changed { $0["makerFee"] = "1.0" } == nil)
        #expect(try changed { $0["makerFee"] = "-1" } == nil)
        #expect(try changed { $0["makerFee"] = .number("1e3") } == nil)
        #expect(try changed { $0["makerFee"] = "" } == nil)
        #expect(try changed { $0["maker"] = "0x12" } == nil)
        #expect(try changed { $0["ecSignature"] = .null } == nil)
        for part in ["v", "r", "s"] {
            #expect(
                try changed { object in
                    var signature = object["ecSignature"]?.objectValue ?? JSONObject()
                    signature[part] = nil
                    object["ecSignature"] = .object(signature)
                } == nil
            )
        }
        let order = JSONValue.object(try wire()).text
        #expect(scan(#"[{"order":\#(order)}]"#) == nil)
        #expect(scan("[\(order),]") == nil)
        #expect(scan("[\(order)\(order)]") == nil)
        #expect(scan("[\(order)") == nil)
        #expect(scan("[\(order)]]") == nil)
        #expect(scan(order) == nil)
    }

    @Test("a member that is there twice is not read")
    func twice() throws {
        let order = JSONValue.object(try wire()).text
        #expect(scan("[\(order.dropLast()),\"salt\":\"1\"}]") == nil)
        // In place of another one, so that their number is right.
        let renamed = order.replacing("\"makerFee\"", with: "\"salt\"")
        #expect(scan("[\(renamed)]") == nil)
    }

    @Test("no changed byte makes the two readers disagree, and none traps")
    func everyByte() throws {
        let text = Array(JSONValue.array([.object(try wire())]).text.utf8)
        var accepted = 0
        for index in text.indices {
            for byte in [UInt8(ascii: "0"), 0x39, 0x22, 0x5C, 0x2E, 0x7D, 0x2C, 0x20, 0x80, 0] {
                var changed = text
                changed[index] = byte
                guard let scanned = JSONCursor.read(changed, { zeroEx.scanOrders(&$0) }) else {
                    continue
                }
                accepted += 1
                #expect(try isSame(scanned, String(decoding: changed, as: UTF8.self)))
            }
        }
        // Digits in place of digits are other orders.
        #expect(accepted > 500)
    }

    @Test("a list cut off anywhere is not read")
    func truncated() throws {
        let text = Array(JSONValue.array([.object(try wire())]).text.utf8)
        for length in text.indices {
            let cut = Array(text[..<length])
            #expect(JSONCursor.read(cut) { zeroEx.scanOrders(&$0) } == nil)
        }
    }
}
