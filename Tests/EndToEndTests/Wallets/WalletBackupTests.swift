import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Removing wallets, backups, messages")
struct WalletBackupTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }
    private let address = WalletHome.address

    init() throws {
        home = try WalletHome()
    }

    // MARK: Removing, backup

    @Test("a wallet goes only after its name was typed, or with --yes")
    func removing() async throws {
        let path = try #require(try await home.importKey()["path"]?.stringValue)
        let silent = try await dex.run("wallet remove main")
        #expect(silent.status == 25)
        let wrong = try await dex.converse(
            ["wallet", "remove", "main"],
            [("Type main to go on: ", "yes\n")]
        )
        #expect(wrong.run.status == 20)
        let broken = try await dex.converse(
            ["wallet", "remove", "main"],
            [("Type main to go on: ", Conversation.interrupt)]
        )
        #expect(broken.run.status == 130)
        let dry = try await dex.run("wallet remove main --dry-run")
        #expect(dry.status == 30)
        #expect(FileManager.default.fileExists(atPath: path))
        let right = try await dex.converse(
            ["wallet", "remove", "main"],
            [("Type main to go on: ", "main\n")]
        )
        #expect(right.run.status == 0, "\(right.run.stderr)")
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try await home.importKey()
        let removed = try await dex.run("wallet remove main --yes")
        #expect(removed.status == 0)
    }

    @Test("a backup brings all wallets back with their names, under its own password")
    func backup() async throws {
        _ = try await home.importKey()
        _ = try await home.done("wallet", "new", "fresh", "--light", environment: home.password())
        let before = try await home.done("wallet", "list")
        let out = dex.home.appending(path: "backup.json").path
        let own = ["DEX_PASSWORD_FILE": try home.file("other", "another password")]
        let saved = try await home.done("wallet", "backup", out, "--light", environment: own)
        #expect(saved["names"]?.arrayValue?.count == 2)
        #expect(try home.mode(out) == 0o600)
        #expect(!(try String(contentsOfFile: out, encoding: .utf8)).contains("main"))
        // Where all are there, nothing changes.
        let present = try await home.done("wallet", "restore", out, environment: own)
        #expect(present["restored"]?.arrayValue?.isEmpty == true)
        #expect(present["existing"]?.arrayValue?.count == 2)
        #expect(try await dex.run("wallet remove main --yes").status == 0)
        #expect(try await dex.run("wallet remove fresh --yes").status == 0)
        let wrong = try await dex.run(["wallet", "restore", out], environment: home.password())
        #expect(wrong.status == 5)
        #expect(wrong.stderr.contains("The password does not open this keystore."))
        let restored = try await home.done("wallet", "restore", out, environment: own)
        #expect(restored["restored"]?.arrayValue?.count == 2)
        #expect(try await home.done("wallet", "list") == before)
        // Each key still has its own password.
        let signed = try await home.done(
            "wallet",
            "sign-message",
            "hello",
            "--wallet",
            "main",
            "--network",
            "mainnet",
            "--yes",
            environment: home.password()
        )
        #expect(signed["address"]?.stringValue == address)
        let empty = try DexBinary()
        let nothing = try await empty.run(["wallet", "backup", out + "2"], environment: own)
        #expect(nothing.status == 5)
        #expect(nothing.stderr.contains("There is no wallet to put into a backup."))
    }

    // MARK: Messages

    @Test("a message is signed as other wallets sign it, and checked")
    func messages() async throws {
        _ = try await home.importKey()
        // Source: https://web3js.readthedocs.io/en/v1.10.0/web3-eth-accounts.html#sign
        let expected =
            "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd"
            + "6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c"
        let signed = try await home.done(
            "wallet",
            "sign-message",
            "Some data",
            "--wallet",
            "main",
            "--network",
            "mainnet",
            "--yes",
            environment: home.password()
        )
        #expect(signed["signature"]?.stringValue == expected)
        #expect(
            signed["hash"]
                == "0x1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655"
        )
        let fromFile = try await dex.run(
            [
                "wallet", "verify-message", address, expected, "--file",
                home.file("message", "Some data"),
            ]
        )
        #expect(fromFile.status == 0, "\(fromFile.stderr)")
        #expect(fromFile.stdout == "\(address) signed this message.\n")
        let other = try await dex.run(["wallet", "verify-message", address, expected, "Some date"])
        #expect(other.status == 5)
        #expect(other.stderr.contains("\(address) did not sign this"))
        for signature in ["0x", String(expected.dropLast()), expected + "00", "hello"] {
            let bad = try await dex.run("wallet verify-message \(address) \(signature) x")
            #expect(bad.status == 2, "\(signature)")
        }
        let zero = "0x" + String(repeating: "0", count: 128) + "1b"
        let none = try await dex.run("wallet verify-message \(address) \(zero) x")
        #expect(none.status == 5)
        let plan = try await dex.run([
            "wallet", "sign-message", "Some data", "--wallet", "main", "--network", "mainnet",
        ])
        #expect(plan.status == 25)
        try Data(Keccak256.hash([1]).bytes).write(to: dex.home.appending(path: "hash"))
        let order = try await dex.run(
            [
                "wallet", "sign-message", "--file", dex.home.appending(path: "hash").path, "--yes",
                "--wallet", "main", "--network", "mainnet",
            ]
        )
        #expect(order.status == 6)
        #expect(order.stderr.contains("may be the hash of an order"))
    }
}
