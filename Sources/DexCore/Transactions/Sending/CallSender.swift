import DexSigning
import DexStore
import Ethereum
import ZeroEx

/// Sends calls of a confirmed plan; each is simulated and estimated again right before signing.
package struct CallSender {
    let sender: TransactionSender
    /// The exchange's confirmed contracts; nil if the plan does not involve the exchange.
    let contracts: ExchangeContracts?

    private var session: Session { sender.session }

    /// The sent calls of a plan.
    package struct Sent: Sendable {
        var results: [TransactionSender.Result] = []

        var transactions: [SentTransaction] { results.map(\.sent) }
        var receipt: TransactionReceipt? { results.last?.receipt }
        /// All calls are mined and succeeded.
        var isDone: Bool { results.allSatisfy { $0.sent.stage == .confirmed } }
        /// How the command ends if not all calls got through.
        var ending: Ending { results.last?.sent.stage.ending ?? .done }
    }

    /// Sends calls one after another while each is mined and succeeds.
    ///
    /// - Throws: as for one call.
    func send(
        _ steps: [PlannedStep],
        budget: inout GasBudget
    ) async throws(DexError) -> Sent {
        var sent = Sent()
        for step in steps {
            if step.call.isApproval { session.environment.progress(step.call.summary) }
            let result = try await send(step.call, budget: budget)
            sent.results.append(result)
            // A cost that no receipt names is the most that it can be.
            budget.spend(result.sent.cost ?? result.maximumCost)
            // A later call would wait with it, or fail in the same way.
            guard result.sent.stage == .confirmed else { break }
        }
        return sent
    }

    /// Checks everything again in one request, then signs and sends.
    ///
    /// - Throws: `DexError` if nothing is in flight, or the user interrupted.
    func send(
        _ call: PlannedCall,
        budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Result {
        try await sender.send(try await ready(call, budget: budget))
    }

    /// Checks everything again in one request, right before the call is signed.
    ///
    /// The request covers chain, nonce, fees, ether and contracts, and simulates and estimates the
    /// call.
    ///
    /// - Throws: `DexError`: it would fail, or cost more than was confirmed.
    func ready(
        _ call: PlannedCall,
        budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Request {
        let account = sender.signer.address
        var batch = ReadBatch()
        let askedHead = AccountHead.ask(session, account, in: &batch)
        let askedContracts = contracts.map {
            (ChainSetup.askContracts(session, false, in: &batch), $0)
        }
        let balance = batch.add(.balance(account, .latest))
        let simulation = call.ask(session, in: &batch)
        let reads = TransactionSimulator(session: session).ask(call.request, in: &batch)
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(askedHead)
        if let (present, confirmed) = askedContracts {
            guard try answers.value(present) == confirmed else { throw Self.contractsChanged }
        }
        let ether = try answers.value(balance)
        if let price = call.request.fee?.maximum, let base = head.fees.baseFee, price < base {
            // Nodes refuse such a call for its price, whatever it does.
            let payment = SimulatedPayment(
                gasPrice: try budget.price(head.fees),
                ether: ether,
                maximumGas: session.network.fees.safeGas(in: head.block)
            )
            return try await ready(call.paying(payment), budget: budget)
        }
        let limit = try call.gasLimit(
            try answers.value(simulation),
            within: GasBounds(head.block, session.network.fees, budget.overrides)
        )
        let fees = try await CallPricing(session: session).priced(head.fees, for: [limit])
        let fee = try budget.fee(fees, limit: limit.units)
        try Self.checkEther(
            ether,
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
            feeToken: contracts?.feeToken,
            rollup: fees.rollup,
            abi: call.abi
        )
        return try await sender.simulated(
            request,
            call.subject,
            call.moves,
            shown: call.shown,
            reads,
            in: answers,
            baseFee: head.fees.baseFee
        )
    }

    /// Checks that the ether covers the value, the maximum cost of the gas, and what a rollup takes
    /// beside it.
    ///
    /// - Parameter ether: the account's balance.
    /// - Throws: `DexError`: exit 6, `insufficient-ether`.
    static func checkEther(
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

    static let contractsChanged = SendError.contractsChanged
}
