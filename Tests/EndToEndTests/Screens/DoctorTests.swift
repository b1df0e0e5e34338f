import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

/// `dex doctor`, against the sandbox, against nodes that lie, and where nothing is there.
@Suite("The doctor")
struct DoctorTests {
    private let dex: DexBinary

    init() throws {
        dex = try DexBinary()
    }

    @Test("a sandbox that runs is well: exit 0, every check in its order, nothing on stderr")
    func sandbox() async throws {
        try await dex.withSandbox { _ in
            let run = try await dex.run("doctor --json --wallet alice")
            #expect(run.status == 0, "\(run.stdout) \(run.stderr)")
            let statuses = try run.checks()
            #expect(statuses.count == 21)
            // The server writes its time once a second; on a busy machine it may be late.
            #expect(["ok", "warn"].contains(statuses["clock"]))
            let others = statuses.filter { $0.key != "clock" }.values
            #expect(Set(others) == ["ok"], "\(run.stdout)")
            #expect(run.stderr.isEmpty)
            let screen = try await dex.run("doctor --wallet alice --quiet")
            #expect(screen.status == 0)
            #expect(screen.stdout.hasPrefix("Check of the network sandbox for 0x"))
            #expect(screen.stdout.contains("\nok    chain id      It is on chain 1337.\n"))
            // Of 21 one may be a late clock.
            let ends = ["\n\n21 ok", "\n\n20 ok"]
            #expect(ends.contains { screen.stdout.contains($0) })
            #expect(!screen.stdout.unicodeScalars.contains("\u{1B}"))
            // bob allowed everything: a warning is no failure.
            let bob = try await dex.run("doctor --json --wallet bob")
            #expect(bob.status == 0)
            #expect(try bob.check("allowances")["status"] == "warn")
        }
    }

    @Test("without a sandbox the node fails with exit 4, and what needs it is skipped")
    func nothing() async throws {
        let run = try await dex.run(["doctor", "--json", "--wallet", "0x" + Self.nobody])
        #expect(run.status == 4)
        #expect(try run.json()["error"]?["code"] == "unhealthy")
        let statuses = try run.checks()
        #expect(statuses["node"] == "fail" && statuses["settings"] == "ok")
        #expect(statuses["wallet"] == "warn")
        // Nothing was ever signed here, and a checkup leaves nothing behind.
        #expect(statuses["journal"] == "ok")
        #expect(!FileManager.default.fileExists(atPath: dex.home.path + "/journal.sqlite"))
        for name in ["relay", "exchange", "ether", "allowances", "orders", "transactions"] {
            #expect(statuses[name] == "skipped", "\(name)")
        }
        #expect(
            try run.check("node").remedies == [
                "Set up a network and a wallet: dex init",
                "Or start the sandbox: dex sandbox up --detach",
            ]
        )
        try dex.write(config: "network = \"sandbox\"\n")
        let chosen = try await dex.run("doctor --json")
        #expect(try chosen.check("node").remedies == ["Start it: dex sandbox up --detach"])
        let screen = try await dex.run("doctor")
        // alice is not known without a sandbox.
        #expect(screen.status == 4)
        #expect(screen.stderr.hasPrefix("error: "))
        #expect(screen.stdout.contains("fail  node "))
    }

    @Test("Ctrl-C ends a checkup, and what broke off because of it is no finding")
    func interrupted() async throws {
        let server = try ScriptedServer { [dex] connection in
            guard connection.readRequest() != nil else { return }
            #expect((try? dex.interrupt()) == 1)
            connection.waitForClose()
        }
        defer { server.stop() }
        let run = try await dex.run(
            ["doctor", "--json", "--network", "mainnet", "--rpc", server.url]
                + ["--wallet", "0x" + Self.nobody]
        )
        #expect(run.status == 130, "\(run.stdout)")
        #expect(try run.json()["error"]?["code"] == "interrupted")
        #expect(try run.json()["data"]?["checks"] == nil)
    }

    private static let nobody = String(repeating: "11", count: 20)

    @Test("settings that cannot be read fail with exit 3, the line, and all the rest skipped")
    func badSettings() async throws {
        try dex.write(config: "network = \"sandbox\"\nnonsense = 1\n")
        let run = try await dex.run("doctor --json")
        #expect(run.status == 3)
        let statuses = try run.checks()
        #expect(statuses["settings"] == "fail")
        #expect(Set(statuses.filter { $0.key != "settings" }.values) == ["skipped"])
        #expect(try run.check("settings")["found"]?.stringValue?.contains("config.toml:2") == true)
        try dex.write(config: "[trade]\nslippage = \"much\"\n")
        let slippage = try await dex.run("doctor --json")
        #expect(slippage.status == 3)
        #expect(try slippage.checks()["settings"] == "fail")
        #expect(
            try slippage.check("settings")["found"]?.stringValue?.contains("config.toml:2") == true
        )
        try dex.write(config: "network = \"elsewhere\"\n")
        let unknown = try await dex.run("doctor --json")
        #expect(unknown.status == 3)
        #expect(try unknown.check("network")["status"] == "fail")
        try dex.write(config: "")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666],
            ofItemAtPath: dex.configFile.path
        )
        let alterable = try await dex.run("doctor --json")
        #expect(try alterable.check("settings")["status"] == "warn")
    }

    @Test("a policy that cannot be read fails, and the rest is looked at all the same")
    func badPolicy() async throws {
        let file = dex.home.appending(path: "policy.toml")
        try Data("max_fees = 1\n".utf8).write(to: file)
        let run = try await dex.run("doctor --json")
        #expect(run.status == 3)
        #expect(try run.check("policy")["status"] == "fail")
        #expect(try run.check("node")["status"] == "fail")
    }

    @Test("a wallet is looked at without its password, and its file's mode is told")
    func wallet() async throws {
        let password = dex.home.appending(path: "password")
        try Data("correct horse battery\n".utf8).write(to: password)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: password.path
        )
        let secret = ["DEX_PASSWORD_FILE": password.path]
        let made = try await dex.run(
            ["wallet", "new", "main", "--light", "--yes", "--json"],
            environment: secret
        )
        try #require(made.status == 0, "\(made.stderr)")
        let path = try #require(try made.json()["data"]?["path"]?.stringValue)
        // Nobody is asked for the password, and no file of it is named.
        let run = try await dex.run("doctor --json --wallet main")
        #expect(try run.check("wallet")["status"] == "ok", "\(run.stdout)")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let exposed = try await dex.run("doctor --json --wallet main")
        // Nothing is signed with it, so that it is more than a warning.
        #expect(exposed.status == 5)
        #expect(try exposed.check("wallet")["status"] == "fail")
        #expect(try exposed.check("wallet").remedies.first?.hasSuffix("chmod 600 \(path)") == true)
        // A file without its address would have to be opened.
        var json = try #require(
            try JSONParser.parse(Array(Data(contentsOf: URL(filePath: path)))).objectValue
        )
        json["address"] = nil
        json["x-dex"] = nil
        let bare = Data(JSONValue.object(json).utf8)
        // One that was cut off is told whoever acts.
        try bare.prefix(100).write(to: URL(filePath: path))
        try dex.write(config: "keystores = [\"keys\"]\n")
        let folder = dex.home.appending(path: "keys")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try bare.write(to: folder.appending(path: "bare"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: folder.appending(path: "bare").path
        )
        let closed = try await dex.run(
            ["doctor", "--json", "--wallet", "bare"],
            environment: secret
        )
        #expect(try closed.check("wallet")["status"] == "fail", "\(closed.stdout)")
        #expect(
            try closed.check("wallet")["found"]?.stringValue?.contains("only its password") == true
        )
        let damaged = try await dex.run(
            ["doctor", "--json"],
            environment: ["DEX_PRIVATE_KEY": "0x" + String(repeating: "11", count: 32)]
        )
        #expect(try damaged.check("wallet")["status"] == "warn", "\(damaged.stdout)")
        #expect(
            try damaged.check("wallet")["found"]?.stringValue?.contains(
                "Another one cannot be read"
            )
                == true
        )
        #expect(!damaged.stdout.contains("1111111111111111"))
        let unknown = try await dex.run("doctor --json --wallet nobody")
        #expect(try unknown.check("wallet")["status"] == "fail")
    }
}
