import DexCore
import DexSettings
import DexSigning
import DexWallet
import Ethereum
import EthereumWallet
import SandboxHost

/// The acting account: an address, and its key if we have it.
struct Account: Sendable {
    let address: Address
    /// The name of a sandbox account.
    let name: String?
    let network: Network
    /// nil if only the address is known.
    let key: Key?

    enum Key: Sendable {
        case held(any KeyHolder)
        /// In an encrypted file, which is opened for signing.
        case wallet(Wallet)
    }

    /// The error of an account without a key.
    var noKey: DexError {
        AccountError.noKey(address)
    }

    /// The name, if any, and the address: `alice (0x…)`.
    var label: String {
        name.map { "\($0) (\(address.checksummed))" } ?? address.checksummed
    }
}

extension Account {
    /// The account of a key that is at hand.
    init(_ signer: PrivateKeySigner, name: String? = nil, _ network: Network) {
        self.init(
            address: signer.address,
            name: name,
            network: network,
            key: .held(LocalKey(signer))
        )
    }
}

extension CommandContext {
    /// The account of `--wallet`, DEX_WALLET or DEX_PRIVATE_KEY.
    ///
    /// Otherwise alice on the sandbox, and elsewhere the default wallet. `acting` goes before all.
    ///
    /// - Throws: `DexError`, exit 5; `WalletError`; `CancellationError` after a signal.
    func account(_ network: Network) async throws -> Account {
        if let acting, acting.network.name == network.name { return acting }
        let key = try privateKey()
        let requested = options.wallet ?? environment["DEX_WALLET"]
        guard let requested else {
            if let key {
                return Account(key, network)
            }
            guard network.isSandbox else {
                if let name = try settings().text(["wallet"]) {
                    if let signer = try externalSigner(name) { return try account(signer, network) }
                    return try await wallet(name, network)
                }
                throw AccountError.noneNamed
            }
            let alice = try sandboxAccount(Self.defaultSandboxAccount, network)
            console.note("Acting as \(alice.label), a sandbox account; --wallet NAME for another.")
            return alice
        }
        if requested.lowercased().hasPrefix("0x") {
            return try account(address: requested, key: key, network)
        }
        let account = try await named(requested, network)
        // A flag overrides a variable; two contradicting variables are an error.
        if let key, options.wallet == nil, key.address != account.address {
            throw AccountError.otherThanWallet(label: account.label, key: key.address)
        }
        return account
    }

    /// The account of an earlier action, to sign its consequence.
    ///
    /// Another one if `--wallet` names it, or DEX_PRIVATE_KEY is its key.
    ///
    /// - Throws: `DexError`, exit 5, or `WalletError`.
    func account(_ network: Network, of address: Address) async throws -> Account {
        let key = try privateKey()
        guard options.wallet == nil, key == nil || key?.address == address else {
            return try await account(network)
        }
        return try account(address: address.checksummed, key: key, network)
    }

    /// Where the default wallet does not act: sentences.
    ///
    /// - Throws: `DexError`, exit 3.
    func defaultWalletLimits(_ settings: Settings) throws -> [String] {
        var sentences: [String] = []
        if let name = ["DEX_WALLET", "DEX_PRIVATE_KEY"].first(where: { environment[$0] != nil }) {
            sentences.append("\(name) is set, and acts instead while it is: unset \(name)")
        }
        if try network(settings).isSandbox {
            sentences.append(
                "The default network is the sandbox, where \(Self.defaultSandboxAccount) acts all "
                    + "the same. Name the wallet there: --wallet NAME. Or choose another network: dex "
                    + "network use NAME"
            )
        }
        return sentences
    }

    /// The account for reads, which marks what is ours; nil if none is named.
    ///
    /// - Throws: `DexError`, exit 5, or `WalletError` if the named account is unknown.
    func reader(_ network: Network) async throws -> Address? {
        let isNamed = [options.wallet, environment["DEX_WALLET"], environment["DEX_PRIVATE_KEY"]]
            .contains { $0 != nil }
        if isNamed { return try await account(network).address }
        guard network.isSandbox else {
            // Marking own lines never asks for a password.
            guard let name = try settings().text(["wallet"]) else { return nil }
            return try externalSigner(name)?.address ?? walletStore().wallet(name).address
        }
        guard let accounts = try sandboxAccounts() else { return nil }
        return accounts.all.first { $0.name == Self.defaultSandboxAccount }?.address
    }

    /// Accounts by their names or addresses, each once.
    ///
    /// - Throws: `DexError`, exit 5, or `WalletError`.
    func accounts(_ network: Network, named names: [String]) async throws -> [Account] {
        var accounts: [Account] = []
        for name in names {
            let account =
                try await name.lowercased().hasPrefix("0x")
                ? account(address: name, key: nil, network) : named(name, network)
            if !accounts.contains(where: { $0.address == account.address }) {
                accounts.append(account)
            }
        }
        return accounts
    }

    /// The default account on the sandbox.
    static let defaultSandboxAccount = "alice"

    private func account(
        address text: String,
        key: PrivateKeySigner?,
        _ network: Network
    ) throws -> Account {
        let address = try Address(party: text)
        if let key {
            guard key.address == address else {
                throw AccountError.otherThanAddress(address, key: key.address)
            }
            return Account(key, network)
        }
        if network.isSandbox, let accounts = try sandboxAccounts(),
            let signer = accounts.signer(of: address)
        {
            let name = accounts.all.first { $0.address == address }?.name
            return Account(signer, name: name, network)
        }
        if let signer = try externalSigner(text) { return try account(signer, network) }
        let wallet = try walletStore().contents().wallets.first { $0.address == address }
        return Account(
            address: address,
            name: wallet?.name,
            network: network,
            key: wallet.map { .wallet($0) }
        )
    }

    /// A name of a sandbox account, a signer or a wallet.
    private func named(_ name: String, _ network: Network) async throws -> Account {
        if let signer = try externalSigner(name) { return try account(signer, network) }
        if network.isSandbox {
            let isWallet = try walletStore().contents().wallets.contains { $0.name == name }
            if !isWallet { return try sandboxAccount(name, network) }
        }
        return try await wallet(name, network)
    }

    private func account(
        _ signer: SignerSettings,
        _ network: Network
    ) throws -> Account {
        let isTaken = try walletStore().contents().wallets.contains { $0.name == signer.name }
        guard !isTaken, !SandboxAccounts.names.contains(signer.name) else {
            throw AccountError.ambiguousName(signer.name)
        }
        return Account(
            address: signer.address,
            name: signer.name,
            network: network,
            key: .held(try keyHolder(signer))
        )
    }

    private func wallet(_ name: String, _ network: Network) async throws -> Account {
        let wallet = try walletStore().wallet(name)
        if let address = wallet.address {
            return Account(
                address: address,
                name: wallet.name,
                network: network,
                key: .wallet(wallet)
            )
        }
        guard opensWallets else {
            throw AccountError.noAddress(label: wallet.label)
        }
        // Some programs keep the address out of the file, so the file must be decrypted.
        let signer = try await unlocked(wallet)
        return Account(signer, name: wallet.name, network)
    }

    private func sandboxAccount(
        _ name: String,
        _ network: Network
    ) throws(DexError) -> Account {
        let shown = PlainText.clean(name, limit: 64)
        guard let accounts = try sandboxAccounts() else {
            throw SandboxUseError.notRunning(so: "the account \"\(shown)\" is not known")
        }
        guard let signer = accounts.signer(named: name) else {
            let known = accounts.all.map(\.name)
            throw AccountError.notInSandbox(shown, known: known)
        }
        return Account(signer, name: name, network)
    }

    func sandboxAccounts() throws(DexError) -> SandboxAccounts? {
        guard let state = try sandbox() else { return nil }
        return try DexCore.reported(PrivateKeyError.self, try state.namedAccounts())
    }

    func privateKey() throws(DexError) -> PrivateKeySigner? {
        guard let hex = environment["DEX_PRIVATE_KEY"] else { return nil }
        do throws(PrivateKeyError) {
            return try PrivateKeySigner(hex: hex)
        } catch {
            throw AccountError.badKey(error)
        }
    }
}
