import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// What the built `dex alert` and `dex watch` do with alerts.
@Suite("Alerts, end to end")
struct AlertTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    private func data(_ words: [String]) async throws -> JSONValue {
        let run = try await dex.run(words + ["--json"])
        try #require(run.status == 0, "\(words) \(run.stdout) \(run.stderr)")
        return try #require(try run.json()["data"])
    }

    @Test("an alert reaches a command once, across processes, and what fired is listed")
    func command() async throws {
        let reported = try home.file("told", "")
        let hook = try home.file(
            "hook.sh",
            "#!/bin/sh\necho \"$DEX_EVENT $DEX_EVENT_ALERT $DEX_EVENT_TEXT\" >> \(reported)\n",
            mode: 0o700
        )
        try dex.write(config: "network = \"sandbox\"\n[watch]\ncommand = [\"\(hook)\"]\n")
        try await dex.withSandbox { sandbox in
            let above = try await data(["alert", "add", "ZRX/WETH > 0.0001"])
            #expect(above["armed"] == true && above["account"]?.isNull == true)
            _ = try await data(["alert", "add", "balance", "WETH < 1000000", "--once"])
            _ = try await data(["alert", "add", "ZRX/WETH spread > 90%"])
            for _ in 0..<2 {
                let look = try await dex.run("watch --once --sink command")
                #expect(look.status == 0, "\(look.stderr)")
                try sandbox.call("evm_mine")
            }
            let lines = try String(contentsOfFile: reported, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 2, "\(lines)")
            #expect(lines.first?.hasPrefix("alert 1 Alert 1: ZRX/WETH > 0.0001, now 0.0") == true)
            #expect(lines.last == "alert 2 Alert 2: balance WETH < 1000000, now 50 WETH")

            let list = try #require(try await data(["alert", "list"])["alerts"]?.arrayValue)
            #expect(list.map { $0["id"]?.numberText } == ["1", "3"])
            #expect(list.map { $0["armed"]?.boolValue } == [false, true])
            let csv = try await dex.run("alert list --csv --sort condition")
            #expect(csv.stdout.hasPrefix("id,condition,account,once,armed,fired,created\r\n1,"))

            // With the relay gone nothing fires, and that is said.
            let port = try ScriptedServer.closedPort()
            try sandbox.call("evm_mine")
            let away = try await dex.run(
                "watch --once --sink command --relay http://127.0.0.1:\(port)/v0"
            )
            #expect(away.status == 0)
            #expect(away.stderr.contains("Alerts that depend on it cannot fire: The relay at"))

            #expect(try await data(["alert", "remove", "3"])["id"]?.numberText == "3")
        }
    }

    @Test("wrong conditions and numbers are refused by exit 2, without a sandbox")
    func refusals() async throws {
        for (words, code) in [
            (["add", "nonsense"], "bad-alert"), (["add", "ZRX/WETH < x"], "bad-price"),
            (["remove", "7"], "no-such-alert"),
        ] {
            let run = try await dex.run(["alert"] + words + ["--json", "--network", "sandbox"])
            #expect(run.status == 2, "\(words) \(run.stdout)")
            #expect(try run.json()["error"]?["code"]?.stringValue == code)
        }
    }
}
