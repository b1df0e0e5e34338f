import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Links that lead nowhere are no missing files")
struct DeadLinkTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    private func link(_ name: String, to target: String = "gone/file") throws {
        try FileManager.default.createSymbolicLink(
            atPath: dex.home.appending(path: name).path,
            withDestinationPath: target
        )
    }

    /// The code of a command's error, which ends with exit 3 and does nothing.
    private func code(
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> String? {
        let run = try await dex.run(arguments + ["--json"], environment: environment)
        #expect(run.status == 3, "\(arguments): \(run.stdout) \(run.stderr)")
        #expect(run.stderr.contains("leads nowhere"), "\(run.stderr)")
        return try run.json()["error"]?["code"]?.stringValue
    }

    @Test("policy.toml: no rule is read, so nothing is signed and none is said to be missing")
    func policy() async throws {
        let key = ["DEX_PRIVATE_KEY": WalletHome.key]
        let sign = ["wallet", "sign-message", "hello", "--network", "mainnet", "--yes"]
        for target in ["gone", "gone/policy.toml", "policy.toml.old", "/nowhere/policy.toml"] {
            let path = dex.home.appending(path: "policy.toml")
            try? FileManager.default.removeItem(at: path)
            try link("policy.toml", to: target)
            #expect(try await code(["policy", "show", "--network", "mainnet"]) == "file")
            #expect(try await code(sign, key) == "file")
        }
        #expect(
            !FileManager.default.fileExists(atPath: dex.home.appending(path: "audit.jsonl").path)
        )
        try FileManager.default.removeItem(at: dex.home.appending(path: "policy.toml"))
        #expect(try await dex.run(sign, environment: key).status == 0)
    }

    @Test("config.toml, a token list, names of wallets, keystores and relay.toml")
    func others() async throws {
        try link("config.toml")
        #expect(try await code(["tokens", "--network", "mainnet"]) == "file")
        #expect(try await code(["address", "list"]) == "file")
        #expect(try await code(["config", "set", "trade.slippage", "2"]) == "file")
        try FileManager.default.removeItem(at: dex.configFile)
        try dex.write(config: "[networks.mainnet]\ntokens = \"my.tokenlist.json\"\n")
        try link("my.tokenlist.json")
        #expect(try await code(["tokens", "--network", "mainnet"]) == "file")
        try dex.write(config: "")
        try link("wallets.json")
        #expect(try await code(["wallet", "list"]) == "file")
        try FileManager.default.removeItem(at: dex.home.appending(path: "wallets.json"))
        try link("relay.toml")
        #expect(try await code(["relay", "serve"]) == "file")
        try link("keystore", to: "gone")
        #expect(try await code(["wallet", "list"]) == "file")
    }

    @Test("a password file, and the audit log whose day is counted")
    func secrets() async throws {
        try link("password")
        let path = dex.home.appending(path: "password").path
        #expect(
            try await code(["wallet", "new", "main", "--light"], ["DEX_PASSWORD_FILE": path])
                == "file"
        )
        _ = try home.file("policy.toml", "[max_per_day]\nWETH = 1\n")
        try link("audit.jsonl")
        #expect(try await code(["policy", "show", "--network", "mainnet"]) == "audit-log")
    }

    @Test("a keystore that is such a link is listed as one that cannot be read")
    func keystore() async throws {
        _ = try await home.importKey()
        try link("keystore/other.json")
        let run = try await dex.run("wallet list --json")
        #expect(run.status == 0)
        #expect(run.stdout.contains("leads nowhere"), "\(run.stdout)")
        #expect(run.stdout.contains("main"))
    }

    @Test("the folder of settings and data itself, or one above it")
    func folders() async throws {
        try link("home", to: "gone")
        for name in ["home", "home/inner"] {
            let path = dex.home.appending(path: name).path
            #expect(
                try await code(["policy", "show", "--network", "mainnet"], ["DEX_HOME": path])
                    == "file"
            )
        }
    }

    @Test(
        "a sandbox whose chain, orders, journal or settings are such a link does not begin anew",
        arguments: ["sandbox.json", "chain.sqlite", "relay.sqlite", "journal.sqlite"]
    )
    func sandbox(name: String) async throws {
        let folder = dex.home.appending(path: "sandbox")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // Its target could be made; it is not there on this disk.
        try link("sandbox/\(name)", to: "elsewhere")
        for words in [["--memory"], []] {
            let run = try await dex.run(["sandbox", "up", "--detach", "--json"] + words)
            _ = try await dex.run("sandbox down")
            #expect(run.status == 3, "\(words): \(run.stdout) \(run.stderr)")
            #expect(run.stderr.contains("leads nowhere"), "\(run.stderr)")
            #expect(try run.json()["error"]?["code"] == "sandbox-start")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "elsewhere").path))
        // What mends it.
        #expect(try await dex.run("sandbox reset --yes").status == 0)
        let up = try await dex.run("sandbox up --detach --memory")
        _ = try await dex.run("sandbox down")
        #expect(up.status == 0, "\(up.stderr)")
    }

    @Test("a relay's store: neither begun empty nor said to be missing")
    func store() async throws {
        try link("orders.sqlite", to: "elsewhere")
        let path = dex.home.appending(path: "orders.sqlite").path
        _ = try home.file(
            "relay.toml",
            """
            store = "sqlite:\(path)"
            network = "mainnet-v4"
            rpc = ["http://127.0.0.1:1"]
            pairs = "any"

            """
        )
        let check = try await dex.run("relay check --json")
        let row = try check.check("store")
        #expect(row["status"] == "fail", "\(check.stdout)")
        #expect(row["found"]?.stringValue?.contains("leads nowhere") == true, "\(row.text)")
    }

    @Test("a journal: the doctor gives no all-clear")
    func journal() async throws {
        _ = try await dex.run("sandbox up --detach --memory")
        let journal = dex.home.appending(path: "sandbox/journal.sqlite")
        try? FileManager.default.removeItem(at: journal)
        try link("sandbox/journal.sqlite")
        let doctor = try await dex.run("doctor --wallet alice --json")
        _ = try await dex.run("sandbox down")
        let row = try doctor.check("journal")
        #expect(row["status"] == "fail", "\(row.text)")
        #expect(row["found"]?.stringValue?.contains("leads nowhere") == true, "\(row.text)")
        for name in ["orders", "guards", "transactions"] {
            #expect(try doctor.check(name)["status"] == "skipped")
        }
    }
}
