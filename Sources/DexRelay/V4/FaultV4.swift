import HTTPTypes

/// An error answer of API v4; only HTTP 400 carries a code.
///
/// Source: docs/protocol/relay-api-v4.md, section 5.
struct FaultV4: RelayFault, Hashable {
    let status: HTTPResponse.Status
    let code: FaultCode?
    let reason: String
    var fields: [FaultField] = []
    var retryAfter: Int?

    static let notFound = FaultV4(status: .notFound, reason: "Not Found")

    static func validation(_ fields: [FaultField]) -> FaultV4 {
        FaultV4(
            status: .badRequest,
            code: .validationFailed,
            reason: "Validation Failed",
            fields: fields
        )
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
        FaultV4(
            status: status,
            code: code,
            reason: fields.isEmpty ? "Order \(index): \(reason)" : reason,
            fields: fields.map {
                FaultField(name: "[\(index)].\($0.name)", code: $0.code, reason: $0.reason)
            },
            retryAfter: retryAfter
        )
    }
}

extension FaultV4 {
    init(status: HTTPResponse.Status, reason: String) {
        let code: FaultCode? = status == .badRequest ? .validationFailed : nil
        self.init(status: status, code: code, reason: reason)
    }
}
