import Ethereum
import EthereumWallet
import StrictJSON
import Testing

import struct Foundation.Data
import struct Foundation.URL

/// The bytes of digits that a test is sure of, without `0x`.
func hex(_ digits: String) throws -> [UInt8] {
    try Hex.decode("0x" + digits)
}

/// Digits without `0x`.
func digits(_ secret: borrowing SecretBytes) -> String {
    String(secret.withBytes { Hex.encode($0) }.dropFirst(2))
}

/// The text of secret bytes.
func text(_ secret: borrowing SecretBytes) -> String {
    secret.withBytes { String(decoding: $0, as: UTF8.self) }
}

/// A text as secret bytes.
func secret(_ text: String) -> SecretBytes {
    SecretBytes(copying: text.utf8)
}

/// The key of a signer, as digits.
func key(of signer: PrivateKeySigner) -> String {
    signer.withSecret { digits($0) }
}

/// The vectors of a file that scripts/make-wallet-vectors.py made.
func vectors(_ name: String, file: String = #filePath) throws -> [Vector] {
    let folder = URL(fileURLWithPath: file)
        .deletingLastPathComponent().deletingLastPathComponent()
    let url = folder.appendingPathComponent("Vectors/\(name).json")
    let json = try JSONParser.parse(Array(Data(contentsOf: url)))
    let vectors = try #require(json["vectors"]?.arrayValue)
    try #require(!vectors.isEmpty)
    return vectors.map { Vector(json: $0) }
}

/// One vector of such a file.
struct Vector {
    let json: JSONValue

    func text(_ key: String) throws -> String {
        try #require(json[key]?.stringValue, "no text in \(key)")
    }

    func number(_ key: String) throws -> Int {
        try #require(json[key]?.numberText.flatMap { Int($0) }, "no number in \(key)")
    }
}
