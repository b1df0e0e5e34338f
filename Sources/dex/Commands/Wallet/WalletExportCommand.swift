import ArgumentParser
import DexCore
import DexTerminal
import DexWallet
import Ethereum
import EthereumWallet
import PrivateFiles
import StrictJSON

extension WalletCommand {
    struct Export: DexCommand {
        static var answer: Answer? { .walletExport }
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Show or save a wallet's keystore, its private key or its words.",
            discussion: """
                The keystore stays encrypted. The private key and the words are shown on the \
                terminal itself, or saved in a new file of mode 600, and only after the wallet's \
                name was typed on a terminal: --yes does not stand in for that.
                """
        )
        static let examples: Examples = [
            "Save the encrypted keystore": "dex wallet export main --out main.json",
            "Show the words, to write them down": "dex wallet export main --words",
        ]
        @Argument(help: "The wallet's name or address.")
        var name: String
        @Flag(help: "The private key instead of the keystore.")
        var key = false
        @Flag(help: "The words of the recovery phrase instead of the keystore.")
        var words = false
        @Option(help: .of("file", "A new file for it, readable by you only."))
        var out: String?
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            if key, words { throw ValidationError("--key and --words exclude each other.") }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let wallet = try context.walletStore().wallet(name)
            if words, wallet.keystore.phrasePath == nil {
                throw AccountError.noWords(label: wallet.label, name: name)
            }
            if options.isDryRun {
                return try report(context, wallet, form, "It would export the \(form) of")
            }
            guard key || words else { return try exportKeystore(context, wallet) }
            let terminal = try await context.typedConfirmation(
                "Whoever sees the \(form) of \(wallet.label) has everything that it has.",
                word: wallet.name ?? wallet.address?.checksummed ?? "export"
            )
            let secret = try await key ? privateKey(context, wallet) : phrase(context, wallet)
            if let out {
                try secret.withBytes { try save($0, to: out) }
                return try report(context, wallet, form, "\(out) has the \(form) of")
            }
            context.console.endProgress()
            terminal.write("\n")
            terminal.write(secret)
            terminal.write("\n\n")
            if words, wallet.keystore.phraseNeedsPassphrase {
                context.console.note("These words need their passphrase, which is kept nowhere.")
            }
            return try report(context, wallet, form, "The terminal shows the \(form) of")
        }

        private var form: String {
            key ? "private key" : words ? "recovery phrase" : "keystore"
        }

        private func privateKey(
            _ context: CommandContext,
            _ wallet: Wallet
        ) async throws -> SecretBytes {
            try await context.unlocked(wallet).withSecret { $0.hexText() }
        }

        private func phrase(
            _ context: CommandContext,
            _ wallet: Wallet
        ) async throws -> SecretBytes {
            try await context.naming(wallet.path) {
                try context.refuseExposed(wallet)
                return try await context.opened(wallet.label) { password in
                    let phrase = try wallet.keystore.openPhrase(password: password)
                    return phrase?.phrase() ?? SecretBytes(copying: [])
                }
            }
        }

        private func exportKeystore(
            _ context: CommandContext,
            _ wallet: Wallet
        ) throws -> CommandReport {
            let content = wallet.keystore.utf8
            if let out {
                try content.withUnsafeBytes { try save($0, to: out, lineEnd: false) }
                return try report(context, wallet, form, "\(out) has the keystore of")
            }
            var data = try WalletJSON.wallet(context.entry(wallet)).objectValue ?? JSONObject()
            data["keystore"] = try JSONParser.parse(content)
            return CommandReport(data: .object(data)) { _ in
                [String(decoding: content.dropLast(), as: UTF8.self)]
            }
        }

        private func save(
            _ content: UnsafeRawBufferPointer,
            to path: String,
            lineEnd: Bool = true
        ) throws {
            let ended = SecretBytes(count: content.count + (lineEnd ? 1 : 0)) { bytes in
                bytes.copyBytes(from: content)
                if lineEnd { bytes[content.count] = UInt8(ascii: "\n") }
            }
            try ended.withBytes { try PrivateFiles.create(path, with: $0) }
        }

        private func report(
            _ context: CommandContext,
            _ wallet: Wallet,
            _ form: String,
            _ start: String
        ) throws -> CommandReport {
            var data = try WalletJSON.wallet(context.entry(wallet)).objectValue ?? JSONObject()
            data["form"] = .string(form)
            data["out"] = JSONFormat.text(out)
            return context.changed(.object(data)) { _ in ["\(start) \(wallet.label)."] }
        }
    }
}
