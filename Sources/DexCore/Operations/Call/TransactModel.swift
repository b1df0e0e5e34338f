import DexStore
package import Ethereum
import ZeroEx

/// `dex transact`: calls a function of any contract in a transaction.
package struct TransactModel: Operation {
    package let context: OperationContext

    package init(_ context: OperationContext) { self.context = context }

    package static func progress(of request: ContractRequest) -> String {
        "simulating the call"
    }

    /// The simulated call, in one request; nothing is signed or written.
    ///
    /// - Throws: `DexError`: exit 2 for an invalid function or argument; 6 if it is not allowed; 10
    ///   if it would fail, or if its only result is a `bool` and false.
    package func plan(
        _ request: ContractRequest,
        account: Address
    ) async throws(DexError) -> Plan<TransactPlan> {
        let conflicts = InFlight.ConflictPolicy.move(.transact, isAllowed: settings.allowsPending)
        let inFlight = InFlight(session: session, journal: journal, conflicts: conflicts)
        return try await inFlight.first(of: account) { () async throws(DexError) in
            try await plan(request, account: account, inFlight: inFlight)
        }
    }

    private func plan(
        _ request: ContractRequest,
        account: Address,
        inFlight: InFlight
    ) async throws(DexError) -> Plan<TransactPlan> {
        let typed = try request.ether()
        let (contract, signature, effects) = try request.read(by: account, session)
        guard !effects.isTooLong else {
            throw CallError.tooManyCalls(contract.address, maximum: CallDecoder.maximumCalls)
        }
        let coin = session.network.coin
        func call(with value: Wei) -> PlannedCall {
            PlannedCall(
                purpose: .transact,
                summary: Self.summary(contract, value, coin),
                subject: "the call",
                request: CallRequest(
                    from: account,
                    to: contract.address,
                    data: contract.data,
                    value: value
                ),
                answer: signature.map(Self.mustSucceed) == true ? .success : .anything,
                // As for fills: nested calls may forward too little of an estimate.
                margin: 130,
                abi: request.abi
            )
        }
        var value = if case .amount(let amount) = typed { amount } else { Wei.zero }
        var batch = ReadBatch()
        let asked = try CallReading.ask(
            call(with: value),
            account: account,
            inFlight: inFlight,
            in: &batch
        )
        let code = batch.add(.code(contract.address, .latest))
        let contracts = ChainSetup.askContractsIfAny(session, in: &batch)
        let answers = try await batch.send(to: session.chain)
        var reading = try answers.value(asked)
        if try answers.value(code).isEmpty {
            throw .notAContract(contract.address, network: session.network)
        }
        let paysFee = paysProtocolFee(contract, try answers.value(contracts))
        if case .share(let share) = typed {
            // The gas of a call that is paid: half of the coin certainly leaves enough for it.
            reading = try await reading.simulating(call(with: Wei(reading.ether.rawValue / 2)))
            if paysFee { reading = try await reading.priced(settings, on: session.chain) }
            value = Wei(try await reading.coin(share, settings))
            reading = try await reading.simulating(call(with: value))
        }
        if paysFee {
            reading = try await reading.priced(settings, on: session.chain)
        }
        let (step, gas, returned) = try await reading.plan(
            settings,
            moved: value == .zero ? nil : value
        )
        let review = try await CallReviewer(
            session: session,
            account: account,
            known: request.known
        ).review(contract, effects, isForeign: request.data != nil)
        let simulation = try await reading.explored(step, gas)
        let differences = self.differences(simulation, effects, value: value, of: account)
        var warnings =
            reading.inFlight.warnings
            + self.warnings(contract, review, try answers.value(contracts), simulation)
            + differences.map { "THE DATA DO NOT SAY IT: \($0)" }
        var values: [ContractValue]?
        do {
            if let signature { values = try ContractValue.results(returned, of: signature) }
        } catch {
            warnings.append(
                "What it returned in the simulation does not fit the result types that were "
                    + "given."
            )
        }
        warnings += gas.warnings
        let plan = TransactPlan(
            account: account,
            call: contract,
            review: review,
            value: value,
            block: reading.head.block.number,
            returned: returned,
            values: values,
            steps: [PlannedTransaction(step)],
            gas: gas,
            total: gas.maxCost.adding(value) ?? Wei(.max),
            warnings: warnings,
            stop: reading.inFlight.stop,
            simulation: simulation,
            differences: differences
        )
        var shown = step
        shown.call.shown = simulation.changes
        return Plan(
            content: plan,
            command: "transact",
            conflicts: inFlight.conflicts,
            steps: Step.calls([shown], session, gas: gas),
            limits: Limits(gas: gas),
            provesItself: true
        )
    }

    // MARK: Parts

    /// What a run does beyond what the data of the call say.
    private func differences(
        _ simulation: SimulationReport,
        _ effects: CallEffects,
        value: Wei,
        of account: Address
    ) -> [String] {
        guard let changes = simulation.changes else { return [] }
        let coin = session.network.coin
        return ChangeBounds(effects.list, of: account, value: value, coin: coin)
            .differences(changes)
    }

    /// The exchange's fee depends on the gas price: without one, a simulation passes with any
    /// ether.
    private func paysProtocolFee(_ call: ContractCall, _ exchange: ExchangeContracts?) -> Bool {
        guard let exchange, call.address == exchange.exchange,
            let effects = session.exchangeProtocol.effects(of: call.data)
        else { return false }
        return effects.protocolFeeGas(exchange) > 0
    }

    private static let transfer = ERC20.transfer(to: .zero, amount: .zero).prefix(4)
    private static let approve = ERC20.approve(spender: .zero, amount: .zero).prefix(4)

    /// A function that returns only a `bool` reports its success by it.
    private static func mustSucceed(_ signature: ABISignature) -> Bool {
        let function = signature.function
        return function.outputs == [.bool]
            || function.outputs.isEmpty
                && [transfer, approve].contains(function.selector[...])
    }

    private static func summary(_ call: ContractCall, _ value: Wei, _ coin: CoinSymbol) -> String {
        let name = call.token.map { "\(PlainText.name($0.symbol)) " } ?? ""
        let along = value == .zero ? "" : " with \(coin.amount(value))"
        return "call \(PlainText.clean(call.function, limit: 200)) of \(name)"
            + "\(call.address.checksummed)\(along)"
    }

    private func warnings(
        _ call: ContractCall,
        _ review: CallReview,
        _ exchange: ExchangeContracts?,
        _ simulation: SimulationReport
    ) -> [String] {
        let own =
            [session.network.exchange, exchange?.exchange, exchange?.transferContract]
            + session.network.swapContracts + [ZeroExSwapContracts.permit2]
        guard call.token == nil, !own.contains(call.address) else { return review.warnings }
        let shown =
            simulation.changes == nil
            ? "the simulation shows what it returns, and not what it does."
            : "what it changes is shown as on the state of now, and may be something else later."
        return [
            "Nothing is known of the contract \(call.address.checksummed): \(shown)"
        ] + review.warnings
    }
}

extension TransactPlan {
    /// The contracts' events.
    package static func outcome(
        of plan: Plan<TransactPlan>,
        by results: StepResults,
        in context: OperationContext
    ) async throws(DexError) -> TransactOutcome {
        let isSent = results.isSent
        return TransactOutcome(
            plan: plan.content,
            transactions: results.transactions,
            events: isSent
                ? results.receipt?.logs.map {
                    ContractEvent(
                        contract: $0.address,
                        token: context.session.tokens.known($0.address),
                        topics: $0.topics,
                        data: $0.data
                    )
                } ?? [] : [],
            warnings: isSent
                ? [] : results.words(of: plan, nothing: "only gas was spent", context.settings),
            ending: results.ending
        )
    }
}
