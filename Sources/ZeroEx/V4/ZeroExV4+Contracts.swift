public import Ethereum

extension ZeroExV4 {
    // MARK: Contracts

    /// The multiplier of the protocol fee, which only a proxy with native orders knows.
    public func contractCalls(exchange: Address) -> [CallRequest] {
        [CallRequest(to: exchange, data: ExchangeCallV4.getProtocolFeeMultiplier.data)]
    }

    /// One contract for everything: who fills also moves the tokens.
    ///
    /// - Throws: `ExchangeError.notAnExchange`.
    public func contracts(
        exchange: Address,
        answers: [[UInt8]]
    ) throws(ExchangeError) -> ExchangeContracts {
        guard answers.count == 1, let answer = answers.first,
            case .protocolFeeMultiplier(let multiplier)? = try? ExchangeAnswerV4(
                answer,
                of: .getProtocolFeeMultiplier
            )
        else { throw .notAnExchange(exchange, .v4) }
        return ExchangeContracts(
            exchange: exchange,
            transferContract: exchange,
            feeToken: nil,
            protocolFeeMultiplier: multiplier
        )
    }

    /// None: the proxy's functions come and go one by one, each with a version of its own.
    public func versionCall(exchange: Address) -> CallRequest? {
        nil
    }

    /// Nothing: a proxy needs nobody's leave to move what it was approved for.
    public func readinessCalls(_ contracts: ExchangeContracts) -> [CallRequest] {
        []
    }

    /// Whatever answers `contractCalls` can trade.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` for answers to questions that were not asked.
    public func checkReadiness(
        _ contracts: ExchangeContracts,
        answers: [[UInt8]]
    ) throws(ExchangeError) {
        guard answers.isEmpty else {
            throw .unreadableAnswer("whether the exchange may move tokens")
        }
    }
}
