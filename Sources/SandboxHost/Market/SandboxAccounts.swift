package import Ethereum
package import EthereumWallet

/// The named accounts of a sandbox: four traders, six makers, and the relay that gets fees.
///
/// Their keys follow from the seed by Keccak-256, so anyone can compute them. They have no value,
/// and no funds of value may ever be sent to them.
package struct SandboxAccounts: Sendable {
    /// An account with a name for the command line.
    package struct Account: Hashable, Sendable {
        package let name: String
        package let address: Address
    }

    /// The traders: `dex --wallet alice`.
    package static let traderNames = ["alice", "bob", "carol", "dave"]
    /// The makers of the orders on the initial book.
    package static let makerNames = ["maker1", "maker2", "maker3", "maker4", "maker5", "maker6"]
    private static let relayName = "relay"
    private static let moverName = "mover"

    package let traders: [Account]
    package let makers: [Account]
    /// The recipient of the relay's fees; nil without named accounts.
    package let relay: Account?
    /// Moves pools where a fault asks for it, and is no account for others; nil without named
    /// accounts.
    let mover: Account?
    private let signers: [String: PrivateKeySigner]

    /// No named accounts: what others may join has none that anyone can use.
    package static let none = SandboxAccounts()

    private init() {
        traders = []
        makers = []
        relay = nil
        mover = nil
        signers = [:]
    }

    /// The accounts of a seed.
    ///
    /// - Throws: `PrivateKeyError`, with a chance of 1 in 2^128.
    package init(seed: UInt64) throws(PrivateKeyError) {
        var signers: [String: PrivateKeySigner] = [:]
        func account(_ name: String) throws(PrivateKeyError) -> Account {
            let key = Keccak256.hash("dex sandbox account, worthless: \(name), seed \(seed)".utf8)
            let signer = try PrivateKeySigner(key: key)
            signers[name] = signer
            return Account(name: name, address: signer.address)
        }
        var traders: [Account] = []
        for name in Self.traderNames { traders.append(try account(name)) }
        var makers: [Account] = []
        for name in Self.makerNames { makers.append(try account(name)) }
        relay = try account(Self.relayName)
        mover = try account(Self.moverName)
        self.traders = traders
        self.makers = makers
        self.signers = signers
    }

    /// Every account that owns something for trades, traders first.
    package var all: [Account] {
        traders + makers + [relay].compactMap { $0 }
    }

    /// The signer of a name in lower case; nil if there is no such account.
    package func signer(named name: String) -> PrivateKeySigner? {
        signers[name]
    }

    /// Nil without named accounts.
    var moverSigner: PrivateKeySigner? { signers[Self.moverName] }

    /// The signer of an address; nil if it is not one of these accounts.
    package func signer(of address: Address) -> PrivateKeySigner? {
        all.first { $0.address == address }.flatMap { signers[$0.name] }
    }
}
