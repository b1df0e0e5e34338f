import HTTPTypes

/// An error answer of API v0: status, code, reason and the invalid fields.
///
/// Source: standard relayer API v0, section "Errors".
struct FaultV0: RelayFault, Hashable {
    let status: HTTPResponse.Status
    let code: FaultCode?
    let reason: String
    var fields: [FaultField] = []
    var retryAfter: Int?

    static func validation(_ fields: [FaultField]) -> FaultV0 {
        FaultV0(
            status: .badRequest,
            code: .validationFailed,
            reason: "Validation failed",
            fields: fields
        )
    }

    static func required(_ name: String) -> FaultField {
        FaultField(name: name, code: .required, reason: "Required field")
    }
}

extension FaultV0 {
    init(status: HTTPResponse.Status, reason: String) {
        let code: FaultCode = status == .tooManyRequests ? .throttled : .validationFailed
        self.init(status: status, code: code, reason: reason)
    }

    static func place(of refusal: OrderRefusal) -> (name: String, code: FaultField.Code)? {
        switch refusal {
        case .closed, .full, .tooManyOfMaker, .tooManyPosts, .busy, .policyUnavailable,
            .chainUnavailable, .storeUnavailable, .storeUnsure:
            nil
        case .wrongExchange: ("exchangeContractAddress", .addressNotSupported)
        // v1 does not hash the chain, so another one cannot be detected.
        case .wrongChain, .badSignature: ("ecSignature", .invalidSignatureOrHash)
        case .makerTokenNotCarried, .makerTokenFails: ("makerTokenAddress", .addressNotSupported)
        case .takerTokenNotCarried, .pairNotCarried: ("takerTokenAddress", .addressNotSupported)
        case .zeroMakerAmount, .makerAmountOutOfRange, .shortage(.balance), .shortage(.allowance),
            .beyondHoldings:
            ("makerTokenAmount", .valueOutOfRange)
        case .zeroTakerAmount, .takerAmountOutOfRange, .usedUp, .farFromMarket:
            ("takerTokenAmount", .valueOutOfRange)
        case .expired, .expiredOnChain, .tooLong: ("expirationUnixTimestampSec", .valueOutOfRange)
        case .feeRecipient: ("feeRecipient", .addressNotSupported)
        case .makerFee, .shortage(.feeBalance), .shortage(.feeAllowance):
            ("makerFee", .valueOutOfRange)
        case .takerFee: ("takerFee", .valueOutOfRange)
        case .zeroMaker: ("maker", .invalidAddress)
        case .rejectedByPolicy, .moderated: ("order", .unsupportedOption)
        }
    }

    static func words(for refusal: OrderRefusal) -> String {
        let words = refusal.words(feePath: "/fees", spender: "proxy")
        return refusal == .pairNotCarried ? "\(words); see /token_pairs" : words
    }
}
