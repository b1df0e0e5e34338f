import Ethereum
package import EthereumWallet
import StrictJSON

/// Keystores with their names, as one file with its own password.
package struct WalletBackup: Hashable, Sendable {
    /// A keystore, which keeps its own password.
    package struct Entry: Hashable, Sendable {
        /// The name of its file, without a folder.
        package let file: String
        package let name: String?
        package let keystore: Keystore

        package var label: String {
            let address = keystore.address?.checksummed
            return name.map { name in address.map { "\(name) (\($0))" } ?? name }
                ?? address ?? file
        }
    }

    package let entries: [Entry]

    private static let format = "dex-wallets"

    package init(entries: [Entry]) {
        self.entries = entries
    }

    /// The encrypted file.
    ///
    /// - Throws: `KeystoreError`: `unreasonable` beyond a few thousand wallets, `noMemory`.
    package func sealed(
        password: borrowing SecretBytes,
        strength: KeystoreStrength
    ) throws(KeystoreError) -> [UInt8] {
        let wallets = entries.map { entry -> JSONValue in
            var object = JSONObject()
            object["file"] = .string(entry.file)
            if let name = entry.name { object["name"] = .string(name) }
            object["keystore"] = .string(String(decoding: entry.keystore.utf8, as: UTF8.self))
            return .object(object)
        }
        let content: JSONValue = ["wallets": .array(wallets)]
        return try SealedFile(
            sealing: SecretBytes(copying: content.utf8),
            format: Self.format,
            password: password,
            strength: strength
        ).utf8
    }

    /// Reads an encrypted file, without opening it.
    ///
    /// - Throws: `KeystoreError`: `damaged`, `foreign` or `unreasonable`.
    package static func sealedFile(_ bytes: [UInt8]) throws(KeystoreError) -> SealedFile {
        try SealedFile(bytes, format: format)
    }

    /// Opens an encrypted file.
    ///
    /// - Throws: `KeystoreError.wrongPassword` or `noMemory`; `WalletError` if the content is not
    ///   valid.
    package init(
        _ file: SealedFile,
        path: String,
        password: borrowing SecretBytes
    ) throws {
        let content = try file.open(password: password)
        let text = content.withBytes { Array($0) }
        guard let wallets = (try? JSONParser.parse(text))?["wallets"]?.arrayValue else {  // no JSON
            throw WalletError.backup("it holds no list of wallets")
        }
        var entries: [Entry] = []
        for (index, wallet) in wallets.enumerated() {
            guard let file = wallet["file"]?.stringValue, Self.isFileName(file),
                let keystore = wallet["keystore"]?.stringValue
            else { throw WalletError.backup("wallet \(index + 1) has no file") }
            let name = wallet["name"]?.stringValue
            guard name.map(WalletNames.isName) ?? true else {
                throw WalletError.backup("wallet \(index + 1) has a name that is none")
            }
            do throws(KeystoreError) {
                let keystore = try Keystore(Array(keystore.utf8))
                entries.append(Entry(file: file, name: name, keystore: keystore))
            } catch {
                throw WalletError.keystore(path: "\(path), wallet \(index + 1)", error)
            }
        }
        guard Set(entries.map(\.file)).count == entries.count else {
            throw WalletError.backup("two wallets have one file")
        }
        self.entries = entries
    }

    /// The name cannot leave the folder.
    private static func isFileName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && !text.hasPrefix(".")
            && text.utf8.allSatisfy { $0 != 0x2F && $0 >= 0x20 && $0 != 0x7F }
    }
}
