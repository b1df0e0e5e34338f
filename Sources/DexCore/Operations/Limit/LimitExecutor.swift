import DexSigning
import DexStore
import Ethereum
import StrictJSON
import ZeroEx

/// Signs a planned limit order, records it, posts it, and reads it back.
struct LimitExecutor {
    let sender: TransactionSender

    private var session: Session { sender.session }
    private var journal: Journal { sender.journal }
    private var settings: TradeSettings { sender.settings }

    func execute(_ limit: PlannedLimitOrder) async throws(DexError) -> LimitOutcome {
        try await place(limit, after: try await approve(limit), proving: limit)
    }

    /// Nothing changed since the plan that would stop the order.
    ///
    /// The price may have moved while the user read the plan or an approval was mined.
    ///
    /// - Parameter backed: the order whose backing is proven; nil proves none.
    /// - Returns: what is proven; nil where no proofs are asked for.
    /// - Throws: `DexError`, also as `FundingProver`.
    @discardableResult
    func check(
        _ limit: PlannedLimitOrder,
        proving backed: PlannedLimitOrder? = nil
    ) async throws(DexError) -> StateProof? {
        let prover =
            session.network.provesState
            ? backed?.prover(session, settings, isApproved: true) : nil
        var batch = ReadBatch()
        let salts = SaltCheck(session: session)
        let head = ChainHead.ask(session, in: &batch)
        let salt = salts.ask(limit.plan.draft, in: &batch)
        let funding = prover?.ask(in: &batch)
        let answers = try await batch.send(to: session.chain)
        let block = try answers.value(head)
        try salts.check(salt.map { answers[$0] })
        guard max(block.timestamp, session.environment.now()) < limit.plan.expires else {
            throw LimitOrderModel.badExpiry
        }
        try await LimitPriceCheck(session: session, settings: settings).check(limit.plan)
        guard let prover, let funding else { return nil }
        let proof = try await prover.prove(funding, in: answers, head: block)
        for sentence in proof.sentences { session.environment.progress(sentence) }
        return proof
    }

    /// Checks, signs, journals and posts it.
    ///
    /// - Parameter backed: the order whose backing is proven before; nil proves none.
    func place(
        _ limit: PlannedLimitOrder,
        after approvals: [SentTransaction],
        proving backed: PlannedLimitOrder?
    ) async throws(DexError) -> LimitOutcome {
        let proof = try await check(limit, proving: backed)
        let order = try await sign(limit.plan, limit.terms)
        let posts = limit.posts && !settings.holds
        let wire = session.exchangeProtocol.encodeOrder(order).text
        // Recorded before it is sent anywhere: any recipient can fill it.
        try journaled(
            try journal.save(
                session.journalOrder(order, wire: wire, isInDoubt: posts),
                at: limit.block,
                for: sender.intent
            )
        )
        var postings: [RelayPosting] = []
        if posts {
            let names = limit.plan.targets.filter { $0.part == .posts }.map(\.relay)
            let answers = try await OrderPosting(session: session, journal: journal)
                .post(order, to: names)
            postings = limit.plan.targets.compactMap { target in
                switch target.part {
                case .posts: answers.first { $0.relay == target.relay }
                case .hasIt: RelayPosting(relay: target.relay, answer: .posted)
                case .skipped(let reason):
                    RelayPosting(relay: target.relay, answer: .skipped(reason))
                }
            }
        }
        return LimitOutcome(
            plan: limit.plan,
            order: order,
            wire: wire,
            transactions: approvals,
            postings: postings,
            warnings: Self.warnings(postings, order.hash),
            proof: proof
        )
    }

    /// What the user has to know of the relays that do not show the order.
    static func warnings(_ postings: [RelayPosting], _ hash: OrderHash) -> [String] {
        let isPartly = postings.contains(where: \.isPosted)
        return postings.compactMap { posting in
            switch posting.answer {
            case .posted: return nil
            case .unconfirmed where postings.count == 1:
                return "The relay took the order but does not give it back by its hash yet; look "
                    + "with `dex order \(hash)`."
            case .unconfirmed:
                return "The relay \(posting.relay) took the order but does not give it back by its "
                    + "hash yet; `dex resume` checks it."
            case .lost:
                let what = "Not known to be on \(posting.relay): \(posting.reason ?? "")."
                return isPartly ? what + " `dex resume` posts it where it is missing." : what
            case .refused, .skipped:
                return PlainText.sentence(
                    "Not posted on \(posting.relay): \(posting.reason ?? "")",
                    limit: 500
                )
            }
        }
    }

    /// Sends the missing approvals.
    func approve(
        _ limit: PlannedLimitOrder
    ) async throws(DexError) -> [SentTransaction] {
        guard !limit.approvals.isEmpty, let gas = limit.plan.gas else { return [] }
        var budget = GasBudget(gas, overrides: settings.fees)
        let result = try await CallSender(sender: sender, contracts: limit.contracts)
            .send(limit.approvals, budget: &budget)
        if let last = result.transactions.last, !result.isDone {
            throw LimitError.unapproved(last)
        }
        return result.transactions
    }

    /// Signs exactly the shown draft.
    private func sign(
        _ plan: LimitPlan,
        _ terms: SigningTerms
    ) async throws(DexError) -> any SignedOrder {
        try session.network.refuseOrders()
        try session.checkFreshness(sender.settings)
        let order: any SignedOrder
        do throws(SigningError) {
            order = try await sender.signer.sign(plan.draft, terms: terms)
        } catch {
            throw DexError(error)
        }
        do throws(OrderRejection) {
            try session.exchangeProtocol.verify(
                order,
                exchange: session.network.exchange,
                recoverer: session.recoverer
            )
        } catch {
            throw LimitError.wrongSignature
        }
        guard order.hash == plan.orderHash else {
            throw LimitError.wrongHash
        }
        return order
    }
}
