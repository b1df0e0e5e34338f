public import Ethereum

extension ZeroExV1 {
    // MARK: Contracts

    /// Calls for the fee token and the transfer proxy of the exchange.
    public func contractCalls(exchange: Address) -> [CallRequest] {
        [
            CallRequest(to: exchange, data: ExchangeCallV1.zrxTokenContract.data),
            CallRequest(to: exchange, data: ExchangeCallV1.tokenTransferProxyContract.data),
        ]
    }

    /// The contracts from two answers, each an address that is not zero.
    ///
    /// - Throws: `ExchangeError.notAnExchange`.
    public func contracts(
        exchange: Address,
        answers: [[UInt8]]
    ) throws(ExchangeError) -> ExchangeContracts {
        guard answers.count == 2, let feeToken = Self.address(in: answers[0]),
            let proxy = Self.address(in: answers[1])
        else { throw .notAnExchange(exchange, .v1) }
        return ExchangeContracts(
            exchange: exchange,
            transferContract: proxy,
            feeToken: feeToken
        )
    }

    /// `VERSION`, which returns 1.0.0.
    public func versionCall(exchange: Address) -> CallRequest? {
        CallRequest(to: exchange, data: ExchangeCallV1.version.data)
    }

    /// The proxy's `authorized(exchange)`.
    public func readinessCalls(_ contracts: ExchangeContracts) -> [CallRequest] {
        [
            CallRequest(
                to: contracts.transferContract,
                data: ExchangeCallV1.authorized(contracts.exchange).data
            )
        ]
    }

    /// The answer must be true.
    ///
    /// - Throws: `ExchangeError`: `.notAuthorized`, or `.unreadableAnswer` if it is neither true
    ///   nor false, which a node of another chain may return.
    public func checkReadiness(
        _ contracts: ExchangeContracts,
        answers: [[UInt8]]
    ) throws(ExchangeError) {
        guard answers.count == 1, let answer = Self.number(in: answers[0]), answer <= 1 else {
            throw .unreadableAnswer("whether the exchange may move tokens")
        }
        guard answer == 1 else {
            throw .notAuthorized(
                exchange: contracts.exchange,
                transferContract: contracts.transferContract
            )
        }
    }

    /// One call per order (`getUnavailableTakerTokenAmount`), two for full detail.
    public func stateCalls(
        of orders: [any SignedOrder],
        contracts: ExchangeContracts,
        detail: StateDetail
    ) -> [CallRequest] {
        var calls: [CallRequest] = []
        calls.reserveCapacity(orders.count * (detail == .full ? 2 : 1))
        func add(_ call: ExchangeCallV1) {
            calls.append(CallRequest(to: contracts.exchange, data: call.data))
        }
        for order in orders {
            switch detail {
            case .remaining: add(.getUnavailableTakerTokenAmount(order.hash))
            case .full:
                add(.filled(order.hash))
                add(.cancelled(order.hash))
            }
        }
        return calls
    }

    /// The states from one or two amounts per order.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func states(
        of orders: [any SignedOrder],
        answers: [[UInt8]],
        detail: StateDetail
    ) throws(ExchangeError) -> [OrderState] {
        let width = detail == .full ? 2 : 1
        guard answers.count == orders.count * width else {
            throw .unreadableAnswer("\(answers.count) answers about \(orders.count) orders")
        }
        var states: [OrderState] = []
        states.reserveCapacity(orders.count)
        for index in orders.indices {
            guard let filled = Self.number(in: answers[index * width]),
                let cancelled = detail == .full ? Self.number(in: answers[index * 2 + 1]) : 0
            else { throw .unreadableAnswer("the state of order \(orders[index].hash)") }
            let (used, overflow) = filled.addingReportingOverflow(cancelled)
            let (rest, below) = orders[index].takerAmount.subtractingReportingOverflow(used)
            states.append(
                OrderState(
                    filled: filled,
                    cancelled: cancelled,
                    remaining: overflow || below ? 0 : rest
                )
            )
        }
        return states
    }

    // MARK: Outcome

    /// LogFill, LogCancel and LogError of the exchange, in their order.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func events(
        in logs: [Log],
        exchange: Address
    ) throws(ExchangeError) -> [ExchangeEvent] {
        var events: [ExchangeEvent] = []
        for log in logs where log.address == exchange {
            switch try ExchangeLogV1(topics: log.topics, data: log.data) {
            case .fill(let fill)?: events.append(.filled(fill))
            case .cancel(let cancel)?: events.append(.cancelled(cancel.event))
            case .error(let reason, let hash)?: events.append(.skipped(hash, reason))
            case nil: break
            }
        }
        return events
    }

    /// true: the maker is the first indexed argument.
    public var findsMakersInLogs: Bool { true }

    /// LogFill and LogCancel of one maker, or of all.
    ///
    /// v1 does not index the order's hash, so one order's events are found among its maker's.
    public func eventFilter(
        maker: Address?,
        from: BlockTag,
        to: BlockTag,
        exchange: Address
    ) -> LogFilter {
        var topics = [[ExchangeLogV1.fillTopic, ExchangeLogV1.cancelTopic]]
        if let maker { topics.append([maker.word]) }
        return LogFilter(
            fromBlock: from,
            toBlock: to,
            addresses: [exchange],
            topics: topics
        )
    }

    /// A word that is a non-zero address.
    private static func address(in answer: [UInt8]) -> Address? {
        let address = Bytes32(bytes: answer).flatMap(Address.init(ifWord:))
        return address == .zero ? nil : address
    }

    static func number(in answer: [UInt8]) -> UInt256? {
        Bytes32(bytes: answer).map(UInt256.init)
    }
}
