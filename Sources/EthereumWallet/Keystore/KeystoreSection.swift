import Ethereum
import StrictJSON

/// An object of a keystore's JSON; errors name its missing and malformed members.
struct KeystoreSection {
    /// The path for messages: empty for the whole file, else `crypto.` and the like.
    private let path: String
    let object: JSONObject

    init(_ object: JSONObject, path: String = "") {
        self.object = object
        self.path = path
    }

    private func member(_ key: String) throws(KeystoreError) -> JSONValue {
        guard let value = object[key] else { throw .damaged("it has no \(path)\(key)") }
        return value
    }

    func section(_ key: String) throws(KeystoreError) -> KeystoreSection {
        guard let inner = try member(key).objectValue else {
            throw .damaged("\(path)\(key) is no object")
        }
        return KeystoreSection(inner, path: "\(path)\(key).")
    }

    func text(_ key: String) throws(KeystoreError) -> String {
        guard let text = try member(key).stringValue else {
            throw .damaged("\(path)\(key) is no text")
        }
        return text
    }

    /// A non-negative integer.
    func integer(_ key: String) throws(KeystoreError) -> Int {
        guard let text = try member(key).numberText,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw .damaged("\(path)\(key) is no whole number")
        }
        guard let value = Int(text) else {
            throw .unreasonable("its \(path)\(key) has \(text.utf8.count) digits")
        }
        return value
    }

    /// Hexadecimal digits, with or without `0x`.
    func bytes(_ key: String) throws(KeystoreError) -> [UInt8] {
        let text = try text(key)
        let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text : "0x" + text
        do {
            return try Hex.decode(digits)
        } catch {
            throw .damaged("\(path)\(key) is not hexadecimal bytes")
        }
    }

    /// Hexadecimal digits of this many bytes.
    func bytes(_ key: String, count: Int) throws(KeystoreError) -> [UInt8] {
        let bytes = try bytes(key)
        guard bytes.count == count else {
            throw .damaged("\(path)\(key) has \(bytes.count) bytes, not \(count)")
        }
        return bytes
    }
}

extension Hex {
    /// Lower-case digits without `0x`, the form in keystores.
    static func digits(_ bytes: [UInt8]) -> String {
        String(encode(bytes).dropFirst(2))
    }
}

extension String {
    /// The first 40 Unicode scalars, for an error that quotes an external text.
    var excerpt: String {
        String(unicodeScalars.prefix(40))
    }
}
