import DexSigning
import Ethereum
import ZeroEx

/// A trade at a venue that quotes, with all checks that precede a signature: approvals, perhaps a
/// message of Permit2, and then the call.
struct QuotedStep: TradeStep {
    private var order: MarketOrder
    private var quoting: SwapQuoting
    var plan: TradePlan
    let verified: VerifiedQuote
    let approvals: [PlannedStep]
    /// The maximum deviation from the quote for the policy, in hundredths of a percent.
    var slippage: UInt64?
    /// The call, with a permit's signature once that is there.
    private var call: PlannedCall

    init(
        _ order: MarketOrder,
        _ quoting: SwapQuoting,
        plan: TradePlan,
        verified: VerifiedQuote,
        approvals: [PlannedStep]
    ) {
        self.order = order
        self.quoting = quoting
        self.plan = plan
        self.verified = verified
        self.approvals = approvals
        call = verified.plannedCall
    }

    private var rules: any LiquidityRules { quoting.source.rules }

    /// The plan of the trade.
    func planned(_ command: String) -> Plan<TradePlan> {
        var terms = terms(call.purpose.rawValue, verified)
        terms.rollupFee = plan.gas.rollup.maximum
        let permit = verified.permit.map { permit in
            PlannedSignature(content: .permit(permit), terms: self.terms("permit", verified))
        }
        let swap = PlannedSignature(
            call.request,
            order.session,
            gasLimit: plan.steps.last?.gasLimit ?? plan.gas.limit,
            price: plan.gas.maxFeePerGas,
            terms: terms
        )
        return Plan(
            self,
            signing: [permit, swap].compactMap(\.self),
            after: approvals,
            contracts: nil,
            command: command,
            purpose: .swap,
            order.context
        )
    }

    /// The terms that the signed bytes do not contain, for the policy.
    private func terms(_ purpose: String, _ quote: VerifiedQuote) -> SigningTerms {
        SigningTerms(purpose: purpose, slippage: slippage, genuine: Set(quote.terms.genuine))
    }

    // MARK: The recheck

    /// Asks for a fresh quote within the confirmed bounds where the planned one is too old: the exact
    /// call is never older than a quote may be, and is simulated right before signing.
    mutating func ready(
        _ sender: TransactionSender,
        _ budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Request {
        order = order.with(sender.context)
        quoting = SwapQuoting(
            session: order.session,
            at: try order.session.required(plan.venue),
            trade: quoting.trade,
            account: order.account
        )
        var price = verified.quote.price
        // After an approval the quote of the plan is never sent.
        var quote = approvals.isEmpty && !isOld(verified) ? verified : nil
        var failure = SwapError.quotesTooOld(venue: verified.venue)
        for asked in 0...SwapQuoting.maximumQuotes {
            if let quote {
                do {
                    let request = try await compared(quote, sender, budget)
                    if !isOld(quote) {
                        // Of a fresh quote the route and its deadline may be others.
                        plan.quote = quote.summary(now: order.session.environment.now())
                        plan.validUntil = quote.validUntil(order.session.network)
                        call.request = request.call
                        return request
                    }
                    failure = SwapError.quotesTooOld(venue: verified.venue)
                } catch {
                    // The market may have moved below the quote's minimum since.
                    guard error.kind == .simulationFailed else { throw error }
                    failure = error
                }
            }
            guard asked < SwapQuoting.maximumQuotes else { break }
            order.session.environment.progress("Asking \(verified.venue) for a fresh quote.")
            switch try await quoting.renew(within: verified.terms, after: price) {
            case .within(let fresh):
                (quote, price) = (fresh, fresh.quote.price)
            case .tooWide(let now):
                (quote, price) = (nil, now)
                failure = SwapError.quoteMoved(venue: verified.venue)
            }
        }
        throw failure
    }

    private func isOld(_ quote: VerifiedQuote) -> Bool {
        let now = order.session.environment.now()
        return now > quote.time && now - quote.time > SwapQuoting.longestAge
    }

    /// The checked call of a quote whose price was compared with the book as it is now.
    ///
    /// Both are asked for at the same time, unless the check itself takes a signature: a message of
    /// Permit2.
    private func compared(
        _ quote: VerifiedQuote,
        _ sender: TransactionSender,
        _ budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Request {
        let price = quote.quote.price
        guard quote.permit == nil else {
            try await order.compare(price, of: quoting.at, withThatOf: plan)
            return try await check(quote, sender, budget)
        }
        async let comparing = Result { [self] () async throws(DexError) in
            try await order.compare(price, of: quoting.at, withThatOf: plan)
        }
        let request = try await check(quote, sender, budget)
        try await comparing.get()
        return request
    }

    /// Reads chain, nonce, fees, ether and the registry, and simulates and estimates the exact
    /// call, all in one request.
    private func check(
        _ quote: VerifiedQuote,
        _ sender: TransactionSender,
        _ budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Request {
        let session = sender.session
        let terms = quote.terms
        var call = quote.plannedCall
        call.moves = PlannedMoves(
            pays: .init(token: plan.payToken.address, raw: terms.maximum),
            receives: .init(token: plan.receiveToken.address, raw: terms.minimum)
        )
        if let permit = quote.permit {
            let signature = try await sign(permit, of: quote, sender)
            call.request.data = rules.call(quote.call, signature: signature).data
        }
        var batch = ReadBatch()
        var (reads, genuine) = SenderReads.ask(session, of: plan.account, in: &batch) {
            SwapRegistry.ask(rules, at: .latest, in: &$0)
        }
        let simulated = ProvenCall(call, quote, plan.receiveToken, rules)
            .ask(session, in: &batch)
        reads.state = TransactionSimulator(session: session).ask(call.request, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let head = try reads.head(in: answers)
        try quoting.verifyAgain(quote, genuine: try answers.value(genuine))
        let limit = try call.gasLimit(
            try answers.value(simulated),
            within: GasBounds(head.block, session.network.fees, sender.settings.fees)
        )
        return try await sender.request(
            call,
            limit,
            within: budget,
            reads,
            in: answers
        ) {
            $0.slippage = slippage
            $0.genuine = Set(terms.genuine)
        }
    }

    private func sign(
        _ permit: SwapPermit,
        of quote: VerifiedQuote,
        _ sender: TransactionSender
    ) async throws(DexError) -> Signature {
        try sender.session.checkFreshness(sender.settings)
        sender.session.environment.progress(
            "Signing a Permit2 message for "
                + TokenAmount(raw: permit.amount, token: plan.payToken).value
                + " \(PlainText.name(plan.payToken.symbol))."
        )
        do {
            return try await sender.signer.sign(
                permit: permit,
                chainID: sender.session.network.chainID,
                terms: terms("permit", quote)
            )
        } catch {
            throw DexError(error)
        }
    }

    // MARK: The outcome

    func outcome(
        of result: TransactionSender.Result,
        after before: [SentTransaction],
        _ sender: TransactionSender
    ) async throws(DexError) -> TradeOutcome {
        try await SwapOutcomeBuilder(sender: sender, plan: plan, call: call.request)
            .outcome(result, before: before)
    }
}
