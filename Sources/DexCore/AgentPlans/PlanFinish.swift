package import DexStore
import Ethereum
package import ZeroEx

/// Finds out what became of a plan whose process ended after it had signed.
///
/// What never got to a node or a relay is sent again, byte for byte. Nothing is signed.
package struct PlanFinish: Sendable {
    private let session: Session
    private let journal: Journal
    private let settings: TradeSettings

    package init(session: Session, journal: Journal, settings: TradeSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// What was found of a plan.
    package struct Found: Sendable {
        package let transactions: [SentTransaction]
        /// What the last of them is about; nil of an order.
        package let status: TransactionStatus?
        /// Its order; nil without one.
        package let order: OrderHash?
        /// Why it did not do what was planned; nil if it did.
        package let error: DexError?
        /// Nothing of it can change any more, as far as its command would have waited.
        package let isOver: Bool
    }

    /// - Throws: `DexError`, exit 3 or 4, or the node's own; nothing is known then.
    package func find(_ plan: JournalPlan) async throws(DexError) -> Found? {
        guard let intent = plan.intent else { return nil }
        let resume = ResumeModel(session: session, journal: journal, settings: settings)
        let planned = try await resume.plan(of: intent)
        _ = try await resume.execute(planned)
        let signed = try journaled(try journal.signed(for: intent))
        var sent: [SentTransaction] = []
        var last: TransactionStatus?
        for transaction in signed.transactions where transaction.successor == nil {
            let state = try await StatusModel(session: session, journal: journal)
                .load(transaction.hash.word, confirmations: settings.confirmations)
            guard case .transaction(let status) = state,
                let purpose = transaction.knownPurpose
            else { continue }
            last = purpose.isApproval ? last : status
            sent.append(
                SentTransaction(
                    purpose: purpose,
                    hash: status.hash,
                    coin: status.coin,
                    stage: status.stage,
                    block: status.block,
                    gasUsed: status.gasUsed,
                    cost: status.cost
                )
            )
        }
        if let last {
            return Found(
                transactions: sent,
                status: last,
                order: nil,
                error: last.error,
                isOver: last.ending != .notMinedYet
            )
        }
        guard let hash = signed.orders.first, let record = try journaled(try journal.order(hash))
        else { return nil }
        return Found(
            transactions: sent,
            status: nil,
            order: hash,
            error: record.relay == nil ? AgentPlanError.notPosted(hash) : nil,
            isOver: !record.isInDoubt
        )
    }
}
