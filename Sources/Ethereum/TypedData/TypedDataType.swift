/// The type of a member of EIP-712 typed data: an atomic type or a struct, or arrays of one.
///
/// Source: https://eips.ethereum.org/EIPS/eip-712, "Definition of typed structured data"
public struct TypedDataType: Hashable, Sendable {
    /// The type before the brackets.
    enum Base: Hashable, Sendable {
        /// A number, a boolean, an address, a byte string or a text.
        case atomic(ABIType)
        /// A struct, by its name.
        case structure(String)
    }

    let base: Base
    /// The length of each array, the innermost first; nil is any length.
    let dimensions: [Int?]

    /// A type from its name, such as `uint256`, `Person` or `bytes32[2][]`.
    ///
    /// `uint` and `int` are refused: EIP-712 has no such aliases and hashes a type as written.
    ///
    /// Example: `try TypedDataType("bytes32[2][]").name` is `bytes32[2][]`.
    ///
    /// - Throws: `TypedDataError.malformedType`.
    public init(_ name: String) throws(TypedDataError) {
        let parts = name.utf8.split(
            separator: UInt8(ascii: "["),
            maxSplits: ABIType.maximumDepth,
            omittingEmptySubsequences: false
        )
        guard parts.count <= ABIType.maximumDepth, let first = parts.first else {
            throw .malformedType(name)
        }
        var dimensions: [Int?] = []
        for part in parts.dropFirst() {
            guard part.last == UInt8(ascii: "]") else { throw .malformedType(name) }
            let digits = part.dropLast()
            if digits.isEmpty {
                dimensions.append(nil)
            } else {
                guard let count = Self.number(digits) else { throw .malformedType(name) }
                dimensions.append(count)
            }
        }
        let word = String(Substring(first))
        if let type = Self.atomic(word) {
            base = .atomic(type)
        } else {
            guard Self.isStructName(word) else { throw .malformedType(name) }
            base = .structure(word)
        }
        self.dimensions = dimensions
    }

    /// The struct before the brackets; nil for an atomic type.
    public var structName: String? {
        guard case .structure(let name) = base else { return nil }
        return name
    }

    /// The type in its hashed form.
    public var name: String {
        let word =
            switch base {
            case .atomic(let type): type.name
            case .structure(let name): name
            }
        return dimensions.reduce(word) { $0 + "[\($1.map(String.init) ?? "")]" }
    }

    /// A Solidity identifier: letters, digits, `_` and `$`, not starting with a digit.
    ///
    /// Any other text could forge members in the hashed text.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy(\.isIdentifierPart)
    }

    /// An identifier that is not a Solidity type, including types that EIP-712 lacks.
    static func isStructName(_ text: String) -> Bool {
        guard isIdentifier(text), !reserved.contains(text) else { return false }
        let word = text.utf8.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let rest = text.utf8.dropFirst(word.count)
        let isSized = sized.contains(String(Substring(word)))
        return !isSized || !rest.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static let reserved: Set<String> = [
        "bool", "address", "string", "function", "mapping", "fixed", "ufixed",
        TypedDataDomain.typeName,
    ]
    private static let sized: Set<String> = ["uint", "int", "bytes"]

    private static func atomic(_ word: String) -> ABIType? {
        switch word {
        case "bool": return .bool
        case "address": return .address
        case "string": return .string
        case "bytes": return .bytes
        default: break
        }
        let letters = word.utf8.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        guard let size = number(word.utf8.dropFirst(letters.count)) else { return nil }
        let type: ABIType
        switch String(Substring(letters)) {
        case "uint": type = .uint(size)
        case "int": type = .int(size)
        case "bytes": type = .fixedBytes(size)
        default: return nil
        }
        // Rejects uint7 and bytes33.
        return (try? type.headSize()) == nil ? nil : type
    }

    /// A number above zero without a leading zero, nine digits at most.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard digits.count <= 9, digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(Substring(digits))
    }
}
