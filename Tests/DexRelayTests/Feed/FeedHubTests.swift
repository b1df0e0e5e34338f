import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import DexRelay
@testable import ZeroEx

private typealias Client = FrameClient
private typealias Fixture = FeedFixture

@Suite("Batches, snapshots and resuming of the feed")
struct FeedHubTests {
    private let fixture: FeedFixture

    init() throws {
        fixture = try FeedFixture()
        fixture.reset(to: [], sequences: [Fixture.market: 0])
    }

    private func entries(_ count: Int, from salt: Int = 1) async throws -> [OrderEntry] {
        var entries: [OrderEntry] = []
        for index in 0..<count {
            entries.append(try await fixture.entry(salt: UInt64(salt + index)))
        }
        return entries
    }

    /// The sequence, the one before, and the salts of the orders of a message.
    private static func parts(
        _ message: String
    ) throws -> (sequence: String?, previous: String?, salts: [String?]) {
        let json = try JSONParser.parse(text: message)
        let payload = json["payload"]
        let orders = payload?["asks"]?.arrayValue ?? [payload].compactMap { $0 }
        return (
            json["sequence"]?.numberText, json["previous"]?.numberText,
            orders.map { $0["salt"]?.stringValue }
        )
    }

    @Test("a quiet pair's changes go out after 20 ms, a busy pair's every 80 ms")
    func pace() async throws {
        let orders = try await entries(5)
        try await fixture.serve { [fixture] port in
            let client = try await Client.open(port: port, path: "/v0/ws")
            try await client.send(Fixture.subscription("1", ",\"snapshot\":true"))
            _ = try await client.message()
            func change(_ index: Int, _ state: ListingState) {
                fixture.apply([
                    Fixture.change(orders[0], UInt64(index), state, from: .shown, left: 0)
                ])
            }
            fixture.apply([Fixture.change(orders[0], 1)])
            await fixture.pass(19)
            fixture.apply([Fixture.change(orders[1], 2)])
            await fixture.pass(1)
            // Both in one flush: they were written together, before anything later.
            fixture.apply([Fixture.change(orders[0], 3, .cancelled, from: .shown)])
            await fixture.pass(79)
            fixture.apply([Fixture.change(orders[1], 4, .cancelled, from: .shown)])
            await fixture.pass(1)
            #expect(try Self.parts(await client.message()).sequence == "1")
            #expect(try Self.parts(await client.message()).sequence == "2")
            // One message for two changes that are 79 ms apart: neither went out alone.
            let changes = try await client.message()
            #expect(changes.contains("\"sequence\":4,\"previous\":2,"))
        }
    }

    @Test("a subscriber between two flushes gets the pending changes in its snapshot, once")
    func joining() async throws {
        let orders = try await entries(3)
        try await fixture.serve { [fixture] port in
            let early = try await Client.open(port: port, path: "/v0/ws")
            try await early.send(Fixture.subscription("1", ",\"snapshot\":true"))
            _ = try await early.message()
            fixture.apply([Fixture.change(orders[0], 1), Fixture.change(orders[1], 2)])
            let late = try await Client.open(port: port, path: "/v0/ws")
            try await late.send(Fixture.subscription("1", ",\"snapshot\":true"))
            let snapshot = try Self.parts(await late.message())
            #expect(snapshot.sequence == "2")
            #expect(snapshot.salts.count == 2)
            fixture.apply([Fixture.change(orders[2], 3)])
            await fixture.pass(100)
            let update = try Self.parts(await late.message())
            #expect(update == ("3", "2", ["3"]))
            for wanted in ["1", "2", "3"] {
                #expect(try Self.parts(await early.message()).sequence == wanted)
            }
        }
    }

    @Test("a reader goes on after a sequence that is kept, and else gets a snapshot")
    func resuming() async throws {
        let orders = try await entries(4)
        fixture.reset(to: [], sequences: [Fixture.market: 10])
        for (index, order) in orders.prefix(3).enumerated() {
            fixture.apply([Fixture.change(order, UInt64(11 + index))])
        }
        try await fixture.serve { [fixture] port in
            func first(_ since: String) async throws -> String {
                let client = try await Client.open(port: port, path: "/v0/ws")
                try await client.send(Fixture.subscription("1", ",\"since\":\(since)"))
                return try await client.message()
            }
            #expect(try Self.parts(await first("12")) == ("13", "12", ["3"]))
            #expect(try Self.parts(await first("10")) == ("11", "10", ["1"]))
            for since in ["9", "14", "18446744073709551615"] {
                let message = try await first(since)
                #expect(message.contains("\"type\":\"snapshot\""), "\(since)")
                #expect(try Self.parts(message).sequence == "13")
            }
            // Nothing was missed: the next message is the next change.
            let client = try await Client.open(port: port, path: "/v0/ws")
            try await client.send(Fixture.subscription("1", ",\"since\":13") + Client.frame(9))
            #expect(try await client.frame()?.opcode == 10)
            fixture.apply([Fixture.change(orders[3], 14)])
            await fixture.pass(100)
            #expect(try Self.parts(await client.message()) == ("14", "13", ["4"]))
        }
    }

    @Test("a book that is read again reaches subscribers as the difference")
    func reading() async throws {
        let orders = try await entries(4)
        fixture.reset(
            to: orders.prefix(3).map { Fixture.change($0, 0) },
            sequences: [Fixture.market: 3]
        )
        try await fixture.serve { [fixture] port in
            let client = try await Client.open(port: port, path: "/v0/ws")
            try await client.send(Fixture.subscription("1", ",\"snapshot\":true"))
            #expect(try Self.parts(await client.message()).salts.count == 3)
            fixture.reset(
                to: [
                    Fixture.change(orders[0], 0), Fixture.change(orders[1], 0, .filled),
                    Fixture.change(orders[3], 0),
                ],
                sequences: [Fixture.market: 20]
            )
            await fixture.pass(100)
            let changes = try await client.message()
            #expect(changes.contains("\"sequence\":20,\"previous\":3,"))
            for (entry, state) in [(orders[1], "filled"), (orders[2], "removed")] {
                #expect(changes.contains("\"\(entry.hash.hex)\",\"state\":\"\(state)\""))
            }
            #expect(!changes.contains(orders[0].hash.hex))
            #expect(try Self.parts(await client.message()) == ("20", "20", ["4"]))
        }
    }

    @Test(
        "a snapshot has the best orders up to its limit, none that expire now, and says if it is cut"
    )
    func snapshots() async throws {
        var orders: [OrderEntry] = []
        for (salt, price) in [(1, 4_000), (2, 2_000), (3, 3_000)] {
            orders.append(
                try await fixture.entry(salt: UInt64(salt)) {
                    $0.takerAmount = UInt256(UInt64(price))
                    if salt == 2 { $0.expiry = UInt256(RelayFixture.startTime + 10) }
                }
            )
        }
        fixture.reset(
            to: orders.map { Fixture.change($0, 0) },
            sequences: [Fixture.market: 3]
        )
        try await fixture.serve { [fixture] port in
            let client = try await Client.open(port: port, path: "/v0/ws")
            func snapshot(_ more: String) async throws -> (salts: [String?], isComplete: Bool) {
                try await client.send(Fixture.subscription("1", ",\"snapshot\":true\(more)"))
                let message = try await client.message()
                return (
                    try Self.parts(message).salts, message.contains("\"complete\":true")
                )
            }
            #expect(try await snapshot("") == (["2", "3", "1"], true))
            #expect(try await snapshot(",\"limit\":2") == (["2", "3"], false))
            #expect(try await snapshot(",\"limit\":3") == (["2", "3", "1"], true))
            fixture.clock.advance(by: 10)
            #expect(try await snapshot(",\"limit\":2") == (["3", "1"], true))
        }
    }

    @Test("an id belongs to its connection, and the same id again replaces its subscription")
    func ids() async throws {
        let orders = try await entries(2)
        try await fixture.serve { [fixture] port in
            var clients: [Client] = []
            for _ in 0..<2 {
                let client = try await Client.open(port: port, path: "/v0/ws")
                for _ in 0..<3 { try await client.send(Fixture.subscription("1")) }
                try await client.send(Client.frame(9))
                #expect(try await client.frame()?.opcode == 10)
                clients.append(client)
            }
            #expect(fixture.hub.statistics.subscriptions == 2)
            #expect(fixture.hub.statistics.connections == 2)
            for (index, order) in orders.enumerated() {
                fixture.apply([Fixture.change(order, UInt64(index + 1))])
                await fixture.pass(100)
            }
            for client in clients {
                #expect(try Self.parts(await client.message()).sequence == "1")
                #expect(try Self.parts(await client.message()).sequence == "2")
                try await client.send(Client.close(1000))
                #expect(try await client.closeCode() == 1000)
            }
            #expect(fixture.hub.statistics.subscriptions == 0)
        }
    }

    @Test("a flood of changes stays in bounds, and a reader far behind gets a snapshot")
    func ring() async throws {
        let entry = try await fixture.entry(salt: 1)
        var sequence: UInt64 = 0
        for _ in 0..<3_000 {
            sequence += 2
            fixture.apply([
                Fixture.change(entry, sequence - 1),
                Fixture.change(entry, sequence, .dormant, from: .shown),
            ])
        }
        try await fixture.serve { port in
            let client = try await Client.open(port: port, path: "/v0/ws")
            try await client.send(Fixture.subscription("1", ",\"since\":\(3_000)"))
            #expect(try await client.message().contains("\"type\":\"snapshot\""))
            try await client.send(Fixture.subscription("2", ",\"since\":\(5_999)"))
            #expect(try await client.message().contains("\"sequence\":6000,\"previous\":5999,"))
        }
    }
}
