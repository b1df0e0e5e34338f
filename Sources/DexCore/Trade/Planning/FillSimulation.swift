import Ethereum
import ZeroEx

/// Finds the call that works, by simulating it from the account.
struct FillSimulation {
    let route: TradeRoute
    let account: Address
    let contracts: ExchangeContracts
    let exchangeProtocol: any ExchangeProtocol
    /// Modes to try, the preferred one first.
    let modes: [FillMode]

    /// A call that a simulation found to work.
    struct Result {
        let route: TradeRoute
        let mode: FillMode
        let call: ExchangeCall
        let estimate: UInt64
    }

    /// What to ask the node; all of it fits into one request.
    func reads() -> [ChainRead] {
        modes.flatMap { mode -> [ChainRead] in
            guard let call = call(mode) else { return [] }
            let request = request(call)
            return [.call(request, .latest), .estimateGas(request)]
        } + probes().map { .call(request($0), .latest) }
    }

    /// The first mode that fills everything.
    ///
    /// - Throws: `DexError`, exit 10, where none does; exit 4 where the node did not answer.
    func result(
        _ answers: ArraySlice<Swift.Result<ChainAnswer, ChainError>>
    ) throws(DexError) -> Result {
        let answers = Array(answers)
        guard answers.count == reads().count else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        try checkProbes(answers.suffix(probes().count))
        var failure: ChainError?
        for (index, mode) in modes.enumerated() {
            guard let call = call(mode) else { continue }
            let returned: [UInt8]
            switch answers[index * 2] {
            case .success(.bytes(let bytes)): returned = bytes
            case .success: throw DexError(ChainError.nonsense("the node's answer is not bytes"))
            case .failure(let error) where error.isExecutionFailure:
                failure = failure ?? error
                continue
            case .failure(let error): throw DexError(error)
            }
            try checkFilled(returned, by: call)
            switch answers[index * 2 + 1] {
            case .success(.number(let gas)):
                let route = mode == .skipping ? route : route.withoutSpares
                return Result(route: route, mode: mode, call: call, estimate: gas)
            case .success:
                throw DexError(ChainError.nonsense("the node's answer is not a number"))
            case .failure(let error) where error.isExecutionFailure:
                failure = failure ?? error
            case .failure(let error): throw DexError(error)
            }
        }
        throw wouldFail(failure)
    }

    func call(_ mode: FillMode) -> ExchangeCall? {
        route.call(mode: mode, exchangeProtocol: exchangeProtocol, contracts: contracts)
    }

    /// The gas with which even all spares could be filled: a call that runs out of gas half-way
    /// burns all of it.
    func floor(_ mode: FillMode) -> UInt64 {
        guard route.style == .total, mode == .skipping, !route.spares.isEmpty else {
            return call(mode)?.gasFloor ?? 0
        }
        let fills = (route.legs + route.spares).map {
            PlannedFill(order: $0.order, takerAmount: $0.pay)
        }
        let total = fills.reduce(UInt256.zero) { sum, fill in
            let (next, overflow) = sum.addingReportingOverflow(fill.takerAmount)
            return overflow ? .max : next
        }
        return exchangeProtocol.marketCall(
            fills,
            total: total,
            mode: mode,
            contracts: contracts
        ).gasFloor
    }

    private func request(_ call: ExchangeCall) -> CallRequest {
        CallRequest(from: account, to: call.to, data: call.data, value: call.value)
    }

    /// A batch answers nothing, so each of its orders is asked about alone.
    private func probes() -> [ExchangeCall] {
        guard route.style == .batch else { return [] }
        return route.legs.map {
            exchangeProtocol.fillCall(
                PlannedFill(order: $0.order, takerAmount: $0.pay),
                mode: .throwing,
                contracts: contracts
            )
        }
    }

    private func checkProbes(
        _ answers: ArraySlice<Swift.Result<ChainAnswer, ChainError>>
    ) throws(DexError) {
        for ((probe, leg), answer) in zip(zip(probes(), route.legs), answers) {
            switch answer {
            case .success(.bytes(let bytes)):
                try checkFilled(bytes, by: probe, expected: leg.pay)
            case .success: throw DexError(ChainError.nonsense("the node's answer is not bytes"))
            case .failure(let error) where error.isExecutionFailure: throw wouldFail(error)
            case .failure(let error): throw DexError(error)
            }
        }
    }

    private func checkFilled(
        _ returned: [UInt8],
        by call: ExchangeCall,
        expected: UInt256? = nil
    ) throws(DexError) {
        let filled: UInt256?
        do {
            filled = try exchangeProtocol.filledAmount(returned: returned, by: call)
        } catch {
            throw DexError(error)
        }
        guard let filled, filled < expected ?? route.pay else { return }
        throw DexError(
            .simulationFailed,
            code: filled == .zero ? "would-fill-nothing" : "would-fill-less",
            message: filled == .zero
                ? "The simulation filled nothing: the orders were taken, cancelled or expired "
                    + "since they were read."
                : "The simulation filled only a part: orders were taken, cancelled or expired "
                    + "since they were read.",
            hint: "Run the command again to plan with the present book.",
            retryable: true
        )
    }

    private func wouldFail(_ error: ChainError?) -> DexError {
        let words = error.map { " (\(PlainText.clean($0.description, limit: 300)))" } ?? ""
        return DexError(
            .simulationFailed,
            code: "would-revert",
            message: "The simulation of the fill fails\(words); nothing was signed.",
            hint: "A token may be paused or have blocked an account, or an order's maker may have "
                + "moved its funds; run the command again to plan with the present book.",
            retryable: true
        )
    }
}
