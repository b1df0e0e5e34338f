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

    /// A member in any letter case, which differs between programs; nil if there is none.
    ///
    /// - Parameter key: in lower case.
    /// - Throws: `KeystoreError.damaged` for two spellings of one name.
    func optional(_ key: String) throws(KeystoreError) -> JSONValue? {
        let found = object.members.filter { $0.key.lowercased() == key }
        guard found.count < 2 else {
            throw .damaged("it has both \(path)\(found[0].key) and \(path)\(found[1].key)")
        }
        return found.first?.value
    }

    private func member(_ key: String) throws(KeystoreError) -> JSONValue {
        guard let value = try optional(key) else { throw .damaged("it has no \(path)\(key)") }
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

    /// One of our own words, such as `aes-128-ctr`, in lower case.
    func word(_ key: String) throws(KeystoreError) -> String {
        try text(key).lowercased()
    }

    /// A non-negative integer: a number, or a text of one.
    func integer(_ key: String) throws(KeystoreError) -> Int {
        let value = try member(key)
        guard let digits = value.wholeNumber else {
            throw .damaged("\(path)\(key) is no whole number")
        }
        guard let value = Int(digits) else {
            throw .unreasonable("its \(path)\(key) has \(digits.utf8.count) digits")
        }
        return value
    }

    /// Hexadecimal digits, with or without `0x`.
    func bytes(_ key: String) throws(KeystoreError) -> [UInt8] {
        try bytes(key, digits: digits(key))
    }

    private func digits(_ key: String) throws(KeystoreError) -> Substring {
        let text = try text(key)
        return text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
    }

    private func bytes(_ key: String, digits: Substring) throws(KeystoreError) -> [UInt8] {
        do {
            return try Hex.decode("0x" + digits)
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

    /// Hexadecimal digits of this many bytes, or of up to four fewer.
    ///
    /// Programs that keep bytes as a number write them without their leading zeros: eth-keyfile did
    /// so with the initial vector until 2025.
    ///
    /// - Returns: the bytes with those zeros.
    func numberBytes(_ key: String, count: Int) throws(KeystoreError) -> [UInt8] {
        let digits = try digits(key)
        let even = digits.utf8.count % 2 == 0 ? digits : "0" + digits
        let bytes = try bytes(key, digits: even)
        guard (count - 4...count).contains(bytes.count) else {
            throw .damaged("\(path)\(key) has \(bytes.count) bytes, not \(count)")
        }
        return [UInt8](repeating: 0, count: count - bytes.count) + bytes
    }
}

extension JSONValue {
    /// The digits of a non-negative integer that is a number, or a text of digits; nil if it is
    /// none.
    var wholeNumber: String? {
        if let numberText { return WholeNumber.digits(numberText) }
        guard let text = stringValue, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return WholeNumber.digits(text)
    }
}

extension Hex {
    /// Lower-case digits without `0x`, the form in keystores.
    static func digits(_ bytes: [UInt8]) -> String {
        String(encode(bytes).dropFirst(2))
    }
}
