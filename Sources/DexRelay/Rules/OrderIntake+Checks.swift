import Ethereum
import ZeroEx

/// The requirements for an order; the first failing stage throws all that it found.
extension OrderIntake {
    /// Checks terms and signatures of many orders, on all cores; nil means valid.
    func verdicts(on orders: [any SignedOrder]) async -> [OrderRefusals?] {
        let chunks = orders.chunks(of: 256)
        return await withTaskGroup(of: (Int, [OrderRefusals?]).self) { group in
            for (index, chunk) in chunks.enumerated() {
                group.addTask { (index, chunk.map(verdict)) }
            }
            var results = [[OrderRefusals?]](repeating: [], count: chunks.count)
            for await (index, verdicts) in group { results[index] = verdicts }
            return results.flatMap { $0 }
        }
    }

    private func verdict(on order: any SignedOrder) -> OrderRefusals? {
        do throws(OrderRefusals) {
            try checkTerms(of: order)
            try checkSignature(of: order)
            return nil
        } catch {
            return error
        }
    }

    /// Checks exchange, tokens, amounts and expiry; reports every reason.
    func checkTerms(of order: any SignedOrder) throws(OrderRefusals) {
        var reasons: [OrderRefusal] = []
        let exchange = configuration.contracts.exchange
        if order.exchange != exchange { reasons.append(.wrongExchange(expected: exchange)) }
        if order.maker == .zero { reasons.append(.zeroMaker) }
        if order.makerAmount == .zero { reasons.append(.zeroMakerAmount) }
        if order.takerAmount == .zero { reasons.append(.zeroTakerAmount) }
        let direction = PairDirection(makerToken: order.makerToken, takerToken: order.takerToken)
        reasons += refusals(of: direction)
        if let sides = configuration.sides(of: direction) {
            if order.makerAmount > .zero, !sides.maker.allows(order.makerAmount) {
                reasons.append(
                    .makerAmountOutOfRange(
                        minimum: sides.maker.minimum,
                        maximum: sides.maker.maximum
                    )
                )
            }
            if order.takerAmount > .zero, !sides.taker.allows(order.takerAmount) {
                reasons.append(
                    .takerAmountOutOfRange(
                        minimum: sides.taker.minimum,
                        maximum: sides.taker.maximum
                    )
                )
            }
        }
        let now = now()
        if order.expiry <= UInt256(horizon) {
            reasons.append(.expired(now: now, shortestLife: rules.shortestLife))
        }
        guard reasons.isEmpty else { throw OrderRefusals(reasons) }
    }

    /// Why orders of these tokens are not carried; empty if they are.
    func refusals(of direction: PairDirection) -> [OrderRefusal] {
        guard configuration.sides(of: direction) == nil else { return [] }
        let carried = Set(configuration.pairs.flatMap { [$0.tokenA.token, $0.tokenB.token] })
        var reasons: [OrderRefusal] = []
        if !carried.contains(direction.makerToken) { reasons.append(.makerTokenNotCarried) }
        if !carried.contains(direction.takerToken) { reasons.append(.takerTokenNotCarried) }
        return reasons.isEmpty ? [.pairNotCarried] : reasons
    }

    func refusals(of direction: PairDirection, on exchange: Address) -> [OrderRefusal] {
        let expected = configuration.contracts.exchange
        let wrong: [OrderRefusal] = exchange == expected ? [] : [.wrongExchange(expected: expected)]
        return wrong + refusals(of: direction)
    }

    func checkFees(of order: any SignedOrder) throws(OrderRefusals) {
        let wanted = configuration.fees.fees(
            PairDirection(makerToken: order.makerToken, takerToken: order.takerToken),
            takerAmount: order.takerAmount
        )
        var reasons: [OrderRefusal] = []
        if order.feeRecipient != wanted.recipient {
            reasons.append(.feeRecipient(expected: wanted.recipient))
        }
        if order.makerFee != wanted.makerFee {
            reasons.append(.makerFee(expected: wanted.makerFee))
        }
        if order.takerFee != wanted.takerFee {
            reasons.append(.takerFee(expected: wanted.takerFee))
        }
        guard reasons.isEmpty else { throw OrderRefusals(reasons) }
    }

    func checkSignature(of order: any SignedOrder) throws(OrderRefusals) {
        let exchange = configuration.contracts.exchange
        do throws(OrderRejection) {
            try exchangeProtocol.verify(order, exchange: exchange, recoverer: recoverer)
        } catch {
            switch error {
            case .wrongExchange: throw OrderRefusals([.wrongExchange(expected: exchange)])
            case .zeroMaker: throw OrderRefusals([.zeroMaker])
            case .zeroAmount: throw OrderRefusals([.zeroTakerAmount])
            case .wrongChain: throw OrderRefusals([.wrongChain])
            case .badSignature, .malformedSignature, .noOrigin, .wrongTokens, .wrongHash:
                throw OrderRefusals([.badSignature])
            }
        }
    }

    func check(_ audit: OrderAudit) throws(OrderRefusals) {
        if case .rejected = audit.state.status { throw OrderRefusals([.badSignature]) }
        guard audit.state.remaining > .zero else { throw OrderRefusals([.usedUp]) }
        if let shortage = audit.shortage { throw OrderRefusals([.shortage(shortage)]) }
        guard audit.fillable > .zero else { throw OrderRefusals([.usedUp]) }
    }
}

extension RelayTokenPair.Side {
    /// The amount is within the relay's bounds.
    fileprivate func allows(_ amount: UInt256) -> Bool {
        amount >= minimum ?? .zero && amount <= maximum ?? .max
    }
}
