package import DexCore
import Ethereum
import StrictJSON

/// The `data` of the wallet commands.
package enum WalletJSON {
    package static let list = Fields<WalletsState> {
        Field("folder", "Our own folder") { ExactText($0.folder) }
        Field("wallets", "The wallets", list: wallet, \.wallets)
        Field("signers", "Keys that other programs hold", list: signer, \.signers)
    }

    package static let signer = Fields<WalletsState.Signer>(
        named: "signer",
        "A key that another program holds"
    ) {
        Field("name", "Its name in config.toml") { ExactText($0.name) }
            .shown(1, "signer", minimumWidth: 8) { row, _ in .init(TerminalText.clean(row.name)) }
        Field("address", "The account", \.address)
            .shown(2, "address") { row, _ in .init(row.address.checksummed) }
        Field("kind", "How it is asked", as: .words(["rpc", "command"])) { ExactText($0.kind) }
            .shown(3, "asked by") { row, _ in .init(row.kind, .dim) }
        Field("isDefault", "It is used without `--wallet`", \.isDefault)
            .shown(0, "") { row, _ in .init(row.isDefault ? "*" : "", .bold) }
    }

    package static let wallet = Fields<WalletsState.Entry>(named: "wallet", "A wallet") {
        Field("name", "Null in files of other programs", \.name)
            .sorted("name", .lowest, \.name)
            .shown(1, "name", minimumWidth: 8) { row, _ in
                .init(TerminalText.clean(row.name ?? "-"))
            }
        Field("address", "The account; null if only the password reveals it", \.address)
            .sorted("address", .lowest, \.address)
            .shown(2, "address") { row, _ in
                row.address.map { .init($0.checksummed) }
                    ?? .init("only its password shows it", .dim)
            }
        Field("path", "Its file") { ExactText($0.path) }
            .shown(5, "file", dropOrder: 1, minimumWidth: 16) { row, _ in
                .init(TerminalText.clean(row.path), .dim)
            }
        Field("isOwn", "It is in our own folder", \.isOurs)
        Field("isDefault", "It is used without `--wallet`", \.isDefault)
            .shown(0, "") { row, _ in .init(row.isDefault ? "*" : "", .bold) }
        Field("derivation", "The path below its recovery phrase, or null", \.derivation)
            .shown(4, "phrase", dropOrder: 2) { row, _ in .init(row.derivation ?? "-", .dim) }
        // Usually nothing is unlocked.
        Field("isUnlocked", "[`dex unlock`](signing.md#unlocked-keys) holds its key", \.isUnlocked)
            .shown(3, "key", ifAny: true) { row, _ in
                .init(row.isUnlocked ? "unlocked" : "", .bold)
            }
    }

    /// A row of the list: a wallet or a signer.
    package enum Listed: Sendable {
        case wallet(WalletsState.Entry)
        case signer(WalletsState.Signer)
    }

    /// The columns of both.
    package static let listed = Fields<Listed> {
        Field("name", "Its name") { $0.wallet?.name ?? $0.signer?.name }.csv(0, "name")
        Field("address", "The account") { $0.wallet?.address ?? $0.signer?.address }
            .csv(1, "address")
        Field("isDefault", "It is used without `--wallet`") {
            $0.wallet?.isDefault ?? $0.signer?.isDefault
        }
        .csv(2, "default")
        Field("isUnlocked", "Of a wallet", \.wallet?.isUnlocked).csv(3, "unlocked")
        Field("kind", "Of a signer", \.signer?.kind).csv(4, "kind")
        Field("derivation", "Of a wallet", \.wallet?.derivation).csv(5, "derivation")
        Field("path", "Of a wallet") { $0.wallet.map { ExactText($0.path) } }.csv(6, "path")
    }
}

extension WalletJSON.Listed {
    var wallet: WalletsState.Entry? {
        if case .wallet(let wallet) = self { wallet } else { nil }
    }

    var signer: WalletsState.Signer? {
        if case .signer(let signer) = self { signer } else { nil }
    }
}
