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

    let status: HTTPResponse.Status
    let code: Code?
    let reason: String
    let fields: [FaultField]
    var retryAfter: Int?

    private init(
        _ status: HTTPResponse.Status,
        _ code: Code?,
        _ reason: String,
        _ fields: [FaultField] = []
    ) {
        self.status = status
        self.code = code
        self.reason = reason
        self.fields = fields
    }

    init(status: HTTPResponse.Status, reason: String) {
        self.init(status, status == .badRequest ? .validationFailed : nil, reason)
    }

    static let notFound = FaultV4(status: .notFound, reason: "Not Found")
    static let submissionDisabled = FaultV4(
        .badRequest,
        .submissionDisabled,
        "Order submission disabled"
    )

    static func malformedJSON(_ reason: String) -> FaultV4 {
        FaultV4(.badRequest, .malformedJSON, reason)
    }

    static func validation(_ fields: [FaultField]) -> FaultV4 {
        FaultV4(.badRequest, .validationFailed, "Validation Failed", fields)
    }

    static func required(_ name: String) -> FaultField {
        FaultField(
            name: name,
            code: .required,
            reason: "should have required property '\(name)'"
        )
    }

    /// The same for one of several orders: its index precedes the fields, `[3].expiry`.
    func about(_ index: Int) -> FaultV4 {
        var fault = FaultV4(
            status,
            code,
            fields.isEmpty ? "Order \(index): \(reason)" : reason,
            fields.map {
                FaultField(name: "[\(index)].\($0.name)", code: $0.code, reason: $0.reason)
            }
        )
        fault.retryAfter = retryAfter
        return fault
    }

    var json: JSONValue {
        var object = JSONObject()
        object["code"] = code.map { .integer($0.rawValue) }
        object["reason"] = .string(reason)
        if !fields.isEmpty { object["validationErrors"] = .array(fields.map(\.json)) }
        return .object(object)
    }
}
