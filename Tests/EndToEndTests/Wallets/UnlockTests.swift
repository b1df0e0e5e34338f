import CProcess
import DexTestSupport
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("dex unlock and dex lock")
struct UnlockTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }

    init() throws {
        home = try WalletHome()
    }

    private var socket: String {
        dex.home.appending(path: "agent/\(WalletHome.address.lowercased().dropFirst(2))").path
    }

    private func unlock(_ extra: String...) async throws -> DexBinary.Run {
        try await dex.run(
            ["unlock", "main", "--for", "5m", "--network", "mainnet", "--json"] + extra,
            environment: home.password()
        )
    }

    /// Signs a text without a password.
    private func sign(_ text: String = "hello") async throws -> DexBinary.Run {
        try await dex.run(
            "wallet sign-message \(text) --network mainnet --wallet main --yes --json"
        )
    }

    @Test("an unlocked key signs without a password, and is gone once it is locked")
    func unlocked() async throws {
        _ = try await home.importKey()
        #expect(try await sign().status == 5)
        let made = try await unlock("--max", "ZRX=5", "--max-day", "ETH=0.5")
        try #require(made.status == 0, "\(made.stdout) \(made.stderr)")
        let entry = try #require(try made.json()["data"]?["unlockedKeys"]?.arrayValue?.first)
        #expect(entry["address"]?.stringValue == WalletHome.address)
        #expect(entry["seconds"] == 300)
        let network = entry["networks"]?.arrayValue?.first
        #expect(network?["maxAmounts"]?.arrayValue?.first?["symbol"] == "ZRX")
        #expect(network?["maxDayAmounts"]?.arrayValue?.first?["value"] == "0.5")
        #expect(try home.mode(socket) == 0o600)

        let signed = try await sign()
        #expect(signed.status == 0, "\(signed.stdout) \(signed.stderr)")
        #expect(try signed.json()["data"]?["address"]?.stringValue == WalletHome.address)
        let listed = try await home.done("unlock", "--status")
        #expect(listed["unlockedKeys"]?.arrayValue?.count == 1)

        let locked = try await home.done("lock")
        #expect(locked["locked"] == [.string(WalletHome.address)])
        #expect(!FileManager.default.fileExists(atPath: socket))
        #expect(try await sign().status == 5)
        #expect(try await home.done("lock")["locked"] == [])
    }

    @Test("a wrong password, a wrong limit and too long a time unlock nothing")
    func refusals() async throws {
        _ = try await home.importKey()
        let wrong = try await dex.run(
            ["unlock", "main", "--network", "mainnet", "--json"],
            environment: home.password("open barley")
        )
        #expect(wrong.status == 5)
        #expect(try wrong.json()["error"]?["code"] == "wrong-password")
        let cases: [(arguments: [String], code: String)] = [
            (["--max", "ZRX"], "bad-limit"), (["--max", "ZRX=1", "--max", "ZRX=2"], "bad-limit"),
            (["--max", "ZRX=one"], "bad-amount"), (["--for", "25h"], "bad-duration"),
            (["--contract", "0x12"], "bad-address"),
        ]
        for (arguments, code) in cases {
            let run = try await dex.run(
                ["unlock", "main", "--network", "mainnet", "--json"] + arguments,
                environment: home.password()
            )
            #expect(run.status == 2, "\(arguments): \(run.stdout)")
            #expect(try run.json()["error"]?["code"]?.stringValue == code, "\(arguments)")
        }
        #expect(try await home.done("unlock", "--status")["unlockedKeys"] == [])
    }

    @Test("the agent has no secret among its arguments, and leaves no core dump")
    func hidden() async throws {
        _ = try await home.importKey()
        try #require(try await unlock().status == 0)
        let descriptor = dex_socket_connect(socket, 10)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var (process, user): (Int32, UInt32) = (0, 0)
        #expect(dex_socket_peer(descriptor, &process, &user) == 0)
        let line = try Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))
        #expect(line == Data("dex\0agent\0".utf8))
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        _ = try await home.done("lock")
    }

    @Test("the agent gains no rights, makes no calls that it does not need, and says so")
    func confined() async throws {
        _ = try await home.importKey()
        let made = try await unlock()
        try #require(made.status == 0, "\(made.stdout)")
        let descriptor = dex_socket_connect(socket, 10)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var (process, user): (Int32, UInt32) = (0, 0)
        #expect(dex_socket_peer(descriptor, &process, &user) == 0)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        #expect(!threads.isEmpty)
        for thread in threads {
            let path = "/proc/\(process)/task/\(thread)/status"
            let status = try String(contentsOfFile: path, encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1\n"), "\(thread)")
            #expect(status.contains("Seccomp:\t2\n"), "\(thread)")
        }
        let expected: JSONValue = ["no-new-privileges", "system-calls", "files"]
        let entry = try made.json()["data"]?["unlockedKeys"]?.arrayValue?.first
        #expect(entry?["confinement"] == expected)
        let shown = try await home.done("unlock", "--status")
        #expect(shown["unlockedKeys"]?.arrayValue?.first?["confinement"] == expected)
        let people = try await dex.run("unlock --status")
        #expect(people.stdout.contains("no-new-privileges, system-calls, files"))
        _ = try await home.done("lock")
    }

    @Test("the agent reads no policy from elsewhere, and then signs nothing")
    func files() async throws {
        _ = try await home.importKey()
        _ = try home.file("policy.toml", "max_fee = 1")
        try #require(try await unlock().status == 0)
        #expect(try await sign().status == 0)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-elsewhere-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let elsewhere = folder.appending(path: "policy.toml")
        try Data("max_fee = 2".utf8).write(to: elsewhere)
        let policy = dex.home.appending(path: "policy.toml")
        try FileManager.default.removeItem(at: policy)
        try FileManager.default.createSymbolicLink(at: policy, withDestinationURL: elsewhere)
        let refused = try await sign()
        #expect(refused.status == 3, "\(refused.stdout)")
        #expect(refused.stdout.contains("Permission denied"), "\(refused.stdout)")
        // Whoever locks it and unlocks it again means the other file.
        _ = try await home.done("lock")
        try #require(try await unlock().status == 0)
        #expect(try await sign().status == 0)
        _ = try await home.done("lock")
    }

    @Test("it ends by itself when its time is over, and takes its socket away")
    func deadline() async throws {
        _ = try await home.importKey()
        try #require(try await unlock().status == 0)
        _ = try await home.done("lock")
        let events = try FolderEvents(dex.home.appending(path: "agent").path)
        let made = try await unlock("--for", "2s")
        try #require(made.status == 0, "\(made.stdout) \(made.stderr)")
        let isGone = await events.waitForRemoval(of: socket)
        #expect(isGone)
        #expect(try await home.done("unlock", "--status")["unlockedKeys"] == [])
        #expect(try await sign().status == 5)
    }

    @Test("`dex wallet list` marks what is unlocked; renaming and removing a wallet lock it")
    func wallets() async throws {
        _ = try await home.importKey()
        func isUnlocked() async throws -> Bool? {
            try await home.done("wallet", "list")["wallets"]?.arrayValue?.first?["isUnlocked"]?
                .boolValue
        }
        #expect(try await isUnlocked() == false)
        #expect(try await !dex.run("wallet list").stdout.contains("unlocked"))
        try #require(try await unlock().status == 0)
        #expect(try await isUnlocked() == true)
        #expect(try await dex.run("wallet list").stdout.contains(" unlocked"))
        // What is only looked at locks nothing.
        #expect(try await dex.run("wallet rename main other --dry-run").status == 30)
        #expect(try await dex.run("wallet remove main --dry-run").status == 30)
        #expect(try await dex.run("lock --dry-run").status == 30)
        #expect(try await isUnlocked() == true)
        _ = try await home.done("wallet", "rename", "main", "other")
        #expect(try await isUnlocked() == false)
        _ = try await home.done("wallet", "rename", "other", "main")
        try #require(try await unlock().status == 0)
        _ = try await home.done("wallet", "remove", "main", "--yes")
        #expect(!FileManager.default.fileExists(atPath: socket))
        #expect(try await home.done("lock")["locked"] == [])
    }

    @Test("the audit log tells what the agent signed")
    func audit() async throws {
        _ = try await home.importKey()
        try #require(try await unlock().status == 0)
        #expect(try await sign().status == 0)
        let text = try String(
            contentsOfFile: dex.home.appending(path: "audit.jsonl").path,
            encoding: .utf8
        )
        let lines = try text.split(separator: "\n").map { try JSONParser.parse(text: String($0)) }
        #expect(lines.map { $0["event"] } == ["authorized", "signed"])
        #expect(lines.first?["key"] == "agent")
        _ = try await home.done("lock")
    }

    @Test("a folder that others may get into holds no socket")
    func exposedFolder() async throws {
        _ = try await home.importKey()
        let folder = dex.home.appending(path: "agent").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        let run = try await unlock()
        #expect(run.status == 3, "\(run.stdout)")
        #expect(try run.json()["error"]?["code"] == "exposed-agent")
        #expect(run.stderr.contains("chmod 700"))
    }

    @Test("the process behind it is nobody's command")
    func agentCommand() async throws {
        for arguments in [["--help"], ["help"], ["--generate-completion-script", "bash"]] {
            let help = try await dex.run(arguments)
            #expect(help.status == 0)
            #expect(help.stdout.contains("unlock"))
            #expect(!help.stdout.contains(#/\bagent\b/#), "\(arguments)")
        }
        let run = try await dex.run(["agent", "--json"], input: "nothing that is a key")
        #expect(run.status == 2)
        #expect(try run.json()["error"]?["code"] == "agent-start")
    }
}
