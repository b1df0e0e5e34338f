import DexCore
import DexSettings
import DexSigning
import DexWallet
import Ethereum
import EthereumWallet
import ZeroEx

/// The one way to a signature, wired: policy, log and key.
extension CommandContext {
    /// Who signs for an account; a policy that cannot be read is told before a password is asked
    /// for.
    ///
    /// - Throws: `DexError`, exit 3 or 5; `CancellationError` after a signal.
    func signer(of account: Account) throws -> AuthorizedSigner {
        try signer(of: account) { try key(of: account) }
    }

    /// Who tells what would be signed for an account, and cannot sign: no password is asked for.
    ///
    /// - Throws: `DexError`, exit 3 or 5.
    func onlooker(of account: Account) throws -> AuthorizedSigner {
        try signer(of: account) {
            guard case .wallet = account.key, let key = try agentKey(account.address) else {
                return AbsentKey(account.address)
            }
            return key
        }
    }

    private func signer(
        of account: Account,
        _ key: () throws -> any KeyHolder
    ) throws -> AuthorizedSigner {
        let network = account.network
        let tokens = try tokenMap(network)
        let policy = try policy(network, tokens)
        return AuthorizedSigner(
            key: try key(),
            scope: SigningScope(network, tokens: tokens),
            policy: policy,
            log: try auditLog(),
            recoverer: Secp256k1(),
            now: { Console.now() }
        )
    }

    private func key(of account: Account) throws -> any KeyHolder {
        switch account.key {
        case .held(let key): key
        case .wallet(let wallet): try agentKey(account.address) ?? LocalKey(try unlocked(wallet))
        case nil: throw account.noKey
        }
    }

    /// The key that `dex unlock` keeps; nil where the account is not unlocked.
    private func agentKey(_ address: Address) throws -> (any KeyHolder)? {
        let client = try agent(of: address)
        return try client.status() == nil ? nil : AgentKey(client)
    }

    /// What asks the agent of an account, where one runs.
    ///
    /// - Throws: `DexError`, exit 3.
    func agent(of address: Address) throws(DexError) -> AgentClient {
        AgentClient(AgentSocket(folder: try home().agents, account: address))
    }

    /// The log of everything that is signed, of all networks.
    func auditLog() throws(DexError) -> AuditFile {
        AuditFile(path: "\(try home().data)/audit.jsonl")
    }

    /// The rules of policy.toml, as they read on a network; without the file, none.
    ///
    /// - Throws: `DexError`, exit 3.
    func policy(_ network: Network, _ tokens: TokenMap) throws(DexError) -> Policy {
        try PolicyFile(path: try home().policyFile).policy(network, tokens)
    }
}

extension SigningScope {
    /// A network with its token of fees, as its token map has it.
    init(_ network: Network, tokens: TokenMap) {
        let exchangeProtocol = Protocols.implementation(of: network)
        self.init(
            network: network.name,
            chainID: network.chainID,
            exchangeProtocol: exchangeProtocol,
            exchange: network.exchange,
            weth: network.weth,
            feeToken: exchangeProtocol.feeTokenSymbol.flatMap { try? tokens.resolve($0) }?.address
        )
    }
}
