import DexCore
import DexSettings
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import PrivateFiles
import SandboxHost
import ZeroEx

/// Plans of agents, wired.
extension CommandContext {
    /// The journals that may have plans: that of the networks, and that of the sandbox.
    ///
    /// - Throws: `DexError`, exit 3.
    func planJournals() throws(DexError) -> [Journal] {
        let paths = ["\(try home().data)/journal.sqlite", try sandboxFolder().journalFile]
        var journals: [Journal] = []
        for path in paths {
            do throws(PrivateFiles.Failure) {
                if try PrivateFiles.exists(path) { journals.append(Journal(path: path)) }
            } catch {
                throw DexError(error)
            }
        }
        return journals
    }

    /// A plan by its number, or its first digits.
    ///
    /// - Throws: `DexError`, exit 2, `no-such-plan`.
    func plan(_ text: String) throws(DexError) -> (JournalPlan, Journal) {
        guard let digits = PlanID.prefix(text) else {
            throw AgentPlanError.noSuchPlan(text: text)
        }
        var found: [(JournalPlan, Journal)] = []
        for journal in try planJournals() {
            found += try journaled(try journal.agentPlans(beginning: digits)).map { ($0, journal) }
        }
        guard let first = found.first else {
            throw AgentPlanError.noSuchPlan(text: text)
        }
        guard found.count == 1 else {
            throw AgentPlanError.severalPlans(digits: digits, found.map(\.0.id))
        }
        return first
    }

    /// A context of the plan's network and account, with its own limits and journal writes.
    ///
    /// - Throws: `DexError`, exit 3 or 5; `WalletError`.
    func acting(for plan: JournalPlan) async throws -> CommandContext {
        var options = options
        options.network = plan.network
        options.wallets = [plan.account.checksummed]
        // A person's yes takes no key and no password from elsewhere.
        var context = CommandContext(
            options: options,
            environment: environment.without(["DEX_PRIVATE_KEY", "DEX_PASSWORD_FILE"]),
            console: console,
            name: name,
            config: config
        )
        context.opensWallets = opensWallets
        let network = try context.network(try context.settings())
        guard network.chainID == plan.chainID else {
            throw AgentPlanError.elsewhere(plan.id, network: plan.network, account: plan.account)
        }
        context.acting = try await context.account(network)
        return context
    }

    // MARK: Signers

    /// The rules of policy.toml and what was counted, for checks alone: it has no key.
    ///
    /// - Parameter origin: the plan that an agent asks for; nil checks without `[mcp]`.
    /// - Throws: `DexError`, exit 3.
    func rules(of account: Account, origin: PlanOrigin?) throws -> AuthorizedSigner {
        try planSigner(NoKey(account.address), account, origin)
    }

    /// The signer of the server of `dex mcp`: an unlocked key, or a sandbox account, whose key is
    /// public.
    ///
    /// - Returns: nil if the key is locked.
    /// - Throws: `DexError`, exit 6, `needs-person`, for a key that only a person can use.
    func agentSigner(of account: Account, plan: PlanID) throws -> AuthorizedSigner? {
        let origin = PlanOrigin(plan: plan.number, isApproved: false)
        switch account.key {
        case .wallet: return try unlockedSigner(of: account, origin: origin)
        case .held(let key):
            guard try isSandboxKey(account) else {
                throw AgentPlanError.personalKey(account.address)
            }
            return try planSigner(key, account, origin)
        case nil: throw account.noKey
        }
    }

    /// The key is one of the sandbox's own.
    func isSandboxKey(_ account: Account) throws -> Bool {
        guard account.network.isSandbox, environment["DEX_PRIVATE_KEY"] == nil else {
            return false
        }
        return try sandboxAccounts()?.signer(of: account.address) != nil
    }

    /// The signer of a plan that a person said yes to.
    ///
    /// A wallet's password is asked for on the terminal alone, also of an unlocked key, whose process
    /// then signs: its limits hold.
    ///
    /// - Throws: `DexError`, exit 3 or 5; `CancellationError` after a signal.
    func approvedSigner(of account: Account, plan: PlanID) async throws -> AuthorizedSigner {
        let origin = PlanOrigin(plan: plan.number, isApproved: true)
        liftBudget()
        switch account.key {
        case .wallet(let wallet):
            let key = try await unlockedOnTerminal(wallet)
            if let unlocked = try unlockedSigner(of: account, origin: origin) { return unlocked }
            return try planSigner(LocalKey(key), account, origin)
        case .held(let key): return try planSigner(key, account, origin)
        case nil: throw account.noKey
        }
    }

    private func planSigner(
        _ key: any KeyHolder,
        _ account: Account,
        _ origin: PlanOrigin?
    ) throws -> AuthorizedSigner {
        let network = account.network
        return AuthorizedSigner(
            key: key,
            scope: try SigningScope(network, tokens: try tokenMap(network)),
            policy: try policy(network),
            log: try auditLog(),
            recoverer: Secp256k1(),
            origin: origin,
            now: { Console.now() }
        )
    }
}
