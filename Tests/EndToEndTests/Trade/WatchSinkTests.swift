import DexTestSupport
import Foundation
import StrictJSON
import Synchronization
import Testing

@testable import EndToEndTestSupport

/// What the built `dex watch` does with webhooks, commands and the desktop.
@Suite("Sinks of dex watch")
struct WatchSinkTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }
    private static let stranger = "0x1111111111111111111111111111111111111111"
    private static let secret = "d41d8cd98f00b204e9800998ecf8427e-hook"

    init() throws {
        home = try WalletHome()
    }

    private func program(_ script: String) throws -> String {
        try home.file("hook-\(UUID().uuidString).sh", "#!/bin/sh\n\(script)\n", mode: 0o700)
    }

    private func config(_ watch: String) throws {
        try dex.write(config: "network = \"sandbox\"\n[watch]\n\(watch)\n")
    }

    private func run(_ arguments: String...) async throws -> JSONValue {
        let run = try await dex.run(arguments + ["--yes", "--json"])
        try #require(run.status == 0, "\(arguments) \(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"])
    }

    private func send(_ amount: String) async throws {
        _ = try await run("send", "ZRX", amount, Self.stranger)
    }

    /// A look in a process of its own, in an environment that has secrets.
    private func look(_ options: String..., status: Int32 = 0) async throws -> DexBinary.Run {
        let run = try await dex.run(
            ["watch", "--once"] + options,
            environment: ["DEX_WEBHOOK_SECRET": Self.secret]
        )
        #expect(run.status == status, "\(run.stdout) \(run.stderr)")
        for text in [run.stdout, run.stderr] { #expect(!text.contains(Self.secret)) }
        return run
    }

    private func lines(_ path: String) throws -> [String] {
        let content = try? String(contentsOfFile: path, encoding: .utf8)
        return (content ?? "").split(separator: "\n").map(String.init)
    }

    @Test("a webhook gets each message signed and in order, again until it takes it")
    func webhook() async throws {
        let seen = Mutex<[ScriptedRequest]>([])
        let failures = Mutex(1)
        let server = try ScriptedServer.answering { request in
            let isDown = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            if isDown { return ScriptedAnswer("500 Down") }
            seen.withLock { $0.append(request) }
            return ScriptedAnswer()
        }
        defer { server.stop() }
        try config("webhook = \"\(server.url)/hook?token=hidden\"")
        try await dex.withSandbox { _ in
            _ = try await look()
            try await send("1")
            try await send("2")
            // The first try fails, and the second one of the same process gets through.
            let reported = try await look("--json")
            #expect(seen.withLock { $0 }.count == 2)
            #expect(!reported.stdout.contains("hidden"))

            failures.withLock { $0 = 1_000 }
            try await send("3")
            let failed = try await look(status: 4)
            #expect(failed.stdout.contains("Sent 3 ZRX"))
            #expect(failed.stderr.contains("Not everything could be reported: the webhook"))
            #expect(!(failed.stdout + failed.stderr).contains("hidden"))
            failures.withLock { $0 = 0 }
            let again = try await look()
            #expect(!again.stdout.contains("Sent"))
            let requests = seen.withLock { $0 }
            let bodies = try requests.map { try JSONParser.parse($0.body) }
            let amounts = bodies.map { $0["data"]?["amount"]?["value"]?.stringValue }
            #expect(amounts == ["1", "2", "3"])
            #expect(bodies.allSatisfy { $0["command"] == "watch" && $0["schema"] == "dex/2" })
            for (request, body) in zip(requests, bodies) {
                #expect(request.header("idempotency-key") == body["data"]?["eventId"]?.stringValue)
                let signature = request.header("x-dex-signature") ?? ""
                #expect(signature.wholeMatch(of: /t=\d+,v1=[0-9a-f]{64}/) != nil, "\(signature)")
            }
            // The lines of --json are what was posted.
            let printed = reported.stdout.split(separator: "\n").filter {
                !$0.contains("\"status\",")
            }
            #expect(printed.map { Array($0.utf8) } == requests.prefix(2).map(\.body))
        }
    }

    @Test("a webhook that hangs does not keep the terminal, the chain or Ctrl-C waiting")
    func hanging() async throws {
        let dex = dex
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            // It was printed before; nobody has to wait for the webhook's end.
            #expect((try? dex.interrupt()) == 1)
            connection.waitForClose()
        }
        defer { server.stop() }
        try config("webhook = \"\(server.url)\"")
        try await dex.withSandbox { _ in
            _ = try await look()
            try await send("1")
            let run = try await dex.run("watch --timeout 60")
            #expect(run.status == 130, "\(run.stderr)")
            #expect(run.stdout.contains("Sent 1 ZRX"))
        }
    }

    @Test("a command gets the message on its standard input, and no shell and no secret")
    func command() async throws {
        let seen = dex.home.appending(path: "seen").path
        let script = try program(
            """
            cat >> '\(seen)'
            printf '%s\\n' "$1" "$DEX_EVENT $DEX_EVENT_PHASE" "$DEX_EVENT_TEXT" \
            "${DEX_WEBHOOK_SECRET-none}" "$DEX_EVENT_TRANSACTION" >> '\(seen)'
            echo to nobody
            """
        )
        try config("command = [\"\(script)\", \"$HOME;\"]")
        try await dex.withSandbox { _ in
            _ = try await look()
            try await send("1")
            let run = try await look()
            #expect(run.stdout.contains("Sent 1 ZRX") && !run.stdout.contains("nobody"))
            let lines = try lines(seen)
            #expect(lines.count == 6)
            let data = try JSONParser.parse(text: lines[0])["data"]
            #expect(data?["event"] == "sent")
            #expect(Array(lines[1...4]) == ["$HOME;", "sent new", "Sent 1 ZRX", "none"])
            #expect(lines[5] == data?["transaction"]?.stringValue)
            _ = try await look()
            #expect(try self.lines(seen).count == 6)
        }
    }

    @Test("a command that fails, hangs or is not there is tried again, and leaves nothing behind")
    func failingCommand() async throws {
        let mark = dex.home.appending(path: "mark").path
        let seen = dex.home.appending(path: "seen").path
        let cases: [(script: String, words: String)] = [
            ("exit 3", "exit code 3"), ("kill -9 $$", "A signal ended it."),
            ("sleep 1000 & echo $! >> '\(mark)'; wait", "did not end within 1 s"),
            ("trap '' TERM; while :; do sleep 1; done", "did not end within 1 s"),
        ]
        try await dex.withSandbox { _ in
            _ = try await look()
            for (index, (script, words)) in cases.enumerated() {
                let hook = try program(script)
                try config("command = [\"\(hook)\"]\ncommand_timeout = 1")
                try await send("\(index + 1)")
                let run = try await look("--sink", "terminal", "--sink", "command", status: 4)
                #expect(run.stderr.contains(words), "\(run.stderr)")
                // It is told by the next command that takes it.
                let good = try program("cat >> '\(seen)'")
                try config("command = [\"\(good)\"]")
                _ = try await look()
                #expect(try lines(seen).count == index + 1)
            }
            // What it had started is gone with it.
            for process in try lines(mark) {
                let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
                #expect(status == nil || status?.contains(") Z ") == true)
            }
            try config("command = [\"/no/such/program\"]")
            try await send("9")
            let missing = try await look(status: 4)
            #expect(missing.stderr.contains("It cannot be started"))
        }
    }

    @Test("the desktop is told by notify-send, where there is one")
    func desktop() async throws {
        let seen = dex.home.appending(path: "seen").path
        let folder = dex.home.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try home.file(
            "bin/notify-send",
            "#!/bin/sh\nprintf '%s\\n' \"$@\" >> '\(seen)'\n",
            mode: 0o700
        )
        try await dex.withSandbox { _ in
            _ = try await look()
            try await send("1")
            let run = try await dex.run(
                ["watch", "--once", "--sink", "desktop"],
                environment: ["PATH": "\(folder.path):/usr/bin:/bin"]
            )
            #expect(run.status == 0 && run.stdout.isEmpty, "\(run.stdout) \(run.stderr)")
            let lines = try lines(seen)
            #expect(lines.prefix(3) == ["--app-name=dex", "--", "Sent 1 ZRX"])
            #expect(lines.contains { $0.hasPrefix("to \(Self.stranger)") })
            try await send("2")
            let none = try await dex.run(
                ["watch", "--once", "--sink", "desktop", "--sink", "terminal"],
                environment: ["PATH": dex.home.path]
            )
            #expect(none.status == 0)
            #expect(none.stderr.contains("There is no notify-send"))
            #expect(none.stdout.contains("Sent 2 ZRX"))
            let nobody = try await dex.run(
                ["watch", "--once", "--json", "--sink", "desktop"],
                environment: ["PATH": dex.home.path]
            )
            #expect(nobody.status == 3)
            #expect(try nobody.json()["error"]?["code"] == "no-sink")
        }
    }

    @Test("settings that cannot be are refused, and secrets of files that others may read")
    func settings() async throws {
        try await dex.withSandbox { _ in
            func expect(_ status: Int32, _ code: String, _ options: String...) async throws {
                let run = try await dex.run(["watch", "--once", "--json"] + options)
                #expect(run.status == status, "\(run.stdout)")
                #expect(try run.json()["error"]?["code"]?.stringValue == code)
            }
            try await expect(3, "no-webhook", "--sink", "webhook")
            try await expect(3, "no-command", "--sink", "command")
            try config("interval = 0")
            try await expect(3, "bad-setting")
            try config("sinks = [\"pager\"]")
            try await expect(3, "bad-config")
            let exposed = try home.file("secret", "abc\n", mode: 0o644)
            try config("webhook = \"http://127.0.0.1:9\"\nwebhook_secret_file = \"\(exposed)\"")
            try await expect(5, "exposed-file")
            _ = try home.file("secret", "\n", mode: 0o600)
            try config("webhook = \"http://127.0.0.1:9\"\nwebhook_secret_file = \"secret\"")
            try await expect(3, "empty-secret")
            let bad = try await dex.run("watch --sink pager")
            #expect(bad.status == 2)
        }
    }
}
