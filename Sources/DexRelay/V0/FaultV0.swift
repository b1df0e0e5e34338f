import HTTPTypes
import StrictJSON

/// An error answer of API v0: status, code, reason and the invalid fields.
///
/// Source: standard relayer API v0, section "Errors".
struct FaultV0: RelayFault, Hashable {
    enum Code: Int {
        case validationFailed = 100
        case malformedJSON = 101
        case submissionDisabled = 102
        case throttled = 103
    }

    let status: HTTPResponse.Status
    let code: Code
    let reason: String
    let fields: [FaultField]
    var retryAfter: Int?

    init(status: HTTPResponse.Status, code: Code, reason: String, fields: [FaultField] = []) {
        self.status = status
        self.code = code
        self.reason = reason
        self.fields = fields
    }

    init(status: HTTPResponse.Status, reason: String) {
        let code: Code = status == .tooManyRequests ? .throttled : .validationFailed
        self.init(status: status, code: code, reason: reason)
    }

    static let submissionDisabled = FaultV0(
        status: .badRequest,
        code: .submissionDisabled,
        reason: "Order submission disabled"
    )

    static func malformedJSON(_ reason: String) -> FaultV0 {
        FaultV0(status: .badRequest, code: .malformedJSON, reason: reason)
    }

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

    var json: JSONValue {
        var object = JSONObject()
        object["code"] = .integer(code.rawValue)
        object["reason"] = .string(reason)
        if !fields.isEmpty { object["validationErrors"] = .array(fields.map(\.json)) }
        return .object(object)
    }
}

extension FaultV0 {
    static func place(of refusal: OrderRefusal) -> (name: String, code: FaultField.Code)? {
        switch refusal {
        case .closed, .full, .tooManyOfMaker, .tooManyPosts, .busy, .policyUnavailable,
            .chainUnavailable, .storeUnavailable, .storeUnsure:
            nil
        case .wrongExchange: ("exchangeContractAddress", .addressNotSupported)
        // v1 does not hash the chain, so another one cannot be detected.
        case .wrongChain, .badSignature: ("ecSignature", .invalidSignatureOrHash)
        case .makerTokenNotCarried: ("makerTokenAddress", .addressNotSupported)
        case .takerTokenNotCarried, .pairNotCarried: ("takerTokenAddress", .addressNotSupported)
        case .zeroMakerAmount, .makerAmountOutOfRange, .shortage(.balance), .shortage(.allowance),
            .beyondHoldings:
            ("makerTokenAmount", .valueOutOfRange)
        case .zeroTakerAmount, .takerAmountOutOfRange, .usedUp, .farFromMarket:
            ("takerTokenAmount", .valueOutOfRange)
        case .expired, .tooLong: ("expirationUnixTimestampSec", .valueOutOfRange)
        case .feeRecipient: ("feeRecipient", .addressNotSupported)
        case .makerFee, .shortage(.feeBalance), .shortage(.feeAllowance):
            ("makerFee", .valueOutOfRange)
        case .takerFee: ("takerFee", .valueOutOfRange)
        case .zeroMaker: ("maker", .invalidAddress)
        case .rejectedByPolicy: ("order", .unsupportedOption)
        }
    }

    static func words(for refusal: OrderRefusal) -> String {
        let words = refusal.words(feePath: "/fees", spender: "proxy")
        return refusal == .pairNotCarried ? "\(words); see /token_pairs" : words
    }
}
