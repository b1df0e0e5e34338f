import DexCore
import Ethereum
import EthereumWallet
import SandboxHost

/// Who acts: an address, and the key where we have it.
struct Account: Sendable {
    let address: Address
    /// The name of a sandbox account.
    let name: String?
    /// nil where only the address is known.
    let key: (any Signer)?

    /// The key.
    ///
    /// - Throws: `DexError`, exit 5, where only the address is known.
    func signer() throws(DexError) -> any Signer {
        if let key { return key }
        throw DexError(
            .wallet,
            code: "no-key",
            message: "There is no key for \(address.checksummed), so it cannot sign.",
            hint: "Set DEX_PRIVATE_KEY to its key, or add --dry-run to only look."
        )
    }

    /// The name, where there is one, and the address: `alice (0x…)`.
    var label: String {
        name.map { "\($0) (\(address.checksummed))" } ?? address.checksummed
    }
}

extension CommandContext {
    /// The account that flags and environment name: `--wallet`, DEX_WALLET, DEX_PRIVATE_KEY; on the
    /// sandbox alice where nobody is named.
    ///
    /// - Throws: `DexError`, exit 5.
    func account(_ network: Network) throws(DexError) -> Account {
        let key = try privateKey()
        let wish = options.wallet ?? environment["DEX_WALLET"]
        guard let wish else {
            if let key { return Account(address: key.address, name: nil, key: key) }
            guard network.isSandbox else {
                throw DexError(
                    .wallet,
                    code: "no-wallet",
                    message: "No account is named.",
                    hint: "Set DEX_PRIVATE_KEY, or give an address with --wallet to only look."
                )
            }
            let alice = try sandboxAccount(Self.defaultSandboxAccount, network)
            console.note("Acting as \(alice.label), a sandbox account; --wallet NAME for another.")
            return alice
        }
        if wish.lowercased().hasPrefix("0x") {
            return try account(address: wish, key: key, network)
        }
        let account = try sandboxAccount(wish, network)
        // A flag says more than a variable; two variables that disagree say nothing.
        if let key, options.wallet == nil, key.address != account.address {
            throw DexError(
                .wallet,
                code: "wallet-mismatch",
                message: "DEX_WALLET names \(account.label), but DEX_PRIVATE_KEY is the key of "
                    + "\(key.address.checksummed).",
                hint: "Unset one of them, or name the account with --wallet."
            )
        }
        return account
    }

    /// The account that reads are made for, to mark what is ours; nil where nobody is named.
    ///
    /// - Throws: `DexError`, exit 5, where somebody is named and not known.
    func reader(_ network: Network) throws(DexError) -> Address? {
        let isNamed = [options.wallet, environment["DEX_WALLET"], environment["DEX_PRIVATE_KEY"]]
            .contains { $0 != nil }
        if isNamed { return try account(network).address }
        guard network.isSandbox, let accounts = try sandboxAccounts() else { return nil }
        return accounts.all.first { $0.name == Self.defaultSandboxAccount }?.address
    }

    /// Who acts on the sandbox where nobody is named.
    private static let defaultSandboxAccount = "alice"

    private func account(
        address text: String,
        key: PrivateKeySigner?,
        _ network: Network
    ) throws(DexError) -> Account {
        let address: Address
        do {
            address = try Address(text)
        } catch {
            throw DexError(error)
        }
        if let key {
            guard key.address == address else {
                throw DexError(
                    .wallet,
                    code: "wallet-mismatch",
                    message: "DEX_PRIVATE_KEY is the key of \(key.address.checksummed), not of "
                        + "\(address.checksummed).",
                    hint: "Correct --wallet (or DEX_WALLET), or DEX_PRIVATE_KEY."
                )
            }
            return Account(address: address, name: nil, key: key)
        }
        if network.isSandbox, let accounts = try sandboxAccounts() {
            let name = accounts.all.first { $0.address == address }?.name
            return Account(address: address, name: name, key: accounts.signer(of: address))
        }
        return Account(address: address, name: nil, key: nil)
    }

    private func sandboxAccount(_ name: String, _ network: Network) throws(DexError) -> Account {
        let shown = PlainText.clean(name, limit: 64)
        guard network.isSandbox else {
            throw DexError(
                .wallet,
                code: "unknown-wallet",
                message: "There is no wallet \"\(shown)\" on the network \(network.name); named "
                    + "accounts are the sandbox's.",
                hint: "Set DEX_PRIVATE_KEY, and give --wallet an address or leave it out."
            )
        }
        guard let accounts = try sandboxAccounts() else {
            throw DexError(
                .unreachable,
                code: "sandbox-not-running",
                message: "The sandbox is not running, so the account \"\(shown)\" is not known.",
                hint: "Start it: dex sandbox up --detach"
            )
        }
        guard let account = accounts.all.first(where: { $0.name == name }),
            let signer = accounts.signer(named: name)
        else {
            let known = accounts.all.map(\.name).joined(separator: ", ")
            throw DexError(
                .wallet,
                code: "unknown-wallet",
                message: "The sandbox has no account \"\(shown)\".",
                hint: "Its accounts are \(known)."
            )
        }
        return Account(address: account.address, name: name, key: signer)
    }

    private func sandboxAccounts() throws(DexError) -> SandboxAccounts? {
        guard let state = try sandbox() else { return nil }
        do throws(PrivateKeyError) {
            return try SandboxAccounts(seed: state.seed)
        } catch {
            throw DexError(error)
        }
    }

    private func privateKey() throws(DexError) -> PrivateKeySigner? {
        guard let hex = environment["DEX_PRIVATE_KEY"] else { return nil }
        do throws(PrivateKeyError) {
            return try PrivateKeySigner(hex: hex)
        } catch {
            throw DexError(
                .wallet,
                code: "bad-private-key",
                message: error.description,
                hint: "Correct DEX_PRIVATE_KEY."
            )
        }
    }
}
