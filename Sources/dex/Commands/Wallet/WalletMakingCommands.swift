import ArgumentParser
import DexCore
import DexTerminal
import DexWallet
import Ethereum
import EthereumWallet
import PrivateFiles
import StrictJSON

extension WalletCommand {
    struct New: DexCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a new key from a new recovery phrase.",
            discussion: """
                The phrase is kept in the same encrypted file; write it down with dex wallet \
                export NAME --words.
                """
        )
        static let reportedName = "wallet new"
        @Argument(help: "A name for it (default: wallet-1, wallet-2...).")
        var name: String?
        @Option(help: .of("n", "How many words the phrase has: 12, 15, 18, 21 or 24 (default 12)."))
        var words = 12
        @OptionGroup var keystoreOptions: KeystoreOptions
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard Mnemonic.wordCounts.contains(words) else {
                throw ValidationError("--words takes 12, 15, 18, 21 or 24, not \(words).")
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let store = try context.walletStore()
            let name = try store.freeName(name)
            guard !options.isDryRun else {
                return context.changed(["name": .string(name), "folder": .string(store.folder)]) {
                    _ in ["It would make the wallet \(name) in \(store.folder)."]
                }
            }
            let password = try context.newPassword(
                for: "the wallet \(name)",
                keystoreOptions.passwordRule
            )
            context.console.progress("making the wallet \(name)")
            let keystore = try Keystore(
                sealing: Mnemonic(randomWords: words),
                passphrase: SecretBytes(copying: []),
                path: DerivationPath("m/44'/60'/0'/0/0"),
                password: password,
                strength: keystoreOptions.strength
            )
            return try context.added(
                keystore,
                name,
                password,
                to: store,
                keystoreOptions,
                hint: "Write its \(words) words down: dex wallet export \(name) --words"
            )
        }
    }

    /// The input of `dex wallet import`.
    enum Form: String, ExpressibleByArgument, CaseIterable, Sendable {
        /// A file of geth or another program.
        case keystore
        /// A private key: 64 hexadecimal digits.
        case key
        /// A recovery phrase.
        case words
    }

    struct Import: DexCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Bring a key in: a keystore, a private key or a recovery phrase.",
            discussion: """
                A key or phrase is asked for on the terminal, without echo, unless --from names a \
                file of mode 600 (- for stdin). A keystore keeps its password.
                """
        )
        static let reportedName = "wallet import"
        @Argument(help: "What is brought in: keystore, key or words.")
        var form: Form
        @Argument(help: "A name for it (default: wallet-1, wallet-2...).")
        var name: String?
        @Option(help: .of("file", "The file that it is in, or - for stdin."))
        var from: String?
        @Option(help: .of("path", "Which key of the recovery phrase (default m/44'/60'/0'/0/0)."))
        var path: String?
        @Flag(help: "Ask for the passphrase of the recovery phrase.")
        var passphrase = false
        @Option(help: .of("file", "The file that holds the passphrase of the recovery phrase."))
        var passphraseFile: String?
        @OptionGroup var keystoreOptions: KeystoreOptions
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            if form == .keystore, from == nil {
                throw ValidationError("Name the keystore's file with --from FILE.")
            }
            if form != .words, path != nil || passphrase || passphraseFile != nil {
                throw ValidationError(
                    "--path, --passphrase and --passphrase-file belong to recovery phrases: "
                        + "dex wallet import words."
                )
            }
            if passphrase, passphraseFile != nil {
                throw ValidationError("--passphrase and --passphrase-file exclude each other.")
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let store = try context.walletStore()
            let name = try store.freeName(name)
            switch form {
            case .keystore: return try fromKeystore(context, store, name)
            case .key: return try fromKey(context, store, name)
            case .words: return try fromWords(context, store, name)
            }
        }

        private func fromKeystore(
            _ context: CommandContext,
            _ store: WalletStore,
            _ name: String
        ) throws -> CommandReport {
            let file = from ?? ""
            let foreign = try WalletStore.read(file, from: context.source)
            return try context.naming(file) {
                try context.opened(file) { password in
                    let signer = try foreign.open(password: password)
                    try keystoreOptions.passwordRule.check(password)
                    let keystore = try Keystore(
                        sealing: signer,
                        password: password,
                        strength: keystoreOptions.strength
                    )
                    return try context.added(keystore, name, password, to: store, keystoreOptions)
                }
            }
        }

        private func fromKey(
            _ context: CommandContext,
            _ store: WalletStore,
            _ name: String
        ) throws -> CommandReport {
            let text = try secret(context, "Private key: ")
            guard let key = text.withBytes({ SecretBytes(hex: $0, count: 32) }) else {
                throw PrivateKeyError.malformed
            }
            let signer = try PrivateKeySigner(secret: key)
            let password = try context.newPassword(
                for: "the wallet \(name)",
                keystoreOptions.passwordRule
            )
            let keystore = try Keystore(
                sealing: signer,
                password: password,
                strength: keystoreOptions.strength
            )
            return try context.added(keystore, name, password, to: store, keystoreOptions)
        }

        private func fromWords(
            _ context: CommandContext,
            _ store: WalletStore,
            _ name: String
        ) throws -> CommandReport {
            let path = try DerivationPath(path ?? "m/44'/60'/0'/0/0")
            let phrase = try Mnemonic(phrase: secret(context, "Recovery phrase: "))
            let passphrase = try passphrase(context)
            let password = try context.newPassword(
                for: "the wallet \(name)",
                keystoreOptions.passwordRule
            )
            context.console.progress("making the wallet \(name)")
            let keystore = try Keystore(
                sealing: phrase,
                passphrase: passphrase,
                path: path,
                password: password,
                strength: keystoreOptions.strength
            )
            return try context.added(keystore, name, password, to: store, keystoreOptions)
        }

        private func passphrase(_ context: CommandContext) throws -> SecretBytes {
            if let passphraseFile {
                return try context.secretFile(passphraseFile, "--passphrase-file").withoutLineEnd()
            }
            guard passphrase else { return SecretBytes(copying: []) }
            return try context.secret(
                "Passphrase of the recovery phrase: ",
                instead: "Keep it in a file of mode 600, and name that with --passphrase-file."
            )
        }

        private func secret(_ context: CommandContext, _ prompt: String) throws -> SecretBytes {
            if let from { return try context.secretFile(from, "--from").withoutLineEnd() }
            return try context.secret(
                prompt,
                instead: "Keep it in a file of mode 600, and name that with --from."
            )
        }
    }
}

extension SecretBytes {
    /// The bytes without trailing line ends.
    fileprivate borrowing func withoutLineEnd() -> SecretBytes {
        withBytes { bytes in
            var rest = bytes[...]
            while let last = rest.last, last == 0x0A || last == 0x0D { rest = rest.dropLast() }
            return SecretBytes(copying: rest)
        }
    }
}

extension CommandContext {
    /// Writes a new keystore and reports it.
    fileprivate func added(
        _ keystore: Keystore,
        _ name: String,
        _ password: borrowing SecretBytes,
        to store: WalletStore,
        _ keystoreOptions: KeystoreOptions,
        hint: String? = nil
    ) throws -> CommandReport {
        let path = keystore.phrasePath?.description
        guard !options.isDryRun else {
            let data: JSONValue = [
                "name": .string(name),
                "address": keystore.address.map { JSONFormat.address($0) } ?? .null,
                "folder": .string(store.folder),
            ]
            return changed(data) { _ in
                ["It would add \(keystore.address?.checksummed ?? "a key") as \(name)."]
            }
        }
        console.progress("writing the wallet \(name)")
        let wallet = try store.add(
            keystore,
            name: name,
            password: password,
            time: Self.timeOfDay
        )
        var warnings: [String] = []
        if keystoreOptions.remember, let address = wallet.address {
            let isKept =
                SecretService(environment)?.keep(
                    password,
                    of: address,
                    label: "dex wallet \(wallet.label)"
                ) ?? false
            if !isKept {
                warnings.append(
                    "The password is not kept: there is no secret-tool or no desktop that answers."
                )
            }
        }
        let entry = try entry(wallet)
        return changed(WalletJSON.wallet(entry), warnings: warnings) { screen in
            var facts = KeyValueList()
            facts.add("wallet", name)
            facts.add("address", wallet.address?.checksummed)
            facts.add("file", wallet.path)
            facts.add("path", path)
            return facts.lines(screen) + (hint.map { screen.sentences($0) } ?? [])
        }
    }
}
