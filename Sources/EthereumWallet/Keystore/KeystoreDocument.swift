import Ethereum
import StrictJSON

/// What our encrypted files have in common: an object with a `crypto` section, and a checksum by
/// which an altered file is told from a wrong password.
///
/// Other programs leave the checksum out and ignore ours.
enum KeystoreDocument {
    /// The member of ours in a format that is not.
    private static let extensionKey = "x-dex"
    /// The largest file that is read.
    static let maximumSize = 1 << 20

    /// Parses a file and checks its checksum, if it has one.
    ///
    /// - Throws: `KeystoreError`: `foreign` for what is no JSON object, `damaged` for one that is
    ///   cut off or altered.
    static func parse(_ bytes: [UInt8]) throws(KeystoreError) -> KeystoreSection {
        guard bytes.count <= maximumSize else {
            throw .foreign("it has \(bytes.count) bytes, more than \(maximumSize)")
        }
        let isSpace: (UInt8) -> Bool = { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
        guard let first = bytes.first(where: { !isSpace($0) }) else {
            throw .damaged("it is empty")
        }
        guard first == UInt8(ascii: "{") else { throw .foreign("it is no JSON object") }
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes, maximumDepth: 8)
        } catch {
            throw .damaged("its JSON is broken at byte \(error.offset): \(error.problem)")
        }
        guard let object = value.objectValue else { throw .foreign("it is no JSON object") }
        try check(object)
        return KeystoreSection(object)
    }

    private static func check(_ object: JSONObject) throws(KeystoreError) {
        guard let ours = object[extensionKey] else { return }
        guard let text = ours["checksum"]?.stringValue else {
            throw .damaged("its \(extensionKey) has no checksum")
        }
        var rest = object
        rest[extensionKey] = nil
        guard text == checksum(rest) else {
            throw .damaged("its content does not fit its checksum, so it was altered")
        }
    }

    /// The JSON text with a checksum and a line end behind it.
    static func write(_ value: JSONValue) -> [UInt8] {
        guard var object = value.objectValue else { return [] }
        object[extensionKey] = ["checksum": .string(checksum(object))]
        return JSONValue.object(object).utf8 + [UInt8(ascii: "\n")]
    }

    private static func checksum(_ object: JSONObject) -> String {
        Hex.digits(Keccak256.hash(JSONValue.object(object).utf8).bytes)
    }
}
