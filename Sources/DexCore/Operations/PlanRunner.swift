package import DexSigning
import DexStore
import Ethereum
package import StrictJSON

/// Carries plans out: the only code that leads to a signature.
///
/// `run` takes a confirmed plan of any verb the same way: the right key, the rules, a state that is
/// fresh, earlier transactions settled, an intent in the journal, the plan's steps, and the outcome in
/// the journal.
package struct PlanRunner: Sendable {
    private let context: OperationContext

    /// - Parameter context: that of the verb that makes the plans.
    package init(_ context: OperationContext) { self.context = context }

    private var session: Session { context.session }

    /// Why nothing would be signed on the state that was read last; nil if it is fresh enough.
    package var staleStop: DexError? {
        do throws(DexError) {
            try session.checkFreshness(context.settings)
            return nil
        } catch {
            return error
        }
    }

    /// A plan with what is proven of the state that it rests on, while nothing of it is signed; the
    /// same plan where no proofs are asked for.
    ///
    /// It takes up to two round trips beside those of the proofs.
    ///
    /// - Throws: `DexError`, as `StateProver` and `FundingProver`.
    package func proven<Content>(
        _ plan: Plan<Content>
    ) async throws(DexError) -> Plan<Content> {
        guard !plan.provesItself else { return plan }
        var plan = plan
        let prover = PlanProver(session: session)
        let backing = plan.steps.lazy.compactMap { step -> FundingProver? in
            guard case .order(let order) = step else { return nil }
            return order.prover(session, context.settings, isApproved: plan.calls.isEmpty)
        }.first
        plan.proof =
            if let backing {
                try await prover.prove(backing)
            } else {
                try await prover.prove(plan.signatures.map(\.content), of: plan.content.account)
            }
        return plan
    }

    /// Checks that everything planned would be signed: the rules of policy.toml, and the limits of
    /// an unlocked key.
    ///
    /// An approval whose trade is forbidden would be sent for nothing. Each signature is checked
    /// again when it is made.
    ///
    /// - Throws: `DexError`, exit 6.
    package func check<Content>(
        _ plan: Plan<Content>,
        signer: AuthorizedSigner
    ) throws(DexError) {
        try plan.signatures.check(signer)
    }

    /// Executes what was planned and confirmed, and never more.
    ///
    /// - Throws: `DexError`, exit 5, if the key is another account's; exit 6 by the policy, or on a
    ///   state that is old; as `InFlight.settle`; and the plan's own error, with what was sent before
    ///   it.
    package func run<Content>(
        _ plan: Plan<Content>,
        signer: AuthorizedSigner
    ) async throws(DexError) -> Content.Outcome {
        if let outcome = plan.settled { return outcome }
        let (log, sender) = try await begin(plan, signer: signer)
        do {
            return try await log.closing(sender.intent) { () async throws(DexError) in
                try await carryOut(plan, sender)
            }
        } catch {
            throw error.after(sender.log.all)
        }
    }

    /// Opens the intent of a confirmed plan: everything that precedes its first signature.
    private func begin<Content>(
        _ plan: Plan<Content>,
        signer: AuthorizedSigner
    ) async throws(DexError) -> (IntentLog, TransactionSender) {
        let account = plan.content.account
        guard signer.address == account else {
            throw SendError.otherKey(plan: account, signer: signer.address)
        }
        try check(plan, signer: signer)
        try session.checkFreshness(context.settings)
        if let conflicts = plan.conflicts {
            try await InFlight(session: session, journal: context.journal, conflicts: conflicts)
                .settle(account: account)
        }
        let log = IntentLog(session: session, journal: context.journal)
        let intent = try log.open(
            plan.command,
            account: account,
            plan: plan.record,
            tag: context.settings.tag,
            claim: plan.firedGuard.map { .guardian($0.id) } ?? context.plan.map { .plan($0) }
        )
        let sender = TransactionSender(
            session: session,
            journal: context.journal,
            settings: context.settings,
            signer: signer,
            intent: intent,
            steps: plan.signatures.count(where: \.isTransaction),
            firedGuard: plan.firedGuard?.number
        )
        return (log, sender)
    }

    // MARK: The steps

    /// Takes the steps of a plan, each while those before it succeed.
    ///
    /// - Throws: `DexError` if nothing was done but calls; the sender's log keeps the transactions.
    func carryOut<Content>(
        _ plan: Plan<Content>,
        _ sender: TransactionSender
    ) async throws(DexError) -> Content.Outcome {
        var results = StepResults()
        var budget = GasBudget(plan, overrides: context.settings.fees)
        for step in plan.steps where results.allowsNext {
            do {
                try await carryOut(step, &results, &budget, sender)
            } catch {
                guard results.isBegun else { throw error }
                results.failure = error
                results.log = sender.log.all
            }
        }
        return try await Content.outcome(of: plan, by: results, in: sender.context)
    }

    /// Checks a step again, and signs and sends what that gives.
    private func carryOut(
        _ step: Step,
        _ results: inout StepResults,
        _ budget: inout GasBudget,
        _ sender: TransactionSender
    ) async throws(DexError) {
        switch step {
        case .call(let call, let contracts, _):
            if call.isApproval { session.environment.progress(call.summary) }
            let request = try await sender.ready(call, contracts, budget)
            let result = try await sender.send(request)
            results.sent.append(result)
            // A cost that no receipt names is the most that it can be.
            budget.spend(result.sent.cost ?? result.maximumCost)
        case .replacement(let request, _):
            try await ReplacementModel(sender.context).check(request)
            results.sent.append(try await sender.send(request))
        case .trade(var trade, _):
            let approvals = results.transactions
            let request: TransactionSender.Request
            do {
                request = try await trade.ready(sender, budget)
            } catch {
                throw approvals.isEmpty
                    ? error : error.adding("The approval is mined and stays as it is.")
            }
            let result = try await sender.send(request)
            results.trades.append(
                try await trade.outcome(of: result, after: approvals, sender)
            )
        case .order(let order):
            let proof = try await order.ready(sender)
            results.orders.append(try await order.place(sender, proof))
        case .part(let order, let planned):
            let part =
                results.trades.isEmpty ? planned : try await order.again(planned, sender.context)
            results.trades.append(try await carryOut(part, sender))
        case .cancel(let cancel, let order):
            try await order.ready(sender, proves: false)
            results.cancelled = try await carryOut(cancel, sender)
        }
    }

    // MARK: Signing what is not sent

    /// Checks that a plan is one transaction.
    ///
    /// A later one can be simulated only once the first is mined, and signing it unseen would sign
    /// what nobody checked.
    ///
    /// - Throws: `DexError`, exit 6: `several-transactions`, with the command that signs the first;
    ///   `not-one-transaction`.
    package func checkHoldable<Content>(_ plan: Plan<Content>) throws(DexError) {
        switch plan.signatures.count(where: \.isTransaction) {
        case 0: throw SignedFileError.notOneTransaction
        case 1: return
        default: throw plan.signatures.approvalFirst(session)
        }
    }

    /// Signs the one transaction of a confirmed plan, and does not send it.
    ///
    /// It passes the checks of `run`. The journal has the file's text once this returns.
    ///
    /// - Parameter shown: what the user confirmed, for the file.
    /// - Throws: as `run`; exit 6 as `checkHoldable`.
    package func hold<Content>(
        _ plan: Plan<Content>,
        shown: JSONValue,
        signer: AuthorizedSigner
    ) async throws(DexError) -> SignedFile {
        try checkHoldable(plan)
        let (log, sender) = try await begin(plan, signer: signer)
        return try await log.closing(sender.intent) { () async throws(DexError) in
            let (request, validUntil) = try await ready(plan, sender)
            return try await sender.hold(request) { signed throws(DexError) in
                try SignedFile(
                    signed,
                    purpose: request.purpose.rawValue,
                    network: session.network,
                    madeAt: session.environment.now(),
                    validUntil: validUntil,
                    plan: shown
                )
            }
        }
    }

    /// The only transaction of a plan, checked again, and until when it is valid.
    private func ready<Content>(
        _ plan: Plan<Content>,
        _ sender: TransactionSender
    ) async throws(DexError) -> (TransactionSender.Request, validUntil: UInt64?) {
        let budget = GasBudget(plan, overrides: context.settings.fees)
        for step in plan.steps {
            switch step {
            case .call(let call, let contracts, _):
                return (try await sender.ready(call, contracts, budget), nil)
            case .replacement(let request, _):
                try await ReplacementModel(sender.context).check(request)
                return (request, nil)
            case .trade(var trade, _):
                let request = try await trade.ready(sender, budget)
                return (request, Limits(trade.plan).validUntil)
            case .part(_, let part): return try await ready(part, sender)
            case .cancel(let cancel, _): return try await ready(cancel, sender)
            case .order: continue
            }
        }
        throw SignedFileError.notOneTransaction
    }
}

/// The end of a command that signed a file, which did what was asked.
extension SignedFile: EndedWork {
    package var error: DexError? { nil }
}
