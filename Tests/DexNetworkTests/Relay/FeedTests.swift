import DexTestSupport
import Ethereum
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import DexNetwork

/// The kinds of events, with the salts of their orders.
private func words(_ events: [RelayFeedEvent]) -> [String] {
    events.map { event in
        switch event {
        case .subscribed: "subscribed"
        case .numbered: "numbered"
        case .snapshot(let book, let isWhole):
            "snapshot \(book.bids.orders.count) \(book.asks.orders.count) "
                + "\(book.asks.unreadable.count) \(isWhole ? "whole" : "cut")"
        case .shown(let orders): "shown \(orders.map { "\($0.salt)" }.joined(separator: " "))"
        case .changed(let changes):
            "changed \(changes.map { $0.isShown ? "+" : "-" }.joined())"
        case .gap: "gap"
        }
    }
}

@Suite("The feed of the relayer API v0")
struct FeedV0Tests {
    private let base = Fake.zrx
    private let quote = Fake.weth

    private enum Fake {
        static let zrx = Address(ifHex: "0xe41d2489571d322189246dafa5ebde1f4699f498") ?? .zero
        static let weth = Address(ifHex: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2") ?? .zero
    }

    private func subscription() -> FeedSubscriptionV0 {
        FeedSubscriptionV0(base: base, quote: quote, codec: ZeroExV1())
    }

    private func message(_ type: String, _ payload: String, _ more: String = "") -> String {
        #"{"type":"\#(type)","channel":"orderbook","requestId":1,"payload":\#(payload)\#(more)}"#
    }

    private func numbers(_ sequence: Int, after previous: Int) -> String {
        #","sequence":\#(sequence),"previous":\#(previous)"#
    }

    @Test("the subscription is the API's own")
    func request() throws {
        let requests = subscription().requests
        #expect(requests.count == 1)
        let json = try JSONParser.parse(text: requests[0])
        #expect(json["type"]?.stringValue == "subscribe")
        #expect(json["channel"]?.stringValue == "orderbook")
        #expect(json["requestId"]?.numberText == "1")
        #expect(json["payload"]?["baseTokenAddress"]?.stringValue == base.lowercaseHex)
        #expect(json["payload"]?["quoteTokenAddress"]?.stringValue == quote.lowercaseHex)
        #expect(json["payload"]?["snapshot"]?.boolValue == true)
    }

    @Test("a foreign relay's snapshot and updates have no numbers")
    func foreign() throws {
        var feed = subscription()
        let order = FakeRelay.order(5)
        #expect(
            words(try feed.events(in: message("snapshot", #"{"bids":[],"asks":[\#(order),7]}"#)))
                == ["snapshot 0 1 1 whole"]
        )
        #expect(words(try feed.events(in: message("update", order))) == ["shown 5"])
        #expect(words(try feed.events(in: message("update", "[\(order)]"))) == ["shown 5"])
        #expect(words(try feed.events(in: message("update", "{}"))) == ["gap"])
    }

    @Test("our relay's messages are numbered, and a missing, repeated or late one is a gap")
    func numbered() throws {
        var feed = subscription()
        let order = FakeRelay.order(5)
        let empty = #"{"bids":[],"asks":[]}"#
        #expect(
            words(try feed.events(in: message("snapshot", empty, #","sequence":7"#)))
                == ["numbered", "snapshot 0 0 0 whole"]
        )
        #expect(
            words(try feed.events(in: message("update", order, numbers(9, after: 7)))) == [
                "shown 5"
            ]
        )
        let hash = "0x" + String(repeating: "ab", count: 32)
        func change(_ state: String, _ amount: Int) -> String {
            #"[{"orderHash":"\#(hash)","state":"\#(state)","#
                + #""remainingFillableTakerAmount":"\#(amount)"}]"#
        }
        let gone = change("filled", 0)
        #expect(
            words(try feed.events(in: message("change", gone, numbers(10, after: 9))))
                == ["changed -"]
        )
        let less = change("shown", 5)
        #expect(
            words(try feed.events(in: message("change", less, numbers(12, after: 11))))
                == ["gap", "changed +"]
        )
        #expect(
            words(try feed.events(in: message("update", order, numbers(12, after: 11)))).first
                == "gap"
        )
        #expect(words(try feed.events(in: message("update", order))).first == "gap")
    }

    @Test("messages that are not ours, or of unknown type, are ignored")
    func others() throws {
        var feed = subscription()
        #expect(try feed.events(in: #"{"type":"update","requestId":2,"payload":7}"#).isEmpty)
        #expect(try feed.events(in: #"{"type":"news","requestId":1}"#).isEmpty)
    }

    @Test(
        "nonsense ends the feed",
        arguments: [
            "", "7", "[]", "{", #"{"reason":"no"}"#, #"{"type":"snapshot","requestId":1}"#,
            #"{"type":"change","requestId":1,"payload":{}}"#,
            #"{"type":"change","requestId":1,"payload":[{"orderHash":"0x1"}]}"#,
            String(repeating: "[", count: 10_000),
        ]
    )
    func nonsense(text: String) {
        var feed = subscription()
        #expect(throws: FeedFault.self) { try feed.events(in: text) }
    }

    @Test("the feed runs over a WebSocket, and its end is told with its reason")
    func overSocket() async throws {
        let order = FakeRelay.order(5)
        let update = message("update", order)
        let server = try WebSocketClientTests.server { connection in
            guard connection.readSome() != nil else { return }
            connection.write(ServerFrame.text(update))
            connection.write(ServerFrame.frame(0x88, [0x03, 0xF5] + Array("too slow".utf8)))
            connection.waitForClose()
        }
        let feed = WebSocketFeed(
            url: "ws://127.0.0.1:\(server.port)/v0/ws",
            client: WebSocketClient(),
            exchangeProtocol: ZeroExV1()
        )
        let seen = Mutex<[RelayFeedEvent]>([])
        let end = await feed.follow(base: base, quote: quote) { event in
            seen.withLock { $0.append(event) }
        }
        #expect(words(seen.withLock { $0 }) == ["subscribed", "shown 5"])
        #expect(end == RelayFeedEnd(reason: "it closed the connection (1013): too slow"))
    }

    @Test("a relay without a feed is known as such")
    func none() async throws {
        let server = try ScriptedServer.answering { _ in ScriptedAnswer("404 Not Found") }
        let feed = WebSocketFeed(
            url: "ws://127.0.0.1:\(server.port)/v0/ws",
            client: WebSocketClient(),
            exchangeProtocol: ZeroExV1()
        )
        let end = await feed.follow(base: base, quote: quote) { _ in
            Issue.record("there was an event")
        }
        #expect(end.isPermanent)
    }

    @Test("the usual address of a feed")
    func addresses() {
        let url = RelayClients.feedURL
        #expect(url("https://r.example/0x/v0/", .v1) == "wss://r.example/0x/v0/ws")
        #expect(url("http://127.0.0.1:1/v0?key=a", .v1) == "ws://127.0.0.1:1/v0/ws?key=a")
        #expect(url("https://r.example/sra/v4", .v4) == "wss://r.example/sra/v4")
        #expect(url("https://r.example/orderbook/v1/", .v4) == "wss://r.example/orderbook/v1")
        #expect(url("ftp://r.example", .v4) == nil)
    }
}

@Suite("The feed of the relayer API v4")
struct FeedV4Tests {
    private func subscription(
        asksSnapshot: Bool = true
    ) throws -> (FeedSubscriptionV4, [String]) {
        let numbers = Mutex<UInt64>(0)
        let feed = FeedSubscriptionV4(
            base: try Address(lenient: "0xe41d2489571d322189246dafa5ebde1f4699f498"),
            quote: try Address(lenient: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
            codec: FakeRelayV4.zeroEx,
            asksSnapshot: asksSnapshot
        ) {
            numbers.withLock { number in
                number += 1
                return number
            }
        }
        let ids = try feed.requests.map { text in
            try #require(try JSONParser.parse(text: text)["requestId"]?.stringValue)
        }
        return (feed, ids)
    }

    @Test("a book needs two subscriptions with two UUIDs")
    func requests() throws {
        let (feed, ids) = try subscription()
        #expect(
            ids == [
                "00000000-0000-4001-8000-000000000002", "00000000-0000-4003-8000-000000000004",
            ]
        )
        let sides = try feed.requests.map { try JSONParser.parse(text: $0)["payload"] }
        #expect(sides[0]?["makerToken"] == sides[1]?["takerToken"])
        #expect(sides[0]?["takerToken"] == sides[1]?["makerToken"])
        for side in sides {
            #expect(side?["snapshot"]?.boolValue == true)
            #expect(side?["limit"]?.numberText == "1000")
        }
        let (plain, _) = try subscription(asksSnapshot: false)
        for text in plain.requests {
            let payload = try JSONParser.parse(text: text)["payload"]
            #expect(payload?["snapshot"] == nil && payload?["limit"] == nil)
        }
    }

    @Test("both sides' snapshots are one book, and what came between them is applied after it")
    func snapshots() throws {
        var (feed, ids) = try subscription()
        let (three, four) = (FakeRelayV4.record(3), FakeRelayV4.record(4))
        func message(_ type: String, _ id: Int, _ payload: String, _ more: String) -> String {
            #"{"type":"\#(type)","channel":"orders","requestId":"\#(ids[id])","#
                + #""payload":\#(payload)\#(more)}"#
        }
        let whole = #","sequence":7,"complete":true"#
        #expect(
            words(try feed.events(in: message("snapshot", 0, "[\(three),{}]", whole)))
                == ["numbered"]
        )
        let after = #","sequence":8,"previous":7"#
        #expect(words(try feed.events(in: message("update", 0, "[\(four)]", after))) == ["shown 4"])
        #expect(
            words(try feed.events(in: message("snapshot", 1, "[]", whole)))
                == ["snapshot 0 1 1 whole", "shown 4"]
        )
        var resyncs = [feed.takeResync()]
        // A missed message: both sides are asked for again, once.
        let late = #","sequence":12,"previous":10"#
        #expect(
            words(try feed.events(in: message("update", 0, "[\(four)]", late))) == [
                "gap", "shown 4",
            ]
        )
        resyncs.append(feed.takeResync())
        resyncs.append(feed.takeResync())
        #expect(resyncs == [false, true, false])
        let cut = #","sequence":12,"complete":false"#
        #expect(words(try feed.events(in: message("snapshot", 1, "[]", cut))) == [])
        #expect(
            words(try feed.events(in: message("snapshot", 0, "[\(three)]", whole)))
                == ["snapshot 0 1 0 cut"]
        )
        #expect(
            words(try feed.events(in: message("update", 0, "[\(four)]", after))) == ["shown 4"]
        )
    }

    @Test("a relay that refuses the wish for a snapshot is followed without it")
    func refused() async throws {
        let connections = Mutex(0)
        let server = try WebSocketClientTests.server { connection in
            guard connection.readSome() != nil else { return }
            let number = connections.withLock { count in
                count += 1
                return count
            }
            if number == 1 {
                connection.write(ServerFrame.text(#"{"code":100,"reason":"unknown property"}"#))
            } else {
                connection.write(ServerFrame.frame(0x88, [0x03, 0xE9]))
            }
            connection.waitForClose()
        }
        let feed = WebSocketFeed(
            url: "ws://127.0.0.1:\(server.port)/sra/v4",
            client: WebSocketClient(),
            exchangeProtocol: FakeRelayV4.zeroEx
        )
        let seen = Mutex<[RelayFeedEvent]>([])
        let end = await feed.follow(base: .zero, quote: .zero) { event in
            seen.withLock { $0.append(event) }
        }
        #expect(words(seen.withLock { $0 }) == ["subscribed", "subscribed"])
        #expect(!end.isPermanent && end.reason.contains("1001"))
        #expect(connections.withLock { $0 } == 2)
    }

    @Test("records are shown, or gone without a fillable amount; each subscription has its numbers")
    func updates() throws {
        var (feed, ids) = try subscription()
        let record = FakeRelayV4.record(3)
        func message(_ id: Int, _ payload: String, _ more: String = "") -> String {
            #"{"type":"update","channel":"orders","requestId":"\#(ids[id])","#
                + #""payload":\#(payload)\#(more)}"#
        }
        #expect(words(try feed.events(in: message(0, "[\(record)]"))).count == 1)
        #expect(
            words(try feed.events(in: message(0, "[\(record)]", #","sequence":4,"previous":2"#)))
                .first == "numbered"
        )
        #expect(
            words(try feed.events(in: message(1, "[]", #","sequence":9,"previous":1"#))).isEmpty
        )
        #expect(
            words(try feed.events(in: message(1, "[]", #","sequence":11,"previous":10"#))) == [
                "gap"
            ]
        )
        #expect(
            words(try feed.events(in: message(0, "[{}]", #","sequence":5,"previous":4"#))) == [
                "gap"
            ]
        )
        #expect(try feed.events(in: #"{"type":"update","requestId":"x","payload":[]}"#).isEmpty)
        #expect(throws: FeedFault.self) { try feed.events(in: #"{"code":100,"reason":"bad"}"#) }
        #expect(throws: FeedFault.self) { try feed.events(in: message(0, "{}")) }
    }
}
