package import DexStore
package import Ethereum

/// What a plan shows and its user confirms, such as `TradePlan`.
package protocol PlanContent: Sendable {
    /// What carrying the plan out did.
    associatedtype Outcome: OperationOutcome

    var account: Address { get }
    var warnings: [String] { get }
    /// Why it would send nothing now, so that the user is not asked; nil if it would.
    var stop: DexError? { get }
    /// What must be typed to sign it; nil if a yes is enough.
    var word: String? { get }
}

extension PlanContent {
    package var stop: DexError? { nil }
    package var word: String? { nil }
}

/// A plan of one account: what is shown, what it would sign, and how that is done.
///
/// `dex market-buy ZRX/WETH 500` makes one with an approval and a fill as `signatures`, and with
/// `limits` of at most 0.3791 WETH paid and at least 500 ZRX received.
///
/// A verb makes it, such as `MarketOrderModel.plan`; only `PlanRunner` carries it out. Its parts hold
/// what was planned and nothing of the command that planned it: the session, the journal and the
/// settings are those of the runner.
package struct Plan<Content: PlanContent>: Sendable {
    /// Signs and sends it, and never more, by the sender of an open intent.
    ///
    /// It throws if nothing was done; the sender's log keeps the transactions that were sent before.
    typealias Perform =
        @Sendable (TransactionSender) async throws(DexError) -> Content.Outcome
    /// Its one transaction, checked again, to be signed and not sent.
    typealias Hold =
        @Sendable (TransactionSender) async throws(DexError) -> TransactionSender.Request
    /// What is proven of the state that it rests on, while nothing of it is signed.
    typealias Prove = @Sendable (OperationContext) async throws(DexError) -> StateProof?

    package internal(set) var content: Content
    /// The command in the journal: `market-buy`.
    var command: String
    /// The policy for transactions in flight; nil if nothing is sent, or only a replacement.
    let conflicts: InFlight.ConflictPolicy?
    /// Everything that it signs, in that order, as the rules see it before the first is signed.
    let signatures: [PlannedSignature]
    let limits: Limits
    /// How a plan of an agent is planned again; nil for a plan that no agent makes.
    var terms: PlanTerms?
    /// The expected result of each trade in it, for a later report of its outcome.
    var bounds: [FillBounds] = []
    /// The guard that fires by it, which its intent takes; nil without one.
    var firedGuard: FiredGuard?
    /// The outcome of a plan with nothing to do; nil if there is something to sign.
    package var settled: Content.Outcome?
    /// nil proves the state that its first transaction reads.
    var prove: Prove?
    /// What is proven of it; nil before that is asked for, and where no proofs are.
    package internal(set) var proof: StateProof?
    /// nil if it cannot be signed without being sent.
    var hold: Hold?
    var perform: Perform
}

/// What every operation works with.
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

    /// What is done while the plan of a request is made, for a progress line.
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
