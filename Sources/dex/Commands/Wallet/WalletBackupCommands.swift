import ArgumentParser
import DexCore
import DexTerminal
import DexWallet
import EthereumWallet
import PrivateFiles
import StrictJSON

extension WalletCommand {
    struct Backup: DexCommand {
        static var answer: Answer? { .walletBackup }
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Save all wallets of our own folder in one encrypted file.",
            discussion: """
                The file has a password of its own; in it every key stays under its own password \
                too.
                """
        )
        static let examples: Examples = [
            "Save all keys, still encrypted": "dex wallet backup wallets.json",
            "On a slow machine": "dex wallet backup wallets.json --light",
        ]
        @Argument(help: "The new file.")
        var file: String
        @Flag(help: "Make opening cheap in memory and time, and guessing the password too.")
        var light = false
        @OptionGroup var passwordRule: PasswordRule
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let backup = try context.walletStore().backup()
            let count = backup.entries.count
            let data: JSONValue = [
                "file": .string(file),
                "names": .array(backup.entries.map { JSONFormat.text($0.label) }),
            ]
            let wallets = count == 1 ? "1 wallet" : "\(count) wallets"
            guard !options.isDryRun else {
                return context.changed(data) { _ in ["It would save \(wallets) in \(file)."] }
            }
            let password = try await context.newPassword(for: "the backup", passwordRule)
            context.console.progress("saving \(wallets)")
            try await context.naming(file) {
                let content = try backup.sealed(
                    password: password,
                    strength: light ? .light : .standard
                )
                try content.withUnsafeBytes { content in
                    try PrivateFiles.create(file, with: content) { written in
                        let read = try WalletBackup(
                            WalletBackup.sealedFile(Array(written)),
                            path: file,
                            password: password
                        )
                        guard read == backup else { throw WalletError.notVerified(path: file) }
                    }
                }
            }
            return context.changed(data) { _ in ["\(wallets) saved in \(file)."] }
        }
    }

    struct Restore: DexCommand {
        static var answer: Answer? { .walletRestore }
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Bring the wallets of a backup back that are not there."
        )
        static let examples: Examples = [
            "Bring back what is missing": "dex wallet restore wallets.json",
            "Report it as JSON": "dex wallet restore wallets.json -j",
        ]
        @Argument(help: "The file that dex wallet backup made.")
        var file: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let store = try context.walletStore()
            guard let bytes = try context.content(of: file) else {
                throw WalletError.file("\(file) does not exist.")
            }
            let backup = try await context.naming(file) {
                let sealed = try WalletBackup.sealedFile(bytes)
                return try await context.opened("the backup \(file)") { password in
                    try WalletBackup(sealed, path: file, password: password)
                }
            }
            guard !options.isDryRun else {
                let labels = backup.entries.map(\.label)
                let data: JSONValue = [
                    "file": .string(file), "names": .array(labels.map { .string($0) }),
                ]
                return context.changed(data) { _ in
                    ["\(file) has \(labels.joined(separator: ", "))."]
                }
            }
            let (restored, present) = try store.restore(backup)
            let entries = try restored.map { try context.entry($0) }
            let data: JSONValue = [
                "file": .string(file),
                "restored": .array(entries.map { WalletJSON.wallet($0) }),
                "existing": .array(present.map { JSONFormat.text($0) }),
            ]
            return context.changed(data) { screen in
                (restored.map { "restored \($0.label)" } + present.map { "there already \($0)" })
                    .flatMap { screen.sentences($0) }
            }
        }
    }
}
