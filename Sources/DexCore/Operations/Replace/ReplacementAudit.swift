import DexStore
import Ethereum

/// Finds out which of the two transactions with one nonce was mined.
struct ReplacementAudit {
    let session: Session
    let journal: Journal
    let confirmations: UInt64

    /// Which of the two was mined, and what it did.
    func outcome(
        _ plan: ReplacementPlan,
        _ sent: SentTransaction
    ) async throws(DexError) -> ReplacementOutcome {
        var warnings: [String] = []
        var mined: TransactionStatus?
        var ending = sent.stage.ending
        switch sent.stage {
        case .confirmed, .reverted:
            mined = await status(sent.hash, &warnings)
            if plan.kind == .speedup, let mined { ending = mined.ending }
        case .replaced:
            let first = await status(plan.hash, &warnings)
            mined = first?.stage.isInBlock == true ? first : nil
            guard let first = mined, first.hash == plan.hash else {
                warnings.append(
                    "Another transaction with the nonce \(plan.nonce) was mined, which is neither "
                        + "of the two."
                )
                break
            }
            warnings.append(
                plan.kind == .cancel
                    ? "It was too late: \(plan.hash) was mined before."
                    : "The first one was mined before the replacement: \(plan.hash)."
            )
            if plan.kind == .speedup { ending = first.ending }
        case .dropped:
            warnings.append("The node no longer knows the replacement; it is in the journal.")
        default:
            warnings.append(
                sent.pendingWords("The replacement", confirmations: confirmations)
                    + " Until then either of the two may be mined, and never both."
            )
        }
        return ReplacementOutcome(
            plan: plan,
            transactions: [sent],
            mined: mined,
            warnings: warnings,
            ending: ending
        )
    }

    private func status(
        _ hash: TransactionHash,
        _ warnings: inout [String]
    ) async -> TransactionStatus? {
        let model = StatusModel(session: session, journal: journal)
        do throws(DexError) {
            let state = try await model.load(
                hash.word,
                confirmations: confirmations
            )
            if case .transaction(let status) = state { return status }
        } catch {
            warnings.append(error.message)
        }
        return nil
    }
}
