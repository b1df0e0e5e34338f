import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// A relay of one's own, from `init` to the second start, on the sandbox's chain.
@Suite("dex relay")
struct RelayHostTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    private var file: URL { dex.home.appending(path: "relay.toml") }

    private func settings(_ change: (inout String) -> Void) throws {
        var text = try String(contentsOf: file, encoding: .utf8)
        change(&text)
        try Data(text.utf8).write(to: file)
    }

    /// Writes settings for both versions, on a free port.
    private func prepare() async throws {
        let written = try await dex.run("relay init --network sandbox")
        try #require(written.status == 0, "\(written.stderr)")
        try settings { text in
            text.replace("listen = \"127.0.0.1:8080\"", with: "listen = \"127.0.0.1:0\"")
            text.replace("protocols = [\"v1\"]", with: "protocols = [\"v1\", \"v4\"]")
        }
    }

    /// Runs a body against a relay, which is stopped however the body ends.
    private func serving(
        _ arguments: String...,
        body: (ServingRelay) async throws -> Void
    ) async throws {
        let mark = UUID().uuidString
        try await HangWatch.shared.watching(mark, "dex relay serve") {
            let relay = try await ServingRelay(dex, mark: mark)
            do {
                try await body(relay)
            } catch {
                relay.send(SIGKILL)
                _ = await relay.status()
                throw error
            }
        }
    }

    private func place(_ relay: ServingRelay, _ network: String, _ path: String) async throws
        -> DexBinary.Run
    {
        try await dex.run([
            "place-limit", "sell", "ZRX/WETH", "5", "--price", "0.9", "--network", network,
            "--relay", relay.url + path, "--wallet", "alice", "--yes", "--json",
        ])
    }

    private func asks(_ relay: ServingRelay, _ network: String, _ path: String) async throws -> Int
    {
        let run = try await dex.run([
            "orderbook", "ZRX/WETH", "--network", network, "--relay", relay.url + path, "--json",
        ])
        try #require(run.status == 0, "\(run.stderr)")
        return try run.json()["data"]?["asks"]?.arrayValue?.count ?? -1
    }

    @Test("init, check, serve, post, see, reload, stop, export, import, serve again")
    func life() async throws {
        try await dex.withSandbox { _ in
            try await prepare()
            try await check()
            try await serving { relay in
                try await posts(relay)
                try await reloads(relay)
                let second = try await dex.run("relay serve")
                #expect(second.status == 3, "\(second.stderr)")
                #expect(second.stderr.contains("relay.sqlite"), "\(second.stderr)")
                #expect(await relay.stop() == 0)
            }
            try await transfers()
            try await serving { relay in
                #expect(relay.report["orderCount"] == 2)
                let shown = try await asks(relay, "sandbox", "/v0")
                #expect(shown == 1)
                try await moderates(relay)
                try await givesKeys(relay)
                try await backsUp()
                try await delists(relay)
                #expect(await relay.stop(SIGINT) == 0)
            }
        }
    }

    private func check() async throws {
        let again = try await dex.run("relay init --network sandbox --json")
        #expect(again.status == 3)
        #expect(try again.json()["error"]?["code"] == "relay-settings-exist")
        let run = try await dex.run("relay check --json")
        #expect(run.status == 0, "\(run.stdout)")
        let rows = try #require(try run.json()["data"]?["checks"]?.arrayValue)
        for name in ["settings", "listen", "network", "store", "node", "chain-id", "exchange"] {
            let row = rows.first { $0["check"]?.stringValue == name }
            #expect(row?["status"] == "ok", "\(name): \(run.stdout)")
        }
        #expect(rows.count { $0["check"] == "exchange" } == 2)
        #expect(!FileManager.default.fileExists(atPath: dex.home.path + "/relay.sqlite"))
    }

    private func posts(_ relay: ServingRelay) async throws {
        #expect(relay.report["chainId"] == 1_337)
        #expect(relay.report["markets"]?.arrayValue?.count == 2)
        for (network, path) in [("sandbox", "/v0"), ("sandbox-v4", "/sra/v4")] {
            #expect(try await asks(relay, network, path) == 0)
            let placed = try await place(relay, network, path)
            #expect(placed.status == 0, "\(placed.stderr)")
            #expect(try placed.json()["data"]?["posted"] == true)
            #expect(try await asks(relay, network, path) == 1)
        }
        // The sandbox mines on demand, so its latest block may be old.
        let stats = try await dex.run("relay stats --url \(relay.url)")
        #expect(stats.stdout.contains(": ready\n") && stats.stdout.contains("v4        ZRX/WETH"))
    }

    private func reloads(_ relay: ServingRelay) async throws {
        try settings { $0.replace("# accept_orders = true", with: "accept_orders = false") }
        relay.send(SIGHUP)
        try await relay.line(with: "read again; changed: accept_orders.")
        let refused = try await place(relay, "sandbox", "/v0")
        #expect(refused.status == 7, "\(refused.stderr)")

        try settings { $0.replace("accept_orders = false", with: "accept_orders = maybe") }
        relay.send(SIGHUP)
        let fault = try await relay.line(with: "The settings are unchanged")
        #expect(fault.contains("relay.toml:"), "\(fault)")
        #expect(try await asks(relay, "sandbox", "/v0") == 1)

        try settings { text in
            text.replace("accept_orders = maybe", with: "accept_orders = true")
            text.replace("listen = \"127.0.0.1:0\"", with: "listen = \"127.0.0.1:1\"")
        }
        relay.send(SIGHUP)
        let waiting = try await relay.line(with: "wait for a restart")
        #expect(waiting.contains("listen"), "\(waiting)")
        try settings { $0.replace("listen = \"127.0.0.1:1\"", with: "listen = \"127.0.0.1:0\"") }
    }

    /// What the operator hides leaves the book of a running relay, and comes back.
    private func moderates(_ relay: ServingRelay) async throws {
        let hidden = try await dex.run("relay hide ZRX/WETH --reason spam")
        #expect(hidden.status == 0, "\(hidden.stderr)")
        #expect(hidden.stdout.contains("pair ZRX/WETH is hidden."), "\(hidden.stdout)")
        try await relay.line(with: "hidden by the operator: 1.")
        #expect(try await asks(relay, "sandbox", "/v0") == 0)
        let shown = try await dex.run("relay show ZRX/WETH")
        #expect(shown.status == 0, "\(shown.stderr)")
        try await relay.line(with: "by the operator, now shown: 1.")
        #expect(try await asks(relay, "sandbox", "/v0") == 1)
        let log = try await dex.run("relay moderation --json")
        let decisions = try log.json()["data"]?["decisions"]?.arrayValue ?? []
        #expect(decisions.compactMap { $0["action"]?.stringValue } == ["show", "hide"])
        #expect(decisions.last?["reason"] == "spam")
        for what in ["0x12", "ZRX/ZRX", "0x0000000000000000000000000000000000000000"] {
            let refused = try await dex.run("relay remove \(what)")
            #expect(refused.status == 2, "\(what): \(refused.stderr)")
        }
    }

    /// A client's key counts within seconds, and is refused once it is removed.
    private func givesKeys(_ relay: ServingRelay) async throws {
        for faulty in ["relay key add Maker", "relay key add a --post-burst -1", "relay key add"] {
            #expect(try await dex.run(faulty).status == 2, "\(faulty)")
        }
        let dry = try await dex.run("relay key add maker --dry-run --json")
        #expect(try dry.json()["data"]?["key"] == .null)
        let added = try await dex.run("relay key add maker --requests-per-hour 1000 --json")
        let key = try #require(try added.json()["data"]?["key"]?.stringValue, "\(added.stderr)")
        #expect(try await dex.run("relay key add maker").status == 2)
        func answer(_ key: String) async throws -> KeptClient.Answer {
            try await KeptClient(relay.url).get("/v0/orders", key: key)
        }
        try await until("the limit of the key") {
            try await answer(key).headers["x-ratelimit-limit"] == "1000"
        }
        #expect(try await answer(key.uppercased()).status == 401)
        #expect(try await dex.run("relay key list").stdout.contains("maker"))
        let stored = try String(
            contentsOf: dex.home.appending(path: "relay-keys.jsonl"),
            encoding: .utf8
        )
        #expect(stored.contains("sha256") && !stored.contains(key))
        #expect(try await dex.run("relay key remove maker").status == 0)
        try await until("the end of the key") { try await answer(key).status == 401 }
    }

    /// A copy of the store that is made while the relay runs has its orders.
    private func backsUp() async throws {
        let copy = dex.home.appending(path: "copy.sqlite").path
        let run = try await dex.run("relay backup \(copy) --json")
        #expect(run.status == 0, "\(run.stderr)")
        #expect(try run.json()["data"]?["orderCount"] == 2)
        let again = try await dex.run("relay backup \(copy)")
        #expect(again.status == 2, "\(again.stderr)")
    }

    /// Orders of a pair that is no longer carried leave the book.
    private func delists(_ relay: ServingRelay) async throws {
        try settings { $0.replace("pairs = [\"ZRX/WETH\"]", with: "pairs = [\"DAI/WETH\"]") }
        relay.send(SIGHUP)
        for _ in 0..<2 {
            try await relay.line(with: "that the relay does not carry were removed: 1.")
        }
        #expect(try await asks(relay, "sandbox", "/v0") == 0)
    }

    private func transfers() async throws {
        let export = try await dex.run("relay export")
        #expect(export.status == 0, "\(export.stderr)")
        let lines = export.stdout.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        let path = dex.home.appending(path: "backup.jsonl")
        let written = try await dex.run("relay export \(path.path) --json")
        #expect(try written.json()["data"]?["orderCount"] == 2)
        #expect(try String(contentsOf: path, encoding: .utf8) == export.stdout)
        let unnamed = try await dex.run("relay export --json")
        #expect(try unnamed.json()["error"]?["code"] == "export-needs-file")

        let known = try await dex.data("relay import \(path.path)")
        #expect(known["knownCount"] == 2 && known["addedCount"] == 0)
        #expect(known["refusedCount"] == 0)

        // Another store: everything is new, and everything is verified.
        let other = dex.home.appending(path: "other.toml")
        var text = try String(contentsOf: file, encoding: .utf8)
        text.replace("sqlite:relay.sqlite", with: "sqlite:other/relay.sqlite")
        try Data(text.utf8).write(to: other)
        let forged = try #require(lines.first { $0.contains("\"v1\"") })
            .replacing(/"makerTokenAmount":"\d/, with: "\"makerTokenAmount\":\"7")
        let hostile =
            [forged, "nonsense", "{}", "[]", "{\"version\":\"v9\"}", ""] + lines + [lines[0]]
        let input = hostile.joined(separator: "\r\n")
        let run = try await dex.run(
            ["relay", "import", "-", "--config", other.path, "--json"],
            input: input
        )
        #expect(run.status == 0, "\(run.stderr)")
        let data = try #require(try run.json()["data"])
        #expect(data["addedCount"] == 2 && data["knownCount"] == 1, "\(run.stdout)")
        #expect(data["refusedCount"] == 5, "\(run.stdout)")
        let reasons = data["refusals"]?.arrayValue ?? []
        #expect(reasons.contains { $0["reason"]?.stringValue?.contains("signature") == true })
        let again = try await dex.data("relay import \(path.path) --config \(other.path)")
        #expect(again["addedCount"] == 0 && again["knownCount"] == 2)
    }

    @Test("tokens are carried and no longer carried, and the comments stay")
    func tokens() async throws {
        try await dex.withSandbox { _ in
            try await prepare()
            let before = try String(contentsOf: file, encoding: .utf8)
            let added = try await dex.data("relay token add USDC")
            #expect(added["added"]?.arrayValue == ["USDC/WETH"])
            let twice = try await dex.run("relay token add USDC --json")
            #expect(try twice.json()["error"]?["code"] == "pair-carried")
            let dry = try await dex.run("relay token remove USDC --dry-run")
            #expect(dry.status == 30)
            let removed = try await dex.data("relay token remove USDC")
            #expect(removed["removed"]?.arrayValue == ["USDC/WETH"])
            #expect(try String(contentsOf: file, encoding: .utf8) == before)
            let nobody = try await dex.run(
                "relay token add 0x00000000000000000000000000000000000000e1 --json"
            )
            #expect(try nobody.json()["error"]?["code"] == "no-token")
        }
    }

    @Test("without a file, without a node, with a faulty file: each says what mends it")
    func refusals() async throws {
        for command in ["serve", "check", "export"] {
            let run = try await dex.run("relay \(command)")
            #expect(run.status == 3, "\(command): \(run.stderr)")
            #expect(run.stderr.contains("dex relay init"), "\(run.stderr)")
        }
        try await prepare()
        let silent = try await dex.run("relay serve --json")
        #expect(silent.status == 4, "\(silent.stderr)")
        #expect(try silent.json()["error"]?["code"] == "sandbox-not-running")
        let check = try await dex.run("relay check")
        #expect(check.status == 4)
        #expect(check.stdout.contains("dex sandbox up"), "\(check.stdout)")
        let elsewhere = try await dex.run("relay serve --rpc http://127.0.0.1:1 --json")
        #expect(elsewhere.status == 4)
        try settings { $0.replace("[limits]", with: "[limit]") }
        let faulty = try await dex.run("relay check --json")
        #expect(faulty.status == 3)
        #expect(try faulty.json()["data"]?["checks"]?.arrayValue?.first?["status"] == "fail")
        let stats = try await dex.run("relay stats --url http://127.0.0.1:1 --json")
        #expect(stats.status == 4)
        #expect(try stats.json()["error"]?["code"] == "relay-unreachable")
    }

    @Test(
        "it starts again as the same process with more memory for each thread, unless that is chosen",
        arguments: [nil, "glibc.malloc.tcache_count=9"]
    )
    func memory(chosen: String?) async throws {
        try await dex.withSandbox { _ in
            try await prepare()
            let mark = UUID().uuidString
            try await HangWatch.shared.watching(mark, "dex relay serve") {
                var number: pid_t = 0
                let relay = try await ServingRelay(
                    dex,
                    mark: mark,
                    environment: chosen.map { ["GLIBC_TUNABLES": $0] } ?? [:],
                    onStart: { number = $0 }
                )
                let started = Result { try ProcessFile.text("environ", of: number) }
                let arguments = Result { try ProcessFile.text("cmdline", of: number) }
                #expect(await relay.stop() == 0)
                let tunables = try started.get().split(separator: "\0").filter {
                    $0.hasPrefix("GLIBC_TUNABLES=")
                }
                let wanted = chosen ?? "glibc.malloc.tcache_count=256"
                #expect(tunables == ["GLIBC_TUNABLES=\(wanted)"])
                #expect(
                    try arguments.get().split(separator: "\0").dropFirst().map(String.init)
                        == ["relay", "serve", "--json"]
                )
            }
        }
    }
}
