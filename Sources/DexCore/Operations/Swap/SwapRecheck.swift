import DexSigning
import Ethereum
import ZeroEx

/// Checks a trade at a swap venue again right before it is signed: a fresh quote within the confirmed
/// bounds where the planned one is too old.
struct SwapRecheck {
    let sender: TransactionSender
    let quoting: SwapQuoting
    /// Compares a quote's price again, with the book as it is now.
    let compare: @Sendable (SwapPrice) async throws(DexError) -> Void

    private var session: Session { sender.session }
    private var settings: TradeSettings { sender.settings }
    private var rules: any LiquidityRules { quoting.source.rules }

    /// The trade as it is signed now.
    ///
    /// - Throws: `DexError`: it would fail, or cost more than was confirmed.
    func checked(
        _ prepared: PreparedSwap,
        budget: GasBudget
    ) async throws(DexError) -> CheckedTrade {
        let ready = try await makeReady(prepared, budget: budget)
        let quote = ready.quote
        var request = ready.request
        request.validUntil =
            quote.permit?.deadline.uint64 ?? session.network.poolDeadline(of: request.call)
        var plan = prepared.plan
        // Of a fresh quote the route may be another one.
        plan.quote = quote.summary(now: session.environment.now())
        let builder = SwapOutcomeBuilder(sender: sender, plan: plan, call: request.call)
        return CheckedTrade(request: request) { result, before async throws(DexError) in
            try await builder.outcome(result, before: before)
        }
    }

    /// The exact call, not older than a quote may be, checked and simulated right before signing.
    private func makeReady(
        _ prepared: PreparedSwap,
        budget: GasBudget
    ) async throws(DexError) -> (request: TransactionSender.Request, quote: VerifiedQuote) {
        let confirmed = prepared.verified
        var price = confirmed.quote.price
        // After an approval the quote of the plan is never sent.
        var quote = prepared.approvals.isEmpty && !isOld(confirmed) ? confirmed : nil
        var failure = SwapError.quotesTooOld(venue: confirmed.venue)
        for asked in 0...SwapQuoting.maximumQuotes {
            if let quote {
                do {
                    let request = try await compared(quote, prepared: prepared, budget: budget)
                    if !isOld(quote) { return (request, quote) }
                    failure = SwapError.quotesTooOld(venue: confirmed.venue)
                } catch {
                    // The market may have moved below the quote's minimum since.
                    guard error.kind == .simulationFailed else { throw error }
                    failure = error
                }
            }
            guard asked < SwapQuoting.maximumQuotes else { break }
            session.environment.progress("Asking \(confirmed.venue) for a fresh quote.")
            switch try await quoting.renew(within: confirmed.terms, after: price) {
            case .within(let fresh):
                (quote, price) = (fresh, fresh.quote.price)
            case .tooWide(let now):
                (quote, price) = (nil, now)
                failure = SwapError.quoteMoved(venue: confirmed.venue)
            }
        }
        throw failure
    }

    private func isOld(_ quote: VerifiedQuote) -> Bool {
        let now = session.environment.now()
        return now > quote.time && now - quote.time > SwapQuoting.longestAge
    }

    /// The checked call of a quote whose price was compared with the book as it is now.
    ///
    /// Both are asked for at the same time, unless the check itself takes a signature: a message of
    /// Permit2.
    private func compared(
        _ quote: VerifiedQuote,
        prepared: PreparedSwap,
        budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Request {
        let (compare, price) = (compare, quote.quote.price)
        guard quote.permit == nil else {
            try await compare(price)
            return try await check(quote, prepared: prepared, budget: budget)
        }
        async let comparing = Result { () async throws(DexError) in try await compare(price) }
        let request = try await check(quote, prepared: prepared, budget: budget)
        try await comparing.get()
        return request
    }

    /// Reads chain, nonce, fees, ether and the registry, and simulates and estimates the exact
    /// call, all in one request.
    private func check(
        _ quote: VerifiedQuote,
        prepared: PreparedSwap,
        budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Request {
        let account = prepared.plan.account
        var call = quote.plannedCall
        if let permit = quote.permit {
            let signature = try await sign(permit, quote: quote, prepared: prepared)
            call.request.data = rules.call(quote.call, signature: signature).data
        }
        var batch = ReadBatch()
        let askedHead = AccountHead.ask(session, account, in: &batch)
        let genuine = SwapRegistry.ask(rules, at: .latest, in: &batch)
        let balance = batch.add(.balance(account, .latest))
        let simulated = ProvenCall(call, quote, prepared.plan.receiveToken, rules)
            .ask(session, in: &batch)
        let reads = TransactionSimulator(session: session).ask(call.request, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(askedHead)
        try quoting.verifyAgain(quote, genuine: try answers.value(genuine))
        let limit = try call.gasLimit(
            try answers.value(simulated),
            within: GasBounds(head.block, session.network.fees, settings.fees)
        )
        let fees = try await CallPricing(session: session).priced(head.fees, for: [limit])
        let fee = try budget.fee(fees, limit: limit.units)
        try CallSender.checkEther(
            answers.value(balance),
            fee: fee,
            limit: limit.units,
            value: call.request.value,
            fees: fees
        )
        let request = TransactionSender.Request(
            purpose: call.purpose,
            call: call.request,
            gasLimit: limit.units,
            fee: fee,
            pendingNonce: head.pendingNonce,
            head: head.block,
            slippage: prepared.slippage,
            genuine: Set(quote.terms.genuine),
            rollup: fees.rollup
        )
        return try await sender.simulated(
            request,
            call.subject,
            PlannedMoves(
                pays: .init(token: prepared.plan.payToken.address, raw: quote.terms.maximum),
                receives: .init(token: prepared.plan.receiveToken.address, raw: quote.terms.minimum)
            ),
            reads,
            in: answers,
            baseFee: head.fees.baseFee
        )
    }

    private func sign(
        _ permit: SwapPermit,
        quote: VerifiedQuote,
        prepared: PreparedSwap
    ) async throws(DexError) -> Signature {
        try session.checkFreshness(sender.settings)
        session.environment.progress(
            "Signing a Permit2 message for "
                + TokenAmount(raw: permit.amount, token: prepared.plan.payToken).value
                + " \(PlainText.name(prepared.plan.payToken.symbol))."
        )
        do {
            return try await sender.signer.sign(
                permit: permit,
                chainID: session.network.chainID,
                terms: PreparedSwap.terms("permit", quote, slippage: prepared.slippage)
            )
        } catch {
            throw DexError(error)
        }
    }
}
