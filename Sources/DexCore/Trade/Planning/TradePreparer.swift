import DexStore
import Ethereum
import ZeroEx

/// Checks a route's preconditions, simulates what can be simulated in one request, and prices it.
struct TradePreparer {
    let session: Session
    let journal: any Journal
    let settings: TradeSettings

    /// The trade with its approvals, call, gas and warnings.
    ///
    /// - Throws: `DexError`: exit 6 for what is short, 10 where the simulation fails.
    func prepare(
        _ route: TradeRoute,
        in context: TradeContext
    ) async throws(DexError) -> PreparedTrade {
        let feeToken = try await feeToken(of: route, in: context)
        let funding = try funding(of: route, feeToken: feeToken, in: context)
        let planner = ApprovalPlanner(
            owner: context.account.address,
            spender: context.contracts.transferContract,
            approval: settings.approval
        )
        let needs = planner.needs(funding.requirements, account: context.account)
        let simulation = FillSimulation(
            route: route,
            account: context.account.address,
            contracts: context.contracts,
            exchangeProtocol: session.exchangeProtocol,
            attempts: funding.paysFeeFromProceeds ? [.throwing] : [.skipping, .throwing]
        )

        // One request: either the approvals can be simulated, or the fill itself.
        var batch = ReadBatch()
        let places = needs.map { need in
            let reads = planner.reads(need)
            return reads.map { batch.add($0) }
        }
        let fillReads = needs.isEmpty ? simulation.reads() : []
        let fillPlaces = fillReads.map { batch.add($0) }
        let inFlight = InFlight(
            session: session,
            journal: journal,
            concern: .move(.fill, isAllowed: settings.allowsPending)
        )
        let account = context.account.address
        let pending = try inFlight.questions(account: account, in: &batch)
        let answers = try await batch.send(to: session.chain)

        var approvals: [ApprovalStep] = []
        for (need, places) in zip(needs, places) {
            let part = places.map { answers[$0] }
            approvals += try planner.steps(need, answers: part[...], block: context.block)
        }
        var fill: FillSimulation.Result
        var refusal: AccessListing.Refusal?
        if needs.isEmpty {
            fill = try simulation.result(fillPlaces.map { answers[$0] }[...])
            // Skipping fails where throwing passes: a token is too dear to query.
            if fill.attempt == .throwing, simulation.attempts.first == .skipping {
                (fill, refusal) = await announced(simulation, found: fill, in: context)
            }
        } else {
            fill = try unsimulated(simulation)
        }
        let fillGas = try GasPricing.limit(
            estimate: fill.estimate,
            percent: 130,
            floor: simulation.floor(fill.attempt),
            block: context.block
        )
        let gas = try gasPlan(approvals.map(\.gasLimit) + [fillGas], in: context)
        let warnings =
            context.warnings
            + inFlight.warnings(
                pending,
                answers: answers,
                next: context.account.pendingNonce
            )
            + callWarnings(fill, refusal: refusal, context: context)
            + warnings(fill, approvals: approvals, gas: gas, context: context)
            + (try ownOrderWarnings(funding.requirements, needs: needs, context: context))
        let plan = plan(
            fill,
            steps: steps(approvals, fillGas: fillGas, fill: fill, context: context),
            gas: gas,
            feeToken: feeToken,
            warnings: warnings,
            context: context
        )
        return PreparedTrade(
            plan: plan,
            route: fill.route,
            attempt: fill.attempt,
            approvals: approvals,
            contracts: context.contracts,
            feeToken: feeToken
        )
    }

    /// The fill reverts until the approval is mined: the measured floor stands in.
    private func unsimulated(
        _ simulation: FillSimulation
    ) throws(DexError) -> FillSimulation.Result {
        guard let attempt = simulation.attempts.first, let call = simulation.call(attempt) else {
            throw Self.nothingToFill
        }
        return FillSimulation.Result(
            route: simulation.route(attempt),
            attempt: attempt,
            call: call,
            estimate: simulation.floor(attempt).addingSaturating(40_000)
        )
    }

    /// The skipping call with an access list where that helps, else what was found.
    private func announced(
        _ simulation: FillSimulation,
        found: FillSimulation.Result,
        in context: TradeContext
    ) async -> (FillSimulation.Result, AccessListing.Refusal?) {
        guard context.fees.baseFee != nil else { return (found, .noBaseFee) }
        switch await AccessListing(chain: session.chain).announced(simulation) {
        case .fill(let fill): return (fill, nil)
        case .refused(let refusal): return (found, refusal)
        }
    }

    // MARK: Funds

    private struct Funding {
        var requirements: [(token: Token, amount: UInt256)]
        var paysFeeFromProceeds: Bool
    }

    /// Balances must be there; allowances can be given.
    ///
    /// Where the fee token is the one that is paid, both come out of one pool.
    private func funding(
        of route: TradeRoute,
        feeToken: Token?,
        in context: TradeContext
    ) throws(DexError) -> Funding {
        var pay = route.pay
        let fee = feeToken == nil ? .zero : route.maximumFee
        let isOnePool = feeToken?.address == context.payToken.address
        if isOnePool { pay = pay.addingSaturating(fee) }
        let balances = context.account.balances
        let owned = balances[context.payToken.address] ?? .zero
        guard owned >= pay else {
            throw insufficient(
                context.payToken,
                needed: pay,
                owned: owned,
                reason: isOnePool && fee > .zero ? "with the taker fee" : "to pay",
                network: session.network
            )
        }
        var funding = Funding(
            requirements: [(context.payToken, pay)],
            paysFeeFromProceeds: false
        )
        guard let feeToken, fee > .zero, !isOnePool else { return funding }
        let forFees = balances[feeToken.address] ?? .zero
        if forFees < fee {
            // What is bought arrives before the fee is due, but only a call that does not look
            // at balances first lets it pay.
            guard feeToken.address == context.receiveToken.address,
                route.minimumReceive >= fee
            else {
                throw insufficient(
                    feeToken,
                    needed: fee,
                    owned: forFees,
                    reason: "for taker fees",
                    network: session.network
                )
            }
            funding.paysFeeFromProceeds = true
        }
        funding.requirements.append((feeToken, fee))
        return funding
    }

    private func insufficient(
        _ token: Token,
        needed: UInt256,
        owned: UInt256,
        reason: String,
        network: Network
    ) -> DexError {
        let symbol = PlainText.clean(token.symbol, limit: 20)
        let isWrapped = token.address == network.weth
        return DexError(
            .refused,
            code: "insufficient-balance",
            message: "The account needs \(TokenAmount(raw: needed, token: token).value) \(symbol) "
                + "\(reason) and has \(TokenAmount(raw: owned, token: token).value).",
            hint: isWrapped
                ? "Deposit some ether in the WETH contract first, or trade a smaller amount."
                : "Trade a smaller amount, or get some \(symbol) first."
        )
    }

    private func feeToken(
        of route: TradeRoute,
        in context: TradeContext
    ) async throws(DexError) -> Token? {
        guard route.maximumFee > .zero, let order = route.legs.first?.order else { return nil }
        let address = session.exchangeProtocol.feeToken(of: order, contracts: context.contracts)
        for token in [context.payToken, context.receiveToken] where token.address == address {
            return token
        }
        return try await TokenResolver(session: session).tokens(at: [address])[address]
            ?? Token(address: address, symbol: address.shortened, name: "", decimals: nil)
    }

    // MARK: Gas

    private func gasPlan(
        _ limits: [UInt64],
        in context: TradeContext
    ) throws(DexError) -> GasPlan {
        try GasPricing.plan(
            limits,
            fees: context.fees,
            ether: context.account.ether,
            settings: settings
        )
    }

    static let nothingToFill = DexError(
        .refused,
        code: "no-liquidity",
        message: "There is nothing to fill."
    )
}
