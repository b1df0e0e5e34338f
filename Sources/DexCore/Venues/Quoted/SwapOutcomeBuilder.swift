import DexStore
import Ethereum
import ZeroEx

/// Builds a swap's actual result from its transaction alone; what that does not show is unknown.
struct SwapOutcomeBuilder {
    let sender: TransactionSender
    /// The confirmed plan, with the quote that was sent.
    let plan: TradePlan
    /// The call that was sent.
    let call: CallRequest

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
        let mined = MinedTrades(
            movement,
            receive: plan.receiveToken.address,
            in: receipt,
            network: session.network
        )
        var outcome = traded(movement, transactions: transactions)
        if plan.venue == .pools { await tellFrontRunning(of: receipt, in: &outcome) }
        if let mined {
            // The chain's own coin leaves no event, so only the outcome knows it.
            do throws(JournalError) {
                try sender.journal.note([mined])
            } catch {
                // It is mined, whatever the journal takes.
                outcome.warnings.append(
                    "This trade could not be written to the journal, and the history lacks it: "
                        + DexError(error).message
                )
            }
        }
        return outcome
    }

    /// What others did to it in its block; the node's failure leaves it unknown.
    private func tellFrontRunning(
        of receipt: TransactionReceipt,
        in outcome: inout TradeOutcome
    ) async {
        do throws(DexError) {
            guard let found = try await FrontRunning.read(call, in: receipt, session: session)
            else { return }
            outcome.frontRunning = .success(found)
        } catch {
            outcome.frontRunning = .failure(error)
        }
        outcome.warnings += outcome.frontRunningWarnings
    }

    private func traded(
        _ movement: SwapMovement,
        transactions: [SentTransaction]
    ) -> TradeOutcome {
        let bounds = FillBounds(plan)
        let (received, paid) = (movement.received, movement.paid)
        var warnings: [String] = []
        let isCoin = plan.receiveToken.isNativeCoin
        if received == nil || paid == nil {
            warnings.append(
                "What the transaction moved of \(Self.unknown(movement, plan)) is unknown: it leaves no "
                    + "event, or other payments were in the same block. The history lacks this trade."
                    + (received == nil && isCoin
                        ? " The contract enforced at least \(minimum)." : "")
            )
        }
        if received == .zero {
            warnings.append("The transaction was mined, and nothing of it arrived.")
        } else if let received, let words = bounds.shortfall(received, of: plan.receiveToken) {
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
            effectivePrice: price(received, paid),
            legs: [],
            warnings: warnings,
            // Of the coin nothing is kept back on its way: the verified call enforces the minimum.
            ending: received.map { bounds.areKept(by: $0) } ?? isCoin ? .done : .less
        )
    }

    private var minimum: String {
        TokenAmount(raw: plan.minimumReceive, token: plan.receiveToken).value
            + " \(PlainText.name(plan.receiveToken.symbol))"
    }

    private static func unknown(_ movement: SwapMovement, _ plan: TradePlan) -> String {
        [(movement.paid, plan.payToken), (movement.received, plan.receiveToken)]
            .compactMap { $0 == nil ? PlainText.name($1.symbol) : nil }
            .joined(separator: " and ")
    }

    private func price(_ received: UInt256?, _ paid: UInt256?) -> Price? {
        guard let received, let paid else { return nil }
        return plan.side == .buy
            ? Price(quote: paid, base: received) : Price(quote: received, base: paid)
    }
}
