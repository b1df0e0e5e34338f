public import Ethereum

extension ZeroExV4 {
    /// The maximum number of orders in one call.
    ///
    /// Its data stays within 128 KiB, and the call within a tenth of the gas that nodes allow.
    static let ordersPerStateCall = 128 * 1_024 / (32 * (LimitOrderV4.wordCount + 4)) - 1

    /// `batchGetLimitOrderRelevantStates`, or the same of RFQ orders, over all orders.
    ///
    /// The calls are split by the size of their data. One call returns everything, so the detail
    /// does not matter.
    public func stateCalls(
        of orders: [any SignedOrder],
        contracts: ExchangeContracts,
        detail: StateDetail
    ) -> [CallRequest] {
        Self.batches(orders).map { batch in
            let quotes = orders[batch].compactMap { $0 as? SignedRfqOrderV4 }
            let call: ExchangeCallV4
            if quotes.isEmpty {
                let signed = orders[batch].map { signedTerms(of: $0) }
                let signatures = signed.map { Self.readable($0.signature) }
                call = .limit(.batchRelevantStates(signed.map(\.terms), signatures))
            } else {
                let signatures = quotes.map { Self.readable($0.signature) }
                call = .rfq(.batchRelevantStates(quotes.map(\.terms), signatures))
            }
            return CallRequest(to: contracts.exchange, data: call.data)
        }
    }

    /// A signature that every deployment can read.
    ///
    /// An unknown type reverts the whole call (the first deployments knew four), so one bad order
    /// would hide all others. It is replaced by the type that no order may have, for which the
    /// contract returns zeros.
    private static func readable(_ signature: SignatureV4) -> SignatureV4 {
        var signature = signature
        if signature.type > SignatureKindV4.ethSign.rawValue { signature.type = 0 }
        return signature
    }

    /// The states from the answers to those calls.
    ///
    /// The contract returns zeros for a malformed signature and for a maker token whose calls fail,
    /// and a flag for another account's signature: these orders are rejected, regardless of the amount left. An order of another
    /// chain or contract has another hash here. It is rejected alone, so it does not affect the
    /// others.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`, also if the contract has another hash for an
    ///   order of this chain and contract: then it is not the contract that orders are hashed for.
    public func states(
        of orders: [any SignedOrder],
        answers: [[UInt8]],
        detail: StateDetail
    ) throws(ExchangeError) -> [OrderState] {
        let batches = Self.batches(orders)
        guard answers.count == batches.count else {
            throw .unreadableAnswer("\(answers.count) answers about \(orders.count) orders")
        }
        var states: [OrderState] = []
        states.reserveCapacity(orders.count)
        for (batch, answer) in zip(batches, answers) {
            let isOfQuotes = orders[batch.lowerBound].isQuote
            let read = try ExchangeAnswerV4(
                answer,
                of: isOfQuotes
                    ? .batchGetRfqOrderRelevantStates : .batchGetLimitOrderRelevantStates
            )
            guard case .batchRelevantStates(let found) = read, found.count == batch.count else {
                throw .unreadableAnswer("the states of \(batch.count) orders")
            }
            for (order, state) in zip(orders[batch], found) {
                states.append(try self.state(of: order, state))
            }
        }
        return states
    }

    /// Runs of orders of one kind, each within the size limit of a call.
    private static func batches(_ orders: [any SignedOrder]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var start = 0
        for index in orders.indices.dropFirst()
        where
            index - start == ordersPerStateCall
            || orders[index].isQuote != orders[start].isQuote
        {
            batches.append(start..<index)
            start = index
        }
        if !orders.isEmpty { batches.append(start..<orders.count) }
        return batches
    }

    private func state(
        of order: any SignedOrder,
        _ state: OrderRelevantStateV4
    ) throws(ExchangeError) -> OrderState {
        let info = state.info
        guard info.orderHash != OrderHash(.zero) else {
            // A signature that can be read is not at fault: what else the contract calls is the
            // maker token.
            let isReadable = (try? claim(of: order, exchange: order.exchange)) != nil  // nil: no
            return Self.rejected(isReadable ? .failingToken(order.makerToken) : .badSignature)
        }
        guard order.exchange == domain.exchange else {
            return Self.rejected(.wrongExchange(order.exchange))
        }
        if let chainID = Self.signed(order)?.domain.chainID, chainID != domain.chainID {
            return Self.rejected(.wrongChain(chainID))
        }
        guard info.orderHash == order.hash else {
            throw .unreadableAnswer(
                "the exchange knows the order \(order.hash) as \(info.orderHash), so it is not the "
                    + "one of this chain"
            )
        }
        guard state.isSignatureValid else { return Self.rejected(.badSignature) }
        let filled = UInt256(info.filled)
        let (rest, below) = order.takerAmount.subtractingReportingOverflow(filled)
        let left = below ? .zero : rest
        switch info.status {
        case .invalid: return Self.rejected(.badSignature)
        case .fillable:
            // A fillable order is never completely filled.
            return OrderState(filled: filled, cancelled: 0, remaining: left, status: .open)
        case .filled: return OrderState(filled: filled, cancelled: 0, remaining: 0, status: .filled)
        case .expired:
            return OrderState(filled: filled, cancelled: 0, remaining: left, status: .expired)
        case .cancelled:
            // A cancel takes all that fills have left.
            return OrderState(filled: filled, cancelled: left, remaining: 0, status: .cancelled)
        }
    }

    private static func rejected(_ reason: OrderRejection) -> OrderState {
        OrderState(filled: 0, cancelled: 0, remaining: 0, status: .rejected(reason))
    }
}
