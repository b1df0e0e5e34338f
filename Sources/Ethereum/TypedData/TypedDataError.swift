/// The reason why something is not EIP-712 typed data.
///
/// External texts are unchanged: strip control characters before showing them.
public enum TypedDataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem with one value.
    public enum Problem: Hashable, Sendable {
        case missing
        /// A member that its struct lacks.
        case unknown
        case wrongCount(expected: Int, found: Int)
        /// A description without a full stop.
        case mismatch(String)
    }

    case malformedType(String)
    case malformedName(String)
    case repeatedMember(String, structure: String)
    case repeatedStruct(String)
    case unknownStruct(String)
    case recursiveStruct(String)
    case tooDeep
    case tooManyTypes
    /// `types.EIP712Domain` is missing or differs from the standard.
    case malformedDomain
    /// A problem at a path such as `message.orders[3].maker`.
    case value(path: String, Problem)

    /// The same error with one more step before its path; `[3]` follows a name without a dot.
    func within(_ step: String) -> TypedDataError {
        guard case .value(let path, let problem) = self else { return self }
        let isJoined = path.isEmpty || path.hasPrefix("[")
        return .value(path: "\(step.excerpt)\(isJoined ? "" : ".")\(path)", problem)
    }

    /// Runs a body; its error gets one more step before its path.
    static func within<Value>(
        _ step: @autoclosure () -> String,
        _ body: () throws(TypedDataError) -> Value
    ) throws(TypedDataError) -> Value {
        do throws(TypedDataError) {
            return try body()
        } catch {
            throw error.within(step())
        }
    }

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .malformedType(let text):
            "\(text.quotedExcerpt) is not a type of EIP-712: uint256, bytes32, address, string or the "
                + "name of a struct is expected, with [] or [3] behind it for arrays."
        case .malformedName(let text):
            "\(text.quotedExcerpt) cannot name a struct or a member: letters, digits, _ and $ are "
                + "expected, no digit in front, and for a struct no name of a type of Solidity."
        case .repeatedMember(let name, let structure):
            "The struct \(structure.shownName) has two members \(name.shownName)."
        case .repeatedStruct(let name): "There are two structs \(name.shownName)."
        case .unknownStruct(let name): "The struct \(name.shownName) is not among the types."
        case .recursiveStruct(let name):
            "The struct \(name.shownName) is within itself, which EIP-712 leaves undefined."
        case .tooDeep:
            "The types are nested more than \(ABIType.maximumDepth) deep."
        case .tooManyTypes:
            "There are more than \(TypedDataTypes.maximumCount) structs, one has more than "
                + "\(TypedDataTypes.maximumMembers) members, or all are longer than "
                + "\(TypedDataTypes.maximumText) bytes."
        case .malformedDomain:
            "The types must have EIP712Domain with any of string name, string version, uint256 "
                + "chainId, address verifyingContract and bytes32 salt, in this order."
        case .value(let path, let problem):
            switch problem {
            case .missing: "The typed data has no \(path)."
            case .unknown: "The typed data has a member that its type does not have: \(path)."
            case .wrongCount(let expected, let found):
                "The typed data's \(path) has \(found) elements instead of \(expected)."
            case .mismatch(let reason):
                "The typed data\(path.isEmpty ? "" : "'s \(path)") is not valid: \(reason)."
            }
        }
    }
}
