package import Ethereum

/// What `dex wallet list` shows.
package struct WalletsState: Hashable, Sendable {
    /// One wallet, without anything secret.
    package struct Entry: Hashable, Sendable {
        package let name: String?
        /// nil where only the password tells.
        package let address: Address?
        package let path: String
        /// It is in our own folder.
        package let isOurs: Bool
        package let isDefault: Bool
        /// Where the key is below its recovery phrase; nil where the file has no phrase.
        package let derivation: String?

        package init(
            name: String?,
            address: Address?,
            path: String,
            isOurs: Bool,
            isDefault: Bool,
            derivation: String?
        ) {
            self.name = name
            self.address = address
            self.path = path
            self.isOurs = isOurs
            self.isDefault = isDefault
            self.derivation = derivation
        }
    }

    package let wallets: [Entry]
    /// Our own folder.
    package let folder: String

    package init(wallets: [Entry], folder: String) {
        self.wallets = wallets
        self.folder = folder
    }
}
