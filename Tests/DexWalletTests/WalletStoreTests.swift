import DexWallet
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

@Suite("The folders of keystores")
struct WalletStoreTests {
    private let folder: TemporaryFolder
    private let store: WalletStore

    init() throws {
        folder = try TemporaryFolder()
        store = WalletStore(
            data: folder.path,
            otherFolders: ["\(folder.path)/geth", "\(folder.path)/keystore"],
            reservedNames: ["alice"]
        )
    }

    private var password: SecretBytes { SecretBytes(copying: "open".utf8) }

    private func signer(_ number: UInt8) throws -> PrivateKeySigner {
        try PrivateKeySigner(key: Keccak256.hash([number]))
    }

    private func keystore(_ number: UInt8) throws -> Keystore {
        try Keystore(sealing: signer(number), password: password, strength: .light)
    }

    @discardableResult
    private func add(_ number: UInt8, _ name: String) throws -> Wallet {
        try store.add(
            keystore(number),
            name: name,
            password: password,
            time: (seconds: 1_000 + UInt64(number), nanoseconds: 5)
        )
    }

    private func put(_ bytes: [UInt8], _ name: String) throws {
        let url = URL(filePath: "\(folder.path)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
    }

    @Test("without folders there is nothing, and a missing folder of the settings is told")
    func empty() throws {
        let list = try store.contents()
        #expect(list.wallets == [])
        #expect(list.problems == [.noFolder("\(folder.path)/geth")])
        #expect(throws: WalletError.unknown("main", known: [])) { try store.wallet("main") }
        #expect(throws: WalletError.noWallets) { try store.backup() }
    }

    @Test("a wallet is found by its name and by its address, in any letter case or with a checksum")
    func find() throws {
        let added = try add(1, "main")
        try add(2, "other")
        let address = try signer(1).address
        #expect(added.label == "main (\(address.checksummed))")
        #expect(
            added.path.hasSuffix(
                "/keystore/UTC--1970-01-01T00-16-41.000000005Z--"
                    + address.lowercaseHex.dropFirst(2)
            )
        )
        for requested in ["main", address.checksummed, address.lowercaseHex] {
            #expect(try store.wallet(requested) == added)
        }
        #expect(throws: WalletError.unknown("Main", known: ["main", "other"])) {
            try store.wallet("Main")
        }
    }

    @Test("a key is not added twice, and one under another password is not added at all")
    func refused() throws {
        let added = try add(1, "main")
        #expect(throws: WalletError.alreadyThere(label: added.label)) { try add(1, "again") }
        #expect {
            try store.add(
                keystore(2),
                name: "other",
                password: SecretBytes(copying: "another".utf8),
                time: (seconds: 0, nanoseconds: 0)
            )
        } throws: { error in
            guard case .keystore(_, .wrongPassword) = error as? WalletError else { return false }
            return true
        }
        #expect(try store.contents().wallets == [added])
        let files = try FileManager.default.contentsOfDirectory(atPath: store.folder)
        #expect(files.count == 1)
    }

    @Test("names are checked, and made up where none is given")
    func names() throws {
        try add(1, "wallet-1")
        #expect(try store.freeName(nil) == "wallet-2")
        #expect(try store.freeName("a-B_9") == "a-B_9")
        #expect(throws: WalletError.nameTaken("wallet-1")) { try store.freeName("wallet-1") }
        #expect(throws: WalletError.reservedName("alice")) { try store.freeName("alice") }
        for name in ["", "0x1", "0X", "a b", "a/b", "ä", String(repeating: "a", count: 33)] {
            #expect(throws: WalletError.badName(name)) { try store.freeName(name) }
        }
    }

    @Test("a renamed wallet keeps its key, a removed one loses file and name")
    func change() throws {
        let wallet = try add(1, "main")
        try store.rename(wallet, to: "vault")
        let renamed = try store.wallet("vault")
        #expect(renamed == wallet.named("vault"))
        #expect(try store.freeName("main") == "main")
        try store.remove(renamed)
        #expect(try store.contents().wallets == [])
        #expect(try store.freeName("vault") == "vault")
        // A wallet of the same key has no name from before.
        try put(keystore(1).utf8, "geth/UTC--x")
        #expect(try store.contents().wallets.map(\.name) == [nil])
    }

    @Test("other folders are read and never changed; a key in two of them is one wallet")
    func others() throws {
        try put(keystore(1).utf8, "geth/UTC--one")
        try put(keystore(2).utf8, "geth/deployer")
        try put(Array("hello".utf8), "geth/notes.txt")
        try put(Array("{\"version\":3}".utf8), "geth/broken")
        let list = try store.contents()
        #expect(list.wallets.map(\.name) == [nil, "deployer"])
        #expect(list.wallets.allSatisfy { !$0.isOurs })
        #expect(
            list.problems.map(\.description) == [
                "\(folder.path)/geth/broken: The keystore is damaged: it has no crypto.",
                "\(folder.path)/geth/notes.txt: This is no keystore that dex can read: it is no "
                    + "JSON object.",
            ]
        )
        let foreign = try store.wallet("deployer")
        #expect(throws: WalletError.notOurs(path: foreign.path)) { try store.remove(foreign) }
        try store.rename(foreign, to: "mine")
        #expect(try store.wallet("mine").path == foreign.path)
        let own = try add(1, "main")
        #expect(try store.wallet(signer(1).address.checksummed) == own)
        // Removing ours leaves theirs, with the name.
        try store.remove(own)
        #expect(try store.wallet("main").path == "\(folder.path)/geth/UTC--one")
    }

    @Test("two files without an address and with one name are ambiguous")
    func ambiguous() throws {
        var json = try #require(JSONParser.parse(keystore(1).utf8).objectValue)
        json["address"] = nil
        json["x-dex"] = nil
        let bytes = JSONValue.object(json).utf8
        try put(bytes, "geth/deployer")
        try put(bytes, "foundry/deployer")
        let both = WalletStore(
            data: folder.path,
            otherFolders: ["\(folder.path)/geth", "\(folder.path)/foundry"],
            reservedNames: []
        )
        let paths = ["\(folder.path)/geth/deployer", "\(folder.path)/foundry/deployer"]
        #expect(throws: WalletError.ambiguous("deployer", paths: paths)) {
            try both.wallet("deployer")
        }
        let wallet = try store.wallet("deployer")
        #expect(wallet.address == nil)
        #expect(wallet.label == "deployer")
        #expect(throws: WalletError.noAddress(path: wallet.path)) {
            try store.rename(wallet, to: "x")
        }
    }

    @Test(
        "a damaged file of names is an error that names it, never a trap",
        arguments: [
            "", "{", "[]", "{}", #"{"version":2,"names":{}}"#, #"{"version":1,"names":[]}"#,
            #"{"version":1,"names":{"a":7}}"#, #"{"version":1,"names":{"a":"0x12"}}"#,
            #"{"version":1,"names":{"a b":"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"}}"#,
            #"{"version":1,"names":{"a":"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf","#
                + #""b":"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf"}}"#,
        ]
    )
    func damagedNames(text: String) throws {
        try put(Array(text.utf8), "wallets.json")
        let error = #expect(throws: WalletError.self) { try store.contents() }
        #expect(
            error?.description.hasPrefix(
                "The wallets' names in \(folder.path)/wallets.json cannot be read: "
            ) == true
        )
    }

    @Test("a backup opens with its password only, and brings back what is missing")
    func backup() throws {
        try add(1, "main")
        let second = try add(2, "second")
        let before = try store.contents().wallets
        let backup = try store.backup()
        let bytes = try backup.sealed(password: password, strength: .light)
        let file = try WalletBackup.sealedFile(bytes)
        #expect(throws: KeystoreError.wrongPassword) {
            try WalletBackup(file, path: "b", password: SecretBytes(copying: "other".utf8))
        }
        let read = try WalletBackup(file, path: "b", password: password)
        #expect(read == backup)
        try store.remove(second)
        // The name is somebody else's meanwhile.
        try add(3, "second")
        let (restored, present) = try store.restore(read)
        #expect(restored.map(\.path) == [second.path])
        #expect(restored.map(\.name) == [nil])
        #expect(present.count == 1)
        let elsewhere = WalletStore(
            data: "\(folder.path)/new",
            otherFolders: [],
            reservedNames: []
        )
        #expect(try elsewhere.restore(read).restored.count == 2)
        let names = try elsewhere.contents().wallets.map(\.name)
        #expect(names == before.map(\.name))
        for wallet in try elsewhere.contents().wallets {
            #expect(try wallet.keystore.open(password: password).address == wallet.address)
        }
    }

    @Test("a backup that is cut off, changed or something else is refused")
    func damagedBackup() throws {
        try add(1, "main")
        let bytes = try store.backup().sealed(password: password, strength: .light)
        for length in stride(from: 0, to: bytes.count - 1, by: 7) {
            let error = #expect(throws: KeystoreError.self) {
                try WalletBackup.sealedFile(Array(bytes[..<length]))
            }
            if case .wrongPassword = error { Issue.record("\(length)") }
        }
        for index in stride(from: 0, to: bytes.count - 1, by: 3) {
            var altered = bytes
            altered[index] ^= 1
            #expect(throws: KeystoreError.self, "byte \(index)") {
                try WalletBackup.sealedFile(altered)
            }
        }
        #expect(throws: KeystoreError.foreign("its format is not dex-wallets")) {
            try WalletBackup.sealedFile(keystore(1).utf8)
        }
    }

    @Test("a backup with a damaged wallet is not made")
    func backupOfDamage() throws {
        let wallet = try add(1, "main")
        try add(2, "other")
        try Data("{\"version\":3".utf8).write(to: URL(filePath: wallet.path))
        let error = #expect(throws: WalletError.self) { try store.backup() }
        #expect(error?.description.contains("The keystore is damaged") == true)
    }

    @Test(
        "the content of a backup is not believed",
        arguments: [
            ("[]", "it holds no list of wallets"), ("{", "it holds no list of wallets"),
            (#"{"wallets":[{}]}"#, "wallet 1 has no file"),
            (#"{"wallets":[{"file":"../../x","keystore":""}]}"#, "wallet 1 has no file"),
            (#"{"wallets":[{"file":".x","keystore":""}]}"#, "wallet 1 has no file"),
            (#"{"wallets":[{"file":"a\u0000b","keystore":""}]}"#, "wallet 1 has no file"),
            (
                #"{"wallets":[{"file":"x","keystore":"","name":"a b"}]}"#,
                "wallet 1 has a name that is none"
            ),
        ]
    )
    func content(text: String, reason: String) throws {
        let file = try SealedFile(
            sealing: SecretBytes(copying: text.utf8),
            format: "dex-wallets",
            password: password,
            strength: .light
        )
        #expect(throws: WalletError.backup(reason)) {
            try WalletBackup(file, path: "b", password: password)
        }
    }
}

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "dex-wallets-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
