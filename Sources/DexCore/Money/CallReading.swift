import Ethereum
import ZeroEx

/// What a plan of a single call rests on, read in one request.
struct CallReading {
    let head: ChainHead
    /// The account's.
    let ether: Wei
    /// The answers to the further questions.
    let extra: ArraySlice<Result<ChainAnswer, ChainError>>
    /// What to tell of earlier transactions.
    let inFlight: InFlight.Report
    let call: PlannedCall
    private let exchangeProtocol: any ExchangeProtocol
    private let simulation: ArraySlice<Result<ChainAnswer, ChainError>>

    /// Asks for the chain, the account's nonce, fees and ether, the call simulated and estimated,
    /// and whatever else is needed.
    ///
    /// - Throws: `DexError`: the node's failure, another chain.
    static func read(
        _ call: PlannedCall,
        account: Address,
        inFlight: InFlight,
        extra: [ChainRead]
    ) async throws(DexError) -> CallReading {
        let session = inFlight.session
        var pending = ReadBatch()
        let questions = try inFlight.questions(account: account, in: &pending)
        let head = try await ChainHead.read(
            session,
            account: account,
            extra: pending.reads + [.balance(account, .latest)] + call.reads + extra
        )
        let answers = head.extra.dropFirst(pending.reads.count)
        guard let balance = answers.first else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        let ether = try balance.ether()
        return CallReading(
            head: head,
            ether: ether,
            extra: answers.dropFirst(1 + call.reads.count),
            inFlight: inFlight.report(
                questions,
                answers: ReadAnswers(results: Array(head.extra.prefix(pending.reads.count))),
                next: head.pendingNonce
            ),
            call: call,
            exchangeProtocol: session.exchangeProtocol,
            simulation: answers.dropFirst().prefix(call.reads.count)
        )
    }

    /// The same with the call simulated at the price of gas that is paid: for one that costs a fee
    /// which goes by it.
    ///
    /// - Throws: `DexError`: exit 6 as `plan`, `max-fee-too-low`; the node's failure.
    func priced(
        _ settings: TradeSettings,
        on chain: any ChainClient
    ) async throws(DexError) -> CallReading {
        guard let fees = head.fees else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        let value = call.request.value
        guard ether >= value else { throw GasPricing.insufficient(ether, value: value, gas: nil) }
        let payment = SimulatedPayment(
            gasPrice: try GasPricing.fee(fees, settings.fees).maximum,
            ether: ether,
            blockGas: head.block.gasLimit
        )
        let priced = call.paying(payment)
        var batch = ReadBatch()
        for read in priced.reads { _ = batch.add(read) }
        return CallReading(
            head: head,
            ether: ether,
            extra: extra,
            inFlight: inFlight,
            call: priced,
            exchangeProtocol: exchangeProtocol,
            simulation: try await batch.send(to: chain).results[...]
        )
    }

    /// The step, what its gas may cost, and what the call returned in the simulation.
    ///
    /// - Parameter moved: ether or wrapped ether, in wei; nil where that says nothing of what the
    ///   call is about.
    /// - Throws: `DexError`, exit 6: `insufficient-ether`, `fee-cap`, `gas-above-value`; exit 10:
    ///   `would-revert`.
    func plan(
        _ settings: TradeSettings,
        moved: Wei?
    ) throws(DexError) -> (step: PlannedTransaction, gas: GasPlan, returned: [UInt8]) {
        guard let fees = head.fees else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        let value = call.request.value
        // A node words a value that nobody has as it likes.
        guard ether >= value else { throw GasPricing.insufficient(ether, value: value, gas: nil) }
        let (returned, limit) = try call.simulated(
            simulation,
            block: head.block,
            by: exchangeProtocol
        )
        let gas = try GasPricing.plan(
            [limit],
            fees: fees,
            ether: ether,
            value: value,
            moved: moved,
            settings: settings
        )
        return (PlannedTransaction(call, gasLimit: limit), gas, returned)
    }

    /// The code at an address by the answer to `.code`.
    ///
    /// - Throws: `DexError`, exit 4, where the node does not tell.
    static func code(
        _ answer: Result<ChainAnswer, ChainError>?
    ) throws(DexError) -> [UInt8] {
        guard let answer else {
            throw DexError(ChainError.nonsense("answers to other questions"))
        }
        return try answer.value { answer throws(ChainError) in try answer.bytes() }
    }

    /// Code that makes a contract: an account may delegate to code and stays an account.
    ///
    /// Source: https://eips.ethereum.org/EIPS/eip-7702
    static func isContract(_ code: [UInt8]) -> Bool {
        guard !code.isEmpty else { return false }
        return !(code.count == 23 && code.starts(with: [0xEF, 0x01, 0x00]))
    }
}
