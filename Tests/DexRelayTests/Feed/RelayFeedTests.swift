import DexTestSupport
import Ethereum
import Foundation
import StrictJSON
import Testing

@testable import DexRelay
@testable import ZeroEx

private typealias Client = FrameClient

/// The relay as it is served: orders that are posted over HTTP reach the WebSocket.
@Suite("The feed of a relay")
struct RelayFeedTests {
    @Test("a posted order comes once it is on disk, on the same port, and leaves when it expires")
    func posted() async throws {
        let fixture = try RelayFixture()
        try await fixture.server.restore()
        try await fixture.live { port in
            let client = try await Client.open(port: port, path: "/v0/ws")
            try await client.send(FeedFixture.subscription("1", ",\"snapshot\":true"))
            let snapshot = try JSONParser.parse(text: await client.message())
            #expect(snapshot["payload"] == ["bids": [], "asks": []])
            let order = try await fixture.order()
            let body = fixture.json(order)
            let head =
                "POST /v0/order HTTP/1.1\r\nHost: relay.test\r\nContent-Length: \(body.count)\r\n"
                + "Connection: close\r\n\r\n"
            #expect(try await Socket.exchange(port: port, Array(head.utf8) + body).status == 201)
            let update = try JSONParser.parse(text: await client.message())
            #expect(update["type"] == "update")
            #expect(update["previous"] == snapshot["sequence"])
            let posted = try JSONParser.parse(body)
            #expect(update["payload"] == posted)
            fixture.clock.advance(by: 3_600)
            await fixture.server.watch()
            let change = try JSONParser.parse(text: await client.message())
            #expect(change["type"] == "change")
            #expect(change["previous"] == update["sequence"])
            #expect(change["payload"]?.arrayValue?.first?["state"] == "expired")
            #expect(
                change["payload"]?.arrayValue?.first?["orderHash"]?.stringValue == order.hash.hex
            )
        }
    }

    @Test("after a restart the sequence goes on, and a reader resumes where it was")
    func restart() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "relay-feed-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm", "-lock"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let fixture = try RelayFixtureV4(storePath: path)
        try await fixture.server.restore()
        let first = try await fixture.order { $0.salt = 1 }
        let second = try await fixture.order { $0.salt = 2 }
        try await fixture.add([first])
        try await fixture.store.close()
        let again = try RelayFixtureV4(storePath: path)
        try await again.server.restore()
        try await again.live { port in
            let client = try await Client.open(port: port, path: "/orderbook/v1")
            try await client.send(
                FeedFixture.subscriptionV4("a", "\(FeedFixture.tokensV4),\"since\":1")
                    + Client.frame(9)
            )
            #expect(try await client.frame()?.opcode == 10)
            try await again.add([second])
            let update = try JSONParser.parse(text: await client.message())
            #expect(update["previous"]?.numberText == "1")
            #expect(update["sequence"]?.numberText == "2")
            let record = update["payload"]?.arrayValue?.first
            #expect(record?["metaData"]?["orderHash"]?.stringValue == second.hash.hex)
        }
        try await again.store.close()
    }
}
