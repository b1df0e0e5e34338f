import DexTestSupport
import Foundation
import Glibc
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex watch` of several accounts, of some kinds of events, and with texts of one's own.
@Suite("dex watch of several accounts")
struct WatchAccountsTests: WatchSuite {
    let home: WalletHome
    var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    private func config(_ watch: String) throws {
        try dex.write(config: "network = \"sandbox\"\n[watch]\n\(watch)\n")
    }

    private func pay() async throws {
        _ = try await run("send", "WETH", "1", "bob", "--wallet", "alice")
    }

    @Test("each account is reported under its name; a setting or --wallet names them")
    func several() async throws {
        try await dex.withSandbox { _ in
            let both = ["--wallet", "alice", "--wallet", "bob"]
            let first = try await dex.run(["watch", "--once", "--json"] + both)
            #expect(first.status == 0, "\(first.stderr)")
            try await pay()
            let reported = try await dex.run(["watch", "--once"] + both)
            #expect(reported.status == 0, "\(reported.stderr)")
            #expect(reported.stdout.contains("alice: Sent 1 WETH"))
            #expect(reported.stdout.contains("bob: Received 1 WETH"))
            try config(#"wallets = ["alice", "bob"]"#)
            try await pay()
            let events = try await look()
            let kinds = events.compactMap { $0["event"]?.stringValue }.sorted()
            #expect(kinds == ["received", "sent"])
            #expect(Set(events.compactMap { $0["account"]?.stringValue }).count == 2)
            // One flag is one account, as ever.
            try await pay()
            #expect(try await look("--wallet", "bob").map { $0["event"] } == ["received"])
        }
    }

    @Test("an account that another process watches fails alone, and the exit code says it")
    func oneFails() async throws {
        try await dex.withSandbox { _ in
            let names = ["--wallet", "alice", "--wallet", "bob"]
            _ = try await dex.run(["watch", "--once"] + names)
            try await pay()
            let accounts = try await run("sandbox", "status")["accounts"]?.arrayValue
            let alice = try #require(
                accounts?.first { $0["name"] == "alice" }?["address"]?.stringValue
            )
            // Held as by another process.
            let path = dex.home.appending(path: "sandbox/watch-1337-\(alice.lowercased()).lock")
            let descriptor = open(path.path, O_RDWR | O_CREAT, 0o600)
            try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            defer { close(descriptor) }
            let run = try await dex.run(["watch", "--once"] + names)
            #expect(run.status == 6, "\(run.stderr)")
            #expect(run.stdout.contains("bob: Received 1 WETH"))
            #expect(run.stderr.contains("alice: Another `dex watch`"))
            #expect(run.stderr.contains("1 of 2 accounts could not be checked"))
        }
    }

    @Test("only the kinds that are asked for are reported, by a flag or a setting")
    func kinds() async throws {
        try await dex.withSandbox { _ in
            let both = ["--wallet", "alice", "--wallet", "bob"]
            _ = try await dex.run(["watch", "--once"] + both)
            try await pay()
            let run = try await dex.run(
                ["watch", "--once", "--json", "--events", "received"] + both
            )
            #expect(run.status == 0, "\(run.stderr)")
            #expect(try events(run.stdout).map { $0["event"] } == ["received"])
            try config("events = [\"sent\", \"fill\"]\nwallets = [\"alice\", \"bob\"]")
            try await pay()
            #expect(try await look().map { $0["event"] } == ["sent"])
            for words in [
                ["--events", "filled"], ["--events", ""], ["--events", "fill", "--alerts"],
            ] {
                let refused = try await dex.run(["watch", "--once"] + words)
                #expect(refused.status == 2, "\(words): \(refused.stderr)")
            }
        }
    }

    @Test("a command with arguments by config set gets its template, or ids alone")
    func forms() async throws {
        try dex.write(config: "network = \"sandbox\"\n")
        let log = dex.home.appending(path: "log").path
        let script = try home.file(
            "hook.sh",
            "#!/bin/sh\ncat >> \"$1\"\necho \"$2|$DEX_EVENT_TEXT\" >> \"$1\"\n",
            mode: 0o700
        )
        for (key, value) in [
            ("watch.command", "\(script) \(log) 'two words'"), ("watch.command_payload", "ids"),
            ("watch.wallets", "bob"), ("watch.sinks", "command"),
        ] {
            let set = try await dex.run(["config", "set", key, value])
            #expect(set.status == 0, "\(key): \(set.stderr)")
        }
        let lines = {
            try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        try await dex.withSandbox { _ in
            _ = try await look()
            try await pay()
            _ = try await look()
            let reported = try lines()
            #expect(reported.count == 2 && reported.last == "two words|Received something")
            let data = try JSONParser.parse(text: try #require(reported.first))["data"]
            #expect(data?["event"] == "received" && data?["amount"] == nil)
            let withheld = try await dex.run([
                "config", "set", "watch.command_template", "{event} {amount}",
            ])
            #expect(withheld.status == 0)
            let refused = try await dex.run("watch --once")
            #expect(refused.status == 3 && refused.stderr.contains("{amount}"))
            _ = try await dex.run("config set watch.command_payload whole")
            try await pay()
            _ = try await look()
            #expect(try lines().suffix(2) == ["received 1 WETH", "two words|received 1 WETH"])
        }
    }

    @Test("a template with an unknown field, and an unknown kind, are refused as settings")
    func badSettings() async throws {
        for watch in [
            "terminal_template = \"{price}\"", "webhook_template = \"{event\"",
            "desktop_payload = \"some\"", "events = [\"filled\"]", "wallets = []",
            "wallets = [\"bob\", \"bob\"]",
        ] {
            try config(watch)
            let run = try await dex.run("config show")
            #expect(run.status == 3, "\(watch): \(run.stdout)")
        }
    }
}
