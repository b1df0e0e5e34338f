import DexTestSupport
import Ethereum
import Testing

@testable import DexRelay
@testable import ZeroEx

private typealias Client = FrameClient
private typealias Fixture = FeedFixture

/// Byte for byte as docs/relay-feed.md says, over real sockets.
@Suite("The messages of the feed")
struct FeedMessageTests {
    @Test("v0: a snapshot, then an update for each new order, then a change for what leaves")
    func orderbook() async throws {
        let fixture = try Fixture()
        let ask = try await fixture.entry(salt: 1)
        let bid = try await fixture.entry(salt: 2) {
            ($0.makerToken, $0.takerToken) = (RelayFixture.weth, RelayFixture.zrx)
        }
        let later = try await fixture.entry(salt: 3)
        fixture.reset(
            to: [Fixture.change(ask, 0), Fixture.change(bid, 0)],
            sequences: [Fixture.market: 5]
        )
        try await fixture.serve { port in
            for path in ["/v0/ws", "/v0"] {
                let client = try await Client.open(port: port, path: path)
                try await client.send(Fixture.subscription("7", ",\"snapshot\":true"))
                let snapshot = try await client.message()
                let snapshotText = [
                    "{\"type\":\"snapshot\",\"channel\":\"orderbook\",\"requestId\":7,",
                    "\"sequence\":5,\"complete\":true,",
                    "\"payload\":{\"bids\":[\(bid.text)],\"asks\":[\(ask.text)]}}",
                ].joined()
                #expect(snapshot == snapshotText)
            }
            let client = try await Client.open(port: port, path: "/v0/ws")
            try await client.send(Fixture.subscription("-1.5e3", ",\"snapshot\":true,\"limit\":1"))
            _ = try await client.message()
            fixture.apply([
                Fixture.change(later, 6),
                Fixture.change(ask, 7, .shown, from: .shown, left: 500, isPartlyFilled: true),
                Fixture.change(bid, 8, .cancelled, from: .shown, left: 0),
                Fixture.change(ask, 9, .dormant, from: .shown, left: 0),
                Fixture.change(ask, 10, .shown, from: .dormant, left: 400),
            ])
            await fixture.pass(20)
            let start = "\"channel\":\"orderbook\",\"requestId\":-1.5e3,"
            let updateText = [
                "{\"type\":\"update\",\(start)\"sequence\":6,\"previous\":5,",
                "\"payload\":\(later.text)}",
            ].joined()
            #expect(try await client.message() == updateText)
            func item(_ entry: OrderEntry, _ state: String, _ left: Int) -> String {
                "{\"orderHash\":\"\(entry.hash.hex)\",\"state\":\"\(state)\","
                    + "\"remainingFillableTakerAmount\":\"\(left)\"}"
            }
            let items = [
                item(ask, "shown", 500), item(bid, "cancelled", 0), item(ask, "dormant", 0),
            ]
            let changeText = [
                "{\"type\":\"change\",\(start)\"sequence\":9,\"previous\":6,",
                "\"payload\":[\(items.joined(separator: ","))]}",
            ].joined()
            #expect(try await client.message() == changeText)
            let returnText = [
                "{\"type\":\"update\",\(start)\"sequence\":10,\"previous\":9,",
                "\"payload\":\(ask.text)}",
            ].joined()
            #expect(try await client.message() == returnText)
        }
    }

    @Test("v4: a snapshot if it is asked for, then records with their state, one message a flush")
    func orders() async throws {
        let fixture = try Fixture()
        let first = try await fixture.entryV4(salt: 1)
        let second = try await fixture.entryV4(salt: 2)
        fixture.reset(
            to: [Fixture.change(first, 0, left: 1_500, isPartlyFilled: true)],
            sequences: [Fixture.marketV4: 3]
        )
        try await fixture.serve { port in
            let zrx = RelayFixture.zrx.lowercaseHex
            let weth = RelayFixture.weth.lowercaseHex
            let pair = "\"pair\":{\"makerToken\":\"\(zrx)\",\"takerToken\":\"\(weth)\"}"
            for path in ["/sra/v4", "/orderbook/v1"] {
                let client = try await Client.open(port: port, path: path)
                try await client.send(
                    Fixture.subscriptionV4("a\\\"b", "\(Fixture.tokensV4),\"snapshot\":true")
                )
                let snapshot = try await client.message()
                let snapshotText = [
                    "{\"type\":\"snapshot\",\"channel\":\"orders\",\"requestId\":\"a\\\"b\",",
                    "\"sequence\":3,\"complete\":true,\(pair),",
                    "\"payload\":[\(first.record("FILLED", left: "1500"))]}",
                ].joined()
                #expect(snapshot == snapshotText)
            }
            let client = try await Client.open(port: port, path: "/orderbook/v1")
            try await client.send(
                Fixture.subscriptionV4("x", "\(Fixture.tokensV4),\"snapshot\":true")
            )
            _ = try await client.message()
            fixture.apply([
                Fixture.change(second, 4),
                Fixture.change(first, 5, from: .shown, left: 1_600, isPartlyFilled: true),
                Fixture.change(first, 6, from: .shown, left: 900, isPartlyFilled: true),
                Fixture.change(first, 7, .filled, from: .shown, left: 0),
                Fixture.change(second, 8, .dormant, from: .shown, left: 0),
                Fixture.change(second, 9, from: .dormant),
                Fixture.change(second, 10, .expired, from: .shown, left: 0),
                Fixture.change(second, 11, from: .expired),
                Fixture.change(second, 12, .removed, from: .shown, left: 0),
                Fixture.change(first, 13, from: .filled, left: 900),
                Fixture.change(first, 14, .cancelled, from: .shown, left: 0),
            ])
            await fixture.pass(20)
            let records = [
                second.record("ADDED"), first.record("FILLABILITY_INCREASED", left: "1600"),
                first.record("FILLED", left: "900"), first.record("FULLY_FILLED", left: "0"),
                second.record("UNFUNDED", left: "0"), second.record("FILLABILITY_INCREASED"),
                second.record("EXPIRED", left: "0"), second.record("UNEXPIRED"),
                second.record("STOPPED_WATCHING", left: "0"),
                first.record("FILLABILITY_INCREASED", left: "900"),
                first.record("CANCELLED", left: "0"),
            ]
            let updateText = [
                "{\"type\":\"update\",\"channel\":\"orders\",\"requestId\":\"x\",",
                "\"sequence\":14,\"previous\":3,\(pair),",
                "\"payload\":[\(records.joined(separator: ","))]}",
            ].joined()
            #expect(try await client.message() == updateText)
        }
    }

    @Test("v4: a subscription gets the orders of its tokens, and an empty token is none")
    func filters() async throws {
        let fixture = try Fixture()
        fixture.reset(to: [], sequences: [:])
        let ask = try await fixture.entryV4(salt: 1)
        let bid = try await fixture.entryV4(salt: 2) {
            ($0.makerToken, $0.takerToken) = (RelayFixture.weth, RelayFixture.zrx)
        }
        try await fixture.serve { port in
            let client = try await Client.open(port: port, path: "/sra/v4")
            let zrx = RelayFixture.zrx.lowercaseHex
            try await client.send(Fixture.subscriptionV4("exact", Fixture.tokensV4))
            try await client.send(Fixture.subscriptionV4("maker", "\"makerToken\":\"\(zrx)\""))
            try await client.send(
                Fixture.subscriptionV4("taker", "\"makerToken\":\"\",\"takerToken\":\"\(zrx)\"")
            )
            try await client.send(
                Client.text(
                    "{\"type\":\"subscribe\",\"channel\":\"orders\",\"requestId\":\"all\",\"x\":[]}"
                )
            )
            // The answer to a ping comes after all subscriptions are read.
            try await client.send(Client.frame(9))
            #expect(try await client.frame()?.opcode == 10)
            #expect(fixture.hub.statistics.subscriptions == 4)
            fixture.apply([Fixture.change(ask, 1), Fixture.change(bid, 2)])
            await fixture.pass(20)
            var heard: [String] = []
            for _ in 0..<5 {
                let message = try await client.message()
                let id = message.split(separator: "\"requestId\":\"").last?.prefix { $0 != "\"" }
                let side = message.contains(ask.hash.hex) ? "ask" : "bid"
                heard.append("\(id ?? "?") \(side)")
            }
            #expect(
                heard.sorted() == ["all ask", "all bid", "exact ask", "maker ask", "taker bid"]
            )
        }
    }

    @Test("hidden orders never make a message, whatever becomes of them")
    func hidden() async throws {
        let fixture = try Fixture()
        fixture.reset(to: [], sequences: [Fixture.market: 1])
        let entry = try await fixture.entry(salt: 1)
        let shown = try await fixture.entry(salt: 2)
        try await fixture.serve { port in
            let client = try await Client.open(port: port, path: "/v0/ws")
            try await client.send(Fixture.subscription("1", ",\"snapshot\":true"))
            let empty = try await client.message()
            #expect(empty.hasSuffix("\"payload\":{\"bids\":[],\"asks\":[]}}"))
            fixture.apply([
                Fixture.change(entry, 2, .hidden),
                Fixture.change(entry, 3, .expired, from: .hidden),
                Fixture.change(entry, 4, .hidden, from: .expired),
                Fixture.change(entry, 5, .cancelled, from: .hidden),
                Fixture.change(shown, 6),
            ])
            await fixture.pass(20)
            #expect(try await client.message().contains("\"sequence\":6,\"previous\":1,"))
            // One that becomes hidden leaves the book under another name.
            fixture.apply([Fixture.change(shown, 7, .hidden, from: .shown)])
            await fixture.pass(80)
            #expect(try await client.message().contains("\"state\":\"removed\""))
        }
    }
}
