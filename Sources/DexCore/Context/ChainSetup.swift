import Ethereum
import ZeroEx

/// What every command of the exchange needs to know before it reads anything else: the first round.
struct ChainSetup {
    /// The latest block.
    let block: Block
    let contracts: ExchangeContracts
    /// nil where no account was given.
    let pendingNonce: UInt64?
    /// nil where no account was given.
    let fees: FeeSnapshot?
    /// The answers to the questions that were sent along.
    let extra: [Result<ChainAnswer, ChainError>]

    /// Asks in one request, and checks that the node is on the network's chain and that the
    /// network's exchange is one.
    ///
    /// - Parameters:
    ///   - account: whose nonce is read, together with the price of gas.
    ///   - extra: further questions for the same request.
    static func read(
        _ session: Session,
        account: Address? = nil,
        extra: [ChainRead] = []
    ) async throws(DexError) -> ChainSetup {
        let questions = contractReads(session)
        let head = try await ChainHead.read(session, account: account, extra: questions + extra)
        return ChainSetup(
            block: head.block,
            contracts: try contracts(session, head.extra.prefix(questions.count)),
            pendingNonce: head.pendingNonce,
            fees: head.fees,
            extra: Array(head.extra.dropFirst(questions.count))
        )
    }

    /// What to ask for the contracts of the network's exchange.
    static func contractReads(_ session: Session) -> [ChainRead] {
        session.exchangeProtocol.contractCalls(exchange: session.network.exchange)
            .map { .call($0, .latest) }
    }

    /// The same where a command needs no exchange: nil where the network's exchange is none.
    ///
    /// - Throws: `DexError`, exit 4, where the node did not answer, which says nothing about the
    ///   exchange.
    static func contractsIfAny(
        _ session: Session,
        _ answers: ArraySlice<Result<ChainAnswer, ChainError>>
    ) throws(DexError) -> ExchangeContracts? {
        for case .failure(let error) in answers where !error.isContractFailure {
            throw DexError(error)
        }
        return try? contracts(session, answers)
    }

    /// The contracts, from the answers to `contractReads`.
    ///
    /// - Throws: `DexError`, exit 3, where the network's exchange is none.
    static func contracts(
        _ session: Session,
        _ answers: ArraySlice<Result<ChainAnswer, ChainError>>
    ) throws(DexError) -> ExchangeContracts {
        let exchange = session.network.exchange
        let answers = ReadAnswers(results: Array(answers))
        let hasFailed = answers.results.contains { result in
            if case .failure(let error) = result { error.isContractFailure } else { false }
        }
        if hasFailed {
            let version = session.exchangeProtocol.version
            throw DexError(ExchangeError.notAnExchange(exchange, version))
        }
        let bytes = try answers.bytes(0..<answers.results.count)
        do {
            return try session.exchangeProtocol.contracts(exchange: exchange, answers: bytes)
        } catch {
            throw DexError(error)
        }
    }
}
