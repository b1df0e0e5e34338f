package import Ethereum

/// Why the relay refuses an order; every version of its API has its own words for these.
package enum OrderRefusal: Error, Hashable, Sendable {
    /// The relay accepts no orders at all.
    case closed
    case wrongExchange(expected: Address)
    /// For versions whose orders name their chain.
    case wrongChain
    case makerTokenNotCarried
    case takerTokenNotCarried
    /// Both tokens are known, but not as a pair.
    case pairNotCarried
    case zeroMakerAmount
    case zeroTakerAmount
    /// The relay's own bounds for the token; nil is no bound.
    case makerAmountOutOfRange(minimum: UInt256?, maximum: UInt256?)
    case takerAmountOutOfRange(minimum: UInt256?, maximum: UInt256?)
    /// It has less than the minimum life left; both in seconds.
    case expired(now: UInt64, shortestLife: UInt64)
    case feeRecipient(expected: Address)
    case makerFee(expected: UInt256)
    case takerFee(expected: UInt256)
    case zeroMaker
    case badSignature
    /// Nothing is left to fill: filled or cancelled.
    case usedUp
    case shortage(OrderAudit.Shortage)
    /// The relay holds as many orders as it can.
    case full
    case tooManyOfMaker(limit: Int)
    /// The chain cannot be reached, so the order's state is unknown.
    case chainUnavailable
    /// The order could not be written to disk, so it was not accepted.
    case storeUnavailable

    /// The relay's bounds of an amount in words; nil is no bound.
    static func bounds(_ minimum: UInt256?, _ maximum: UInt256?) -> String {
        switch (minimum, maximum) {
        case (let low?, let high?): "Must be between \(low) and \(high)"
        case (let low?, nil): "Must be at least \(low)"
        case (nil, let high?): "Must be at most \(high)"
        case (nil, nil): "Out of range"
        }
    }
}

/// All reasons found at one stage of the checks; never empty.
package struct OrderRefusals: Error, Hashable, Sendable {
    package let reasons: [OrderRefusal]

    package init(_ reasons: [OrderRefusal]) {
        self.reasons = reasons
    }
}
