import Ethereum
import ZeroEx

/// The requirements for an order; the first failing stage throws all that it found.
extension OrderIntake {
    /// Checks exchange, tokens, amounts and expiry; reports every reason.
    func checkTerms(
        of order: any SignedOrder,
        _ configuration: RelayConfiguration
    ) throws(OrderRefusals) {
        var reasons: [OrderRefusal] = []
        let limits = configuration.limits
        let exchange = configuration.contracts.exchange
        if order.exchange != exchange { reasons.append(.wrongExchange(expected: exchange)) }
        if order.maker == .zero { reasons.append(.zeroMaker) }
        if order.makerAmount == .zero { reasons.append(.zeroMakerAmount) }
        if order.takerAmount == .zero { reasons.append(.zeroTakerAmount) }
        let direction = PairDirection(makerToken: order.makerToken, takerToken: order.takerToken)
        if let sides = configuration.sides(of: direction) {
            let gives = AmountBounds(sides.maker, limits)
            if order.makerAmount > .zero, !gives.allows(order.makerAmount) {
                reasons.append(
                    .makerAmountOutOfRange(minimum: gives.minimum, maximum: gives.maximum)
                )
            }
            let takes = AmountBounds(sides.taker, limits)
            if order.takerAmount > .zero, !takes.allows(order.takerAmount) {
                reasons.append(
                    .takerAmountOutOfRange(minimum: takes.minimum, maximum: takes.maximum)
                )
            }
        } else {
            reasons += refusals(of: direction, configuration)
        }
        if configuration.moderation.action(for: order) == .remove { reasons.append(.moderated) }
        let now = now()
        let expiry = order.expiry
        if expiry <= UInt256(horizon) {
            reasons.append(.expired(now: now, shortestLife: rules.shortestLife))
        } else if let longest = limits.longestLife {
            let (latest, overflow) = now.addingReportingOverflow(longest)
            if !overflow, expiry > UInt256(latest) {
                reasons.append(.tooLong(latest: latest, longestLife: longest))
            }
        }
        guard reasons.isEmpty else { throw OrderRefusals(reasons) }
    }

    /// Why orders of these tokens are not carried; empty if they are.
    private func refusals(
        of direction: PairDirection,
        _ configuration: RelayConfiguration
    ) -> [OrderRefusal] {
        guard configuration.sides(of: direction) == nil else { return [] }
        let carried = Set(configuration.pairs.flatMap { [$0.tokenA.token, $0.tokenB.token] })
        var reasons: [OrderRefusal] = []
        if !carried.contains(direction.makerToken) { reasons.append(.makerTokenNotCarried) }
        if !carried.contains(direction.takerToken) { reasons.append(.takerTokenNotCarried) }
        return reasons.isEmpty ? [.pairNotCarried] : reasons
    }

    func refusals(of direction: PairDirection, on exchange: Address) -> [OrderRefusal] {
        let configuration = configuration
        let expected = configuration.contracts.exchange
        let wrong: [OrderRefusal] = exchange == expected ? [] : [.wrongExchange(expected: expected)]
        return wrong + refusals(of: direction, configuration)
    }

    func checkFees(
        of order: any SignedOrder,
        _ configuration: RelayConfiguration
    ) throws(OrderRefusals) {
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

    /// Checks what the chain says of an order.
    static func check(_ audit: OrderAudit) throws(OrderRefusals) {
        switch audit.state.status {
        case .rejected(.failingToken): throw OrderRefusals([.makerTokenFails])
        case .rejected: throw OrderRefusals([.badSignature])
        case .expired: throw OrderRefusals([.expiredOnChain(time: audit.time)])
        case .open, .filled, .cancelled: break
        }
        guard audit.state.remaining > .zero else { throw OrderRefusals([.usedUp]) }
        if let shortage = audit.shortage { throw OrderRefusals([.shortage(shortage)]) }
        guard audit.fillable > .zero else { throw OrderRefusals([.usedUp]) }
    }
}

/// The amounts of a token that an order may have: the pair's bounds and the operator's least.
private struct AmountBounds {
    let minimum: UInt256?
    let maximum: UInt256?

    init(_ side: RelayTokenPair.Side, _ limits: RelayLimits) {
        let amount = limits.minimumAmounts[side.token]
        minimum =
            if let amount, let bound = side.minimum { max(amount, bound) } else {
                amount ?? side.minimum
            }
        maximum = side.maximum
    }

    func allows(_ amount: UInt256) -> Bool {
        amount >= minimum ?? .zero && amount <= maximum ?? .max
    }
}
