public import Ethereum
public import StrictJSON

extension ExchangeProtocol {
    /// None: only makers sign.
    public var signerTopics: [Bytes32] { [] }

    /// nil: only makers sign.
    public func makerWithChangedSigners(_ log: Log) -> Address? { nil }

    /// Decodes with `decodeOrder`: relays carry every kind of order.
    public func decodeHandedOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder {
        try decodeOrder(json)
    }

    /// The digest that a key signs for an order with these terms.
    public func digest(of draft: OrderDraft) -> Bytes32 {
        orderSigning.digest(of: hash(of: draft))
    }

    /// A salt for a new order, at least a minimum.
    ///
    /// - Parameters:
    ///   - random: 32 random bytes.
    ///   - now: seconds since 1970.
    public func salt(random: Bytes32, now: UInt64, minimum: UInt256) -> UInt256 {
        let salt = salt(random: random, now: now)
        guard salt < minimum else { return salt }
        // Up to 128 random bits above the minimum, as far as there is room: salts stay distinct and
        // do not run ahead of time.
        let (room, _) = UInt256.max.subtractingReportingOverflow(minimum)
        let low = UInt256(random)
        var step = UInt256(w0: low.w0, w1: low.w1, w2: 0, w3: 0)
        if step > room { step = step.quotientAndRemainder(dividingBy: room + 1).remainder }
        return minimum + step
    }

    /// The events with their positions in the chain, for logs of mined blocks.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`, also if a log has no position.
    public func loggedEvents(
        in logs: [Log],
        exchange: Address
    ) throws(ExchangeError) -> [LoggedEvent] {
        var logged: [LoggedEvent] = []
        for log in logs {
            for event in try events(in: [log], exchange: exchange) {
                guard let block = log.blockNumber, let blockHash = log.blockHash,
                    let transaction = log.transactionHash, let logIndex = log.logIndex
                else { throw .unreadableAnswer("a log does not say its place in the chain") }
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

    /// The calls for full detail.
    public func stateCalls(
        of orders: [any SignedOrder],
        contracts: ExchangeContracts
    ) -> [CallRequest] {
        stateCalls(of: orders, contracts: contracts, detail: .full)
    }

    /// The states from the answers to calls for full detail.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func states(
        of orders: [any SignedOrder],
        answers: [[UInt8]]
    ) throws(ExchangeError) -> [OrderState] {
        try states(of: orders, answers: answers, detail: .full)
    }
}
