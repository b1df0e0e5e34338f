import DexSigning
import Ethereum
import ZeroEx

/// Sends calls of a confirmed plan, each simulated and estimated afresh right before it is signed.
struct CallSender {
    let session: Session
    let sender: TransactionSender
    /// The exchange's contracts that were confirmed; nil where it has nothing to do with the plan.
    let contracts: ExchangeContracts?

    /// Looks again, in one request: chain, nonce, fees, ether, contracts, and the very call
    /// simulated and estimated; then signs and sends.
    ///
    /// - Throws: `DexError` where nothing is in flight, or the user interrupted.
    func send(
        _ call: PlannedCall,
        budget: GasBudget
    ) async throws(DexError) -> TransactionSender.Result {
        let account = sender.signer.address
        let questions = contracts == nil ? [] : ChainSetup.contractReads(session)
        let head = try await ChainHead.read(
            session,
            account: account,
            extra: questions + [.balance(account, .latest)] + call.reads
        )
        if let contracts {
            let present = try ChainSetup.contracts(session, head.extra.prefix(questions.count))
            guard present == contracts else { throw Self.contractsChanged }
        }
        guard let fees = head.fees, let nonce = head.pendingNonce else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        let answers = head.extra.dropFirst(questions.count)
        if let price = call.request.fee?.maximum,
            let base = fees.baseFee, price < base
        {
            // Nodes refuse such a call for its price, whatever it does.
            let payment = SimulatedPayment(
                gasPrice: try budget.price(fees),
                ether: try Self.ether(answers.first),
                blockGas: head.block.gasLimit
            )
            return try await send(call.paying(payment), budget: budget)
        }
        let (_, limit) = try call.simulated(
            answers.dropFirst(),
            block: head.block,
            by: session.exchangeProtocol
        )
        let fee = try budget.fee(fees, limit: limit)
        try Self.checkEther(answers.first, fee: fee, limit: limit, value: call.request.value)
        return try await sender.send(
            TransactionSender.Request(
                purpose: call.purpose,
                to: call.request.to,
                data: call.request.data,
                value: call.request.value,
                gasLimit: limit,
                fee: fee,
                pendingNonce: nonce,
                chainID: session.network.chainID
            ),
            contracts: contracts
        )
    }

    /// What the account has, by the answer to `.balance`.
    private static func ether(
        _ balance: Result<ChainAnswer, ChainError>?
    ) throws(DexError) -> Wei {
        guard let balance else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        return try balance.ether()
    }

    /// The ether must cover the value and the most that the gas may cost.
    ///
    /// - Parameter balance: the answer to `.balance`.
    /// - Throws: `DexError`: exit 6, `insufficient-ether`; exit 4 where the node does not tell it.
    static func checkEther(
        _ balance: Result<ChainAnswer, ChainError>?,
        fee: Transaction.Fee,
        limit: UInt64,
        value: Wei
    ) throws(DexError) {
        let ether = try Self.ether(balance)
        let cost = fee.maximum.multiplied(by: UInt256(limit))
        guard let needed = cost?.adding(value), ether >= needed else {
            throw DexError(
                .refused,
                code: "insufficient-ether",
                message: "The account no longer has the ether for the gas.",
                hint: "Send some ether to the account first."
            )
        }
    }

    static let contractsChanged = DexError(
        .refused,
        code: "contracts-changed",
        message: "The exchange names other contracts than when the plan was made; nothing more "
            + "was sent."
    )
}
