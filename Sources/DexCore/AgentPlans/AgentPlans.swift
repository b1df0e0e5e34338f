package import DexSigning
package import DexStore
package import Ethereum
import ZeroEx

/// Makes plans of agents and carries them out, each once, within its bounds.
///
/// The server of `dex mcp` and `dex approve` both do: the journal lets one of them have a plan.
package struct AgentPlans<Work: AgentOperation>: Sendable {
    private let context: OperationContext

    package init(session: Session, journal: Journal, settings: TradeSettings) {
        context = OperationContext(session: session, journal: journal, settings: settings)
    }

    /// A plan that is kept, and what a person has to know of it.
    package struct Made: Sendable {
        package let planned: Plan<Work.Content>
        package let bounds: PlanBounds
        /// Why a person has to say yes whatever the limits; nil if none does.
        package let why: String?
        fileprivate let runner: PlanRunner

        /// Checks everything that would be signed for it.
        ///
        /// - Throws: `DexError`, exit 6: `policy`, `needs-person`.
        package func check(_ signer: AuthorizedSigner) throws(DexError) {
            try runner.check(planned, signer: signer)
        }
    }

    /// Plans a request, and proves what the plan rests on.
    ///
    /// - Parameter signer: with the rules of policy.toml, without a key; for no plan.
    /// - Throws: `DexError`, as the operation and `PlanRunner.proven`; exit 6, `policy`, for what is
    ///   forbidden even to a person; `nothing-to-do`.
    package func make(
        _ request: Work.Request,
        account: Address,
        signer: AuthorizedSigner
    ) async throws(DexError) -> Made {
        let runner = PlanRunner(context)
        let planned: Plan<Work.Content>
        do {
            planned = try await Work(context).plan(request, account: account)
        } catch {
            throw error.besidePlans
        }
        let nothing = AgentPlanError.nothing(reason: "There is nothing to sign for it.")
        guard planned.settled == nil else { throw nothing }
        if let stop = planned.content.stop { throw stop.besidePlans }
        try runner.check(planned, signer: signer)
        let why = planned.content.word.map { _ in AgentPlanError.farPrice.message }
        guard let bounds = bounds(of: planned, signer) else { throw nothing }
        return Made(
            planned: try await runner.proven(planned),
            bounds: bounds,
            why: why,
            runner: runner
        )
    }

    private func bounds(of plan: Plan<Work.Content>, _ signer: AuthorizedSigner) -> PlanBounds? {
        PlanBounds(plan, chainID: context.session.network.chainID, signer)
    }

    /// A plan as of now, within its bounds, ready to be carried out.
    package struct Ready: Sendable {
        package let planned: Plan<Work.Content>
        fileprivate let runner: PlanRunner
        fileprivate let plan: PlanID

        /// The same with what is proven of it, for a person who is asked about it.
        ///
        /// - Throws: `DexError`, as `PlanRunner.proven`.
        package func proven() async throws(DexError) -> Ready {
            Ready(planned: try await runner.proven(planned), runner: runner, plan: plan)
        }

        /// Checks everything that would be signed.
        ///
        /// - Throws: `DexError`, exit 6: `policy`, `needs-person`, or `plan-ended` if the audit log
        ///   has a signature for it.
        package func check(_ signer: AuthorizedSigner) throws(DexError) {
            let isSigned: Bool
            do throws(SigningError) {
                isSigned = try signer.hasSigned(plan: plan.number)
            } catch {
                throw DexError(error)
            }
            guard !isSigned else { throw AgentPlanError.ended(plan) }
            try runner.check(planned, signer: signer)
        }

        /// Takes the plan in the journal, signs, sends and waits.
        ///
        /// - Throws: `DexError`, as the operation; exit 6, `plan-ended`, or exit 12,
        ///   `pending-transaction`, if the journal does not give the plan; then nothing was signed.
        package func execute(
            _ signer: AuthorizedSigner
        ) async throws(DexError) -> Work.Content.Outcome {
            do {
                return try await runner.run(planned, signer: signer)
            } catch {
                throw error.asMoved(plan)
            }
        }
    }

    /// Plans a kept plan again, within its bounds.
    ///
    /// - Throws: `DexError`, exit 6, `plan-moved`; as the operation.
    package func ready(
        _ plan: JournalPlan,
        _ bounds: PlanBounds,
        _ request: Work.Request,
        signer: AuthorizedSigner
    ) async throws(DexError) -> Ready {
        var settings = context.settings
        settings.capFees(at: bounds.limits.gas)
        let context = OperationContext(
            session: context.session,
            journal: context.journal,
            settings: settings,
            plan: plan.id
        )
        let model = Work(context)
        let planned: Plan<Work.Content>
        do {
            planned = try await model.plan(
                try await model.request(request, within: bounds),
                account: plan.account
            )
        } catch {
            throw error.asMoved(plan.id)
        }
        guard planned.settled == nil, let now = self.bounds(of: planned, signer) else {
            throw AgentPlanError.moved(plan.id, reason: "There is nothing left to do.")
        }
        if let stop = planned.content.stop { throw stop.besidePlans }
        if let reason = bounds.excess(of: now) {
            throw AgentPlanError.moved(plan.id, reason: reason)
        }
        return Ready(planned: planned, runner: PlanRunner(context), plan: plan.id)
    }
}

extension DexError {
    /// What the market or the cost of gas does not allow any more, as the plan's own error.
    fileprivate func asMoved(_ plan: PlanID) -> DexError {
        guard sent.isEmpty else { return self }
        guard kind == .refused, !concerns(.inFlight) else { return besidePlans }
        return concerns(.market) ? AgentPlanError.moved(plan, reason: message) : self
    }

    /// What the user did before stops a plan, which no flag of a command goes on in spite of.
    fileprivate var besidePlans: DexError {
        guard concerns(.inFlight) else { return self }
        return mended(
            by: "The user sees what became of it with `dex resume`; then try again. A plan stays "
                + "as it is."
        )
    }

    /// The plan that it is of ended by it: another try would only repeat it.
    package var endsPlan: Bool {
        concerns(.movedPlan)
    }
}

/// How long a plan of an agent lives.
package enum AgentPlanLife {
    /// Seconds after it was made.
    package static let seconds: UInt64 = 600
}
