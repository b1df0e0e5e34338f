import Ethereum
import ZeroEx

/// Prepares a trade at a swap venue: a verified quote, funds, approvals, a simulation and gas.
struct SwapPreparer {
    let order: MarketOrder
    let quoting: SwapQuoting

    var session: Session { order.session }
    private var settings: TradeSettings { order.settings }
    var trade: SwapTrade { quoting.trade }
    private var rules: any LiquidityRules { quoting.source.rules }

    /// The reads of the chain at the plan's block, beside the quote.
    struct Reads {
        let genuine: [Address]
        let pair: Pair
        /// With the balances of both assets, and no allowances.
        let account: AccountSnapshot
        /// Of the paid asset, by spender; nothing of the native coin.
        let allowances: [Address: UInt256]
        /// Seconds since 1970 before all this and the quote were asked for.
        let asked: UInt64
    }

    /// The quote, and at the same time the chain's part at the plan's block.
    func quote(
        after price: SwapPrice,
        at head: AccountHead
    ) async throws(DexError) -> (quote: SwapQuote, reads: Reads) {
        let asked = session.environment.now()
        async let quoted = quoting.quote(after: price)
        // The chain's answer comes first: a paused registry takes precedence.
        let reads = try await read(at: head, asked: asked)
        return (try await quoted.get(), reads)
    }

    /// - Parameters:
    ///   - impact: of an average price, in hundredths of a percent; nil without a comparison.
    /// - Throws: `DexError`: exit 6 for a quote that is not genuine and for missing funds, 10 if
    ///   the simulation fails.
    func prepare(
        _ quote: SwapQuote,
        _ reads: Reads,
        at head: AccountHead,
        impact: (Price) -> UInt64?
    ) async throws(DexError) -> QuotedStep {
        if let short = quote.price.shortBalance {
            throw SwapError.shortBalance(
                venue: rules.name,
                owned: TokenAmount(raw: short, token: trade.payToken)
            )
        }
        let terms = try quoting.terms(of: quote, for: head.address, genuine: reads.genuine)
        let verified = try quoting.verified(quote, terms: terms, asked: reads.asked)
        try checkFunds(reads, terms)
        let spender = rules.spender(trade.payment, of: verified.call)
        var account = reads.account
        account.allowances[trade.payToken.address] = reads.allowances[spender]
        let planner = ApprovalPlanner(
            owner: head.address,
            spender: spender,
            approval: settings.approval,
            overrides: settings.fees,
            session: session,
            spenderName: trade.payment == .permit
                ? "Permit2" : rules.name + (rules.name.hasSuffix("s") ? "'" : "'s") + " contract"
        )
        // Wrapped ether is unwrapped by its own contract, which needs no allowance.
        let unwraps = trade.receiveToken.isNativeCoin && verified.call.to == session.network.weth
        let needs =
            trade.payToken.isNativeCoin || unwraps
            ? [] : try planner.needs([(trade.payToken, terms.maximum)], account: account)
        let call = verified.plannedCall

        var batch = ReadBatch()
        let askedApprovals = planner.ask(needs, block: head.block, in: &batch)
        // A permit is signed after the confirmation only, so its call cannot be simulated before.
        let simulated =
            needs.isEmpty && verified.permit == nil
            ? ProvenCall(call, verified, trade.receiveToken, rules).ask(session, in: &batch) : nil
        let inFlight = InFlight(
            session: session,
            journal: order.context.journal,
            conflicts: .move(.swap, isAllowed: settings.allowsPending)
        )
        let pending = try inFlight.questions(account: head.address, in: &batch)
        let answers = try await batch.send(to: session.chain)

        let approvals = try answers.value(askedApprovals)
        let bounds = GasBounds(head.block, session.network.fees, settings.fees)
        let gasLimit: GasLimit
        if let simulated {
            gasLimit = try call.gasLimit(
                try answers.value(simulated),
                within: bounds
            )
        } else {
            gasLimit = try GasLimit(
                estimate: Self.unsimulatedGas(quote.gas),
                percent: call.margin,
                of: call.request,
                within: bounds
            )
        }
        let limits = approvals.map(\.gasLimit) + [gasLimit]
        let gas = try GasPricing.plan(
            limits,
            fees: try await CallPricing(session: session).priced(head.fees, for: limits),
            ether: reads.account.ether,
            value: verified.call.value,
            moved: ether(quote.price),
            settings: settings
        )
        let earlier = try inFlight.report(
            pending,
            answers: answers,
            next: head.pendingNonce
        )
        var plan = try plan(
            verified,
            pair: reads.pair,
            at: head,
            impact: impact,
            approvals: approvals,
            swap: PlannedTransaction(PlannedStep(call: call, gasLimit: gasLimit)),
            gas: gas,
            earlier: earlier
        )
        plan.balances = PlannedBalance.changes(by: plan, of: reads.account)
        plan.validUntil = verified.validUntil(session.network)
        return QuotedStep(order, quoting, plan: plan, verified: verified, approvals: approvals)
    }

    /// The gas of a call that cannot be simulated yet; a venue's hint counts within reason.
    private static func unsimulatedGas(_ hint: UInt64?) -> UInt64 {
        min(max(hint ?? 600_000, 300_000), 3_000_000)
    }

    private func read(at head: AccountHead, asked: UInt64) async throws(DexError) -> Reads {
        let tag = BlockTag.number(head.block.number)
        var batch = ReadBatch()
        let genuine = SwapRegistry.ask(rules, at: tag, in: &batch)
        let ether = batch.add(.balance(head.address, tag))
        func ask(_ token: Token, _ data: [UInt8]) -> ReadSlot<[UInt8]>? {
            token.isNativeCoin
                ? nil : batch.add(.call(CallRequest(to: token.address, data: data), tag))
        }
        let pay = trade.payToken
        let receive = trade.receiveToken
        let balance = ask(pay, ERC20.balanceOf(head.address))
        let receiving = ask(receive, ERC20.balanceOf(head.address))
        let allowance = rules.spenders(trade.payment).map { spender in
            (spender, ask(pay, ERC20.allowance(owner: head.address, spender: spender)))
        }
        let base = ask(trade.pair.base, ERC20.decimals)
        let quote = ask(trade.pair.quote, ERC20.decimals)
        let answers = try await batch.send(to: session.chain)
        // A paused registry takes precedence over everything else.
        let contracts = try answers.value(genuine)
        let pair = Pair(
            base: try trade.pair.base.confirmed(by: try base.flatMap(answers.word)),
            quote: try trade.pair.quote.confirmed(by: try quote.flatMap(answers.word))
        )
        let wei = try answers.value(ether)
        var balances: [Address: UInt256] = [:]
        var allowances: [Address: UInt256] = [:]
        balances[pay.address] =
            pay.isNativeCoin ? wei.rawValue : try balance.flatMap(answers.word)
        if let receiving { balances[receive.address] = try answers.word(receiving) }
        for (spender, slot) in allowance {
            allowances[spender] = try slot.flatMap(answers.word)
        }
        let account = AccountSnapshot(
            address: head.address,
            ether: wei,
            pendingNonce: head.pendingNonce,
            balances: balances,
            allowances: [:]
        )
        return Reads(
            genuine: contracts,
            pair: pair,
            account: account,
            allowances: allowances,
            asked: asked
        )
    }

    /// The most that may be sold is there; of the native coin, gas is checked with the value.
    private func checkFunds(_ reads: Reads, _ terms: SwapTerms) throws(DexError) {
        let owned = try reads.account.balance(of: trade.payToken)
        guard owned >= terms.maximum else {
            throw FundsError.tooLittle(
                trade.payToken,
                needed: terms.maximum,
                owned: owned,
                reason: "to pay",
                network: session.network
            )
        }
    }

    /// The traded ether or wrapped ether in wei; nil for other pairs.
    private func ether(_ price: SwapPrice) -> Wei? {
        for (token, amount) in [(trade.payToken, price.sold), (trade.receiveToken, price.bought)] {
            let address = token.isNativeCoin ? nil : token.address
            if let wei = session.network.ether(amount, of: address) { return wei }
        }
        return nil
    }
}
