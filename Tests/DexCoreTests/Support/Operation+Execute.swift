import DexSigning

@testable import DexCore

extension DexCore.Operation {
    /// Carries a plan out in the context of this verb.
    func execute(
        _ plan: Plan<Content>,
        signer: AuthorizedSigner
    ) async throws(DexError) -> Content.Outcome {
        try await PlanRunner(context).run(plan, signer: signer)
    }

    /// Checks everything that a plan would sign.
    func check(_ plan: Plan<Content>, signer: AuthorizedSigner) throws(DexError) {
        try PlanRunner(context).check(plan, signer: signer)
    }
}
