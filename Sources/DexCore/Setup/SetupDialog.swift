package import Ethereum

/// Asks the user of `dex init`; nothing of it goes to stdout.
package protocol SetupDialog: Sendable {
    /// Shows what was found, or why an answer is not used.
    func show(_ message: SetupMessage)

    /// The typed line without spaces around it; empty for Enter alone.
    ///
    /// - Throws: `CancellationError` after a signal; `DexError`, exit 20, at the end of the input.
    func ask(_ question: SetupQuestion) async throws -> String
}

/// Finds and makes the wallets of `dex init`.
///
/// Everything throws `DexError`, and `CancellationError` after a signal.
package protocol SetupWallets: Sendable {
    /// The wallets and signers that exist.
    func known() async throws -> [SetupWallet]

    /// The wallet or signer of a name or an address.
    func existing(_ name: String) async throws -> SetupWallet

    /// A name that no wallet has.
    ///
    /// - Parameter name: checked; nil for the next usual one.
    func freeName(_ name: String?) async throws -> String

    /// Makes a wallet of a new recovery phrase and writes it.
    func make(_ name: String) async throws -> SetupWallet

    /// Brings a key in and writes it.
    ///
    /// - Parameter file: nil asks for a key or a phrase on the terminal.
    func bringIn(
        _ form: SetupWalletForm,
        file: String?,
        name: String
    ) async throws -> SetupWallet
}

/// A wallet or a signer, as far as it may be shown.
package struct SetupWallet: Hashable, Sendable {
    /// What `wallet` in config.toml is set to: the name, or else the address.
    package let name: String
    /// nil if only the wallet's password reveals it, or it is not made yet.
    package let address: Address?

    package init(name: String, address: Address?) {
        self.name = name
        self.address = address
    }
}

/// A question with the answer of Enter alone.
package enum SetupQuestion: Hashable, Sendable {
    case network(usual: String)
    case startSandbox
    /// The nodes that are set; Enter keeps them, or skips if there are none.
    case node(known: [String])
    case relay(known: [String])
    /// A number of the shown list.
    case wallet(usual: Int)
    case walletName(usual: String)
    case keystoreFile
}

/// What `dex init` shows between its questions.
package enum SetupMessage: Hashable, Sendable {
    case welcome
    /// The networks to choose from in the order of their numbers, by kind.
    case networks([NetworkGroup], usual: String)
    /// An answer that cannot be used.
    case problem(DexError)
    /// A number or a name that is not in the list.
    case noChoice(String, count: Int, question: String?)
    /// Before the node and the relay are asked for.
    case network(Network)
    case nodeAnswers(node: String, chainID: UInt64, hasExchange: Bool)
    case relayAnswers(relay: String, pairs: Int)
    /// What can be chosen, in the order of their numbers.
    case wallets([SetupWalletChoice])
    case walletReady(SetupWallet)
}

/// A line of the list of wallets.
package enum SetupWalletChoice: Hashable, Sendable {
    case existing(SetupWallet, isDefault: Bool)
    case new
    case imported(SetupWalletForm)
    case none
}
