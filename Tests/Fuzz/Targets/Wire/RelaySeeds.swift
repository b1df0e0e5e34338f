import Ethereum
import StrictJSON

@testable import ZeroEx

/// What relays answer, as seeds.
extension RelayTarget {
    @Sendable
    static func bodies() -> [[UInt8]] {
        let token = SampleOrders.zrx.lowercaseHex
        let other = SampleOrders.weth.lowercaseHex
        return [
            #"{"feeRecipient":"\#(token)","makerFee":"0","takerFee":"12.000"}"#,
            #"{"feeRecipient":null,"makerFee":1,"takerFee":"2"}"#,
            #"[{"tokenA":{"address":"\#(token)","minAmount":"0","maxAmount":"10","precision":5},"#
                + #""tokenB":{"address":"\#(other)"}}]"#,
            #"{"total":1,"page":1,"records":[{"tokenA":{"address":"\#(token)","precision":"5"},"#
                + #""tokenB":{"address":"\#(other)","maxAmount":null}}]}"#,
            #"{"code":100,"reason":"Validation failed","validationErrors":[{"field":"maker","#
                + #""code":1002,"reason":"Invalid address"},{}]}"#,
            #"{"message":"no"}"#, #"{"error":"\u0000x"}"#, "[]", "{}", "",
        ].map { Array($0.utf8) }
    }

    @Sendable
    static func conversations() throws -> [[UInt8]] {
        let orders = try (1...4).map { ZeroExV1().encodeOrder(try SampleOrders.signed(salt: $0)) }
        func text(_ json: JSONValue) -> String { String(decoding: json.utf8, as: UTF8.self) }
        let first: JSONValue = ["bids": [orders[0], orders[2]], "asks": [orders[1]]]
        let second: JSONValue = ["bids": [orders[2]], "asks": [orders[3]]]
        let later: JSONValue = [
            "bids": ["total": 2, "page": 1, "perPage": 1, "records": [["order": orders[0]]]],
            "asks": ["total": 0, "records": []],
        ]
        let link = "Link: <http://relay.test/v0/orders?page=2>; rel=\"next\", </x?page=2>; rel=last"
        let cases: [(UInt8, [String])] = [
            (0, ["200\n\n[]"]),
            (1, ["200\n\n" + text([orders[0], orders[1]])]),
            (
                1,
                ["200\n\(link)\n\n" + text([orders[0]]), "200\n\n" + text([orders[0], orders[1]])]
            ),
            (2, ["200\n\n" + text(first)]),
            (2, ["200\n\(link)\n\n" + text(first), "200\n\n" + text(second)]),
            (2, ["200\nX-RateLimit-Remaining: 1\n\n" + text(later), "200\n\n" + text(second)]),
            (3, ["200\n\n{\"bids\":[{}],\"asks\":[]}"]),
            (3, ["503\n\n", "429\nRetry-After: 3\n\n", "200\n\n" + text(second)]),
            (4, ["200\n\n{\"feeRecipient\":\"\",\"makerFee\":\"1\",\"takerFee\":\"2\"}"]),
            (5, ["200\n\n" + text(orders[0]), "201\n\n"]),
            (5, ["404\n\n", "400\n\n{\"code\":100,\"reason\":\"no\"}"]),
        ]
        return (cases + (try conversationsV4())).map { operation, answers in
            [operation] + answers.map { Array($0.utf8) }.joined(separator: [0])
        }
    }

    /// The same operations behind the six of API v0.
    private static func conversationsV4() throws -> [(UInt8, [String])] {
        let records = try (1...4).map { (salt: UInt64) in
            let order = try SampleOrdersV4.signed(salt: salt)
            return OrderRecordV4(
                order: order,
                metadata: .init(orderHash: order.hash, remaining: 5, state: "ADDED", createdAt: nil)
            ).json
        }
        func page(_ records: [JSONValue], total: Int) -> JSONValue {
            [
                "total": .integer(total), "page": 1, "perPage": 250, "records": .array(records),
            ]
        }
        func book(_ bids: [JSONValue], _ asks: [JSONValue], total: Int) -> String {
            let json: JSONValue = [
                "bids": page(bids, total: total), "asks": page(asks, total: asks.count),
            ]
            return "200\n\n" + json.text
        }
        let list = "200\n\n" + page([records[0], records[1]], total: 3).text
        let zero = Address.zero.lowercaseHex
        return [
            (6, [list, "200\n\n" + page([records[2]], total: 3).text]), (7, [list, list]),
            (8, [book([records[0]], [records[1]], total: 2), book([records[2]], [], total: 2)]),
            (8, ["200\n\n" + #"{"bids":[],"asks":[\#(records[0].text)]}"#]),
            (9, ["429\n\n{\"reason\":\"Throttled\"}", book([], [], total: 0)]),
            (10, ["200\n\n{\"sender\":\"\(zero)\",\"takerTokenFeeAmount\":\"3\"}"]),
            (11, ["200\n\n" + records[0].text, "200\n\n"]), (11, ["404\n\n<html>", "501\n\n"]),
        ]
    }

    @Sendable
    static func headers() -> [[UInt8]] {
        [
            "<http://relay.test/v0/orders?page=2&per_page=1>; rel=\"next\", "
                + "<http://relay.test/v0/orders?page=9>; rel=\"last\"",
            "</v0/orders?page=3>; rel=\"prev next\"; title=\"a,b;c<d\"", "<//evil.test/>; rel=next",
            "<http://evil.test/?page=4>; REL=last", "<>;rel=next", "<<>>;;;===", "120", "0",
            "18446744073709551615", "Wed, 21 Oct 2015 07:28:00 GMT", "1700000100.5",
            "https://user:pass@node.test:8545/v3/key?a=b#c", "http://127.0.0.1", "http://[::1]:80",
            "HTTP://LOCALHOST:0", "http://127.1", "ftp://x", "http://x:99999", "http://日本.test/",
        ].map { Array($0.utf8) }
    }
}
