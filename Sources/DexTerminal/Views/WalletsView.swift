package import DexCore
import Ethereum

package typealias WalletsView = StateView<WalletsState>

extension StateView<WalletsState> {
    package func lines(_ screen: Screen) -> [String] {
        let wallets = wallets(screen)
        guard !state.signers.isEmpty else { return wallets }
        return (state.wallets.isEmpty ? [] : wallets + [""])
            + WalletJSON.signer.lines(state.signers, screen)
    }

    private func wallets(_ screen: Screen) -> [String] {
        guard !state.wallets.isEmpty else {
            return screen.sentences("There is no wallet in \(state.folder).")
                + screen.sentences("Make one: dex wallet new", .dim)
        }
        return WalletJSON.wallet.lines(state.wallets, screen)
    }
}
