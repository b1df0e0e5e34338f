import DexStore
import Ethereum
import ZeroEx

/// Checks a route's preconditions, simulates as much as possible in one request, and prices it.
struct TradePreparer {
    let session: Session
    let journal: Journal
    let settings: TradeSettings

    /// The maximum number of new routes after partial fills in the simulation.
    private static let maximumRounds = 5

    /// The trade with its approvals, call, gas and warnings.
    ///
    /// - Parameter replacing: another route, given the most that the simulation filled of partial
    ///   orders; nil if there is none.
    /// - Throws: `DexError`: exit 6 for missing funds, 10 if the simulation fails.
    func prepare(
        _ route: TradeRoute,
        in context: TradeContext,
        replacing: ((_ limits: [OrderHash: UInt256]) throws(DexError) -> TradeRoute)? = nil
    ) async throws(DexError) -> BookStep {
        var route = route
        var limits: [OrderHash: UInt256] = [:]
        for _ in 0..<Self.maximumRounds {
            switch try await attempt(route, in: context) {
            case .prepared(let trade): return trade
            case .short(let found, let error):
                guard let replacing else { throw error }
                limits.merge(found) { min($0, $1) }
                do {
                    route = try replacing(limits)
                } catch {
                    throw error.concerns(.book) ? Self.nothingFills : error
                }
            }
        }
        throw Self.nothingFills
    }

    /// The outcome of one route.
    private enum Attempt {
        case prepared(BookStep)
        /// The partial fills of orders, and their error.
        case short([OrderHash: UInt256], DexError)
    }

    private func attempt(
        _ route: TradeRoute,
        in context: TradeContext
    ) async throws(DexError) -> Attempt {
        let owned = try context.account.balance(of: context.payToken)
        // The balance may pay the trade and not what the backups may cost more.
        let route =
            owned < max(route.maximumCost, route.maximumPay) ? route.withoutBackups : route
        let feeToken = try await feeToken(of: route, in: context)
        let funding = try TradeFunding(
            of: route,
            feeToken: feeToken,
            in: context,
            network: session.network
        )
        let planner = ApprovalPlanner(
            owner: context.account.address,
            spender: context.contracts.transferContract,
            approval: settings.approval,
            overrides: settings.fees,
            session: session
        )
        let needs = try planner.needs(funding.requirements, account: context.account)
        let simulation = FillSimulation(
            route: route,
            account: context.account.address,
            contracts: context.contracts,
            exchangeProtocol: session.exchangeProtocol,
            accesses: session.accesses,
            attempts: attempts(funding),
            payment: try payment(in: context)
        )
        try checkEther(simulation, in: context)

        // One request: either the approvals can be simulated, or the fill.
        var batch = ReadBatch()
        let askedApprovals = planner.ask(needs, block: context.block, in: &batch)
        let askedFill = needs.isEmpty ? simulation.ask(in: &batch) : nil
        let inFlight = InFlight(
            session: session,
            journal: journal,
            conflicts: .move(.fill, isAllowed: settings.allowsPending)
        )
        let account = context.account.address
        let pending = try inFlight.questions(account: account, in: &batch)
        let askedOffers = try OpenOrderReads.ask(
            drawingOn: Set(funding.requirements.map(\.token.address)),
            of: account,
            in: context.block,
            contracts: context.contracts,
            session: session,
            journal: journal,
            batch: &batch
        )
        let answers = try await batch.send(to: session.chain)

        let approvals = try answers.value(askedApprovals)
        var fill: FillSimulation.Result
        var refusal: AccessListing.Refusal?
        if let askedFill {
            do {
                fill = try simulation.result(askedFill, in: answers)
            } catch {
                guard let short = simulation.shortfall(askedFill, in: answers) else { throw error }
                return .short(short, error)
            }
            // Skipping fails and throwing passes: a token's queries cost too much gas.
            if fill.attempt == .throwing, simulation.attempts.first == .skipping {
                (fill, refusal) = await announced(simulation, found: fill, in: context)
            }
        } else {
            fill = try unsimulated(simulation, in: context)
        }
        let fillGas = try simulation.gasLimit(
            fill,
            within: GasBounds(context.block, rules, settings.fees)
        )
        let limits = approvals.map(\.gasLimit) + [fillGas]
        let gas = try GasPricing.plan(
            limits,
            protocolFeeGas: fill.call.protocolFeeGas,
            fees: try await CallPricing(session: session).priced(context.fees, for: limits),
            ether: context.account.ether,
            moved: ether(fill.route, in: context),
            settings: settings
        )
        let earlier = try inFlight.report(
            pending,
            answers: answers,
            next: context.account.pendingNonce
        )
        let words = TradeWarnings(fill: fill, feeToken: feeToken, context: context)
        let ofOwnOrders = words.ofOwnOrders(
            funding.requirements,
            offered: try answers.value(askedOffers),
            needs: needs,
            tokens: session.tokens
        )
        let warnings =
            context.warnings
            + earlier.warnings
            + words.ofCall(refusal)
            + words.ofPlan(approvals: approvals.count, gas: gas)
            + ofOwnOrders
        var plan = TradePlan(
            fill,
            steps: steps(approvals, fillGas: fillGas.units, fill: fill),
            gas: gas,
            feeToken: feeToken,
            warnings: warnings,
            stop: earlier.stop,
            context: context
        )
        plan.ownOrderWarnings = ofOwnOrders
        return .prepared(
            BookStep(
                source: context.source,
                plan: plan,
                route: fill.route,
                attempt: fill.attempt,
                approvals: approvals,
                contracts: context.contracts,
                feeToken: feeToken,
                payment: simulation.payment
            )
        )
    }

    private func feeToken(
        of route: TradeRoute,
        in context: TradeContext
    ) async throws(DexError) -> Token? {
        guard route.maximumFee > .zero, let order = route.legs.first?.order else { return nil }
        return try await TokenResolver(session: session).token(
            at: session.exchangeProtocol.feeToken(of: order, contracts: context.contracts),
            among: [context.payToken, context.receiveToken]
        )
    }

    private func steps(
        _ approvals: [PlannedStep],
        fillGas: UInt64,
        fill: FillSimulation.Result
    ) -> [PlannedTransaction] {
        let route = fill.route
        let list = fill.attempt.accessList.isEmpty ? "" : ", with an access list"
        let count = route.legs.count
        let backups = route.backups.isEmpty ? "" : " and \(route.backups.count) as backup"
        return approvals.map { PlannedTransaction($0) } + [
            PlannedTransaction(
                purpose: .fill,
                summary: "fill \(count) \(count == 1 ? "order" : "orders")\(backups)\(list)",
                gasLimit: fillGas
            )
        ]
    }

    private func attempts(_ funding: TradeFunding) -> [FillAttempt] {
        if funding.paysFeeFromProceeds { return [.throwing] }
        return session.exchangeProtocol.fillModes.map { mode in
            switch mode {
            case .skipping: .skipping
            case .throwing: .throwing
            }
        }
    }

    /// The fill reverts until the approval is mined: the measured floor replaces its estimate.
    private func unsimulated(
        _ simulation: FillSimulation,
        in context: TradeContext
    ) throws(DexError) -> FillSimulation.Result {
        guard let attempt = simulation.attempts.first, let call = simulation.call(attempt) else {
            throw Self.nothingToFill
        }
        return FillSimulation.Result(
            route: simulation.route(attempt),
            attempt: attempt,
            call: call,
            estimate: simulation.floor(attempt, rules.revision(in: context.block))
                .addingSaturating(40_000)
        )
    }

    /// The skipping call with an access list if that helps, else the found one.
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

    // MARK: Gas

    private var rules: FeeRules { session.network.fees }

    /// The price of a unit of gas before any cap, if the exchange takes a fee by gas price.
    private func payment(in context: TradeContext) throws(DexError) -> SimulatedPayment? {
        guard context.contracts.protocolFeeMultiplier > 0 else { return nil }
        return SimulatedPayment(
            gasPrice: try GasPricing.fee(context.fees, settings.fees).maximum,
            ether: context.account.ether,
            maximumGas: rules.safeGas(in: context.block)
        )
    }

    /// Nodes differ in their errors for missing ether, and a call with too little gas for lack of
    /// ether fails for another reason.
    private func checkEther(
        _ simulation: FillSimulation,
        in context: TradeContext
    ) throws(DexError) {
        guard let payment = simulation.payment, let attempt = simulation.attempts.first,
            let call = simulation.call(attempt)
        else { return }
        let value = call.value(at: payment.gasPrice)
        let floor = simulation.floor(attempt, rules.revision(in: context.block))
        let gas = payment.gasPrice.multiplied(by: UInt256(floor))
        guard let gas, let needed = gas.adding(value), context.account.ether >= needed else {
            throw GasError.insufficient(
                ether: context.account.ether,
                value: value,
                gas: gas,
                coin: session.network.coin
            )
        }
    }

    /// The traded wrapped ether in wei; nil for other pairs.
    private func ether(_ route: TradeRoute, in context: TradeContext) -> Wei? {
        let network = session.network
        return network.ether(route.pay, of: context.payToken.address)
            ?? network.ether(route.receive, of: context.receiveToken.address)
    }

    private static let nothingFills = TradeError.nothingFills

    static let nothingToFill = BookError.nothingToFill
}
