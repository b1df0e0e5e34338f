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

    /// A member that must be there.
    func member(_ key: String) throws -> JSONValue {
        try #require(self[key], "no member \(key)")
    }

    /// The elements of a member.
    func list(_ key: String) throws -> [JSONValue] {
        try #require(self[key]?.arrayValue, "no array in \(key)")
    }
}

/// A small generator with a fixed seed, so that a failure can be repeated.
///
/// Source: https://prng.di.unimi.it/splitmix64.c
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
