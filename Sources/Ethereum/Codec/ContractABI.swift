public import StrictJSON

/// The functions and errors of a contract, as its compiler describes them in JSON.
///
/// Source: https://docs.soliditylang.org/en/latest/abi-spec.html#json
public struct ContractABI: Hashable, Sendable {
    /// The most entries of an ABI; large contracts have some hundreds.
    public static let maximumEntries = 10_000

    /// In the order of the file, each signature once.
    public let functions: [ABISignature]
    /// The contract's own errors, each signature once.
    public let errors: [ABISignature]

    /// Reads an array of entries, or a compiler's artifact: an object with such an array as `abi`.
    ///
    /// A function or an error with a type that the contract ABI of this module does not have, such
    /// as `function` or `fixed128x18`, is left out. Other kinds of entries are skipped.
    ///
    /// - Throws: `ABIError.malformedABI`.
    public init(_ json: JSONValue) throws(ABIError) {
        guard let entries = json.arrayValue ?? json["abi"]?.arrayValue else {
            throw .malformedABI(
                "an array of a contract's functions is expected, or an object that has it as abi"
            )
        }
        guard entries.count <= Self.maximumEntries else {
            throw .malformedABI("it has more than \(Self.maximumEntries) entries")
        }
        var functions: [ABISignature] = []
        var errors: [ABISignature] = []
        var seen: Set<String> = []
        for (index, entry) in entries.enumerated() {
            guard entry.objectValue != nil else {
                throw .malformedABI("entry \(index + 1) is no object")
            }
            // Early compilers leave the kind of a function out.
            let kind = entry["type"] == nil ? "function" : entry["type"]?.stringValue
            guard kind == "function" || kind == "error" else { continue }
            guard let signature = Self.signature(entry),
                seen.insert("\(kind ?? "") \(signature.function.signature)").inserted
            else { continue }
            if kind == "error" {
                errors.append(signature)
            } else {
                functions.append(signature)
            }
        }
        self.functions = functions
        self.errors = errors
    }

    /// The error whose selector a revert's data begins with, and its arguments.
    ///
    /// nil if the ABI has no such error, or the data does not fit it.
    public func error(in data: [UInt8]) -> (error: ABISignature, arguments: [ABIValue])? {
        guard data.count >= 4 else { return nil }
        for error in errors where error.function.selector.elementsEqual(data.prefix(4)) {
            let arguments = try? ABI.decode(  // nil: another contract's error
                data[4...],
                as: error.function.inputs,
                allowsTrailingBytes: true
            )
            if let arguments { return (error, arguments) }
        }
        return nil
    }

    /// The signature of an entry; nil if it is not one that can be called.
    private static func signature(_ entry: JSONValue) -> ABISignature? {
        guard let name = entry["name"]?.stringValue, isIdentifier(name),
            let inputs = parameters(entry["inputs"], depth: 0),
            let outputs = parameters(entry["outputs"] ?? [], depth: 0)
        else { return nil }
        // The same parser reads what users type.
        return try? ABISignature("\(name)\(inputs)\(outputs == "()" ? "" : outputs)")  // nil: odd
    }

    /// Types with names, in parentheses; nil if one is malformed.
    private static func parameters(_ json: JSONValue?, depth: Int) -> String? {
        guard let list = (json ?? []).arrayValue, depth <= ABIType.maximumDepth else { return nil }
        var texts: [String] = []
        for parameter in list {
            guard let type = parameter["type"]?.stringValue,
                let text = self.type(type, parameter["components"], depth: depth)
            else { return nil }
            // A name that is none is the contract's own matter: the type alone is enough.
            let name = parameter["name"]?.stringValue ?? ""
            texts.append(isIdentifier(name) ? "\(text) \(name)" : text)
        }
        return "(\(texts.joined(separator: ",")))"
    }

    private static func type(_ type: String, _ components: JSONValue?, depth: Int) -> String? {
        guard type.utf8.starts(with: "tuple".utf8) else {
            let isPlain = type.utf8.allSatisfy { byte in
                byte.isIdentifierPart || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            }
            return isPlain && !type.isEmpty ? type : nil
        }
        guard let members = parameters(components, depth: depth + 1) else { return nil }
        return members + type.dropFirst("tuple".count)
    }

    private static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.count <= 200 && text.utf8.allSatisfy(\.isIdentifierPart)
    }
}
