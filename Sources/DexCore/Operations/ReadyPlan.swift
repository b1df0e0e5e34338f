package import DexSigning

/// A plan of whichever verb, with the runner that carries it out.
package protocol RunnablePlan: Sendable {
    /// The part that is shown and confirmed.
    var content: any PlanContent { get }
    /// The proof of its state; nil before that is asked for, and where no proofs are.
    var proof: StateProof? { get }

    /// Checks all of its signatures against the rules, without a key.
    ///
    /// - Throws: `DexError`, exit 6.
    func check(_ signer: AuthorizedSigner) throws(DexError)

    /// The same with what is proven of it.
    ///
    /// - Throws: `DexError`, as `PlanRunner.proven`.
    func proven() async throws(DexError) -> any RunnablePlan

    /// Signs and sends it, by the journal.
    ///
    /// - Throws: `DexError`, as `PlanRunner.run`.
    func run(_ signer: AuthorizedSigner) async throws(DexError) -> any OperationOutcome
}

extension RunnablePlan {
    /// The word that must be typed to sign it: `yes`, or the side where a price is outside a safety
    /// limit.
    package var word: String { content.word ?? "yes" }
}

/// A plan of one verb, with its runner.
struct ReadyPlan<Content: PlanContent>: RunnablePlan {
    private let plan: Plan<Content>
    private let runner: PlanRunner

    init(_ plan: Plan<Content>, _ runner: PlanRunner) {
        self.plan = plan
        self.runner = runner
    }

    var content: any PlanContent { plan.content }
    var proof: StateProof? { plan.proof }

    func check(_ signer: AuthorizedSigner) throws(DexError) {
        try runner.check(plan, signer: signer)
    }

    func proven() async throws(DexError) -> any RunnablePlan {
        ReadyPlan(try await runner.proven(plan), runner)
    }

    func run(_ signer: AuthorizedSigner) async throws(DexError) -> any OperationOutcome {
        try await runner.run(plan, signer: signer)
    }
}
