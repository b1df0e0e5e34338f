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

    /// The reason in words, where a version of the API has no others.
    ///
    /// - Parameters:
    ///   - feePath: where the API tells its fees.
    ///   - spender: the API's word for the contract that moves the tokens.
    func words(feePath: String, spender: String) -> String {
        switch self {
        case .closed: "Order submission disabled"
        case .wrongExchange(let expected):
            "Only orders of the exchange \(expected.lowercaseHex) are carried"
        case .wrongChain: "The order is for another chain"
        case .makerTokenNotCarried, .takerTokenNotCarried: "The token is not carried"
        case .pairNotCarried: "The token is not carried against the maker token"
        case .zeroMakerAmount, .zeroTakerAmount: "Must be above 0"
        case .makerAmountOutOfRange(let minimum, let maximum),
            .takerAmountOutOfRange(let minimum, let maximum):
            Self.bounds(minimum, maximum)
        case .expired(let now, _): "Must be in the future; it is \(now) now"
        case .feeRecipient(let expected):
            "Must be \(expected.lowercaseHex), as POST \(feePath) answers"
        case .makerFee(let expected), .takerFee(let expected):
            "Must be \(expected), as POST \(feePath) answers"
        case .zeroMaker: "Must not be the zero address"
        case .badSignature: "The signature was not made by the maker over this order's hash"
        case .usedUp: "The order is filled or cancelled: nothing is left of it"
        case .shortage(let shortage): shortage.words(spender: spender)
        case .full: "The relay holds as many orders as it can; try again later"
        case .tooManyOfMaker(let limit):
            "The maker has \(limit) open orders here already; cancel some first"
        case .chainUnavailable:
            "The relay cannot reach its node, so it cannot check the order; try again later"
        case .storeUnavailable: "The relay could not store the order; try again later"
        }
    }

    /// The relay's bounds of an amount in words; nil is no bound.
    private static func bounds(_ minimum: UInt256?, _ maximum: UInt256?) -> String {
        switch (minimum, maximum) {
        case (let low?, let high?): "Must be between \(low) and \(high)"
        case (let low?, nil): "Must be at least \(low)"
        case (nil, let high?): "Must be at most \(high)"
        case (nil, nil): "Out of range"
        }
    }
}

extension OrderAudit.Shortage {
    fileprivate func words(spender: String) -> String {
        let (what, needed, found) =
            switch self {
            case .balance(let needed, let found): ("balance of the maker token", needed, found)
            case .allowance(let needed, let found):
                ("allowance of the maker token to the \(spender)", needed, found)
            case .feeBalance(let needed, let found): ("balance of the fee token", needed, found)
            case .feeAllowance(let needed, let found):
                ("allowance of the fee token to the \(spender)", needed, found)
            }
        return "The maker's \(what) is \(found), but the order needs \(needed)"
    }
}

/// All reasons found at one stage of the checks; never empty.
package struct OrderRefusals: Error, Hashable, Sendable {
    package let reasons: [OrderRefusal]

    package init(_ reasons: [OrderRefusal]) {
        self.reasons = reasons
    }
}
