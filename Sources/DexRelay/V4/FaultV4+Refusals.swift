import HTTPTypes
import ZeroEx

extension FaultV4 {
    static func place(of refusal: OrderRefusal) -> (name: String, code: FaultField.Code)? {
        switch refusal {
        case .closed, .full, .tooManyOfMaker, .tooManyPosts, .busy, .policyUnavailable,
            .chainUnavailable, .storeUnavailable, .storeUnsure:
            nil
        case .wrongExchange: ("verifyingContract", .addressNotSupported)
        case .wrongChain: ("chainId", .valueOutOfRange)
        case .makerTokenNotCarried: ("makerToken", .valueOutOfRange)
        case .takerTokenNotCarried, .pairNotCarried: ("takerToken", .valueOutOfRange)
        case .zeroMakerAmount, .makerAmountOutOfRange: ("makerAmount", .valueOutOfRange)
        case .zeroTakerAmount, .takerAmountOutOfRange, .farFromMarket:
            ("takerAmount", .valueOutOfRange)
        case .expired, .expiredOnChain, .tooLong: ("expiry", .valueOutOfRange)
        case .feeRecipient: ("feeRecipient", .addressNotSupported)
        // v4 orders have no maker fee that could be wrong.
        case .makerFee, .rejectedByPolicy, .moderated: ("order", .invalidOrder)
        case .takerFee: ("takerTokenFeeAmount", .valueOutOfRange)
        case .zeroMaker: ("maker", .addressNotSupported)
        case .badSignature: ("signature", .invalidSignatureOrHash)
        case .makerTokenFails: ("makerToken", .invalidOrder)
        case .usedUp: ("takerAmount", .invalidOrder)
        case .shortage, .beyondHoldings: ("makerAmount", .invalidOrder)
        }
    }

    static func words(for refusal: OrderRefusal) -> String {
        let words = refusal.words(feePath: "/order_config", spender: "exchange")
        return switch refusal {
        case .wrongChain: "Only orders of the relay's own chain are carried"
        case .expired(let now, let shortestLife):
            "Must be at least \(shortestLife) seconds away; it is \(now) now"
        case .makerFee: "Has a maker fee"
        case .badSignature: "\(words); v must be 27 or 28 and s in the lower half"
        default: words
        }
    }
}

extension FaultV4 {
    /// The answer to a body that matches the schema but is not an order.
    init(_ error: OrderError) {
        switch error {
        case .missing(let field): self = .validation([Self.required(field)])
        case .tooLarge(let field, let bits):
            self = .validation(field, .valueOutOfRange, "Must be below 2^\(bits)")
        case .impossibleFee(let problem):
            self = .validation("takerTokenFeeAmount", .valueOutOfRange, problem)
        case .malformed(let field, _):
            self = .validation(field, .incorrectFormat, "Incorrect format")
        case .notAnOrder: self.init(status: .badRequest, reason: "The body is not an order")
        }
    }
}
