import DexSigning
import DexStore
package import Ethereum
import ZeroEx

/// Builds, signs and posts a limit order.
package struct LimitOrderModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: LimitRequest) -> String {
        "planning the order"
    }

    /// The order to be signed; only the state of an unconfirmed earlier order is written.
    ///
    /// - Throws: `DexError` with exit 6 if the order is not covered, its fees exceed the cap, its
    ///   price crosses the book, or an earlier order already has these terms.
    package func plan(
        _ request: LimitRequest,
        account: Address
    ) async throws(DexError) -> Plan<LimitPlan> {
        plan(of: try await prepare(request, account: account))
    }

    /// - Parameters:
    ///   - replaced: an own order that is cancelled first, whose funds are free then.
    ///   - reserved: what other orders need, those before it in a ladder included; by token, where
    ///     that is known already.
    ///   - reading: the pair's book, if it was read already.
    ///   - followsBook: its price came from the book, so that the repeated command has another.
    func prepare(
        _ request: LimitRequest,
        account: Address,
        replacing replaced: OrderHash? = nil,
        reserved: [Address: UInt256] = [:],
        reading: BookReading? = nil,
        followsBook: Bool = false
    ) async throws(DexError) -> OrderStep {
        try session.network.refuseOrders()
        let relay = request.posts ? try session.requiredRelay() : nil
        let pair: Pair
        if let exact = request.exact {
            pair = exact.pair
        } else {
            pair = try await TokenResolver(session: session).pair(request.pair)
        }
        let prices = LimitPriceCheck(session: session, settings: settings)
        var (amounts, relative, read) = try await amounts(
            of: request,
            pair: pair,
            account: account,
            replacing: replaced,
            reading: reading
        )
        var draft = try draft(request, pair: pair, amounts: amounts, account: account)
        let terms = LimitTermsCheck(session: session, settings: settings)
        try terms.check(draft)

        let earlier =
            relay == nil || settings.allowsPending
            ? nil
            : try UnconfirmedOrder.like(
                draft,
                atAnyPriceOf: relative != nil || followsBook ? request.side : nil,
                except: replaced,
                session: session,
                journal: journal
            )
        if let earlier {
            draft = OrderDraft(earlier.order)
            amounts = LimitAmounts(side: request.side, of: draft) ?? amounts
        }

        // The node's first answer, the relay's fees and our other orders, concurrently.
        let salts = SaltCheck(session: session)
        var first = ReadBatch()
        let askedHead = AccountHead.ask(session, account, in: &first)
        let askedContracts = ChainSetup.askContracts(session, in: &first)
        let salt = earlier == nil ? salts.ask(draft, in: &first) : nil
        async let firstAnswers = Result { [first] () async throws(DexError) in
            try await first.send(to: session.chain)
        }
        async let othersResult = Result { () async throws(DexError) in
            try await OwnOrders(session: session, journal: journal).all(of: account)
        }
        async let bookResult = Result { () async throws(DexError) in
            if let read { return read }
            return try await prices.book(of: pair, account: account).get()
        }
        var targets: [RelayTarget] = []
        var offers: RelayFeeOffers?
        if let earlier {
            targets = try await earlier.checkRelays()
        } else if relay != nil {
            offers = try await RelayFeeOffers.ask(draft, session)
        }
        let answers = try await firstAnswers.get()
        let head = try answers.value(askedHead)
        let contracts = try answers.value(askedContracts)
        let clockWarnings = try await ClockCheck(session: session).warnings(head.block)
        let found = try await othersResult.get()
        let others = found.orders.filter { $0.hash != replaced }
        let saltWarnings = try salts.settle(&draft, salt.map { answers[$0] })
        let book = try await bookResult.get()
        let check = try prices.check(
            amounts.price,
            amount: request.side == .buy ? amounts.takerAmount : amounts.makerAmount,
            side: request.side,
            pair: pair,
            against: book
        )

        let isBuy = request.side == .buy
        let makerToken = isBuy ? pair.quote : pair.base
        let takerToken = isBuy ? pair.base : pair.quote
        if let offers {
            let choice = try await chosen(offers, draft, contracts: contracts, pair: pair)
            draft.fees = choice.fees
            targets = offers.targets(for: choice)
        }
        let feeToken = try await feeToken(draft, contracts: contracts, pair: pair)
        let feeWarnings = try terms.checkFees(draft, feeToken: feeToken, contracts: contracts)
        let reads = try await FundingReads.read(
            FundingReads.Question(
                orders: others,
                contracts: contracts,
                holdings: Set(
                    [makerToken, takerToken, feeToken].compactMap { $0 }
                        .map { HoldingKey(owner: account, token: $0.address) }
                ),
                decimals: [makerToken, takerToken].map(\.address),
                account: account,
                traced: session.network.provesState
                    ? FundingProver.traced(
                        of: account,
                        spender: contracts.transferContract,
                        [makerToken, feeToken].compactMap { $0?.address }
                    ) : []
            ),
            at: head.block,
            session: session
        )
        if let earlier, let index = others.firstIndex(where: { $0.hash == earlier.order.hash }),
            try !earlier.isOpen(reads.states[index])
        {
            return try await prepare(
                request,
                account: account,
                replacing: replaced,
                reserved: reserved,
                reading: reading,
                followsBook: followsBook
            )
        }
        for token in [makerToken, takerToken] {
            _ = try token.confirmed(by: reads.decimals[token.address])
        }
        let expires = draft.expiry.uint64 ?? .max
        guard expires > reads.block.timestamp else { throw Self.badExpiry }
        let funding = MakerFunding(
            exchangeProtocol: session.exchangeProtocol,
            contracts: contracts,
            timestamp: reads.block.timestamp
        )
        let committed = funding.commitments(
            zip(others, reads.states).filter { $0.0.hash != earlier?.order.hash }
        )
        let requirements = MakerFunding.requirements(
            draft,
            makerToken: makerToken,
            feeToken: feeToken,
            committed: committed.merging(reserved) { $1 }
        )
        let state = try reads.account(
            head,
            tokens: Set(requirements.map(\.token.address) + [takerToken.address])
        )
        // A balance that the plan cannot show is no token's.
        _ = try state.balance(of: takerToken)
        let inFlight = InFlight(
            session: session,
            journal: journal,
            conflicts: .order(isAllowed: settings.allowsPending)
        )
        var warnings = [earlier?.warning(targets)].compactMap { $0 } + Self.skipped(targets)
        let pending = try await inFlight.report(account: account, next: head.pendingNonce)
        warnings += pending.warnings
        warnings += [pair.base, pair.quote].flatMap { session.tokens.warnings(for: $0) }
        warnings += found.warnings("What orders need that only it has is not counted here.")
        warnings += clockWarnings + check.warnings + feeWarnings + saltWarnings
        warnings += try terms.shortages(requirements, account: state)
        if amounts.isRounded {
            warnings.append(
                "The price is met to less than one base unit of "
                    + "\(PlainText.name(pair.quote.symbol)), rounded in your favour."
            )
        }
        let (approvals, gas) = try await approvals(
            requirements,
            moved: session.network.ether(draft.makerAmount, of: draft.makerToken)
                ?? session.network.ether(draft.takerAmount, of: draft.takerToken),
            account: state,
            contracts: contracts,
            head: head
        )
        warnings += gas?.warnings ?? []
        var plan = LimitPlan(
            side: request.side,
            pair: pair,
            account: account,
            draft: draft,
            orderHash: session.exchangeProtocol.hash(of: draft),
            give: TokenAmount(raw: draft.makerAmount, token: makerToken),
            get: TokenAmount(raw: draft.takerAmount, token: takerToken),
            price: amounts.price,
            relative: earlier == nil ? relative : nil,
            comparison: check.comparison,
            makerFee: feeToken.map { TokenAmount(raw: draft.fees.makerFee, token: $0) },
            takerFee: feeToken.map { TokenAmount(raw: draft.fees.takerFee, token: $0) },
            expires: expires,
            targets: targets,
            steps: approvals.map { PlannedTransaction($0) },
            gas: gas,
            warnings: warnings,
            // Only an approval waits.
            stop: approvals.isEmpty ? nil : pending.stop
        )
        plan.mid = book.mid
        plan.isFarFromBook = check.isFarFromBook
        if case .unread = book { plan.hasBook = false }
        var planned = OrderStep(
            plan: plan,
            approvals: approvals,
            contracts: contracts,
            block: reads.block.number,
            posts: request.posts,
            needs: requirements,
            committed: committed,
            holder: state,
            isResumed: earlier != nil
        )
        planned.plan.balances = PlannedBalance.changes(by: [planned], gas: gas)
        // An order in a file is one that can be posted as it is.
        if settings.holds, !approvals.isEmpty {
            throw self.plan(of: planned).signatures.approvalFirst(session)
        }
        return planned
    }

    /// The order's amounts, the origin of its price, and the book if it was read for that.
    private func amounts(
        of request: LimitRequest,
        pair: Pair,
        account: Address,
        replacing replaced: OrderHash?,
        reading: BookReading?
    ) async throws(DexError) -> (LimitAmounts, RelativePrice?, BookReading?) {
        if let exact = request.exact {
            return (try LimitAmounts(side: request.side, exact), nil, reading)
        }
        let base = try await LimitSizing(session: session, journal: journal).base(
            request.amount,
            side: request.side,
            pair: pair,
            account: account,
            replacing: replaced
        ) { () async throws(DexError) in
            // The ticks of a relative price are those of one whole BASE.
            try await self.price(
                of: request,
                amount: TokenAmount.positive("1", of: pair.base),
                pair: pair,
                account: account,
                reading: reading
            ).0
        }
        let (price, relative, read) = try await price(
            of: request,
            amount: base,
            pair: pair,
            account: account,
            reading: reading
        )
        let amounts = try LimitAmounts(side: request.side, base: base, price: price, pair: pair)
        return (amounts, relative, read)
    }

    /// The typed price as a number; the book is returned if it was read for it.
    private func price(
        of request: LimitRequest,
        amount: UInt256,
        pair: Pair,
        account: Address,
        reading: BookReading?
    ) async throws(DexError) -> (Price, RelativePrice?, BookReading?) {
        guard try PriceExpression(request.price).isRelative else {
            return (try PriceBounds.price(request.price, pair: pair), nil, reading)
        }
        var book = reading
        if book == nil {
            book = try await LimitPriceCheck(session: session, settings: settings)
                .book(of: pair, account: account).get()
        }
        let (price, relative) = try price(
            request.price,
            side: request.side,
            amount: amount,
            pair: pair,
            of: book
        )
        return (price, relative, book)
    }

    /// A typed price as a number, of a book if it is relative.
    ///
    /// - Throws: `DexError`: exit 2, `bad-price`; exit 6, `no-reference-price`.
    func price(
        _ text: String,
        side: TradeSide,
        amount: UInt256,
        pair: Pair,
        of book: BookReading?
    ) throws(DexError) -> (price: Price, relative: RelativePrice?) {
        guard case .relative(let reference, let offset) = try PriceExpression(text), let book else {
            return (try PriceBounds.price(text, pair: pair), nil)
        }
        let relative = try LimitPriceCheck(session: session, settings: settings).relative(
            reference,
            offset,
            typed: text,
            amount: amount,
            side: side,
            pair: pair,
            of: book
        )
        return (relative.price, relative)
    }

    static let badExpiry = LimitError.badExpiry

    private func draft(
        _ request: LimitRequest,
        pair: Pair,
        amounts: LimitAmounts,
        account: Address
    ) throws(DexError) -> OrderDraft {
        let now = session.environment.now()
        guard let expiry = request.expiry.time(now: now) else { throw Self.badExpiry }
        let isBuy = request.side == .buy
        return OrderDraft(
            exchange: session.network.exchange,
            maker: account,
            taker: request.taker ?? .zero,
            makerToken: (isBuy ? pair.quote : pair.base).address,
            takerToken: (isBuy ? pair.base : pair.quote).address,
            makerAmount: amounts.makerAmount,
            takerAmount: amounts.takerAmount,
            expiry: UInt256(expiry),
            salt: session.exchangeProtocol.salt(
                random: session.environment.random(),
                now: now
            )
        )
    }

    /// The fees that most relays share and that are within the caps.
    ///
    /// - Throws: `DexError`, exit 6, of the best offer if none is within them.
    private func chosen(
        _ offers: RelayFeeOffers,
        _ draft: OrderDraft,
        contracts: ExchangeContracts,
        pair: Pair
    ) async throws(DexError) -> RelayFeeOffers.Offer {
        let terms = LimitTermsCheck(session: session, settings: settings)
        var refusal: DexError?
        for offer in offers.offers {
            var draft = draft
            draft.fees = offer.fees
            do throws(DexError) {
                try terms.checkRelay(draft)
                let token = try await feeToken(draft, contracts: contracts, pair: pair)
                _ = try terms.checkFees(draft, feeToken: token, contracts: contracts)
                return offer
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? NetworkError.noRelay(network: session.network.name)
    }

    /// A sentence for each of several relays that does not get the order.
    private static func skipped(_ targets: [RelayTarget]) -> [String] {
        targets.compactMap { target in
            guard case .skipped(let reason) = target.part else { return nil }
            return PlainText.sentence("Not posted on \(target.relay): \(reason)")
        }
    }

    private func feeToken(
        _ draft: OrderDraft,
        contracts: ExchangeContracts,
        pair: Pair
    ) async throws(DexError) -> Token? {
        let fees = draft.fees
        guard fees.recipient != .zero, fees.makerFee > .zero || fees.takerFee > .zero else {
            return nil
        }
        return try await TokenResolver(session: session).token(
            at: session.exchangeProtocol.feeToken(of: draft, contracts: contracts),
            among: [pair.base, pair.quote]
        )
    }

    private func approvals(
        _ requirements: [MakerFunding.Requirement],
        moved: Wei?,
        account: AccountSnapshot,
        contracts: ExchangeContracts,
        head: AccountHead
    ) async throws(DexError) -> ([PlannedStep], GasPlan?) {
        let planner = ApprovalPlanner(
            owner: account.address,
            spender: contracts.transferContract,
            approval: settings.approval,
            overrides: settings.fees,
            session: session
        )
        let needs = try planner.needs(requirements.map { ($0.token, $0.total) }, account: account)
        guard !needs.isEmpty else { return ([], nil) }
        var batch = ReadBatch()
        let asked = planner.ask(needs, block: head.block, in: &batch)
        let steps = try await batch.send(to: session.chain).value(asked)
        let limits = steps.map(\.gasLimit)
        let gas = try GasPricing.plan(
            limits,
            fees: try await CallPricing(session: session).priced(head.fees, for: limits),
            ether: account.ether,
            moved: moved,
            settings: settings
        )
        return (steps, gas)
    }

    /// The plan of one order: it approves if necessary, signs, journals, posts, and reads the order
    /// back.
    ///
    /// A relay that refuses it is exit 7, with its reasons.
    func plan(of limit: OrderStep) -> Plan<LimitPlan> {
        var order = limit
        order.backing = limit.needs
        return Plan(
            content: limit.plan,
            command: "place-limit",
            conflicts: limit.approvals.isEmpty ? nil : .order(isAllowed: settings.allowsPending),
            steps: approvals(of: limit) + [.order(order)],
            limits: Limits(limit.plan),
            terms: .order(
                PairTerms(limit.plan.pair),
                makerAmount: limit.plan.draft.makerAmount,
                takerAmount: limit.plan.draft.takerAmount,
                expiry: limit.plan.expires
            )
        )
    }

    /// The approvals that an order needs.
    func approvals(of limit: OrderStep) -> [Step] {
        Step.calls(limit.approvals, session, gas: limit.plan.gas, contracts: limit.contracts)
    }
}

extension LimitPlan {
    package static func outcome(
        of plan: Plan<LimitPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> LimitOutcome {
        let approvals = try results.approvals()
        var outcome = try results.done(results.orders.last)
        outcome.transactions = approvals
        return outcome
    }
}
