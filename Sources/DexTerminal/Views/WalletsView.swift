package import DexCore
import Ethereum

package typealias WalletsView = StateView<WalletsState>

extension StateView<WalletsState> {
    package func lines(_ screen: Screen) -> [String] {
        let wallets = wallets(screen)
        guard !state.signers.isEmpty else { return wallets }
        return (state.wallets.isEmpty ? [] : wallets + [""]) + signers(screen)
    }

    private func signers(_ screen: Screen) -> [String] {
        var table = Table([
            Table.Column(""), Table.Column("signer", minimumWidth: 8), Table.Column("address"),
            Table.Column("asked by"),
        ])
        for signer in state.signers {
            table.add([
                Table.Cell(signer.isDefault ? "*" : "", .bold),
                Table.Cell(TerminalText.clean(signer.name)),
                Table.Cell(signer.address.checksummed),
                Table.Cell(signer.kind, .dim),
            ])
        }
        return table.lines(width: screen.width, style: screen.style)
    }

    private func wallets(_ screen: Screen) -> [String] {
        guard !state.wallets.isEmpty else {
            return screen.sentences("There is no wallet in \(state.folder).")
                + screen.sentences("Make one: dex wallet new", .dim)
        }
        // Usually nothing is unlocked.
        let tellsKeys = state.wallets.contains { $0.isUnlocked }
        let keys = tellsKeys ? [Table.Column("key")] : []
        var table = Table(
            [Table.Column(""), Table.Column("name", minimumWidth: 8), Table.Column("address")]
                + keys
                + [
                    Table.Column("phrase", dropOrder: 2),
                    Table.Column("file", dropOrder: 1, minimumWidth: 16),
                ]
        )
        for wallet in state.wallets {
            let address =
                wallet.address.map { Table.Cell($0.checksummed) }
                ?? Table.Cell("only its password shows it", .dim)
            let key = Table.Cell(wallet.isUnlocked ? "unlocked" : "", .bold)
            table.add(
                [
                    Table.Cell(wallet.isDefault ? "*" : "", .bold),
                    Table.Cell(TerminalText.clean(wallet.name ?? "-")), address,
                ] + (tellsKeys ? [key] : []) + [
                    Table.Cell(wallet.derivation ?? "-", .dim),
                    Table.Cell(TerminalText.clean(wallet.path), .dim),
                ]
            )
        }
        return table.lines(width: screen.width, style: screen.style)
    }
}
