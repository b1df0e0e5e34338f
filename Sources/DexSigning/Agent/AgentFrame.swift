package import StrictJSON

/// A message on the socket: its length in four bytes, big endian, then that many bytes of JSON.
package enum AgentFrame {
    /// The most bytes of JSON: the largest transaction that nodes accept, in hexadecimal digits.
    package static let limit = 512 << 10

    package static func encode(_ json: JSONValue) -> [UInt8] {
        let body = json.utf8
        let length = UInt32(clamping: body.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body
    }

    package enum Reading: Hashable, Sendable {
        /// More have to come.
        case partial
        case whole(JSONValue)
        /// It can never become a message, or more bytes follow a message.
        case broken
    }

    /// Reads the one message that a side sends.
    package static func decode(_ bytes: [UInt8]) -> Reading {
        guard bytes.count >= 4 else { return .partial }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard (2...limit).contains(length), bytes.count <= 4 + length else { return .broken }
        guard bytes.count == 4 + length else { return .partial }
        let json = try? JSONParser.parse(Array(bytes[4...]))  // nil: not JSON
        guard let json, json.objectValue != nil else { return .broken }
        return .whole(json)
    }
}
