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
        static var answer: Answer? { .walletMade }
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Make a new key from a new recovery phrase.",
            discussion: """
                The phrase is kept in the same encrypted file; write it down with dex wallet \
                export NAME --words.
                """
        )
        static let examples: Examples = [
            "Make a key and name it": "dex wallet new main",
            "With a phrase of 24 words": "dex wallet new main --words 24",
        ]
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
            let maker = WalletMaker(
                context: context,
                store: store,
                keystoreOptions: keystoreOptions
            )
            return try context.added(
                await maker.new(name, words: words),
                name,
                to: store,
                hint: "Write its \(words) words down: dex wallet export \(name) --words"
            )
        }
    }

    struct Import: DexCommand {
        static var answer: Answer? { .walletMade }
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Bring a key in: a keystore, a private key or a recovery phrase.",
            discussion: """
                A key or phrase is asked for on the terminal, without echo, unless --from names a \
                file of mode 600 (- for stdin). A keystore keeps its password.
                """
        )
        static let examples: Examples = [
            "Type the words of a recovery phrase": "dex wallet import words main",
            "The second key of a phrase":
                "dex wallet import words second --path \"m/44'/60'/0'/0/1\"",
            "Bring geth's keystore in": "dex wallet import keystore old --from keystore.json",
        ]
        @Argument(help: "What is brought in: keystore, key or words.")
        var form: SetupWalletForm
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
            let maker = WalletMaker(
                context: context,
                store: store,
                keystoreOptions: keystoreOptions
            )
            let made =
                switch form {
                case .keystore: try await maker.keystore(from ?? "", name)
                case .key: try await maker.key(from: from, name)
                case .words:
                    try await maker.words(
                        from: from,
                        path: path ?? WalletMaker.usualPath,
                        passphrase: passphraseFile.map { .file($0) }
                            ?? (passphrase ? .asked : .none),
                        name
                    )
                }
            return try context.added(made, name, to: store)
        }
    }
}

extension CommandContext {
    /// Reports a new keystore.
    fileprivate func added(
        _ made: WalletMaker.Made,
        _ name: String,
        to store: WalletStore,
        hint: String? = nil
    ) throws -> CommandReport {
        let address = made.keystore.address
        guard let wallet = made.wallet else {
            let data: JSONValue = [
                "name": .string(name),
                "address": address.map { JSONFormat.address($0) } ?? .null,
                "folder": .string(store.folder),
            ]
            return changed(data) { _ in
                ["It would add \(address?.checksummed ?? "a key") as \(name)."]
            }
        }
        let entry = try entry(wallet)
        return changed(WalletJSON.wallet(entry), warnings: made.warnings) { screen in
            var facts = KeyValueList()
            facts.add("wallet", name)
            facts.add("address", wallet.address?.checksummed)
            facts.add("file", wallet.path)
            facts.add("path", made.keystore.phrasePath?.description)
            return facts.lines(screen) + (hint.map { screen.sentences($0) } ?? [])
        }
    }
}

extension SetupWalletForm: ExpressibleByArgument {}
