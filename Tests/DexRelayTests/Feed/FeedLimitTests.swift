import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import DexRelay
@testable import ZeroEx

private typealias Client = FrameClient
private typealias Fixture = FeedFixture

@Suite("Errors and limits of the feed")
struct FeedLimitTests {
    private static let zrx = RelayFixture.zrx.lowercaseHex
    private static let weth = RelayFixture.weth.lowercaseHex
    private static let book = "\"baseTokenAddress\":\"\(zrx)\",\"quoteTokenAddress\":\"\(weth)\""

    /// A path, a message, the error's code (nil has none), its fields, and the close code.
    private static let mistakes: [(String, String, String?, [String], Int)] = [
        ("/v0/ws", "{", "101", [], 1007),
        ("/v0/ws", "", "101", [], 1007),
        ("/v0/ws", "[[[[[[[[[[[[]]]]]]]]]]]]", "101", [], 1007),
        (
            "/v0/ws", "[]", "100",
            [
                "type 1000", "channel 1000", "requestId 1000", "payload 1000",
                "baseTokenAddress 1000", "quoteTokenAddress 1000",
            ], 1008
        ),
        (
            "/v0/ws",
            "{\"type\":\"unsubscribe\",\"channel\":\"orders\",\"requestId\":\"1\",\"payload\":{\(book)}}",
            "100", ["type 1004", "channel 1004", "requestId 1001"], 1008
        ),
        (
            "/v0/ws",
            "{\"type\":\"subscribe\",\"channel\":\"orderbook\",\"requestId\":1,\"payload\":"
                + "{\"baseTokenAddress\":\"0x1\",\"quoteTokenAddress\":7,\"snapshot\":1,"
                + "\"limit\":0,\"since\":-1}}",
            "100",
            [
                "baseTokenAddress 1002", "quoteTokenAddress 1002", "snapshot 1001", "limit 1004",
                "since 1001",
            ], 1008
        ),
        (
            "/v0/ws",
            "{\"type\":\"subscribe\",\"channel\":\"orderbook\",\"requestId\":1,\"payload\":"
                + "{\(book),\"limit\":1001,\"since\":18446744073709551616}}",
            "100", ["limit 1004", "since 1004"], 1008
        ),
        (
            "/sra/v4",
            "{\"type\":\"subscribe\",\"channel\":\"orders\",\"requestId\":1,\"payload\":[]}",
            "100", ["requestId 1001", "payload 1001"], 1008
        ),
        (
            "/orderbook/v1",
            "{\"type\":\"subscribe\",\"channel\":\"orders\",\"requestId\":\"\",\"payload\":"
                + "{\"makerToken\":\"\(zrx)0\"}}",
            "100", ["requestId 1004", "makerToken 1001"], 1008
        ),
        (
            "/orderbook/v1",
            "{\"type\":\"subscribe\",\"channel\":\"orders\",\"requestId\":\"a\",\"payload\":"
                + "{\"makerToken\":\"\(zrx)\",\"snapshot\":true}}",
            "100", ["takerToken 1000"], 1008
        ),
    ]

    @Test(
        "a wrong message gets one error of its API without a type, then the close",
        arguments: mistakes.indices
    )
    func errors(_ index: Int) async throws {
        let (path, text, code, fields, close) = Self.mistakes[index]
        let fixture = try Fixture()
        try await fixture.serve { port in
            let client = try await Client.open(port: port, path: path)
            try await client.send(Client.text(text))
            let error = try JSONParser.parse(text: await client.message())
            #expect(error["type"] == nil)
            #expect(error["code"]?.numberText == code, "\(text)")
            let found = (error["validationErrors"]?.arrayValue ?? []).map {
                "\($0["field"]?.stringValue ?? "") \($0["code"]?.numberText ?? "")"
            }
            #expect(found == fields, "\(text)")
            try await client.send(Client.close(UInt16(close)))
            #expect(try await client.closeCode() == close, "\(text)")
            #expect(fixture.hub.statistics.closed == [UInt16(close): 1])
        }
    }

    @Test("a connection has at most so many subscriptions, and a message so many bytes")
    func subscriptions() async throws {
        var fixture = try Fixture()
        fixture.limits.maximumSubscriptionsOfConnection = 3
        fixture.limits.maximumMessageBytes = 400
        try await fixture.serve { port in
            let client = try await Client.open(port: port, path: "/v0/ws")
            for id in 1...3 { try await client.send(Fixture.subscription("\(id)")) }
            // A known id takes no further place.
            try await client.send(Fixture.subscription("3"))
            try await client.send(Fixture.subscription("4"))
            #expect(try await client.message().contains("\"code\":103"))
            try await client.send(Client.close(1008))
            #expect(try await client.closeCode() == 1008)
            let other = try await Client.open(port: port, path: "/v0/ws")
            try await other.send(Client.text(String(repeating: " ", count: 401)))
            #expect(try await other.closeCode() == 1009)
        }
    }

    @Test("a connection subscribes so often, and all of an address together")
    func subscribes() async throws {
        var fixture = try Fixture()
        fixture.limits.maximumSubscriptionsOfConnection = 2
        fixture.limits.maximumConnectionsOfAddress = 5
        fixture.limits.subscribesPerSecond = 1
        let clock = fixture.clock
        try await fixture.serve { port in
            let client = try await Client.open(port: port, path: "/v0/ws")
            func ask(_ client: Client) async throws -> String {
                try await client.send(Fixture.subscription("1", ",\"snapshot\":true"))
                return try await client.message()
            }
            for _ in 0..<4 { #expect(try await ask(client).contains("\"type\":\"snapshot\"")) }
            clock.advance(by: 1)
            #expect(try await ask(client).contains("\"type\":\"snapshot\""))
            let refusal = try await ask(client)
            #expect(refusal.contains("Too many subscriptions: open the next one in 1 s"))
            try await client.send(Client.close(1008))
            #expect(try await client.closeCode() == 1008)
            // 20 of an address: 5 are taken, of which 4 have come back.
            for count in [4, 4, 4, 4, 3] {
                let other = try await Client.open(port: port, path: "/v0/ws")
                for _ in 0..<count {
                    #expect(try await ask(other).contains("\"type\":\"snapshot\""))
                }
                guard count == 3 else {
                    try await other.send(Client.close(1000))
                    _ = try await other.closeCode()
                    continue
                }
                #expect(try await ask(other).contains("Too many subscriptions"))
            }
        }
    }

    @Test("connections are limited in all and of each address, which a proxy may name")
    func connections() async throws {
        var fixture = try Fixture()
        fixture.limits.maximumConnections = 3
        fixture.limits.maximumConnectionsOfAddress = 2
        try await fixture.serve { port in
            func refusal(_ address: String) async throws -> (Int, String?) {
                let client = try Client(port: port)
                try await client.send(
                    Client.request("/v0/ws", headers: ["X-Forwarded-For: \(address)"])
                )
                let head = try await client.head()
                return (head.status, head.headers["retry-after"])
            }
            func open(_ address: String) async throws -> Client {
                let headers = ["X-Forwarded-For: \(address)"]
                return try await Client.open(port: port, path: "/v0/ws", headers: headers)
            }
            let first = try await open("10.0.0.1")
            let second = try await open("10.0.0.1")
            #expect(try await refusal("10.0.0.1") == (429, "60"))
            let third = try await open("10.0.0.2")
            #expect(try await refusal("10.0.0.3") == (503, "10"))
            try await first.send(Client.close(1000))
            #expect(try await first.closeCode() == 1000)
            // The place is free as soon as the Close frame is answered.
            let fourth = try await open("10.0.0.1")
            for client in [second, third, fourth] { client.endSending() }
        }
    }

    @Test("on loopback a web page's origin and a foreign host are refused before the upgrade")
    func local() async throws {
        var fixture = try Fixture()
        fixture.isLocal = true
        try await fixture.serve { port in
            let cases: [([String], String?, Int)] = [
                ([], nil, 101), (["Origin: http://127.0.0.1"], nil, 101),
                (["Origin: http://evil.test"], nil, 403), (["Origin: null"], nil, 403),
                (["Host: evil.test"], "Host", 403), ([], "Host", 400),
            ]
            for (headers, without, wanted) in cases {
                let client = try Client(port: port)
                try await client.send(Client.request("/v0/ws", headers: headers, without: without))
                let status = try await client.head().status
                #expect(status == wanted, "\(headers)")
            }
        }
    }

    @Test("a reader that does not keep up is closed with 1013, and nobody else waits for it")
    func slowReader() async throws {
        var fixture = try Fixture()
        fixture.limits.maximumUnsentBytes = 2_000_000
        fixture.reset(to: [], sequences: [:])
        // A body far larger than any order's, so that the kernel's buffers are full soon.
        let order = try await fixture.relay.order()
        let body = Array("\"\(String(repeating: "x", count: 900_000))\"".utf8)
        let entry = try #require(OrderEntry(order, body: body))
        try await fixture.serve { [fixture] port in
            let slow = try await Client.open(port: port, path: "/v0/ws", receiveBuffer: 4_096)
            try await slow.send(Fixture.subscription("1") + Client.frame(9))
            #expect(try await slow.frame()?.opcode == 10)
            let quick = try await Client.open(port: port, path: "/v0/ws")
            try await quick.send(Fixture.subscription("1") + Client.frame(9))
            #expect(try await quick.frame()?.opcode == 10)
            var sequence: UInt64 = 0
            while fixture.hub.statistics.closed.isEmpty, sequence < 200 {
                sequence += 2
                fixture.apply([
                    Fixture.change(entry, sequence - 1),
                    Fixture.change(entry, sequence, .dormant, from: .shown),
                ])
                await fixture.pass(100)
                #expect(try await quick.message().contains("\"type\":\"update\""))
                #expect(try await quick.message().contains("\"type\":\"change\""))
            }
            #expect(fixture.hub.statistics.closed == [1013: 1])
            slow.endSending()
        }
    }

    @Test("two hundred subscribers get a hundred changes in one message each, encoded once")
    func many() async throws {
        var fixture = try Fixture()
        fixture.limits.maximumConnectionsOfAddress = 200
        let entry = try await fixture.entryV4(salt: 1)
        fixture.reset(
            to: [Fixture.change(entry, 0)],
            sequences: [Fixture.marketV4: 0]
        )
        try await fixture.serve { [fixture] port in
            var clients: [Client] = []
            for id in 0..<200 {
                let client = try await Client.open(port: port, path: "/sra/v4")
                try await client.send(
                    Fixture.subscriptionV4("\(id)", Fixture.tokensV4) + Client.frame(9)
                )
                #expect(try await client.frame()?.opcode == 10)
                clients.append(client)
            }
            let before = fixture.hub.statistics.messages
            fixture.apply(
                (1...100).map {
                    Fixture.change(entry, $0, from: .shown, left: UInt256($0), isPartlyFilled: true)
                }
            )
            await fixture.pass(20)
            for (id, client) in clients.enumerated() {
                let json = try JSONParser.parse(text: await client.message())
                #expect(json["requestId"]?.stringValue == "\(id)")
                #expect(json["payload"]?.arrayValue?.count == 100)
                #expect(json["sequence"]?.numberText == "100")
            }
            // Their connections are in several event loops, whose counts come one after another.
            for client in clients {
                try await client.send(Client.close(1000))
                #expect(try await client.closeCode() == 1000)
            }
            #expect(fixture.hub.statistics.messages - before == 200)
        }
    }
}
