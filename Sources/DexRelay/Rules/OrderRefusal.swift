package import Ethereum

/// The reason why the relay refuses an order; every version of its API has its own words for these.
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
    /// It has expired at the time of the chain's latest block, in seconds since 1970.
    case expiredOnChain(time: UInt64)
    /// It expires later than the relay carries orders; both in seconds, `latest` since 1970.
    case tooLong(latest: UInt64, longestLife: UInt64)
    /// Its price is worse than the pair's best order by more than this.
    case farFromMarket(basisPoints: UInt32)
    case feeRecipient(expected: Address)
    case makerFee(expected: UInt256)
    case takerFee(expected: UInt256)
    case zeroMaker
    case badSignature
    /// The chain answers no call about the maker's funds.
    case makerTokenFails
    /// Nothing is left to fill: filled or cancelled.
    case usedUp
    case shortage(OrderAudit.Shortage)
    /// The maker's open orders would give more than so many times what it owns of the token.
    case beyondHoldings(times: UInt64, open: UInt256, owned: UInt256)
    /// The operator's policy refuses it.
    case rejectedByPolicy(reason: String)
    /// The operator has removed it, its maker or its pair.
    case moderated
    /// The relay holds as many orders as it can, and this one's price is the worst of them.
    case full
    case tooManyOfMaker(limit: Int)
    /// The address posted too many orders; in seconds.
    case tooManyPosts(retryAfter: Int)
    /// More posts wait than the relay takes.
    case busy
    /// The operator's policy gave no verdict.
    case policyUnavailable
    /// The chain cannot be reached, so the order's state is unknown.
    case chainUnavailable
    /// The order could not be written to disk, so it was not accepted.
    case storeUnavailable
    /// The store broke off during the commit: it cannot be told whether it was accepted.
    case storeUnsure

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
        case .expiredOnChain(let time):
            "Must be later than the chain's latest block, whose time is \(time)"
        case .tooLong(let latest, let longestLife):
            "Must be at most \(latest): orders may run for \(longestLife) s here"
        case .farFromMarket(let basisPoints):
            "The price is more than \(Self.percent(basisPoints)) worse for a taker than the "
                + "pair's best order; ask for less or give more"
        case .feeRecipient(let expected):
            "Must be \(expected.lowercaseHex), as POST \(feePath) answers"
        case .makerFee(let expected), .takerFee(let expected):
            "Must be \(expected), as POST \(feePath) answers"
        case .zeroMaker: "Must not be the zero address"
        case .badSignature: "The signature was not made by the maker over this order's hash"
        case .makerTokenFails:
            "Calls to the maker token fail on the chain, so the order cannot be filled"
        case .usedUp: "The order is filled or cancelled: nothing is left of it"
        case .shortage(let shortage): shortage.words(spender: spender)
        case .beyondHoldings(let times, let open, let owned):
            "The maker's open orders here would give \(open) of the maker token, more than "
                + "\(times) times the \(owned) that it owns; cancel some or add funds first"
        case .rejectedByPolicy(let reason): "The relay's operator does not carry it: \(reason)"
        case .moderated: "The relay's operator does not carry it"
        case .full:
            "The relay is full, and no order's price is worse than this one's; offer a better "
                + "price or try again later"
        case .tooManyOfMaker(let limit):
            "The maker may have \(limit) open orders here; cancel some first"
        case .tooManyPosts(let seconds):
            "Too many orders were posted from this address; try again in \(seconds) s"
        case .busy: "Too many orders wait for their checks; try again in a second"
        case .policyUnavailable:
            "The relay's policy gives no verdict now, so no order is taken; try again later"
        case .chainUnavailable:
            "The relay cannot reach its node, so it cannot check the order; try again later"
        case .storeUnavailable: "The relay could not store the order; try again later"
        case .storeUnsure:
            "The relay's store broke off, so the order may or may not be accepted; post it again: "
                + "a known order is accepted without a change"
        }
    }

    /// The order may be accepted as it is later, without the maker's doing: the seconds until
    /// then; nil if not.
    var retryAfter: Int? {
        switch self {
        case .tooManyPosts(let seconds): seconds
        case .busy, .storeUnsure: 1
        case .policyUnavailable, .chainUnavailable, .storeUnavailable: 2
        default: nil
        }
    }

    /// Basis points as a percentage: 1250 is `12.5 %`.
    private static func percent(_ basisPoints: UInt32) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return "\(whole) %" }
        let digits = rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(whole).\(digits) %"
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
