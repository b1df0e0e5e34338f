package import Ethereum

/// The wallets, signers and accounts, for `dex wallet list`.
package struct WalletsState: Hashable, Sendable {
    /// One wallet, without anything secret.
    package struct Entry: Hashable, Sendable {
        package let name: String?
        /// nil if only the password reveals it.
        package let address: Address?
        package let path: String
        /// It is in our own folder.
        package let isOurs: Bool
        package let isDefault: Bool
        /// The key's path below its recovery phrase; nil if the file has no phrase.
        package let derivation: String?
        /// `dex unlock` currently holds its key.
        package let isUnlocked: Bool

        package init(
            name: String?,
            address: Address?,
            path: String,
            isOurs: Bool,
            isDefault: Bool,
            derivation: String?,
            isUnlocked: Bool = false
        ) {
            self.name = name
            self.address = address
            self.path = path
            self.isOurs = isOurs
            self.isDefault = isDefault
            self.derivation = derivation
            self.isUnlocked = isUnlocked
        }
    }

    /// An external signer.
    package struct Signer: Hashable, Sendable {
        package let name: String
        package let address: Address
        /// `rpc` or `command`.
        package let kind: String
        package let isDefault: Bool

        package init(name: String, address: Address, kind: String, isDefault: Bool) {
            self.name = name
            self.address = address
            self.kind = kind
            self.isDefault = isDefault
        }
    }

    package let wallets: [Entry]
    package let signers: [Signer]
    /// Our own folder.
    package let folder: String

    package init(wallets: [Entry], signers: [Signer] = [], folder: String) {
        self.wallets = wallets
        self.signers = signers
        self.folder = folder
    }
}
