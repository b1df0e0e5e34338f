import Ethereum
import StrictJSON
import ZeroEx

@testable import DexNetwork
@testable import DexRelay

/// What the relay answers below the paths of API v4.
enum RelayServerV4Target {
    static func check(
        _ response: HTTPResponse,
        path: String,
        _ relay: RelayConnection
    ) async throws {
        switch response.status {
        // An order that was taken; many, or none, that were.
        case 200 where response.body.isEmpty:
            guard path.prefix(while: { $0 != "?" && $0 != "#" }).hasSuffix("/order") else { return }
            let list = try await relay.send("GET", "/sra/v4/orders", [])
            let total = try RelayDecoder.list(JSONParser.parse(list.body), "the orders").total
            try require(total ?? 0 > 0, "an order that was taken is not on the book")
        case 200:
            try requirePlainJSON(response.body)
            try checkContent(try JSONParser.parse(response.body))
        case 400:
            let json = try JSONParser.parse(response.body)
            try require(json["code"]?.numberText != nil, "an error without a code")
            try require(RelayDecoder.refusal(response) != nil, "our client reads no reason")
        case 401..<500, 501:
            try require(RelayDecoder.refusal(response) != nil, "our client reads no reason")
        default:
            throw Violation(
                "\(path) is answered with \(response.status): "
                    + String(decoding: response.body, as: UTF8.self)
            )
        }
    }

    /// Whatever it is, the client of the same API reads it.
    private static func checkContent(_ json: JSONValue) throws {
        if json["bids"] != nil {
            for side in ["bids", "asks"] { try checkList(json[side]) }
        } else if json["records"] != nil {
            try checkList(json)
        } else if json["takerTokenFeeAmount"] != nil {
            _ = try OrderConfigV4(json: json)
        } else {
            try checkRecord(json)
        }
    }

    private static func checkList(_ json: JSONValue?) throws {
        let list = try RelayDecoder.list(json, "a list")
        guard let total = list.total else { throw Violation("a page without a total") }
        try require(list.elements.count <= total, "a page with more than there is")
        for element in list.elements {
            if let text = element.stringValue {
                _ = try Address(lenient: text)
            } else {
                try checkRecord(element)
            }
        }
    }

    private static func checkRecord(_ json: JSONValue) throws {
        let record = try OrderRecordV4(json: json)
        try requireEqual(record.order.domain, SampleOrdersV4.domain, "another exchange's order")
        try requireEqual(record.metadata.orderHash, record.order.hash, "a record's hash")
        try require(record.metadata.remaining != nil, "a record without what remains")
        try requireEqual(
            OrderSchemaV4.faults(inOrder: json["order"] ?? .null).map(\.name),
            [],
            "an order on the book is none by the schema"
        )
        let list = JSONValue.array([json]).utf8
        let scanned = JSONCursor.read(list) { SampleOrdersV4.zeroEx.scanOrders(&$0) }
        try requireEqual(
            scanned?.map(\.hash),
            [record.order.hash],
            "our client's fast reader does not know what our relay writes"
        )
    }

    static func scripts() throws -> [[String]] {
        let orders = try (1...2).map { try SampleOrdersV4.signed(salt: $0) }
        let posts = orders.map { "POST /sra/v4/order\n\($0.json.text)" }
        let many = "POST /orderbook/v1/orders\n\(JSONValue.array(orders.map(\.json)).text)"
        let config = orders[0].terms.configRequest(in: SampleOrdersV4.domain).text
        let pair =
            "baseToken=\(SampleOrders.zrx.lowercaseHex)&quoteToken=\(SampleOrders.weth.lowercaseHex)"
        let hash = orders[0].hash.hex
        let maker = orders[0].maker.lowercaseHex
        return [
            ["GET /sra/v4/orderbook?\(pair)", "GET /orderbook/v1?\(pair)&perPage=1001"],
            ["GET /sra/v4/orders?page=2&perPage=1", "GET /orderbook/v1/fee_recipients"],
            ["POST /sra/v4/order_config\n\(config)", "POST /sra/v4/order/persistent\n{}"],
            posts + ["GET /orderbook/v1/?\(pair)&perPage=1", "GET /sra/v4/order/\(hash)"],
            [many, "GET /sra/v4/orders?trader=\(maker)&unfillable=true&sender=0x"],
            [posts[0], posts[0], "GET /sra/v4/orders?maker=\(maker)&unfillable=true&chainId=1"],
            ["POST /sra/v4/orders\n[{}]", "POST /sra/v4/order\n[", "GET /sra/v4//x?&&=&page=0"],
        ]
    }
}
