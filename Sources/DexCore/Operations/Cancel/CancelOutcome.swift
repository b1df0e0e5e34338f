package import Ethereum
package import ZeroEx

/// What `dex cancel` did.
package struct CancelOutcome: TransactionOutcome {
    package struct Row: Sendable {
        package enum Status: String, CaseIterable, Sendable {
            case cancelled
            case filledBefore = "filled-before"
            case expiredBefore = "expired-before"
            case unchanged
        }

        package let orderHash: OrderHash
        package let status: Status
        /// Base units of the taker token that others filled between the plan and the cancel.
        package let filledMeanwhile: UInt256
        /// Base units of the taker token that this cancelled.
        package let cancelled: UInt256
        package let takerToken: Token
        /// The order as it was planned, for amounts in BASE; nil if only its hash is known.
        package var order: OrdersState.Row?
    }

    package let transactions: [SentTransaction]
    package let rows: [Row]
    /// The orders of the request that were not open when it was planned.
    package var closed: [OrdersState.Row] = []
    package let warnings: [String]
    /// The relays that did not answer: orders that only they have may still be open.
    package var unread: [String] = []
    package let ending: Ending
}

extension CancelOutcome {
    /// No order is open; nothing was sent.
    init(nothingOf plan: CancelPlan) {
        self.init(
            transactions: [],
            rows: [],
            closed: plan.closed,
            warnings: plan.warnings,
            ending: .done
        )
    }

    /// Another order may take the place of the cancelled one, of which nothing was filled meanwhile.
    var freesOrder: Bool { error == nil && overtaken == nil }

    /// The cancelled order where something of it was filled meanwhile; nil if nothing was.
    var overtaken: Row? {
        guard error == nil, let row = rows.first, row.filledMeanwhile > .zero else { return nil }
        return row
    }

    package static var less: DexError { OutcomeError.cancelledLess }

    package var error: DexError? {
        if ending == .less, !unread.isEmpty, rows.allSatisfy({ $0.status == .cancelled }) {
            return OutcomeError.relaysUnread(unread)
        }
        return OutcomeError.of(ending, subject, less: Self.less)
    }
}
