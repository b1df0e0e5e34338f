import Ethereum
import StrictJSON

/// What our encrypted files have in common: an object with a `crypto` section, and a member of ours
/// with a checksum by which an altered file is told from a wrong password.
///
/// Other programs leave that member out, and ignore ours.
struct KeystoreDocument {
    /// Everything but the member of ours.
    let section: KeystoreSection
    /// The member of ours, without the checksum; nil where the file has none.
    let extra: KeystoreSection?

    /// The member of ours in a format that is not.
    private static let extraKey = "x-dex"
    private static let checksumKey = "checksum"

    /// Parses a file and checks its checksum, if it has one.
    ///
    /// - Parameter maximumSize: the most bytes that are read.
    /// - Throws: `KeystoreError`: `foreign` for what is no JSON object, `damaged` for one that is
    ///   cut off or altered.
    init(_ bytes: [UInt8], maximumSize: Int) throws(KeystoreError) {
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
        guard var object = value.objectValue else { throw .foreign("it is no JSON object") }
        let ours = object[Self.extraKey]
        object[Self.extraKey] = nil
        section = KeystoreSection(object)
        guard let ours else {
            extra = nil
            return
        }
        guard var rest = ours.objectValue, let checksum = rest[Self.checksumKey]?.stringValue else {
            throw .damaged("its \(Self.extraKey) has no checksum")
        }
        rest[Self.checksumKey] = nil
        guard checksum == Self.checksum(object, rest) else {
            throw .damaged("its content does not fit its checksum, so it was altered")
        }
        extra = KeystoreSection(rest, path: "\(Self.extraKey).")
    }

    /// The JSON text of an object, with a member of ours that holds the checksum, and a line end.
    static func write(_ object: JSONObject, extra: JSONObject = JSONObject()) -> [UInt8] {
        var ours = extra
        ours[checksumKey] = .string(checksum(object, extra))
        var whole = object
        whole[extraKey] = .object(ours)
        return JSONValue.object(whole).utf8 + [UInt8(ascii: "\n")]
    }

    private static func checksum(_ object: JSONObject, _ extra: JSONObject) -> String {
        let content = JSONValue.array([.object(object), .object(extra)])
        return Hex.digits(Keccak256.hash(content.utf8).bytes)
    }
}
