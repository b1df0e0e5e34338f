import DexStore
import Ethereum
import ZeroEx

/// Builds a swap's actual result from its receipt's Transfer events, and of the native coin from
/// the account's balances.
struct SwapOutcomeBuilder {
    let sender: TransactionSender
    /// The confirmed plan, with the quote that was sent.
    let plan: TradePlan

    private var session: Session { sender.session }

    func outcome(
        _ result: TransactionSender.Result,
        before: [SentTransaction]
    ) async throws(DexError) -> TradeOutcome {
        let transactions = before + [result.sent]
        guard result.sent.stage == .confirmed, let receipt = result.receipt else {
            return TradeOutcome(
                untraded: plan,
                transactions,
                confirmations: sender.settings.confirmations
            )
        }
        let movement = try await SwapMovement(
            pay: plan.payToken.address,
            receive: plan.receiveToken.address,
            in: receipt,
            session: session
        )
        if movement.received > .zero {
            // The chain's own coin leaves no event, so only the outcome knows it.
            try journaled(
                try sender.journal.note([
                    MinedTrades(
                        movement,
                        receive: plan.receiveToken.address,
                        in: receipt,
                        network: session.network
                    )
                ])
            )
        }
        return traded(movement, transactions: transactions)
    }

    private func traded(
        _ movement: SwapMovement,
        transactions: [SentTransaction]
    ) -> TradeOutcome {
        let bounds = FillBounds(plan)
        let (received, paid) = (movement.received, movement.paid)
        var warnings: [String] = []
        if received == .zero {
            warnings.append("The transaction was mined, and nothing of it arrived.")
        } else if let words = bounds.shortfall(received, of: plan.receiveToken) {
            warnings.append(words)
            if !bounds.areKept(by: received) {
                warnings.append(
                    "The contract enforces the minimum before it sends: the token keeps a part of "
                        + "each transfer."
                )
            }
        }
        return TradeOutcome(
            plan: plan,
            transactions: transactions,
            received: received,
            paid: paid,
            fees: .zero,
            effectivePrice: plan.side == .buy
                ? Price(quote: paid, base: received) : Price(quote: received, base: paid),
            legs: [],
            warnings: warnings,
            ending: bounds.areKept(by: received) ? .done : .less
        )
    }
}
