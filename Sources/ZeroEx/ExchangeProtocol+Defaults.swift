public import Ethereum

extension ExchangeProtocol {
    /// What a key signs for an order with these terms.
    public func digest(of draft: OrderDraft) -> Bytes32 {
        orderSigning.digest(of: hash(of: draft))
    }

    /// The events of a deployment's exchange in a receipt, in their order.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func events(
        in logs: [Log],
        contracts: ExchangeContracts
    ) throws(ExchangeError) -> [ExchangeEvent] {
        try events(in: logs, exchange: contracts.exchange)
    }

    /// The same with each event's place in the chain, for logs of mined blocks.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`, also where a log does not tell its place.
    public func loggedEvents(
        in logs: [Log],
        exchange: Address
    ) throws(ExchangeError) -> [LoggedEvent] {
        var logged: [LoggedEvent] = []
        for log in logs {
            for event in try events(in: [log], exchange: exchange) {
                guard let block = log.blockNumber, let blockHash = log.blockHash,
                    let transaction = log.transactionHash, let logIndex = log.logIndex
                else { throw .unreadableAnswer("a log does not tell its place in the chain") }
                logged.append(
                    LoggedEvent(
                        event: event,
                        block: block,
                        blockHash: blockHash,
                        transaction: transaction,
                        logIndex: logIndex
                    )
                )
            }
        }
        return logged
    }

    /// The filter for the exchange of a deployment.
    public func eventFilter(
        maker: Address?,
        from: BlockTag,
        to: BlockTag,
        contracts: ExchangeContracts
    ) -> LogFilter {
        eventFilter(maker: maker, from: from, to: to, exchange: contracts.exchange)
    }

    /// The calls for the full detail.
    public func stateCalls(
        of orders: [any SignedOrder],
        contracts: ExchangeContracts
    ) -> [CallRequest] {
        stateCalls(of: orders, contracts: contracts, detail: .full)
    }

    /// The states from answers to calls for the full detail.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func states(
        of orders: [any SignedOrder],
        answers: [[UInt8]]
    ) throws(ExchangeError) -> [OrderState] {
        try states(of: orders, answers: answers, detail: .full)
    }
}
