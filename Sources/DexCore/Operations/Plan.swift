package import DexStore
package import Ethereum
import ZeroEx

/// The content of a plan, which its user confirms, such as `TradePlan`.
package protocol PlanContent: Sendable {
    /// The result of carrying the plan out.
    associatedtype Outcome: OperationOutcome

    var account: Address { get }
    var warnings: [String] { get }
    /// Why it would send nothing now, so that the user is not asked; nil if it would.
    var stop: DexError? { get }
    /// The word that must be typed to sign it; nil if a yes is enough.
    var word: String? { get }

    /// The outcome by what each step of a plan did.
    ///
    /// - Parameter results: with a failure only if more is done than calls.
    /// - Throws: `DexError` if nothing was done but calls, or what was mined cannot be read.
    static func outcome(
        of plan: Plan<Self>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> Outcome
}

extension PlanContent {
    package var stop: DexError? { nil }
    package var word: String? { nil }
}

/// A plan of one account: what is shown, and the steps that it takes.
///
/// `dex market-buy ZRX/WETH 500` makes one with an approval and a fill as `steps`, and with
/// `limits` of at most 0.3791 WETH paid and at least 500 ZRX received.
///
/// A verb makes it, such as `MarketOrderModel.plan`; only `PlanRunner` carries it out. It holds
/// what was planned; the session, the journal and the settings are those of the runner.
package struct Plan<Content: PlanContent>: Sendable {
    package internal(set) var content: Content
    /// The command in the journal: `market-buy`.
    var command: String
    /// The policy for transactions in flight; nil if nothing is sent, or only a replacement.
    let conflicts: InFlight.ConflictPolicy?
    /// Taken one after another, each while those before it succeed.
    let steps: [Step]
    let limits: Limits
    /// The most that its own calls may cost, where the plans in it have the rest; nil is all of it.
    var ownGas: Wei?
    /// How a plan of an agent is planned again; nil for a plan that no agent makes.
    var terms: PlanTerms?
    /// The expected result of each trade in it, for a later report of its outcome.
    var bounds: [FillBounds] = []
    /// The guard that fires by it, which its intent takes; nil without one.
    var firedGuard: FiredGuard?
    /// The outcome of a plan with nothing to do; nil if there is something to sign.
    package var settled: Content.Outcome?
    /// Its content has what is proven of it, with the changes.
    var provesItself = false
    /// The proof of its state; nil before that is asked for, and where no proofs are.
    package internal(set) var proof: StateProof?

    /// Everything that it signs, in that order, as the rules see it before the first is signed.
    var signatures: [PlannedSignature] { steps.flatMap(\.signatures) }

    /// The part that the journal keeps for a later report, JSON text; nil for nothing.
    var record: String? {
        if case .order = steps.last { return JournalIntent.orderPlan }
        return FillBounds.record(bounds)
    }

    /// Its own calls, with the exchange's confirmed contracts.
    var calls: [(call: PlannedCall, contracts: ExchangeContracts?)] {
        steps.compactMap {
            if case .call(let call, let contracts, _) = $0 { (call, contracts) } else { nil }
        }
    }
}

/// The session, journal and settings that every operation works with.
package struct OperationContext: Sendable {
    let session: Session
    let journal: Journal
    let settings: TradeSettings
    /// The plan of `dex mcp` that it carries out, which its intent takes; nil without one.
    let plan: PlanID?

    package init(
        session: Session,
        journal: Journal,
        settings: TradeSettings,
        plan: PlanID? = nil
    ) {
        self.session = session
        self.journal = journal
        self.settings = settings
        self.plan = plan
    }
}

/// A verb that moves money: it makes plans of requests.
package protocol Operation: Sendable {
    /// The request, as the user wrote it.
    associatedtype Request: Sendable
    associatedtype Content: PlanContent

    var context: OperationContext { get }

    init(_ context: OperationContext)

    /// The work while the plan of a request is made, for a progress line.
    static func progress(of request: Request) -> String

    /// The only account that can sign for a request, by the journal; nil if any may.
    ///
    /// - Throws: `DexError` if the journal is unreadable, or lacks a required entry.
    func signer(of request: Request) throws(DexError) -> Address?

    /// The plan as of now, simulated if possible; nothing is signed or sent.
    ///
    /// - Throws: `DexError`: exit 2 for an invalid request; 6 if it is not allowed; 10 if it would
    ///   fail.
    func plan(_ request: Request, account: Address) async throws(DexError) -> Plan<Content>
}

extension Operation {
    package init(session: Session, journal: Journal, settings: TradeSettings) {
        self.init(OperationContext(session: session, journal: journal, settings: settings))
    }

    var session: Session { context.session }
    var journal: Journal { context.journal }
    var settings: TradeSettings { context.settings }

    package func signer(of request: Request) throws(DexError) -> Address? { nil }
}
