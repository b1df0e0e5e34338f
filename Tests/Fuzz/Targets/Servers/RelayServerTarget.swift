import Ethereum
import StrictJSON
import ZeroEx

@testable import DexNetwork
@testable import DexRelay

extension FuzzTarget {
    /// The relay server: every request gets an answer of the API, never a fault of the server; what
    /// it serves our own client reads; an order that it takes is on its book from then on.
    static let relayServer = FuzzTarget(
        concurrent: "relay-server",
        maximumLength: 4_096,
        slowness: 20,
        seeds: RelayServerTarget.seeds
    ) { input in
        let relay = try ServerFixture().relayConnection()
        for part in input.split(separator: 0, maxSplits: 20, omittingEmptySubsequences: false) {
            let line = part.prefix { $0 != UInt8(ascii: "\n") }
            let words = String(decoding: line, as: UTF8.self)
                .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let path = words.count > 1 ? String(words[1]) : "/"
            let body = Array(part.dropFirst(line.count + 1))
            let answer = try await relay.send(String(words[0]), path, body)
            try await RelayServerTarget.check(answer, path: path, relay)
        }
    }
}

private enum RelayServerTarget {
    static func check(
        _ answer: RelayConnection.Answer,
        path: String,
        _ relay: RelayConnection
    ) async throws {
        let response = HTTPResponse(
            status: answer.status,
            headers: answer.headers.map { HTTPHeader($0.0, $0.1) },
            body: answer.body
        )
        if path.hasPrefix("/sra/") || path.hasPrefix("/orderbook") {
            try await RelayServerV4Target.check(response, path: path, relay)
            return
        }
        // The page is for people.
        let type = response.values(of: "content-type").first ?? ""
        guard type.isEmpty || type.hasPrefix("application/json") else {
            return try require(answer.status == 200, "a page is answered with \(answer.status)")
        }
        guard path.hasPrefix("/v0") else { return try checkDescription(answer) }
        switch answer.status {
        case 200:
            try requirePlainJSON(answer.body)
            try checkContent(try JSONParser.parse(answer.body))
            try checkLinks(response, path: path)
        case 201:
            try require(answer.body.isEmpty, "an order that was taken is answered with a body")
            let book = try await relay.send("GET", "/v0/orders", [])
            let orders = try RelayDecoder.list(JSONParser.parse(book.body), "the orders").elements
            try require(!orders.isEmpty, "an order that was taken is not on the book")
        // 501: a method that HTTP does not know.
        case 400..<500, 501:
            let json = try JSONParser.parse(answer.body)
            try require(json["code"]?.numberText != nil, "an error without a code")
            try require(RelayDecoder.refusal(response) != nil, "our client reads no reason")
        default:
            throw Violation(
                "\(path) is answered with \(answer.status): "
                    + String(decoding: answer.body, as: UTF8.self)
            )
        }
    }

    /// What the relay says of itself, or of a path that it does not have.
    private static func checkDescription(_ answer: RelayConnection.Answer) throws {
        try require(
            answer.status < 500 || answer.status == 501,
            "it is answered with \(answer.status)"
        )
        guard !answer.body.isEmpty else { return }
        _ = try JSONParser.parse(answer.body)
        try requirePlainJSON(answer.body)
    }

    /// Whatever it is, the client of the same API reads it.
    private static func checkContent(_ json: JSONValue) throws {
        if json["bids"] != nil {
            for side in ["bids", "asks"] { try checkList(json[side]) }
        } else if json["makerFee"] != nil, json["maker"] == nil {
            _ = try RelayDecoder.fees(json)
        } else if json.arrayValue != nil {
            try checkList(json)
        } else {
            _ = try ZeroExV1().decodeOrder(json)
        }
    }

    private static func checkList(_ json: JSONValue?) throws {
        for element in try RelayDecoder.list(json, "a list").elements {
            if element["tokenA"] != nil {
                _ = try RelayDecoder.pair(element)
            } else {
                let order = try ZeroExV1().decodeOrder(element)
                try requireEqual(order.exchange, SampleOrders.exchange, "another exchange's order")
                try requireEqual(
                    OrderSchemaV0.faults(inOrder: element).map(\.name),
                    [],
                    "an order on the book is none by the schema"
                )
            }
        }
    }

    /// The pages that the relay names are those that the client reads.
    private static func checkLinks(_ response: HTTPResponse, path: String) throws {
        guard response.values(of: "link").first != nil else { return }
        let parts = path.split(separator: "?", maxSplits: 1)
        let query = try QueryV0(
            parts.count > 1 ? String(parts[1].prefix { $0 != "#" }) : nil,
            addresses: []
        )
        let url = "http://relay.test/v0/orders"
        guard let links = RelayLinks(response, server: WebAddress(url)), let last = links.last
        else {
            throw Violation("the client cannot read \(response.values(of: "link"))")
        }
        try requireEqual(links.hasNext, query.page < last, "a next page before the last one")
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let orders = try (1...2).map { ZeroExV1().encodeOrder(try SampleOrders.signed(salt: $0)) }
        let posts = orders.map { "POST /v0/order\n\($0.text)" }
        let draft = ZeroExV1().encodeDraft(SampleOrders.draft(salt: 1))
        let pair =
            "baseTokenAddress=\(SampleOrders.zrx.lowercaseHex)"
            + "&quoteTokenAddress=\(SampleOrders.weth.lowercaseHex)"
        let hash = try SampleOrders.signed(salt: 1).hash.hex
        let scripts: [[String]] = [
            ["GET /v0/token_pairs"],
            ["GET /v0/token_pairs?tokenA=\(SampleOrders.zrx.lowercaseHex)"],
            ["GET /v0/orders?page=2&per_page=1"], ["GET /v0/orderbook?\(pair)"],
            ["POST /v0/fees\n\(draft.text)"], ["GET /v0/order/\(hash)"], ["GET /"],
            ["PUT /v0/order"],
            posts + ["GET /v0/orderbook?\(pair)&per_page=1", "GET /v0/order/\(hash)"],
            posts + ["GET /v0/orders?per_page=1&page=2#x", "GET /v0/orders?maker=0x"],
            [posts[0], posts[0], "GET /v0/orders?trader=%30x\(hash.dropFirst(2).prefix(40))"],
            ["POST /v0/order\n{\"maker\":1}", "POST /v0/fees\n[", "GET /v0//orders/?&&=&page=0"],
        ]
        return (scripts + (try RelayServerV4Target.scripts()))
            .map { $0.map { Array($0.utf8) }.joined(separator: [0]) }.map(Array.init)
    }
}
