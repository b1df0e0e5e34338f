import HTTPTypes
import StrictJSON

/// An error answer of API v4; only HTTP 400 carries a code.
///
/// Source: docs/protocol/relay-api-v4.md, section 5.
struct FaultV4: RelayFault, Hashable {
    enum Code: Int {
        case validationFailed = 100
        case malformedJSON = 101
        case submissionDisabled = 102
    }

    enum FieldCode: Int {
        case required = 1000
        case incorrectFormat = 1001
        case addressNotSupported = 1003
        case valueOutOfRange = 1004
        case invalidSignatureOrHash = 1005
        case unsupportedOption = 1006
        case invalidOrder = 1007
    }

    struct Field: Hashable {
        let name: String
        let code: FieldCode
        let reason: String

        static func required(_ name: String) -> Field {
            Field(
                name: name,
                code: .required,
                reason: "should have required property '\(name)'"
            )
        }
    }

    let status: HTTPResponse.Status
    let code: Code?
    let reason: String
    let fields: [Field]

    private init(
        _ status: HTTPResponse.Status,
        _ code: Code?,
        _ reason: String,
        _ fields: [Field] = []
    ) {
        self.status = status
        self.code = code
        self.reason = reason
        self.fields = fields
    }

    init(status: HTTPResponse.Status, reason: String) {
        self.init(status, status == .badRequest ? .validationFailed : nil, reason)
    }

    static let throttled = FaultV4(status: .tooManyRequests, reason: "Throttled")
    static let notFound = FaultV4(status: .notFound, reason: "Not Found")
    static let submissionDisabled = FaultV4(
        .badRequest,
        .submissionDisabled,
        "Order submission disabled"
    )

    static func malformedJSON(_ reason: String) -> FaultV4 {
        FaultV4(.badRequest, .malformedJSON, reason)
    }

    /// 400 with the invalid fields.
    static func validation(_ fields: [Field]) -> FaultV4 {
        FaultV4(.badRequest, .validationFailed, "Validation Failed", fields)
    }

    /// 400 with one invalid field.
    static func validation(_ name: String, _ code: FieldCode, _ reason: String) -> FaultV4 {
        validation([Field(name: name, code: code, reason: reason)])
    }

    /// The same for one of several orders: its index precedes the fields, `[3].expiry`.
    func about(_ index: Int) -> FaultV4 {
        FaultV4(
            status,
            code,
            fields.isEmpty ? "Order \(index): \(reason)" : reason,
            fields.map { Field(name: "[\(index)].\($0.name)", code: $0.code, reason: $0.reason) }
        )
    }

    var json: JSONValue {
        var object = JSONObject()
        object["code"] = code.map { .integer($0.rawValue) }
        object["reason"] = .string(reason)
        if !fields.isEmpty {
            object["validationErrors"] = .array(
                fields.map {
                    [
                        "field": .string($0.name), "code": .integer($0.code.rawValue),
                        "reason": .string($0.reason),
                    ]
                }
            )
        }
        return .object(object)
    }
}
