import StrictJSON

/// The problem with one member of a request.
struct FaultField: Hashable, Sendable {
    enum Code: Int {
        case required = 1000
        case incorrectFormat = 1001
        /// Only in API v0.
        case invalidAddress = 1002
        case addressNotSupported = 1003
        case valueOutOfRange = 1004
        case invalidSignatureOrHash = 1005
        case unsupportedOption = 1006
        /// Only in API v4.
        case invalidOrder = 1007
    }

    let name: String
    let code: Code
    let reason: String

    static func incorrect(_ name: String, _ reason: String) -> FaultField {
        FaultField(name: name, code: .incorrectFormat, reason: reason)
    }

    static func outOfRange(_ name: String, _ reason: String) -> FaultField {
        FaultField(name: name, code: .valueOutOfRange, reason: reason)
    }

    var json: JSONValue {
        ["field": .string(name), "code": .integer(code.rawValue), "reason": .string(reason)]
    }
}
