import Ethereum
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

    enum FieldCode: Int {
        case required = 1000
        case incorrectFormat = 1001
        case invalidAddress = 1002
        case addressNotSupported = 1003
        case valueOutOfRange = 1004
        case invalidSignatureOrHash = 1005
        case unsupportedOption = 1006
    }

    struct Field: Hashable {
        let name: String
        let code: FieldCode
        let reason: String
    }

    let status: HTTPResponse.Status
    let code: Code
    let reason: String
    let fields: [Field]

    init(status: HTTPResponse.Status, code: Code, reason: String, fields: [Field] = []) {
        self.status = status
        self.code = code
        self.reason = reason
        self.fields = fields
    }

    init(status: HTTPResponse.Status, reason: String) {
        let code: Code = status == .tooManyRequests ? .throttled : .validationFailed
        self.init(status: status, code: code, reason: reason)
    }

    static let throttled = FaultV0(status: .tooManyRequests, reason: "Throttled")

    static let submissionDisabled = FaultV0(
        status: .badRequest,
        code: .submissionDisabled,
        reason: "Order submission disabled"
    )

    static func malformedJSON(_ reason: String) -> FaultV0 {
        FaultV0(status: .badRequest, code: .malformedJSON, reason: reason)
    }

    /// 400 with the invalid fields.
    static func validation(_ fields: [Field]) -> FaultV0 {
        FaultV0(
            status: .badRequest,
            code: .validationFailed,
            reason: "Validation failed",
            fields: fields
        )
    }

    /// 400 with one invalid field.
    static func validation(_ name: String, _ code: FieldCode, _ reason: String) -> FaultV0 {
        validation([Field(name: name, code: code, reason: reason)])
    }

    var json: JSONValue {
        var object: JSONValue = ["code": .integer(code.rawValue), "reason": .string(reason)]
        if !fields.isEmpty, case .object(var members) = object {
            members["validationErrors"] = .array(
                fields.map {
                    [
                        "field": .string($0.name), "code": .integer($0.code.rawValue),
                        "reason": .string($0.reason),
                    ]
                }
            )
            object = .object(members)
        }
        return object
    }
}

extension FaultV0 {
    static func field(_ refusal: OrderRefusal) -> Field? {
        Field(refusal)
    }
}

extension FaultV0.Field {
    fileprivate init?(_ refusal: OrderRefusal) {
        switch refusal {
        case .closed, .full, .tooManyOfMaker, .chainUnavailable, .storeUnavailable: return nil
        case .wrongExchange(let expected):
            self.init(
                name: "exchangeContractAddress",
                code: .addressNotSupported,
                reason: "Only orders of the exchange \(expected.lowercaseHex) are carried"
            )
        // v1 does not hash the chain, so this cannot be detected.
        case .wrongChain:
            self.init(
                name: "ecSignature",
                code: .invalidSignatureOrHash,
                reason: "The order is for another chain"
            )
        case .makerTokenNotCarried:
            self.init(
                name: "makerTokenAddress",
                code: .addressNotSupported,
                reason: "The token is not carried"
            )
        case .takerTokenNotCarried:
            self.init(
                name: "takerTokenAddress",
                code: .addressNotSupported,
                reason: "The token is not carried"
            )
        case .pairNotCarried:
            self.init(
                name: "takerTokenAddress",
                code: .addressNotSupported,
                reason: "The token is not carried against the maker token; see /token_pairs"
            )
        case .zeroMakerAmount:
            self.init(
                name: "makerTokenAmount",
                code: .valueOutOfRange,
                reason: "Must be above 0"
            )
        case .zeroTakerAmount:
            self.init(
                name: "takerTokenAmount",
                code: .valueOutOfRange,
                reason: "Must be above 0"
            )
        case .makerAmountOutOfRange(let minimum, let maximum):
            self.init(
                name: "makerTokenAmount",
                code: .valueOutOfRange,
                reason: OrderRefusal.bounds(minimum, maximum)
            )
        case .takerAmountOutOfRange(let minimum, let maximum):
            self.init(
                name: "takerTokenAmount",
                code: .valueOutOfRange,
                reason: OrderRefusal.bounds(minimum, maximum)
            )
        case .expired(let now, _):
            self.init(
                name: "expirationUnixTimestampSec",
                code: .valueOutOfRange,
                reason: "Must be in the future; it is \(now) now"
            )
        case .feeRecipient(let expected):
            self.init(
                name: "feeRecipient",
                code: .addressNotSupported,
                reason: "Must be \(expected.lowercaseHex), as POST /fees answers"
            )
        case .makerFee(let expected):
            self.init(
                name: "makerFee",
                code: .valueOutOfRange,
                reason: "Must be \(expected), as POST /fees answers"
            )
        case .takerFee(let expected):
            self.init(
                name: "takerFee",
                code: .valueOutOfRange,
                reason: "Must be \(expected), as POST /fees answers"
            )
        case .zeroMaker:
            self.init(
                name: "maker",
                code: .invalidAddress,
                reason: "Must not be the zero address"
            )
        case .badSignature:
            self.init(
                name: "ecSignature",
                code: .invalidSignatureOrHash,
                reason: "The signature was not made by the maker over this order's hash"
            )
        case .usedUp:
            self.init(
                name: "takerTokenAmount",
                code: .valueOutOfRange,
                reason: "The order is filled or cancelled: nothing is left of it"
            )
        case .shortage(let shortage): self.init(shortage)
        }
    }

    private init(_ shortage: OrderAudit.Shortage) {
        let (name, what, needed, found) =
            switch shortage {
            case .balance(let needed, let found):
                ("makerTokenAmount", "balance of the maker token", needed, found)
            case .allowance(let needed, let found):
                ("makerTokenAmount", "allowance of the maker token to the proxy", needed, found)
            case .feeBalance(let needed, let found):
                ("makerFee", "balance of the fee token", needed, found)
            case .feeAllowance(let needed, let found):
                ("makerFee", "allowance of the fee token to the proxy", needed, found)
            }
        self.init(
            name: name,
            code: .valueOutOfRange,
            reason: "The maker's \(what) is \(found), but the order needs \(needed)"
        )
    }
}
