import Ethereum
import StrictJSON

/// The common form of our encrypted files: an object with a `crypto` section and our own member.
///
/// That member has a checksum, which separates an altered file from a wrong password. Other
/// programs do not write it, and ignore it when they read.
struct KeystoreDocument {
    /// The file without our own member.
    let section: KeystoreSection
    /// Our own member without the checksum; nil if the file has none.
    let extra: KeystoreSection?

    /// The name of our own member, which is not part of the format.
    private static let extraKey = "x-dex"
    private static let checksumKey = "checksum"

    /// Parses a file and checks its checksum, if present.
    ///
    /// Exports of several programs are a list of one keystore, which is read as that one.
    ///
    /// - Parameter maximumSize: the maximum number of bytes read.
    /// - Throws: `KeystoreError`: `foreign` if it is not a JSON object, `damaged` if it is cut off
    ///   or altered.
    init(_ bytes: [UInt8], maximumSize: Int) throws(KeystoreError) {
        guard bytes.count <= maximumSize else {
            throw .foreign("it has \(bytes.count) bytes, more than \(maximumSize)")
        }
        let isSpace: (UInt8) -> Bool = { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
        guard let first = bytes.first(where: { !isSpace($0) }) else {
            throw .damaged("it is empty")
        }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            throw .foreign("it is no JSON object")
        }
        var value: JSONValue
        do {
            value = try JSONParser.parse(bytes, maximumDepth: 8)
        } catch {
            throw .damaged("its JSON is broken at byte \(error.offset): \(error.problem)")
        }
        if let list = value.arrayValue {
            guard let only = list.first else { throw .foreign("it is an empty list") }
            guard list.count == 1 else {
                throw .foreign(
                    "it is a list of \(list.count), where each keystore needs a file of its own"
                )
            }
            value = only
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

    /// The JSON text of an object, with our own member for the checksum, and a line end.
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
