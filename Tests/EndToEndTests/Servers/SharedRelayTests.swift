import DexTestSupport
import Foundation
import PostgresTestSupport
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What an operator does once for several instances on one database.
@Suite("Instances on one database")
struct SharedRelayTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    /// Settings of two instances.
    private func settings(_ database: PostgresDatabase) async throws -> [String] {
        let written = try await dex.run("relay init --network sandbox")
        try #require(written.status == 0, "\(written.stderr)")
        var text = try String(
            contentsOf: dex.home.appending(path: "relay.toml"),
            encoding: .utf8
        )
        text.replace("127.0.0.1:8080", with: "127.0.0.1:0")
        text.replace("sqlite:relay.sqlite", with: database.address())
        return try (1...2).map { number in
            let file = dex.home.appending(path: "relay\(number).toml")
            try Data(text.utf8).write(to: file)
            return file.path
        }
    }

    /// Runs a body against two relays, which are stopped however the body ends.
    private func serving(
        _ settings: [String],
        body: ([ServingRelay]) async throws -> Void
    ) async throws {
        let mark = UUID().uuidString
        try await HangWatch.shared.watching(mark, "two relays on one database") {
            var relays: [ServingRelay] = []
            do {
                for file in settings {
                    relays.append(try await ServingRelay(dex, mark: mark, "--config", file))
                }
                try await body(relays)
                for relay in relays { #expect(await relay.stop() == 0) }
            } catch {
                for relay in relays {
                    relay.send(SIGKILL)
                    _ = await relay.status()
                }
                throw error
            }
        }
    }

    /// The count of asks in the book of each.
    private func asks(_ relays: [ServingRelay]) async throws -> [Int?] {
        var counts: [Int?] = []
        for relay in relays {
            let run = try await dex.run("orderbook ZRX/WETH --relay \(relay.url)/v0 --json")
            try #require(run.status == 0, "\(run.stderr)")
            counts.append(try run.json()["data"]?["asks"]?.arrayValue?.count)
        }
        return counts
    }

    private func decisions(_ settings: String) async throws -> [String] {
        let run = try await dex.run("relay moderation --config \(settings) --json")
        try #require(run.status == 0, "\(run.stderr)")
        let data = try run.json()["data"]
        #expect(data?["path"] == .null)
        return (data?["decisions"]?.arrayValue ?? []).map { decision in
            [decision["action"], decision["reason"]].compactMap { $0?.stringValue }
                .joined(separator: " ")
        }
    }

    @Test("what is decided at one counts at all and survives a restart; files are taken in")
    func moderation() async throws {
        let server = try await PostgresServer()
        let database = try await server.makeDatabase()
        try await dex.withSandbox { _ in
            let settings = try await settings(database)
            // A decision of a version that had a file for each instance.
            let old = """
                {"at":1700000000,"action":"remove","pair":["0x\(String(repeating: "1", count: 40))",\
                "0x\(String(repeating: "2", count: 40))"],"reason":"old"}

                """
            let file = dex.home.appending(path: "relay2-moderation.jsonl")
            try Data(old.utf8).write(to: file)
            try await serving(settings) { relays in
                #expect(try await decisions(settings[0]) == ["remove old"])
                let placed = try await dex.run(
                    "place-limit sell ZRX/WETH 5 --price 0.9 --relay \(relays[0].url)/v0 "
                        + "--wallet alice --yes --json"
                )
                try #require(placed.status == 0, "\(placed.stderr)")
                try await until("the order at both") {
                    try await asks(relays) == [1, 1]
                }
                let hidden = try await dex.run(
                    "relay hide ZRX/WETH --reason spam --config \(settings[1])"
                )
                #expect(hidden.status == 0, "\(hidden.stderr)")
                #expect(hidden.stdout.contains("Every running instance does it at once"))
                try await until("the order at none") {
                    try await asks(relays) == [0, 0]
                }
                // What SIGHUP reads leaves the decisions as they are.
                relays[0].send(SIGHUP)
                try await relays[0].line(with: "The settings were read again")
                #expect(try await asks(relays) == [0, 0])
            }
            try await serving(settings) { relays in
                #expect(try await asks(relays) == [0, 0])
                let shown = try await dex.run("relay show ZRX/WETH --config \(settings[0])")
                #expect(shown.status == 0, "\(shown.stderr)")
                try await until("the order at both again") {
                    try await asks(relays) == [1, 1]
                }
                for file in settings {
                    #expect(try await decisions(file) == ["show", "hide spam", "remove old"])
                }
            }
            try await server.stop()
            let refused = try await dex.run("relay hide ZRX/WETH --config \(settings[0]) --json")
            #expect(refused.status == 4, "\(refused.stdout)")
            #expect(try refused.json()["error"]?["code"] == "relay-store-silent")
        }
    }

    @Test("clients have their keys and their limits once at all instances, which never show a key")
    func keys() async throws {
        let server = try await PostgresServer()
        let database = try await server.makeDatabase()
        try await dex.withSandbox { _ in
            let settings = try await settings(database)
            try Data(
                """
                {"name":"old","sha256":"0x\(String(repeating: "1", count: 64))","at":1}

                """.utf8
            ).write(to: dex.home.appending(path: "relay1-keys.jsonl"))
            try await serving(settings) { relays in
                // It comes by another pipe than the line that the relay serves.
                let warning = "relay1-keys.jsonl do not count"
                if !relays[0].beginning.contains(where: { $0.contains(warning) }) {
                    try await relays[0].line(with: warning)
                }
                try await share(relays, settings[0])
                let added = try await dex.run(
                    "relay key add maker --requests-per-hour 40 --config \(settings[0]) --json"
                )
                try #require(added.status == 0, "\(added.stderr)")
                let key = try #require(try added.json()["data"]?["key"]?.stringValue)
                try await spends(key, relays)
                let list = try await dex.run("relay key list --config \(settings[1]) --json")
                let clients = try list.json()["data"]?["clients"]?.arrayValue
                #expect(clients?.count == 2)
                let client = clients?.first
                #expect(client?["name"] == "maker" && client?["requestsPerHour"] == 40)
                #expect(!list.stdout.contains("dexrelay_"), "\(list.stdout)")
                for relay in relays {
                    let metrics = try await KeptClient(relay.url).get("/metrics").body
                    #expect(metrics.contains(#"dex_relay_client_throttled_total{client="maker"}"#))
                    #expect(!metrics.contains("dexrelay_"))
                }
                let removed = try await dex.run("relay key remove maker --config \(settings[1])")
                #expect(removed.status == 0, "\(removed.stderr)")
                for relay in relays {
                    try await until("401 of \(relay.url)") {
                        try await KeptClient(relay.url).get("/relay.json", key: key).status == 401
                    }
                    #expect(try await KeptClient(relay.url).get("/relay.json").status == 200)
                }
                let twice = try await dex.run("relay key remove maker --config \(settings[0])")
                #expect(twice.status == 2, "\(twice.stderr)")
            }
        }
        try await server.stop()
    }

    /// Waits until each of two instances gives half of a client's limit.
    private func share(_ relays: [ServingRelay], _ settings: String) async throws {
        let added = try await dex.run(
            "relay key add probe --requests-per-hour 1000 --config \(settings) --json"
        )
        let key = try #require(try added.json()["data"]?["key"]?.stringValue)
        for relay in relays {
            try await until("the half of the limit at \(relay.url)") {
                let answer = try await KeptClient(relay.url).get("/relay.json", key: key)
                return answer.headers["x-ratelimit-limit"] == "500"
            }
        }
    }

    /// Spends a client's 40 requests at two instances.
    private func spends(_ key: String, _ relays: [ServingRelay]) async throws {
        for relay in relays {
            try await until("the key at \(relay.url)") {
                try await KeptClient(relay.url).get("/relay.json", key: key).status != 401
            }
            var answered = 1
            // 20 each; a machine that stalls for 5 s lets one take the whole.
            var shares: Set<Int> = []
            while true {
                let answer = try await KeptClient(relay.url).get("/relay.json", key: key)
                shares.insert(answer.headers["x-ratelimit-limit"].flatMap { Int($0) } ?? 0)
                guard answer.status == 200 else {
                    #expect(answer.status == 429)
                    break
                }
                answered += 1
            }
            #expect(shares.isSubset(of: [20, 40]))
            #expect(answered >= shares.min() ?? 0 && answered <= shares.max() ?? 0)
        }
    }
}
