import Ethereum
import StrictJSON

extension FuzzTarget {
    /// EIP-712 typed data as wallets are sent it: what is read has the hash that a second, slow
    /// reader of the standard makes, and is written and read again the same.
    static let typedData = FuzzTarget(
        "typed-data",
        maximumLength: 4_096,
        seeds: TypedDataTarget.seeds
    ) { input in
        guard let json = try? JSONParser.parse(input) else { return }
        let data: TypedData
        do throws(TypedDataError) {
            data = try TypedData(json: json)
        } catch {
            let sentence = error.description
            try require(sentence.utf8.count < 16_000, "a refusal of \(sentence.utf8.count) bytes")
            try require(sentence.hasSuffix("."), "a refusal is no sentence: \(sentence)")
            return
        }
        try requireEqual(try TypedData(json: data.json), data, "typed data is read as written")
        let hashes = TypedDataTarget(json)
        guard let message = json["message"], let domain = json["domain"] else {
            throw Violation("typed data without a message or a domain was read")
        }
        try requireEqual(
            data.domain.separator.bytes,
            try hashes.hash(domain, of: "EIP712Domain"),
            "the hash of a domain"
        )
        try requireEqual(
            data.digest.bytes,
            Keccak256.hash(
                [0x19, 0x01] + data.domain.separator.bytes
                    + (try hashes.hash(message, of: data.primaryType))
            ).bytes,
            "the hash of typed data"
        )
    }
}

/// The standard read word by word, over JSON alone, of what was accepted.
///
/// Types are texts that are taken apart where they are met.
private struct TypedDataTarget {
    private let types: JSONObject

    init(_ json: JSONValue) {
        types = json["types"]?.objectValue ?? JSONObject()
    }

    func hash(_ value: JSONValue, of name: String) throws -> [UInt8] {
        var bytes = Keccak256.hash(encodedType(name).utf8).bytes
        for member in members(name) {
            guard let part = value[member.name] else { throw Violation("\(member) is missing") }
            bytes += try word(part, member.type)
        }
        return Keccak256.hash(bytes).bytes
    }

    private func members(_ name: String) -> [(name: String, type: String)] {
        (types[name]?.arrayValue ?? []).map {
            ($0["name"]?.stringValue ?? "", $0["type"]?.stringValue ?? "")
        }
    }

    private func encodedType(_ name: String) -> String {
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            for member in members(next) {
                let base = String(member.type.prefix { $0 != "[" })
                if types[base] != nil, found.insert(base).inserted { open.append(base) }
            }
        }
        return ([name] + found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
            .map { name in
                let list = members(name).map { "\($0.type) \($0.name)" }
                return "\(name)(\(list.joined(separator: ",")))"
            }
            .joined()
    }

    private func word(_ value: JSONValue, _ type: String) throws -> [UInt8] {
        if type.hasSuffix("]"), let bracket = type.lastIndex(of: "[") {
            let element = String(type[..<bracket])
            let words = try (value.arrayValue ?? []).flatMap { try word($0, element) }
            return Keccak256.hash(words).bytes
        }
        if types[type] != nil { return try hash(value, of: type) }
        let text = value.stringValue ?? value.numberText ?? ""
        switch type {
        case "bool": return UInt256(value.boolValue == true ? 1 : 0).bigEndianBytes
        case "string": return Keccak256.hash(text.utf8).bytes
        case "bytes": return Keccak256.hash(try Hex.decode(text)).bytes
        case "address": return try Address(lenient: text).word.bytes
        default: break
        }
        if type.hasPrefix("bytes") {
            let bytes = try Hex.decode(text)
            return bytes + Array(repeating: 0, count: 32 - bytes.count)
        }
        let digits = text.hasPrefix("-") ? String(text.dropFirst()) : text
        guard let size = UInt256(decimal: digits) ?? UInt256(quantity: digits) else {
            throw Violation("\(text) was read as \(type)")
        }
        return (text.hasPrefix("-") ? .zero &- size : size).bigEndianBytes
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let domains = [
            TypedDataDomain(),
            TypedDataDomain(name: "Mail", version: "1", chainID: 1, verifyingContract: .zero),
            TypedDataDomain(salt: UInt256(7).word),
        ]
        let person = ABIValue.tuple([.string("Cow"), .array([.address(.zero), .address(.zero)])])
        let cases: [([TypedDataStruct], ABIValue)] = [
            ([try TypedDataStruct("A", [])], .tuple([])),
            (
                [
                    try TypedDataStruct(
                        "Mail",
                        [("from", "Person"), ("to", "Person[]"), ("text", "string")]
                    ),
                    try TypedDataStruct("Person", [("name", "string"), ("wallets", "address[2]")]),
                ],
                .tuple([person, .array([person, person]), .string("é\"\\")])
            ),
            (
                [
                    try TypedDataStruct(
                        "All",
                        [
                            ("a", "uint8"), ("b", "int256"), ("c", "bool"), ("d", "bytes4"),
                            ("e", "bytes"), ("f", "uint256[2][]"), ("g", "B"),
                        ]
                    ),
                    try TypedDataStruct("B", [("c", "C")]),
                    try TypedDataStruct("C", [("n", "bytes32")]),
                ],
                .tuple([
                    .uint(255), .int(.max), .bool(true), .fixedBytes([1, 2, 3, 4]), .bytes([5]),
                    .array([.array([.uint(1), .uint(.max)])]),
                    .tuple([.tuple([.word(UInt256(9).word)])]),
                ])
            ),
        ]
        var seeds: [[UInt8]] = []
        for (structures, message) in cases {
            for domain in domains {
                let data = try TypedData(
                    types: TypedDataTypes(structures),
                    primaryType: structures.first?.name ?? "",
                    domain: domain,
                    message: message
                )
                seeds.append(data.json.utf8)
            }
        }
        return seeds
    }
}
