import Ethereum
import StrictJSON
import Testing

import struct Foundation.Data
import struct Foundation.URL

/// The bytes of digits that a test is sure of.
func hex(_ digits: String) throws -> [UInt8] {
    try Hex.decode(digits.hasPrefix("0x") ? digits : "0x" + digits)
}

/// A JSON file in `Vectors`.
func vectors(_ name: String, file: String = #filePath) throws -> JSONValue {
    let folder = URL(fileURLWithPath: file)
        .deletingLastPathComponent().deletingLastPathComponent()
    let url = folder.appendingPathComponent("Vectors/\(name).json")
    return try JSONParser.parse(Array(Data(contentsOf: url)))
}

extension JSONValue {
    /// The text or the number's literal of a member.
    func text(_ key: String) throws -> String {
        let member = self[key]
        return try #require(member?.stringValue ?? member?.numberText, "no text in \(key)")
    }

    /// The text that the value must be.
    func string() throws -> String {
        try #require(stringValue, "no text: \(self)")
    }

    /// A member that must be there.
    func member(_ key: String) throws -> JSONValue {
        try #require(self[key], "no member \(key)")
    }

    /// The elements of a member.
    func list(_ key: String) throws -> [JSONValue] {
        try #require(self[key]?.arrayValue, "no array in \(key)")
    }
}
