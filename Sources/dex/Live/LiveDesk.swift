import DexCore
import DexSigning
import DexStore
import DexTerminal
import Ethereum
import Synchronization
import ZeroEx

/// Carries out what the full screen asks for, by the same operations as the commands.
struct LiveDesk: Sendable {
    let context: CommandContext
    let session: Session
    let journal: Journal
    let readSettings: ReadSettings
    let settings: TradeSettings
    /// nil is read-only.
    let account: Account?

    /// The request of an entry.
    ///
    /// - Throws: `DexError`, exit 2.
    func request(_ entry: LiveEntry) throws(DexError) -> LiveRequest {
        let pair = entry.pair.addresses.text
        func expiry(_ text: String) throws(DexError) -> OrderExpiry? {
            text.isEmpty ? nil : try OrderExpiry(text)
        }
        switch entry.kind {
        case .market:
            return .market(
                MarketRequest(side: entry.side, pair: pair, amount: entry.text(.amount)),
                slippage: try TradeSettings.basisPoints(entry.text(.slippage))
            )
        case .limit:
            return .limit(
                LimitRequest(
                    side: entry.side,
                    pair: pair,
                    amount: entry.text(.amount),
                    price: entry.text(.price),
                    expiry: try expiry(entry.text(.expires)) ?? .after(86_400)
                )
            )
        case .replace(let hash):
            let amount = entry.text(.amount)
            return .replace(
                ReplaceOrderRequest(
                    order: hash,
                    price: entry.text(.price),
                    amount: amount.isEmpty ? nil : amount,
                    expiry: try expiry(entry.text(.expires))
                )
            )
        }
    }

    /// Plans a request, checks that it would be signed, and proves what it rests on.
    ///
    /// - Throws: as the operation's plan; `DexError`, exit 6, by policy.toml, and as
    ///   `PlanRunner.proven`.
    func plan(_ request: LiveRequest, _ environment: Environment) async throws -> any RunnablePlan {
        guard let account else { throw AccountError.noneNamed }
        let plan = try await operations(environment).plan(request, account: account.address)
        try plan.check(try context.policyOnlySigner(of: account))
        return try await plan.proven()
    }

    /// What the operations work with, with their own progress.
    func operations(_ environment: Environment) -> OperationContext {
        var session = session
        session.environment = environment
        return OperationContext(session: session, journal: journal, settings: settings)
    }

    /// The signer may ask for the password of a wallet on the terminal.
    var asksForPassword: Bool {
        if case .wallet = account?.key { true } else { false }
    }

    /// The signer of the account if it signs without a question; nil if its wallet is locked.
    func signerWithoutQuestion() throws -> AuthorizedSigner? {
        guard let account else { return nil }
        return try context.signerWithoutQuestion(of: account)
    }

    /// The signer of the account; asks for a password where its wallet is locked.
    func signer() async throws -> AuthorizedSigner {
        guard let account else { throw AccountError.noneNamed }
        return try await context.signer(of: account)
    }
}
