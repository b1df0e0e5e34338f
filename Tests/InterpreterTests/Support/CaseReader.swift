import EVM
import Ethereum
import StrictJSON

/// Reads what a line of a vector file says, and what it leaves out because it is as always.
struct CaseReader {
    private let line: JSONValue

    init(_ line: JSONValue) { self.line = line }

    func text(_ key: String) throws -> String {
        guard let text = line[key]?.stringValue else {
            throw CaseError(description: "no text at \(key)")
        }
        return text
    }

    func list(_ key: String) throws -> [JSONValue] {
        line[key]?.arrayValue ?? []
    }

    func integer(_ key: String) throws -> UInt64 {
        guard let text = line[key]?.numberText, let number = UInt64(text) else {
            throw CaseError(description: "no number at \(key)")
        }
        return number
    }

    func bytes(_ key: String) throws -> [UInt8] {
        try line[key].map(Self.bytes) ?? []
    }

    func number(_ key: String) throws -> UInt256 {
        guard let value = line[key] else { throw CaseError(description: "no number at \(key)") }
        return try Self.number(value)
    }

    /// What follows the call data: long creations are mostly zeros.
    private func zeros() throws -> [UInt8] {
        guard line["zeros"] != nil else { return [] }
        return Array(repeating: 0, count: Int(try integer("zeros")))
    }

    /// The transaction.
    func message(_ world: CaseWorld) throws -> Message {
        func number(_ key: String, _ usual: UInt256) throws -> UInt256 {
            try line[key].map(Self.number) ?? usual
        }
        let to: Address? =
            switch line["to"] {
            case nil: world.contract
            case .null?: nil
            case let value?: try Address(try Self.text(value))
            }
        var message = Message(
            sender: try line["from"].map { try Address(try Self.text($0)) } ?? world.sender,
            to: to,
            nonce: try number("nonce", 5).w0,
            value: Wei(try number("value", .zero)),
            data: try bytes("data") + zeros(),
            gasLimit: line["gas"] == nil ? 500_000 : try integer("gas"),
            maxFee: Wei(try number("maxFee", 1_000)),
            tip: try line["tip"].map { Wei(try Self.number($0)) }
        )
        message.accessList = try list("access").map { entry in
            let parts = entry.arrayValue ?? []
            return AccessListEntry(
                address: try Address(try Self.text(parts[0])),
                storageKeys: try (parts[1].arrayValue ?? []).map { try Self.number($0).word }
            )
        }
        if let blobs = line["blobs"]?.arrayValue {
            message.blobs = Message.Blobs(
                hashes: try blobs.map { Bytes32(bytes: try Self.bytes($0)) ?? .zero },
                maxFee: Wei(try number("blobFee", .zero))
            )
        }
        message.authorizations = try line["authorizations"]?.arrayValue?.map(Self.authorization)
        return message
    }

    private static func authorization(_ value: JSONValue) throws -> Message.Authorization {
        let parts = value.arrayValue ?? []
        guard parts.count == 4 else { throw CaseError(description: "no authorization") }
        return Message.Authorization(
            chainID: try number(parts[0]),
            delegate: try Address(try text(parts[1])),
            nonce: try number(parts[2]).w0,
            signer: try parts[3].stringValue.map { try Address($0) }
        )
    }

    // MARK: Values

    static func text(_ value: JSONValue) throws -> String {
        guard let text = value.stringValue else { throw CaseError(description: "no text") }
        return text
    }

    static func bytes(_ value: JSONValue) throws -> [UInt8] {
        try Hex.decode("0x" + text(value))
    }

    /// Hexadecimal digits behind 0x.
    static func number(_ value: JSONValue) throws -> UInt256 {
        let text = try text(value)
        let digits = text.dropFirst(2)
        let padded = digits.count % 2 == 0 ? String(digits) : "0" + digits
        guard let number = UInt256(bigEndian: try Hex.decode("0x" + padded)) else {
            throw CaseError(description: "\(text) is no word")
        }
        return number
    }

    static func decimal(_ value: JSONValue) throws -> UInt256 {
        guard let text = value.numberText, let number = UInt64(text) else {
            throw CaseError(description: "no number")
        }
        return UInt256(number)
    }

    static func words(_ value: JSONValue) throws -> [UInt256: UInt256] {
        var words: [UInt256: UInt256] = [:]
        for member in value.objectValue?.members ?? [] {
            words[try number(.string(member.key))] = try number(member.value)
        }
        return words
    }
}
