/// A contract function with the names of its arguments and results, if the signature has them.
public struct ABISignature: Hashable, Sendable {
    /// The function: its name and types.
    public let function: ABIFunction
    /// The name of each argument; nil if it has none.
    public let inputNames: [String?]
    /// The name of each result; nil if it has none.
    public let outputNames: [String?]

    /// A function from its signature as tools and Solidity write it:
    /// `balanceOf(address)(uint256)`, `fill((address maker, uint256 amount)[] orders)`, or
    /// `function balanceOf(address owner) external view returns (uint256)`.
    ///
    /// Types are those of `ABIFunction`; `tuple` is allowed before a tuple's parenthesis.
    ///
    /// - Throws: `ABIError.malformedSignature`.
    public init(_ text: String) throws(ABIError) {
        var reader = ABISignatureReader(text)
        try reader.readName()
        inputNames = try reader.parameters(depth: 0)
        outputNames = try reader.results()
        do {
            function = try ABIFunction(reader.canonical)
        } catch {
            throw .malformedSignature(text)
        }
    }
}

/// Reads a signature from left to right and rewrites it without names, spaces and keywords.
private struct ABISignatureReader {
    private static let longest = 20_000
    private static let places = ["memory", "calldata", "storage", "indexed", "payable"]
    private static let attributes = [
        "external", "public", "view", "pure", "payable", "nonpayable", "constant", "virtual",
        "override",
    ]

    private let text: String
    private let characters: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    init(_ text: String) {
        self.text = text
        characters = Array(text.utf8)
    }

    /// The text read so far, in the form that `ABIFunction` takes.
    var canonical: String {
        String(decoding: output, as: UTF8.self)
    }

    private var malformed: ABIError {
        .malformedSignature(text)
    }

    mutating func readName() throws(ABIError) {
        guard characters.count <= Self.longest else { throw malformed }
        var name = word()
        if name == "function", next != UInt8(ascii: "(") { name = word() }
        output += Array(name.utf8)
    }

    /// Types in parentheses, and the names after them.
    mutating func parameters(depth: Int) throws(ABIError) -> [String?] {
        guard depth <= ABIType.maximumDepth, take(UInt8(ascii: "(")) else { throw malformed }
        var names: [String?] = []
        if take(UInt8(ascii: ")")) { return names }
        repeat {
            names.append(try parameter(depth: depth))
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: ")")) else { throw malformed }
        return names
    }

    /// The results after the attributes; empty if there are none.
    mutating func results() throws(ABIError) -> [String?] {
        var returns = false
        while !returns, let character = next, character != UInt8(ascii: "("),
            character != UInt8(ascii: ";")
        {
            let attribute = word()
            returns = attribute == "returns"
            guard returns || Self.attributes.contains(attribute) else { throw malformed }
        }
        var names: [String?] = []
        if next == UInt8(ascii: "(") {
            names = try parameters(depth: 0)
        } else if returns {
            throw malformed
        }
        // The semicolon of a Solidity declaration.
        if next == UInt8(ascii: ";") { position += 1 }
        guard next == nil else { throw malformed }
        return names
    }

    private mutating func parameter(depth: Int) throws(ABIError) -> String? {
        if next == UInt8(ascii: "(") {
            _ = try parameters(depth: depth + 1)
        } else {
            let type = word()
            if type == "tuple", next == UInt8(ascii: "(") {
                _ = try parameters(depth: depth + 1)
            } else {
                output += Array(type.utf8)
            }
        }
        while take(UInt8(ascii: "[")) {
            output += Array(word().utf8)
            guard take(UInt8(ascii: "]")) else { throw malformed }
        }
        var name: String?
        while let character = next, character.isIdentifierPart {
            let word = word()
            if Self.places.contains(word) { continue }
            guard name == nil else { throw malformed }
            name = word
        }
        return name
    }

    /// The next character that is no white space; nil at the end.
    private var next: UInt8? {
        mutating get {
            while position < characters.count,
                [0x20, 0x09, 0x0A, 0x0D].contains(characters[position])
            {
                position += 1
            }
            return position < characters.count ? characters[position] : nil
        }
    }

    /// Takes a character and copies it; false if another one is next.
    private mutating func take(_ character: UInt8) -> Bool {
        guard next == character else { return false }
        position += 1
        output.append(character)
        return true
    }

    /// Letters, digits, `_` and `$`; empty if something else is next.
    private mutating func word() -> String {
        guard next != nil else { return "" }
        let start = position
        while position < characters.count, characters[position].isIdentifierPart {
            position += 1
        }
        return String(decoding: characters[start..<position], as: UTF8.self)
    }
}
