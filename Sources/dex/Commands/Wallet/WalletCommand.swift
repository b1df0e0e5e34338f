import ArgumentParser
import DexCore
import DexSettings
import DexSigning
import DexTerminal
import DexWallet
import Ethereum
import EthereumWallet
import PrivateFiles
import StrictJSON

struct WalletCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet",
        abstract: "Make, bring in, use and back up encrypted keys.",
        discussion: """
            Keys are kept as geth keeps them, one encrypted file each, in the keystore folder of \
            the data. Passwords are asked for on the terminal, or are the first line of the file \
            that DEX_PASSWORD_FILE names. Folders of geth or foundry are read too, where \
            config.toml names them: keystores = ["~/.ethereum/keystore"].
            """,
        subcommands: [
            New.self, Import.self, Export.self, List.self, Use.self, Rename.self, Remove.self,
            SignMessage.self, VerifyMessage.self, SignTyped.self, VerifyTyped.self, Backup.self,
            Restore.self,
        ],
        defaultSubcommand: List.self
    )
    static let examples: Examples = [
        "Make a key": "dex wallet new main",
        "Bring a recovery phrase in": "dex wallet import words main",
        "See them all": "dex wallet list",
    ]

    struct List: ListingCommand {
        static var answer: Answer? { .wallets }
        static var rows: Fields<WalletsState.Entry> { WalletJSON.wallet }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List all wallets; no password is needed."
        )
        static let examples: Examples = [
            "All wallets": "dex wallet list",
            "For a script": "dex wallet list -j",
        ]
        @OptionGroup var list: ListOptions<List>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let store = try context.walletStore()
            let contents = try store.contents()
            var wallets = try contents.wallets.map { try context.entry($0) }
            let left = list.selection().apply(to: &wallets)
            let state = WalletsState(
                wallets: wallets,
                signers: try context.settings().signers().map { try context.entry($0) },
                folder: store.folder
            )
            // They are on stderr.
            let warnings =
                contents.problems.map(\.description)
                + contents.wallets.filter { PrivateFiles.isExposed($0.path) }
                .map { "Others than you may read \($0.path): chmod 600 closes it." }
            var report = report(
                context,
                WalletJSON.list,
                state,
                table: WalletJSON.listed.csv(
                    state.wallets.map { .wallet($0) } + state.signers.map { .signer($0) }
                ),
                left: left
            ) { WalletsView(state).lines($0) }
            report.warnings = warnings
            return report
        }
    }

    struct Use: DexCommand {
        static var answer: Answer? { .walletUse }
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Make a wallet the default, on every network but the sandbox."
        )
        static let examples: Examples = [
            "Use it wherever no other is named": "dex wallet use main",
            "By its address": "dex wallet use 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
        ]
        @Argument(help: "The wallet's name or address.")
        var name: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            var settings = try context.settings()
            let limits = try context.defaultWalletLimits(settings)
            if let signer = try context.externalSigner(name) {
                try settings.file.set([(["wallet"], .text(signer.name))])
                if !options.isDryRun { try context.config.save(settings) }
                let data = WalletJSON.signer(try context.entry(signer, default: signer.name))
                return context.changed(data) { screen in
                    ["The default wallet is now \(signer.name) (\(signer.address.checksummed))."]
                        + limits.flatMap { screen.sentences($0, .yellow) }
                }
            }
            let wallet = try context.walletStore().wallet(name)
            let text = wallet.name ?? wallet.address?.checksummed ?? name
            try settings.file.set([(["wallet"], .text(text))])
            if !options.isDryRun { try context.config.save(settings) }
            let data = WalletJSON.wallet(try context.entry(wallet, default: text))
            return context.changed(data) { screen in
                ["The default wallet is now \(wallet.label)."]
                    + limits.flatMap { screen.sentences($0, .yellow) }
            }
        }
    }

    struct Rename: DexCommand {
        static var answer: Answer? { .wallet }
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Give a wallet another name."
        )
        static let examples: Examples = [
            "Give it another name": "dex wallet rename main savings",
            "Name one by its address":
                "dex wallet rename 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E savings",
        ]
        @Argument(help: "The wallet's name or address.")
        var name: String
        @Argument(help: "The new name: letters, digits, - and _.")
        var newName: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let store = try context.walletStore()
            let wallet = try store.wallet(name)
            let newName = try store.freeName(newName)
            var settings = try context.settings()
            let isDefault = wallet.name != nil && settings.text(["wallet"]) == wallet.name
            if !options.isDryRun {
                // The user confirmed unlocking under the old name.
                try context.lock(wallet)
                try store.rename(wallet, to: newName)
                if isDefault {
                    try settings.file.set([(["wallet"], .text(newName))])
                    try context.config.save(settings)
                }
            }
            let renamed = wallet.named(newName)
            let data = WalletJSON.wallet(
                try context.entry(renamed, default: isDefault ? newName : nil)
            )
            return context.changed(data) { _ in ["\(wallet.label) is called \(newName) now."] }
        }
    }

    struct Remove: DexCommand {
        static var answer: Answer? { .wallet }
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a wallet's file for good.",
            discussion: """
                Without a backup the key is lost, and with it whatever the account has. On a \
                terminal the wallet's name has to be typed; --yes stands in for that.
                """
        )
        static let examples: Examples = [
            "Keep a backup first": "dex wallet backup wallets.json",
            "Remove the file for good": "dex wallet remove old",
        ]
        @Argument(help: "The wallet's name or address.")
        var name: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let store = try context.walletStore()
            let wallet = try store.wallet(name)
            guard wallet.isOurs else { throw WalletError.notOurs(path: wallet.path) }
            let data = WalletJSON.wallet(try context.entry(wallet))
            let plan = "This removes \(wallet.path), the key of \(wallet.label), for good."
            if !options.saysYes, !options.isDryRun {
                guard !options.isJSON, context.console.hasTerminal else {
                    context.console.note("Nothing was removed. Run it again with --yes to do this.")
                    return CommandReport(exit: .planOnly, status: .plan, data: data) {
                        $0.sentences(plan)
                    }
                }
                let word = wallet.name ?? wallet.address?.checksummed ?? "remove"
                _ = try await context.typedConfirmation(plan, word: word)
            }
            if !options.isDryRun {
                try context.lock(wallet)
                try store.remove(wallet)
                if let address = wallet.address {
                    SecretService(context.environment)?.forget(address)
                }
            }
            return context.changed(data) { _ in ["\(wallet.label) is removed."] }
        }
    }
}

extension CommandContext {
    /// A wallet's entry.
    ///
    /// - Parameter chosen: the default wallet, if it is not config.toml's.
    func entry(
        _ wallet: Wallet,
        default chosen: String? = nil
    ) throws(DexError) -> WalletsState.Entry {
        let kept = try settings().text(["wallet"])
        let chosen = chosen ?? kept
        return WalletsState.Entry(
            name: wallet.name,
            address: wallet.address,
            path: wallet.path,
            isOurs: wallet.isOurs,
            isDefault: chosen != nil
                && (chosen == wallet.name
                    || chosen?.lowercased() == wallet.address?.lowercaseHex),
            derivation: wallet.keystore.phrasePath?.description,
            isUnlocked: try isUnlocked(wallet)
        )
    }

    private func isUnlocked(_ wallet: Wallet) throws(DexError) -> Bool {
        guard let address = wallet.address else { return false }
        let client = try agent(of: address)
        return try DexCore.reported(SigningError.self, try client.isRunning())
    }

    /// Ends the agent of a wallet, if it has one.
    fileprivate func lock(_ wallet: Wallet) throws {
        guard let address = wallet.address else { return }
        _ = try agent(of: address).lock()
    }

    /// A signer's entry.
    func entry(
        _ signer: SignerSettings,
        default chosen: String? = nil
    ) throws(DexError) -> WalletsState.Signer {
        let kept = try settings().text(["wallet"])
        let chosen = chosen ?? kept
        let kind =
            switch signer.way {
            case .node: "rpc"
            case .program: "command"
            }
        return WalletsState.Signer(
            name: signer.name,
            address: signer.address,
            kind: kind,
            isDefault: chosen == signer.name
        )
    }

    /// The report of changed files, or of a change that `--dry-run` left out.
    func changed(
        _ data: JSONValue,
        warnings: [String] = [],
        lines: @escaping @Sendable (Screen) -> [String]
    ) -> CommandReport {
        CommandReport(
            exit: options.isDryRun ? .dryRun : .done,
            status: options.isDryRun ? .dryRun : .ok,
            data: data,
            warnings: warnings,
            lines: lines
        )
    }
}
