import DexStore
import Ethereum
import ZeroEx

/// Determines the effect of a cancel from the amounts on chain.
struct CancelAudit {
    let session: Session
    let settings: TradeSettings
    let contracts: ExchangeContracts

    func outcome(
        _ cancel: CancelPlan,
        _ results: [TransactionSender.Result]
    ) async throws(DexError) -> CancelOutcome {
        let receipts = results.compactMap(\.receipt).filter(\.succeeded)
        let failed = results.last { $0.sent.stage != .confirmed }
        guard let last = receipts.last else {
            return unchanged(cancel, results.map(\.sent))
        }
        let events = try reported(
            ExchangeError.self,
            try session.exchangeProtocol.events(
                in: receipts.flatMap(\.logs),
                exchange: contracts.exchange
            )
        )
        var warnings = failed.map { [words($0.sent)] } ?? []
        var after = cancel.orders.map(\.state)
        do {
            after = try await amounts(cancel, at: last.blockNumber)
        } catch {
            // The cancel is mined, whatever the node answers now.
            warnings.append("The amounts could not be read again: \(error.message)")
            after = cancel.orders.map { stateFromEvents($0, events: events) }
        }
        var rows: [CancelOutcome.Row] = []
        for (before, state) in zip(cancel.orders, after) {
            rows.append(row(before, after: state, events: events))
        }
        let isDone = rows.allSatisfy { $0.status == .cancelled }
        let missed = rows.filter { $0.status != .cancelled }.count
        let unsent = cancel.steps.count - results.count
        if unsent > 0 {
            warnings.append(
                "\(unsent) of \(cancel.steps.count) transactions "
                    + "\(unsent == 1 ? "was" : "were") not sent; run the command again for the "
                    + "orders that are left."
            )
        } else if !isDone, failed == nil {
            warnings.append(
                rows.count == 1
                    ? "The order could no longer be cancelled."
                    : "\(missed) of \(rows.count) orders could no longer be cancelled."
            )
        }
        return CancelOutcome(
            transactions: results.map(\.sent),
            rows: rows,
            closed: cancel.closed,
            warnings: warnings,
            unread: cancel.unread,
            ending: failed?.sent.stage.ending
                ?? (isDone && cancel.unread.isEmpty ? .done : .less)
        )
    }

    /// A cancel's success is proved by the amounts, read again after it is mined.
    private func amounts(
        _ cancel: CancelPlan,
        at number: UInt64
    ) async throws(DexError) -> [OrderState] {
        let orders = cancel.orders.map(\.order)
        var batch = ReadBatch()
        let calls = session.exchangeProtocol.stateCalls(of: orders, contracts: contracts)
        let slots = batch.add(calls, at: .number(number))
        let answers = try await batch.send(to: session.chain).values(slots)
        return try reported(
            ExchangeError.self,
            try session.exchangeProtocol.states(of: orders, answers: answers)
        )
    }

    /// An order's amounts by the receipt's events alone.
    private func stateFromEvents(_ row: OrdersState.Row, events: [ExchangeEvent]) -> OrderState {
        func ended(_ amount: UInt256) -> OrderState {
            OrderState(
                filled: row.state.filled,
                cancelled: row.state.cancelled.addingSaturating(amount),
                remaining: .zero,
                status: .cancelled
            )
        }
        for event in events {
            switch event {
            case .cancelled(let cancel) where cancel.orderHash == row.order.hash:
                return ended(cancel.takerAmount)
            case .cancelSeen(row.order.hash, _): return ended(row.state.remaining)
            case .pairCancelled(let cancel) where cancel.covers(row.order):
                return ended(row.state.remaining)
            case .filled, .cancelled, .cancelSeen, .pairCancelled, .skipped: continue
            }
        }
        return row.state
    }

    private func row(
        _ before: OrdersState.Row,
        after: OrderState,
        events: [ExchangeEvent]
    ) -> CancelOutcome.Row {
        let hash = before.order.hash
        var status = CancelOutcome.Row.Status.unchanged
        if after.cancelled > before.state.cancelled, after.remaining == .zero {
            status = .cancelled
        } else if after.remaining == .zero {
            status = .filledBefore
        } else if after.status == .expired || events.contains(.skipped(hash, .expired)) {
            status = .expiredBefore
        }
        let (filled, below) = after.filled.subtractingReportingOverflow(before.state.filled)
        let (cancelled, isLess) = after.cancelled
            .subtractingReportingOverflow(before.state.cancelled)
        return CancelOutcome.Row(
            orderHash: hash,
            status: status,
            filledMeanwhile: below ? .zero : filled,
            cancelled: isLess ? .zero : cancelled,
            takerToken: before.taker.token,
            order: before
        )
    }

    /// The report of a transaction that did not succeed.
    private func words(_ sent: SentTransaction) -> String {
        sent.stage.ending == .notMinedYet
            ? "The orders can still be filled: "
                + sent.pendingWords("the cancel", confirmations: settings.confirmations)
            : sent.ending(
                "the cancel",
                nothing: "nothing is cancelled by it",
                confirmations: settings.confirmations
            )
    }

    private func unchanged(_ cancel: CancelPlan, _ sent: [SentTransaction])
        -> CancelOutcome
    {
        CancelOutcome(
            transactions: sent,
            rows: cancel.orders.map { row($0, after: $0.state, events: []) },
            closed: cancel.closed,
            warnings: sent.last.map { [words($0)] } ?? [],
            ending: sent.last?.stage.ending ?? .done
        )
    }
}
