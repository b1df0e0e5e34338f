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

/// A planned operation that is not carried out yet.
package struct PlannedWork<Model: Operation>: Sendable {
    let model: Model
    let planned: Model.Planned

    /// Plans a request.
    ///
    /// - Throws: as the operation's `plan`.
    init(_ model: Model, _ request: Model.Request, account: Address) async throws(DexError) {
        self.model = model
        planned = try await model.plan(request, account: account)
    }

    package var plan: Model.Planned.Plan { planned.plan }
    package var outcome: Model.Outcome? { model.settled(planned) }

    func check(_ signer: AuthorizedSigner) throws(DexError) {
        try model.check(planned, signer: signer)
    }

    func execute(_ signer: AuthorizedSigner) async throws(DexError) -> Model.Outcome {
        try await model.execute(planned, signer: signer)
    }
}

/// The plan of a request, as its command makes it.
///
/// Behind a reference: each of a dozen types of the screen has it, and copies what it has.
package indirect enum LivePlan: Sendable {
    case market(PlannedWork<MarketOrderModel>)
    case limit(PlannedWork<LimitOrderModel>)
    case replace(PlannedWork<ReplaceOrderModel>)
    case cancel(PlannedWork<CancelModel>)

    private var plan: any OperationPlan {
        switch self {
        case .market(let work): work.plan
        case .limit(let work): work.plan
        case .replace(let work): work.plan
        case .cancel(let work): work.plan
        }
    }

    /// Why it would send nothing now; nil if it would.
    package var stop: DexError? { plan.stop }

    /// What must be typed to sign it: `yes`, or the side where a price is beyond a guard.
    package var word: String {
        switch self {
        case .market(let work): work.plan.guardWord ?? "yes"
        case .limit(let work): work.plan.guardWord ?? "yes"
        case .replace(let work): work.plan.order.guardWord ?? "yes"
        case .cancel: "yes"
        }
    }

    /// Checks all of its signatures against the rules, without a key.
    ///
    /// - Throws: `DexError`, exit 6.
    package func check(_ signer: AuthorizedSigner) throws(DexError) {
        switch self {
        case .market(let work): try work.check(signer)
        case .limit(let work): try work.check(signer)
        case .replace(let work): try work.check(signer)
        case .cancel(let work): try work.check(signer)
        }
    }

    /// Signs and sends it, by the journal, as its command does.
    package func execute(_ signer: AuthorizedSigner) async throws(DexError) -> LiveOutcome {
        switch self {
        case .market(let work): .market(try await work.execute(signer))
        case .limit(let work): .limit(try await work.execute(signer))
        case .replace(let work): .replace(try await work.execute(signer))
        case .cancel(let work): .cancel(try await work.execute(signer))
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
            return .market(
                try await PlannedWork(MarketOrderModel(context), request, account: account)
            )
        case .limit(let request):
            return .limit(try await PlannedWork(LimitOrderModel(self), request, account: account))
        case .replace(let request):
            return .replace(
                try await PlannedWork(ReplaceOrderModel(self), request, account: account)
            )
        case .cancel(let hash):
            return .cancel(
                try await PlannedWork(CancelModel(self), .hashes([hash]), account: account)
            )
        }
    }
}
