import DexTestSupport
import Testing

@testable import DexRelay

private typealias Client = FrameClient
private typealias Fixture = FeedFixture

/// WebSockets that are opened with keys.
@Suite struct KeyedFeedTests {
    @Test("the upgrade takes a key, refuses an unknown one with 401, and counts for the client")
    func upgrade() async throws {
        var fixture = try Fixture()
        fixture.limits.maximumConnectionsOfAddress = 1
        let keys = fixture.keys
        let (text, key) = try RelayKeysTests.key("maker")
        keys.replace(with: [key])
        try await fixture.serve { port in
            func status(_ headers: [String]) async throws -> Int {
                let client = try Client(port: port)
                try await client.send(Client.request("/v0/ws", headers: headers))
                return try await client.head().status
            }
            for headers in [
                ["0x-api-key: x"], ["0x-api-key:"], ["Authorization: Bearer \(text)x"],
                ["0x-api-key: \(text)", "0x-api-key: \(text)"],
            ] {
                #expect(try await status(headers) == 401, "\(headers)")
            }
            let anonymous = try await Client.open(port: port, path: "/v0/ws")
            let own = try await Client.open(
                port: port,
                path: "/v0/ws",
                headers: ["Authorization: Bearer \(text)"]
            )
            // Each has its one place.
            #expect(try await status(["0x-api-key: \(text)"]) == 429)
            #expect(try await status([]) == 429)
            // The connection of a key that is removed is closed; the other one stays.
            keys.replace(with: [])
            try await own.send(Client.close(1008))
            #expect(try await own.closeCode() == 1008)
            try await anonymous.send(Client.close(1000))
            #expect(try await anonymous.closeCode() == 1000)
        }
    }

    @Test("subscriptions count for the client on all its connections")
    func subscriptions() async throws {
        let fixture = try Fixture()
        let (text, key) = try RelayKeysTests.key("maker") { $0.subscriptionsPerSecond = 1 }
        fixture.keys.replace(with: [key])
        try await fixture.serve { port in
            func open(_ headers: [String]) async throws -> Client {
                try await Client.open(port: port, path: "/v0/ws", headers: headers)
            }
            func ask(_ client: Client) async throws -> String {
                try await client.send(Fixture.subscription("1", ",\"snapshot\":true"))
                return try await client.message()
            }
            let clients = [
                try await open(["0x-api-key: \(text)"]), try await open(["0x-api-key: \(text)"]),
            ]
            for _ in 0..<16 {
                for client in clients {
                    #expect(try await !ask(client).contains("Too many subscriptions"))
                }
            }
            #expect(try await ask(clients[0]).contains("Too many subscriptions"))
            try await clients[0].send(Client.close(1008))
            #expect(try await clients[0].closeCode() == 1008)
            let anonymous = try await open([])
            #expect(try await !ask(anonymous).contains("Too many subscriptions"))
        }
    }
}
