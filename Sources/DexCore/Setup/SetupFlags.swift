/// What the command line of `dex init` answers, before anything is asked.
package struct SetupFlags: Sendable {
    package enum Wallet: Hashable, Sendable {
        /// A wallet or a signer that exists, by its name or its address.
        case existing(String)
        /// A new one of this name.
        case new(String)
        /// A key of another place; the form says what `file` holds.
        case imported(SetupWalletForm, file: String?, name: String?)
    }

    /// The network's name; nil if none is given.
    package var network: String?
    package var nodes: [String]
    package var relays: [String]
    package var wallet: Wallet?

    package init(
        network: String? = nil,
        nodes: [String] = [],
        relays: [String] = [],
        wallet: Wallet? = nil
    ) {
        self.network = network
        self.nodes = nodes
        self.relays = relays
        self.wallet = wallet
    }
}

/// What a key is brought in from.
package enum SetupWalletForm: String, CaseIterable, Sendable {
    /// An encrypted file of geth or another program.
    case keystore
    /// A private key: 64 hexadecimal digits.
    case key
    /// A recovery phrase.
    case words
}
