import DexStore
import Ethereum
import ZeroEx

/// Sends the approvals of a plan, each simulated and estimated afresh right before it is signed.
struct ApprovalExecutor {
    /// The transfer contract that was confirmed is the only one that is ever approved.
    let calls: CallSender

    /// What was sent, and whether all of it is mined and succeeded.
    struct Result {
        var transactions: [SentTransaction] = []
        /// The last one's.
        var receipt: TransactionReceipt?
        var isDone = true

        /// How the command ends where an approval did not get through.
        var exit: ExitCode {
            transactions.last?.stage.exit ?? .done
        }
    }

    func send(
        _ steps: [ApprovalStep],
        budget: inout GasBudget
    ) async throws(DexError) -> Result {
        var result = Result()
        for step in steps {
            calls.session.environment.progress(step.call.summary)
            let sent = try await calls.send(step.call, budget: budget)
            result.transactions.append(sent.sent)
            result.receipt = sent.receipt
            budget.spend(sent.sent.cost)
            guard sent.sent.stage == .confirmed else {
                result.isDone = false
                return result
            }
        }
        return result
    }
}
