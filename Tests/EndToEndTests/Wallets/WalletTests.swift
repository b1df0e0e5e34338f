import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@testable import EndToEndTestSupport

@Suite("Wallets")
struct WalletTests {
    private let home: WalletHome
    private var dex: DexBinary { home.dex }
    private let key = WalletHome.key
    private let address = WalletHome.address
    private let words = String(repeating: "test ", count: 11) + "junk"

    init() throws {
        home = try WalletHome()
    }

    // MARK: Making, bringing in, taking out

    @Test("a new wallet is a file of geth's in a folder that only its owner may read")
    func new() async throws {
        let data = try await home.done(
            "wallet",
            "new",
            "main",
            "--words",
            "24",
            environment: home.password()
        )
        let path = try #require(data["path"]?.stringValue)
        let address = try #require(data["address"]?.stringValue)
        #expect(data["name"] == "main")
        #expect(data["derivation"] == "m/44'/60'/0'/0/0")
        #expect(try home.mode(path) == 0o600)
        #expect(try home.mode(dex.home.appending(path: "keystore").path) == 0o700)
        let name = try #require(path.split(separator: "/").last)
        #expect(
            name.wholeMatch(of: /UTC--\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{9}Z--[0-9a-f]{40}/) != nil
        )
        #expect(name.hasSuffix(address.lowercased().dropFirst(2)))
        let keystore = try Keystore(Array(Data(contentsOf: URL(filePath: path))))
        let opened = try keystore.open(password: SecretBytes(copying: "open sesame".utf8))
        #expect(opened.address.checksummed == address)
        let listed = try await home.done("wallet", "list")
        #expect(listed["wallets"]?.arrayValue?.count == 1)
        #expect(listed["wallets"]?.arrayValue?.first == data)
    }

    @Test("keys, phrases and keystores of others come in as the accounts that they are")
    func imports() async throws {
        let byKey = try await home.importKey()
        #expect(byKey["address"]?.stringValue == address)
        #expect(byKey["derivation"]?.isNull == true)
        let phrase = try home.file("words", words.uppercased() + "\n")
        let first = try await home.done(
            "wallet",
            "import",
            "words",
            "--light",
            "--from",
            phrase,
            environment: home.password()
        )
        #expect(first["address"] == "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
        #expect(first["name"] == "wallet-1")
        let second = try await home.done(
            "wallet",
            "import",
            "words",
            "--light",
            "--from",
            phrase,
            "--path",
            "m/44'/60'/0'/0/1",
            environment: home.password()
        )
        #expect(second["address"] == "0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
        let passphrase = try home.file("passphrase", "TREZOR\n")
        let other = try await home.done(
            "wallet",
            "import",
            "words",
            "--light",
            "--from",
            phrase,
            "--passphrase-file",
            passphrase,
            environment: home.password()
        )
        #expect(other["address"] != first["address"])
        let signer = try PrivateKeySigner(key: Keccak256.hash([1]))
        let foreign = try Keystore(
            sealing: signer,
            password: SecretBytes(copying: "open sesame".utf8),
            strength: .light
        )
        let path = try home.file("foreign", String(decoding: foreign.utf8, as: UTF8.self))
        let keystore = try await home.done(
            "wallet",
            "import",
            "keystore",
            "geth",
            "--light",
            "--from",
            path,
            environment: home.password()
        )
        #expect(keystore["address"]?.stringValue == signer.address.checksummed)
        // A key from stdin leaves no file.
        let piped = try await home.done(
            "wallet",
            "import",
            "key",
            "piped",
            "--light",
            "--from",
            "-",
            environment: home.password(),
            input: Keccak256.hash([2]).hex
        )
        #expect(
            try piped["address"]?.stringValue
                == PrivateKeySigner(key: Keccak256.hash([2])).address.checksummed
        )
    }

    @Test("a keystore comes out as it is; the key and the words only after a typed name")
    func exports() async throws {
        _ = try await home.importKey()
        let keystore = try await dex.run("wallet export main")
        #expect(keystore.status == 0)
        let exported = try Keystore(Array(keystore.stdout.utf8))
        let opened = try exported.open(password: SecretBytes(copying: "open sesame".utf8))
        #expect(opened.address.checksummed == address)

        let nobody = try await dex.run(
            "wallet export main --key --yes",
            environment: home.password()
        )
        #expect(nobody.status == 5)
        #expect(nobody.stderr.contains("typed on a terminal"))
        #expect(!(nobody.stdout + nobody.stderr).contains("4c0883"))

        let other = try await dex.converse(
            ["wallet", "export", "main", "--key"],
            environment: home.password(),
            [("Type main to go on: ", "mein\n")]
        )
        #expect(other.run.status == 20)
        #expect(!(other.shown + other.run.stdout + other.run.stderr).contains("4c0883"))

        let shown = try await dex.converse(
            ["wallet", "export", "main", "--key"],
            environment: home.password(),
            [("Type main to go on: ", "main\n")]
        )
        #expect(shown.run.status == 0, "\(shown.run.stderr)")
        #expect(shown.shown.contains(key))
        #expect(!(shown.run.stdout + shown.run.stderr).contains("4c0883"))

        let out = dex.home.appending(path: "exported").path
        let saved = try await dex.converse(
            ["wallet", "export", "main", "--key", "--out", out],
            environment: home.password(),
            [("Type main to go on: ", "main\n")]
        )
        #expect(saved.run.status == 0, "\(saved.run.stderr)")
        #expect(try String(contentsOfFile: out, encoding: .utf8) == key + "\n")
        #expect(try home.mode(out) == 0o600)
        #expect(!(saved.shown + saved.run.stdout + saved.run.stderr).contains("4c0883"))
        // What is there is never overwritten.
        let again = try await dex.run("wallet export main --out \(out)")
        #expect(again.status == 3)
        #expect(try String(contentsOfFile: out, encoding: .utf8) == key + "\n")

        let wordless = try await dex.run("wallet export main --words")
        #expect(wordless.status == 5)
        #expect(wordless.stderr.contains("has no recovery phrase"))
        _ = try await home.done(
            "wallet",
            "import",
            "words",
            "seeded",
            "--light",
            "--from",
            home.file("words", words),
            environment: home.password()
        )
        let phrase = try await dex.converse(
            ["wallet", "export", "seeded", "--words"],
            environment: home.password(),
            [("Type seeded to go on: ", "seeded\n")]
        )
        #expect(phrase.run.status == 0, "\(phrase.run.stderr)")
        #expect(phrase.shown.contains(words))
        #expect(!(phrase.run.stdout + phrase.run.stderr).contains("junk"))
    }

    // MARK: Names, and who acts

    @Test("a keystore that others may read is told, and one of our own is not opened")
    func exposedKeystore() async throws {
        let made = try await home.importKey()
        let path = try #require(made["path"]?.stringValue)
        chmod(path, 0o644)
        let list = try await dex.run("wallet list --json")
        #expect(list.status == 0)
        let warning = "Others than you may read \(path): chmod 600 closes it."
        #expect(try list.json()["warnings"] == [.string(warning)])
        let sign = ["wallet", "sign-message", "hi", "--wallet", "main", "--network", "mainnet"]
        for command in [
            sign + ["--yes"], ["unlock", "main", "--network", "mainnet"],
        ] {
            let run = try await dex.run(command + ["--json"], environment: home.password())
            #expect(run.status == 5, "\(run.stdout)")
            #expect(try run.json()["error"]?["code"] == "exposed-file")
            #expect(run.stderr.contains("chmod 600 \(path)"))
        }
        // What another program keeps so is only told.
        let folder = dex.home.appending(path: "foreign")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let foreign = folder.appending(path: "ours").path
        try FileManager.default.moveItem(atPath: path, toPath: foreign)
        try dex.write(config: "keystores = [\"foreign\"]\n")
        let run = try await dex.run(sign + ["--yes"], environment: home.password())
        #expect(run.status == 0, "\(run.stderr)")
        #expect(run.stderr.contains("Others than you may read"))
    }

    @Test("the default wallet acts where nobody else is named, and renaming it keeps it so")
    func use() async throws {
        _ = try await home.importKey()
        let nobody = try await dex.run(
            ["wallet", "sign-message", "hello", "--network", "mainnet", "--dry-run"]
        )
        #expect(nobody.status == 5)
        #expect(nobody.stderr.contains("dex wallet use NAME"))
        let used = try await home.done("wallet", "use", "main")
        #expect(used["isDefault"] == true)
        let renamed = try await home.done("wallet", "rename", "main", "vault")
        #expect(renamed["name"] == "vault")
        #expect(renamed["isDefault"] == true)
        #expect(try dex.config().contains("wallet = \"vault\""))
        let planned = try await dex.run(
            "wallet sign-message hello --network mainnet --dry-run --json"
        )
        #expect(planned.status == 30)
        #expect(try planned.json()["data"]?["address"]?.stringValue == address)
        // By name, by address, and by another key.
        for requested in ["vault", address, address.lowercased()] {
            let run = try await dex.run(
                "wallet sign-message hello --network mainnet --wallet \(requested) --dry-run"
            )
            #expect(run.status == 30, "\(run.stderr)")
        }
        let other = try await dex.run(
            ["wallet", "sign-message", "hello", "--network", "mainnet", "--dry-run", "--json"],
            environment: ["DEX_PRIVATE_KEY": Keccak256.hash([3]).hex]
        )
        #expect(try other.json()["data"]?["address"]?.stringValue != address)
    }

    @Test(
        "names that are none, taken or the sandbox's are refused",
        arguments: [
            ("0xabc", "is no name for a wallet"), ("a/b", "is no name for a wallet"),
            ("ä", "is no name for a wallet"), (String(repeating: "a", count: 33), "is no name"),
            ("\u{1B}[31m", "is no name for a wallet"), ("alice", "name of a sandbox account"),
            ("main", "There is a wallet \"main\" already."),
        ]
    )
    func names(name: String, sentence: String) async throws {
        _ = try await home.importKey()
        for arguments in [
            ["wallet", "new", "--light", "--", name],
            ["wallet", "rename", "--", "main", name],
        ] {
            let run = try await dex.run(arguments, environment: home.password())
            #expect(run.status == 2, "\(arguments)")
            #expect(run.stderr.contains(sentence), "\(run.stderr)")
            #expect(!run.stderr.contains("\u{1B}"))
        }
    }

    @Test("the same key is not kept twice, and an unknown name lists those that are known")
    func twice() async throws {
        _ = try await home.importKey()
        let again = try await dex.run(
            ["wallet", "import", "key", "other", "--light", "--from", home.file("key", key)],
            environment: home.password()
        )
        #expect(again.status == 5)
        #expect(again.stderr.contains("This key is there already, as main (\(address))."))
        let unknown = try await dex.run("wallet use nobody")
        #expect(unknown.status == 5)
        #expect(unknown.stderr.contains("There is no wallet \"nobody\"; there are main."))
    }

    @Test("keystores of geth and foundry are used where config.toml names their folders")
    func otherFolders() async throws {
        let folder = dex.home.appending(path: "foundry")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let signer = try PrivateKeySigner(key: Keccak256.hash([4]))
        let sealed = try Keystore(
            sealing: signer,
            password: SecretBytes(copying: "open sesame".utf8),
            strength: .light
        )
        // Foundry names the file and leaves the address out.
        var json = try #require(JSONParser.parse(sealed.utf8).objectValue)
        json["address"] = nil
        json["x-dex"] = nil
        try Data(JSONValue.object(json).utf8).write(to: folder.appending(path: "deployer"))
        chmod(folder.appending(path: "deployer").path, 0o600)
        try Data("hello".utf8).write(to: folder.appending(path: "notes.txt"))
        let set = try await dex.run("config set keystores foundry,/nonexistent/keys")
        #expect(set.status == 0, "\(set.stderr)")
        let run = try await dex.run("wallet list --json")
        let listed = try #require(run.json()["data"]?["wallets"]?.arrayValue)
        #expect(listed.map { $0["name"]?.stringValue } == ["deployer"])
        #expect(listed[0]["address"]?.isNull == true)
        #expect(listed[0]["isOwn"] == false)
        let warnings = try #require(run.json()["warnings"]?.arrayValue).compactMap(\.stringValue)
        #expect(warnings.count == 2)
        #expect(warnings[0].contains("notes.txt: This is no keystore that dex can read"))
        #expect(warnings[1].contains("/nonexistent/keys of config.toml does not exist"))
        let signed = try await home.done(
            "wallet",
            "sign-message",
            "hello",
            "--wallet",
            "deployer",
            "--network",
            "mainnet",
            "--yes",
            environment: home.password()
        )
        #expect(signed["address"]?.stringValue == signer.address.checksummed)
        let removed = try await dex.run("wallet remove deployer --yes")
        #expect(removed.status == 5)
        #expect(removed.stderr.contains("belongs to the program that made it"))
        let renamed = try await dex.run("wallet rename deployer mine")
        #expect(renamed.status == 5)
        #expect(renamed.stderr.contains("does not say which account it is for"))
    }
}
