import DexStore
import Ethereum

/// The results of a plan's steps, as far as they were begun.
package struct StepResults: Sendable {
    /// Of calls and replacements, in order.
    var sent: [TransactionSender.Result] = []
    var trades: [TradeOutcome] = []
    var orders: [LimitOutcome] = []
    /// Of the order that another one replaces.
    var cancelled: CancelOutcome?
    /// Why the step behind them failed, although they stay; nil if none did.
    var failure: DexError?
    /// All that was broadcast until it failed.
    var log: [SentTransaction] = []

    var transactions: [SentTransaction] { sent.map(\.sent) }
    var receipt: TransactionReceipt? { sent.last?.receipt }
    /// All calls are mined and succeeded.
    var isSent: Bool { sent.allSatisfy { $0.sent.stage == .confirmed } }
    /// How the command ends if not all calls got through.
    var ending: Ending { sent.last?.sent.stage.ending ?? .done }

    /// More is done than calls, so that the outcome tells a later failure.
    var isBegun: Bool { !trades.isEmpty || !orders.isEmpty || cancelled != nil }

    /// Another step may follow: it would wait with the last one, or fail in the same way, if that did
    /// not succeed.
    var allowsNext: Bool {
        failure == nil && isSent && trades.last?.error == nil && orders.last?.error == nil
            && cancelled?.freesOrder != false
    }

    /// The report of calls that did not all succeed.
    ///
    /// - Parameter nothing: what did not happen: `nothing was moved`.
    func words<Content>(
        of plan: Plan<Content>,
        nothing: String,
        _ settings: TradeSettings
    ) -> [String] {
        guard let last = transactions.last, let call = plan.calls.last?.call else { return [] }
        return [
            last.ending(call.subject, nothing: nothing, confirmations: settings.confirmations)
        ]
    }

    /// The result of a step that each plan of its verb has.
    ///
    /// - Throws: `DexError`, exit 1, `step-missing`, if no such step was begun.
    func done<Value>(_ value: Value?) throws(DexError) -> Value {
        guard let value else { throw OutcomeError.stepMissing }
        return value
    }

    /// The approvals of an order.
    ///
    /// - Throws: `DexError`, as `LimitError.unapproved`, if one did not get through.
    func approvals() throws(DexError) -> [SentTransaction] {
        if let last = transactions.last, !isSent { throw LimitError.unapproved(last) }
        return transactions
    }
}
