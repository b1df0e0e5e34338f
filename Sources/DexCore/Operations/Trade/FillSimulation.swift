import EVM
import Ethereum
import ZeroEx

/// Finds a call that works, by simulating it from the account.
struct FillSimulation {
    let route: TradeRoute
    let account: Address
    let contracts: ExchangeContracts
    let exchangeProtocol: any ExchangeProtocol
    /// Of what the calls read.
    let accesses: AccessMemory
    /// The calls to try, the preferred one first.
    let attempts: [FillAttempt]
    /// The gas payment; nil if the exchange takes no fee by gas price.
    var payment: SimulatedPayment?

    /// A call that worked in a simulation.
    struct Result {
        let route: TradeRoute
        let attempt: FillAttempt
        let call: ExchangeCall
        let estimate: UInt64
    }

    /// The slots of a simulation in a batch.
    struct Slots {
        fileprivate struct Trial {
            let attempt: FillAttempt
            let call: ExchangeCall
            let returned: ReadSlot<[UInt8]>
            let gas: ReadSlot<UInt64>
            /// The same with the backups first.
            let backupsFirst: ReadSlot<[UInt8]>?
            let accesses: ReadSlot<AccessListTrace>
        }

        fileprivate let trials: [Trial]
        fileprivate let probes: [(call: ExchangeCall, pay: UInt256, slot: ReadSlot<[UInt8]>)]
    }

    /// Asks for the state that the preferred call reads; nil if no node told what that is.
    func askState(_ session: Session, in batch: inout ReadBatch) -> StateReads? {
        guard let attempt = attempts.first, let call = call(attempt) else { return nil }
        return TransactionSimulator(session: session).ask(request(call, attempt), in: &batch)
    }

    /// Adds the reads; all of them fit into one request.
    func ask(in batch: inout ReadBatch) -> Slots {
        var trials: [Slots.Trial] = []
        for attempt in attempts {
            guard let call = call(attempt) else { continue }
            let request = request(call, attempt)
            trials.append(
                Slots.Trial(
                    attempt: attempt,
                    call: call,
                    returned: batch.add(.call(request, .latest)),
                    gas: batch.add(.estimateGas(request)),
                    backupsFirst: backupsFirst(attempt).map {
                        batch.add(.call(self.request($0, attempt), .latest))
                    },
                    accesses: batch.add(.accessList(request))
                )
            )
        }
        let probes = zip(probes(), route.legs).map { probe, leg in
            (probe, leg.pay, batch.add(.call(request(probe), .latest)))
        }
        return Slots(trials: trials, probes: probes)
    }

    /// The first attempt that fills everything.
    ///
    /// - Throws: `DexError`, exit 10, if none does; exit 4 if the node did not answer.
    func result(_ slots: Slots, in answers: ReadAnswers) throws(DexError) -> Result {
        for probe in slots.probes {
            switch try worked(answers[probe.slot]) {
            case .success(let bytes): try checkFilled(bytes, by: probe.call, expected: probe.pay)
            case .failure(let failure): throw wouldFail(failure)
            }
        }
        var failure: ChainError?
        for trial in slots.trials {
            let backupsFirst = try trial.backupsFirst.map { slot throws(DexError) in
                try worked(answers[slot])
            }
            let gas = try worked(answers[trial.gas])
            let returned = try worked(answers[trial.returned])
            let simulated: (returned: [UInt8], gas: UInt64)
            do throws(ChainError) {
                simulated = (try returned.get(), try gas.get())
                _ = try backupsFirst?.get()
            } catch {
                failure = failure ?? error
                continue
            }
            try checkFilled(simulated.returned, by: trial.call)
            let request = request(trial.call, trial.attempt)
            answers.learn(trial.accesses, of: request, into: accesses)
            return Result(
                route: route(trial.attempt),
                attempt: trial.attempt,
                call: trial.call,
                estimate: simulated.gas
            )
        }
        throw wouldFail(failure)
    }

    /// The fills of orders that fill less than planned, if the preferred call returns each order's.
    ///
    /// nil if it does not, or if all fill completely.
    func shortfall(_ slots: Slots, in answers: ReadAnswers) -> [OrderHash: UInt256]? {
        guard exchangeProtocol.marketCallCapsEachOrder, route.style == .batch,
            let trial = slots.trials.first
        else { return nil }
        let amounts: [UInt256]
        switch answers[trial.returned] {
        case .success(let returned):
            // A contract that returns no amounts shows no shortfall.
            let reported = try? exchangeProtocol.filledAmounts(returned: returned, by: trial.call)
            guard let reported, reported.count == route.legs.count else { return nil }
            amounts = reported
        // A single order that cannot be filled may revert.
        case .failure(let error) where error.isExecutionFailure && route.legs.count == 1:
            amounts = [.zero]
        case .failure: return nil
        }
        var short: [OrderHash: UInt256] = [:]
        for (leg, amount) in zip(route.legs, amounts) where amount < leg.pay {
            short[leg.order.hash] = amount
        }
        return short.isEmpty ? nil : short
    }

    func call(_ attempt: FillAttempt) -> ExchangeCall? {
        route(attempt).call(
            mode: attempt.mode,
            exchangeProtocol: exchangeProtocol,
            contracts: contracts
        )
    }

    func route(_ attempt: FillAttempt) -> TradeRoute {
        attempt.hasBackups ? route : route.withoutBackups
    }

    /// The gas to fill even all backups: a call that runs out of gas burns all of it.
    func floor(_ attempt: FillAttempt, _ revision: Revision) -> UInt64 {
        let floor = fillFloor(attempt)?.units(revision) ?? 0
        return floor.addingSaturating(TransactionGas(revision).listed(attempt.accessList))
    }

    /// The gas limit for sending a found call.
    ///
    /// - Throws: `DexError`, exit 6: `block-gas-limit`, `gas-limit-too-low`.
    func gasLimit(
        _ fill: Result,
        within bounds: GasBounds
    ) throws(DexError) -> GasLimit {
        try GasLimit(
            estimate: fill.estimate,
            percent: 130,
            floor: floor(fill.attempt, bounds.revision),
            of: request(fill.call, fill.attempt),
            within: bounds
        )
    }

    private func fillFloor(_ attempt: FillAttempt) -> GasFloor? {
        guard route.style == .total, attempt.mode == .skipping, attempt.hasBackups,
            !route.backups.isEmpty
        else { return call(attempt)?.gasFloor }
        let fills = (route.legs + route.backups).map {
            PlannedFill(order: $0.order, takerAmount: $0.pay)
        }
        let total = fills.reduce(UInt256.zero) { $0.addingSaturating($1.takerAmount) }
        return marketCall(fills, total: total, attempt).gasFloor
    }

    func request(_ call: ExchangeCall, _ attempt: FillAttempt = .skipping) -> CallRequest {
        let value = call.value(at: payment?.gasPrice ?? .zero)
        return CallRequest(
            from: account,
            to: call.to,
            data: call.data,
            value: value,
            gas: payment?.gas(besides: value),
            accessList: attempt.accessList,
            fee: payment?.fee
        )
    }

    /// The backups first, as if the other orders were gone.
    ///
    /// The access list does not cover backups, and a backup with expensive queries would fail the
    /// whole call.
    private func backupsFirst(_ attempt: FillAttempt) -> ExchangeCall? {
        guard !attempt.accessList.isEmpty, attempt.hasBackups, route.style == .total,
            !route.backups.isEmpty
        else { return nil }
        let fills = (route.backups + route.legs).map {
            PlannedFill(order: $0.order, takerAmount: $0.pay)
        }
        return marketCall(fills, total: route.pay, attempt)
    }

    private func marketCall(
        _ fills: [PlannedFill],
        total: UInt256,
        _ attempt: FillAttempt
    ) -> ExchangeCall {
        exchangeProtocol.marketCall(
            fills,
            total: total,
            mode: attempt.mode,
            contracts: contracts
        )
    }

    /// A batch that is no market call returns nothing, so each order is simulated separately.
    private func probes() -> [ExchangeCall] {
        guard route.style == .batch, !exchangeProtocol.marketCallCapsEachOrder else { return [] }
        return route.legs.map {
            exchangeProtocol.fillCall(
                PlannedFill(order: $0.order, takerAmount: $0.pay),
                mode: .throwing,
                contracts: contracts
            )
        }
    }

    /// The call's result, or its own failure.
    ///
    /// - Throws: `DexError`, exit 4, for a failure of the node.
    private func worked<Value>(
        _ answer: Swift.Result<Value, ChainError>
    ) throws(DexError) -> Swift.Result<Value, ChainError> {
        if case .failure(let error) = answer, !error.isExecutionFailure { throw DexError(error) }
        return answer
    }

    private func checkFilled(
        _ returned: [UInt8],
        by call: ExchangeCall,
        expected: UInt256? = nil
    ) throws(DexError) {
        let filled = try reported(
            ExchangeError.self,
            try exchangeProtocol.filledAmount(returned: returned, by: call)
        )
        guard let filled, filled < expected ?? route.pay else { return }
        throw TradeError.wouldFillLess(isNothing: filled == .zero)
    }

    private func wouldFail(_ error: ChainError?) -> DexError {
        let words =
            error.map { " (\(RevertReason.words(of: $0, by: exchangeProtocol)))" } ?? ""
        return TradeError.fillFails(words: words)
    }
}
