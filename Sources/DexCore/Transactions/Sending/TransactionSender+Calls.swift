import DexSigning
import EVM
import Ethereum
import ZeroEx

extension TransactionSender {
    /// Checks a call of a confirmed plan again in one request, right before it is signed.
    ///
    /// The request covers chain, nonce, fees, ether and contracts, and simulates and estimates the
    /// call.
    ///
    /// - Parameter contracts: the exchange's confirmed contracts; nil if the plan does not use it.
    /// - Throws: `DexError`: it would fail, or cost more than was confirmed.
    func ready(
        _ call: PlannedCall,
        _ contracts: ExchangeContracts?,
        _ budget: GasBudget
    ) async throws(DexError) -> Request {
        var batch = ReadBatch()
        var (reads, askedContracts) = SenderReads.ask(
            session,
            of: signer.address,
            in: &batch
        ) { batch in
            contracts.map { (ChainSetup.askContracts(session, false, in: &batch), $0) }
        }
        let simulation = call.ask(session, in: &batch)
        reads.state = TransactionSimulator(session: session).ask(call.request, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let head = try reads.head(in: answers)
        if let (present, confirmed) = askedContracts {
            guard try answers.value(present) == confirmed else {
                throw SendError.contractsChanged
            }
        }
        let ether = try reads.ether(in: answers)
        if let price = call.request.fee?.maximum, let base = head.fees.baseFee, price < base {
            // Nodes refuse such a call for its price, whatever it does.
            let payment = SimulatedPayment(
                gasPrice: try budget.price(head.fees),
                ether: ether,
                maximumGas: session.network.fees.safeGas(in: head.block)
            )
            return try await ready(call.paying(payment), contracts, budget)
        }
        let limit = try call.gasLimit(
            try answers.value(simulation),
            within: GasBounds(head.block, session.network.fees, budget.overrides)
        )
        return try await request(
            call,
            limit,
            within: budget,
            reads,
            in: answers
        ) { $0.feeToken = contracts?.feeToken }
    }

    /// What is signed of a call that was simulated again: its fee within the budget, with the ether
    /// for it there, and what a run on this machine says of it.
    ///
    /// - Parameters:
    ///   - protocolFeeGas: the exchange's own fee as an amount of gas, which is its value.
    ///   - reads: of the account, and of the state that it reads.
    ///   - terms: sets what its rules are told beside its bytes.
    /// - Throws: `DexError`: exit 6, `fees-rose`, `insufficient-ether` and the like; as `simulated`.
    func request(
        _ call: PlannedCall,
        _ limit: GasLimit,
        within budget: GasBudget,
        protocolFeeGas: UInt64 = 0,
        _ reads: SenderReads,
        in answers: ReadAnswers,
        terms: (inout Request) -> Void
    ) async throws(DexError) -> Request {
        let head = try reads.head(in: answers)
        let fees = try await CallPricing(session: session).priced(head.fees, for: [limit])
        let fee = try budget.fee(fees, limit: limit.units, protocolFeeGas: protocolFeeGas)
        var call = call
        if protocolFeeGas > 0 {
            call.request.value = fee.maximum.multiplied(by: UInt256(protocolFeeGas)) ?? Wei(.max)
        }
        try checkEther(
            try reads.ether(in: answers),
            fee: fee,
            limit: limit.units,
            value: call.request.value,
            fees: fees
        )
        var request = Request(
            purpose: call.purpose,
            call: call.request,
            gasLimit: limit.units,
            fee: fee,
            pendingNonce: head.pendingNonce,
            head: head.block,
            rollup: fees.rollup,
            abi: call.abi
        )
        terms(&request)
        return try await simulated(
            request,
            call,
            reads.state,
            in: answers,
            baseFee: head.fees.baseFee
        )
    }

    /// Checks that the ether covers the value, the maximum cost of the gas, and what a rollup takes
    /// beside it.
    ///
    /// - Parameter ether: the account's balance.
    /// - Throws: `DexError`: exit 6, `insufficient-ether`.
    private func checkEther(
        _ ether: Wei,
        fee: Transaction.Fee,
        limit: UInt64,
        value: Wei,
        fees: FeeSnapshot
    ) throws(DexError) {
        if fees.rules.paidIn == .tokens {
            guard value == .zero else { throw GasError.noCoin }
            return try FeeToken.check(fees.tokens, at: fee.maximum)
        }
        let cost = fee.maximum.multiplied(by: UInt256(limit))?.adding(fees.rollup.maximum)
        guard let needed = cost?.adding(value), ether >= needed else {
            throw GasError.etherGone(fees.coin)
        }
    }
}
