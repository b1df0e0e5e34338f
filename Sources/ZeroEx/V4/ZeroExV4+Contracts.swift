public import Ethereum

extension ZeroExV4 {

    /// The multiplier of the protocol fee; only a proxy with native orders has it.
    public func contractCalls(exchange: Address) -> [CallRequest] {
        [CallRequest(to: exchange, data: ExchangeCallV4.getProtocolFeeMultiplier.data)]
    }

    /// One contract for everything: it fills orders and moves the tokens.
    ///
    /// - Throws: `ExchangeError.notAnExchange`.
    public func contracts(
        exchange: Address,
        answers: [[UInt8]]
    ) throws(ExchangeError) -> ExchangeContracts {
        guard answers.count == 1, let answer = answers.first,
            case .protocolFeeMultiplier(let multiplier)? = try? ExchangeAnswerV4(  // else not a v4
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

    /// nil: the proxy's functions change one by one, each with its own version.
    public func versionCall(exchange: Address) -> CallRequest? {
        nil
    }

    /// None: an approval is all that a proxy needs to move tokens.
    public func readinessCalls(_ contracts: ExchangeContracts) -> [CallRequest] {
        []
    }

    /// Accepts every exchange: one that answers `contractCalls` can trade.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer` if there are answers at all.
    public func checkReadiness(
        _ contracts: ExchangeContracts,
        answers: [[UInt8]]
    ) throws(ExchangeError) {
        guard answers.isEmpty else {
            throw .unreadableAnswer("whether the exchange may move tokens")
        }
    }
}
