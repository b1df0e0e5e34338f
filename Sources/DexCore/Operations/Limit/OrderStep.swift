import DexSigning
import DexStore
import Ethereum
import StrictJSON
import ZeroEx

/// A limit order with what it needs: it is checked again, signed, recorded, posted and read back.
struct OrderStep: Sendable {
    var plan: LimitPlan
    let approvals: [PlannedStep]
    let contracts: ExchangeContracts
    /// The latest block at planning: nothing can have happened to the order before.
    let block: UInt64
    let posts: Bool
    /// The funds that it needs of the account, together with the others.
    let needs: [MakerFunding.Requirement]
    /// The amounts that the account's other open orders may draw, by token; without those of a
    /// ladder that come before it.
    let committed: [Address: UInt256]
    /// The account at planning.
    let holder: AccountSnapshot
    /// It was signed by an earlier command, which did not learn whether a relay took it.
    let isResumed: Bool
    /// What is proven to be there before it is signed; nil if an order before it proves that of all.
    var backing: [MakerFunding.Requirement]?

    /// The data for the policy and the log, besides the order.
    private var terms: SigningTerms {
        SigningTerms(purpose: "limit-order", feeToken: contracts.feeToken)
    }

    /// The order's own signature.
    var signature: PlannedSignature { PlannedSignature(content: .order(plan.draft), terms: terms) }

    /// Proves what the order rests on, and those of a ladder behind it; nil if that is proven before.
    ///
    /// - Parameter isApproved: its approvals are mined, or it needs none.
    func prover(
        _ session: Session,
        _ settings: TradeSettings,
        isApproved: Bool
    ) -> FundingProver? {
        backing.map {
            FundingProver(
                session: session,
                owner: plan.account,
                spender: contracts.transferContract,
                needs: $0,
                allowsUnfunded: settings.allowsUnfundedOrders,
                isApproved: isApproved
            )
        }
    }

    /// Nothing changed since the plan that would stop the order.
    ///
    /// The price may have moved while the user read the plan or an approval was mined.
    ///
    /// - Parameter proves: its backing is proven, where proofs are asked for.
    /// - Returns: what is proven; nil where nothing is.
    /// - Throws: `DexError`, also as `FundingProver`.
    @discardableResult
    func ready(
        _ sender: TransactionSender,
        proves: Bool = true
    ) async throws(DexError) -> StateProof? {
        let (session, settings) = (sender.session, sender.settings)
        let prover =
            proves && session.network.provesState
            ? self.prover(session, settings, isApproved: true) : nil
        var batch = ReadBatch()
        let salts = SaltCheck(session: session)
        let head = ChainHead.ask(session, in: &batch)
        let salt = salts.ask(plan.draft, in: &batch)
        let funding = prover?.ask(in: &batch)
        let answers = try await batch.send(to: session.chain)
        let block = try answers.value(head)
        try salts.check(salt.map { answers[$0] })
        guard max(block.timestamp, session.environment.now()) < plan.expires else {
            throw LimitOrderModel.badExpiry
        }
        try await LimitPriceCheck(session: session, settings: settings).check(plan)
        guard let prover, let funding else { return nil }
        let proof = try await prover.prove(funding, in: answers, head: block)
        for sentence in proof.sentences { session.environment.progress(sentence) }
        return proof
    }

    /// Signs, journals and posts it.
    func place(
        _ sender: TransactionSender,
        _ proof: StateProof?
    ) async throws(DexError) -> LimitOutcome {
        let (session, journal) = (sender.session, sender.journal)
        let order = try await sign(sender)
        let posts = self.posts && !sender.settings.holds
        let wire = session.exchangeProtocol.encodeOrder(order).text
        // Recorded before it is sent anywhere: any recipient can fill it.
        try journaled(
            try journal.save(
                session.journalOrder(order, wire: wire, isInDoubt: posts),
                at: block,
                for: sender.intent
            )
        )
        var postings: [RelayPosting] = []
        if posts {
            let names = plan.targets.filter { $0.part == .posts }.map(\.relay)
            let answers = try await OrderPosting(session: session, journal: journal)
                .post(order, to: names)
            postings = plan.targets.compactMap { target in
                switch target.part {
                case .posts: answers.first { $0.relay == target.relay }
                case .hasIt: RelayPosting(relay: target.relay, answer: .posted)
                case .skipped(let reason):
                    RelayPosting(relay: target.relay, answer: .skipped(reason))
                }
            }
        }
        return LimitOutcome(
            plan: plan,
            order: order,
            wire: wire,
            transactions: [],
            postings: postings,
            warnings: Self.warnings(postings, order.hash),
            proof: proof
        )
    }

    /// Signs exactly the shown draft.
    private func sign(_ sender: TransactionSender) async throws(DexError) -> any SignedOrder {
        let session = sender.session
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

    /// The warnings about the relays that do not show the order.
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
}
