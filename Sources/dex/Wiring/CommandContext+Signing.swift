import DexCore
import DexSettings
import DexSigning
import DexWallet
import Ethereum
import EthereumWallet
import ZeroEx

/// The only way to a signature, wired: policy, log and key.
extension CommandContext {
    /// The signer of an account; an unreadable policy is reported before a password is asked for.
    ///
    /// - Throws: `DexError`, exit 3 or 5; `CancellationError` after a signal.
    func signer(of account: Account) async throws -> AuthorizedSigner {
        if let signer = try signerWithoutQuestion(of: account) { return signer }
        guard case .wallet(let wallet) = account.key else { throw account.noKey }
        let signer = try signer(account.network)
        return signer(LocalKey(try await unlocked(wallet)))
    }

    /// The signer of an account if it signs without a question; nil if its wallet is locked.
    ///
    /// - Throws: `DexError`, exit 3 or 5.
    func signerWithoutQuestion(of account: Account) throws -> AuthorizedSigner? {
        // A signature may be sent: from here on no limit ends the command.
        liftBudget()
        guard case .held(let key) = account.key else { return try unlockedSigner(of: account) }
        return try signer(account.network)(key)
    }

    /// A signer that checks the policy and cannot sign: it asks for no password.
    ///
    /// - Throws: `DexError`, exit 3 or 5.
    func policyOnlySigner(of account: Account) throws -> AuthorizedSigner {
        try unlockedSigner(of: account)
            ?? signer(account.network)(NoKey(account.address))
    }

    /// The rules on a network, read now; with a key they make a signer.
    private func signer(_ network: Network) throws -> (any KeyHolder) -> AuthorizedSigner {
        let tokens = try tokenMap(network)
        let policy = try policy(network)
        let (scope, log) = (try SigningScope(network, tokens: tokens), try auditLog())
        return { key in
            AuthorizedSigner(
                key: key,
                scope: scope,
                policy: policy,
                log: log,
                recoverer: Secp256k1(),
                now: { Console.now() }
            )
        }
    }

    /// The signer that uses the agent of an account's wallet; nil if it is not unlocked.
    ///
    /// The agent checks policy.toml and writes the audit log, so a client of its socket cannot
    /// bypass either. This side has no rules, and logs only revoked allowances, which only the
    /// chain shows.
    ///
    /// - Parameter origin: the plan of an agent that it signs for; nil for a command of the user's.
    func unlockedSigner(
        of account: Account,
        origin: PlanOrigin? = nil
    ) throws -> AuthorizedSigner? {
        guard case .wallet = account.key, let key = try agentKey(account.address) else {
            return nil
        }
        return AuthorizedSigner(
            key: key,
            scope: try SigningScope(account.network, tokens: try tokenMap(account.network)),
            policy: Policy(source: Policy.unlockSource, coin: account.network.coin),
            log: MemoryAuditLog(),
            returns: try auditLog(),
            recoverer: Secp256k1(),
            origin: origin,
            now: { Console.now() }
        )
    }

    /// The key that `dex unlock` keeps; nil if the account is not unlocked.
    private func agentKey(_ address: Address) throws -> (any KeyHolder)? {
        let client = try agent(of: address)
        return try client.status() == nil ? nil : AgentKey(client)
    }

    /// The client of an account's agent.
    ///
    /// - Throws: `DexError`, exit 3.
    func agent(of address: Address) throws(DexError) -> AgentClient {
        AgentClient(AgentSocket(folder: try home().agents, account: address))
    }

    /// The log of all signatures on all networks.
    func auditLog() throws(DexError) -> AuditFile {
        AuditFile(path: try home().auditFile)
    }

    /// What the last 24 hours used up of a policy's amounts for a day, in base units.
    ///
    /// - Returns: what everybody signed, by the policy's own amounts, and what agents did, by those of
    ///   `[mcp]`; empty without such amounts.
    /// - Throws: `DexError`, exit 3.
    func spending(
        _ policy: Policy,
        _ network: Network
    ) throws -> (byAll: [Asset: UInt256], byAgents: [Asset: UInt256]) {
        let agents: Policy? = if case .limits(let limits) = policy.agents { limits } else { nil }
        guard !policy.perDay.isEmpty || agents != nil else { return ([:], [:]) }
        let now = Console.now()
        let since = now - min(now, Policy.day)
        let lines = try auditLog().lines(since: since)
        let scope = try SigningScope(network, tokens: try tokenMap(network))
        let byAll =
            policy.perDay.isEmpty
            ? [:] : policy.spent(SpendingLedger(lines, since: since), scope)
        let byAgents = agents.map { $0.spent(SpendingLedger(ofAgents: lines, since: since), scope) }
        return (byAll, byAgents ?? [:])
    }

    /// The rules of policy.toml for an agent, on the networks that it may sign for.
    ///
    /// Each question reads the file, and a fault in it stops every signature. The networks stay as
    /// they are now.
    ///
    /// - Throws: `DexError`, exit 2 or 3.
    func rules(of grant: AgentGrant) throws(DexError) -> SigningAgent.Rules {
        let settings = try settings()
        let path = try home().policyFile
        let networks = try settings.networks()
        return { place throws(SigningError) in
            guard var network = networks.first(where: { $0.name == place.scope.network }) else {
                throw SigningError.unknownNetwork(place.scope.network)
            }
            // Only a running sandbox says which coin it has.
            network.coin = place.policy.coin
            do throws(DexError) {
                return try PolicyFile(path: path).policy(network, among: networks)
            } catch {
                throw .reported(
                    SigningError.Reported(
                        .configuration,
                        error.code,
                        error.message,
                        hint: error.hint
                    )
                )
            }
        }
    }

    /// policy.toml as it is now.
    ///
    /// - Throws: `DexError`, exit 3.
    func policyFile() throws(DexError) -> PolicyFile { try PolicyFile(path: try home().policyFile) }

    /// The rules of policy.toml on a network; none without the file.
    ///
    /// - Throws: `DexError`, exit 3.
    func policy(_ network: Network) throws(DexError) -> Policy {
        try policyFile().policy(network, among: try settings().networks())
    }
}
