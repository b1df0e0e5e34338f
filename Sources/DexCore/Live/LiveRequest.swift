package import DexSigning
package import Ethereum
package import ZeroEx

/// What a trader asks for at the full screen.
package enum LiveRequest: Sendable {
    /// - Parameter slippage: hundredths of a percent.
    case market(MarketRequest, slippage: UInt64)
    case limit(LimitRequest)
    case replace(ReplaceOrderRequest)
    case cancel(OrderHash)
}

/// The plan of a request, as its command makes it, with what carries it out.
///
/// A case for each view, so that the screen cannot ask about a plan that it does not show.
///
/// Behind a reference: each of a dozen types of the screen has it, and copies what it has.
package indirect enum LivePlan: Sendable {
    case market(Plan<TradePlan>, PlanRunner)
    case limit(Plan<LimitPlan>, PlanRunner)
    case replace(Plan<ReplaceOrderPlan>, PlanRunner)
    case cancel(Plan<CancelPlan>, PlanRunner)

    private var content: any PlanContent {
        switch self {
        case .market(let plan, _): plan.content
        case .limit(let plan, _): plan.content
        case .replace(let plan, _): plan.content
        case .cancel(let plan, _): plan.content
        }
    }

    /// Why it would send nothing now; nil if it would.
    package var stop: DexError? { content.stop }

    /// What must be typed to sign it: `yes`, or the side where a price is outside a safety limit.
    package var word: String { content.word ?? "yes" }

    /// Checks all of its signatures against the rules, without a key.
    ///
    /// - Throws: `DexError`, exit 6.
    package func check(_ signer: AuthorizedSigner) throws(DexError) {
        switch self {
        case .market(let plan, let runner): try runner.check(plan, signer: signer)
        case .limit(let plan, let runner): try runner.check(plan, signer: signer)
        case .replace(let plan, let runner): try runner.check(plan, signer: signer)
        case .cancel(let plan, let runner): try runner.check(plan, signer: signer)
        }
    }

    /// The plan with what is proven of it.
    ///
    /// - Throws: `DexError`, as `PlanRunner.proven`.
    package func proven() async throws(DexError) -> LivePlan {
        switch self {
        case .market(let plan, let runner): .market(try await runner.proven(plan), runner)
        case .limit(let plan, let runner): .limit(try await runner.proven(plan), runner)
        case .replace(let plan, let runner): .replace(try await runner.proven(plan), runner)
        case .cancel(let plan, let runner): .cancel(try await runner.proven(plan), runner)
        }
    }

    /// Signs and sends it, by the journal, as its command does.
    package func run(_ signer: AuthorizedSigner) async throws(DexError) -> LiveOutcome {
        switch self {
        case .market(let plan, let runner): .market(try await runner.run(plan, signer: signer))
        case .limit(let plan, let runner): .limit(try await runner.run(plan, signer: signer))
        case .replace(let plan, let runner): .replace(try await runner.run(plan, signer: signer))
        case .cancel(let plan, let runner): .cancel(try await runner.run(plan, signer: signer))
        }
    }
}

/// What was done of a plan.
package indirect enum LiveOutcome: Sendable {
    case market(TradeOutcome)
    case limit(LimitOutcome)
    case replace(ReplaceOrderOutcome)
    case cancel(CancelOutcome)

    /// Why it did not do what was asked; nil where it did.
    package var error: DexError? {
        switch self {
        case .market(let outcome): outcome.error
        case .limit(let outcome): outcome.error
        case .replace(let outcome): outcome.error
        case .cancel(let outcome): outcome.error
        }
    }
}

extension OperationContext {
    /// Plans a request, as its command does.
    ///
    /// A market order at a price that is compared with nothing may need a flag there, and needs a
    /// word here.
    ///
    /// - Throws: as the operation's `plan`.
    package func plan(
        _ request: LiveRequest,
        account: Address
    ) async throws(DexError) -> LivePlan {
        switch request {
        case .market(let request, let slippage):
            var settings = settings
            settings.slippage = slippage
            settings.allowsUncheckedPrice = true
            let context = OperationContext(session: session, journal: journal, settings: settings)
            let plan = try await MarketOrderModel(context).plan(request, account: account)
            return .market(plan, PlanRunner(context))
        case .limit(let request):
            let plan = try await LimitOrderModel(self).plan(request, account: account)
            return .limit(plan, PlanRunner(self))
        case .replace(let request):
            let plan = try await ReplaceOrderModel(self).plan(request, account: account)
            return .replace(plan, PlanRunner(self))
        case .cancel(let hash):
            let plan = try await CancelModel(self).plan(.hashes([hash]), account: account)
            return .cancel(plan, PlanRunner(self))
        }
    }
}
