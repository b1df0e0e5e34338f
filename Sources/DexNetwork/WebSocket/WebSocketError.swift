/// The reason why there is no WebSocket any longer; no text contains a URL's path or query.
package enum WebSocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no connection to the server.
    case noConnection(HTTPError)
    /// The server answered the upgrade with this HTTP status.
    case refused(status: Int)
    /// The answer to the upgrade is not what the protocol demands.
    case badHandshake(String)
    /// The server broke the protocol.
    case violation(String)
    /// A message is larger than this.
    case tooLarge(bytes: Int)
    /// Nothing came for this many milliseconds, not even the answer to a ping.
    case silent(milliseconds: UInt64)
    /// The server reads nothing of what we send.
    case unread
    /// The server closed the connection: its code, and its own words.
    case closed(code: UInt16?, reason: String)
    /// The connection ended without a word.
    case cutOff
    case cancelled

    /// Another attempt at the same address does not help.
    package var isPermanent: Bool {
        switch self {
        case .refused(let status):
            (200..<500).contains(status) && ![408, 425, 429].contains(status)
        case .badHandshake: true
        case .noConnection(.malformedURL), .noConnection(.noLibrary): true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .noConnection(let error): error.reason
        case .refused(let status): "it answered the upgrade with HTTP \(status)"
        case .badHandshake(let problem): "its answer to the upgrade is wrong: \(problem)"
        case .violation(let problem): "it broke the WebSocket protocol: \(problem)"
        case .tooLarge(let bytes): "a message is larger than \(bytes) bytes"
        case .silent(let milliseconds): "nothing came for \(milliseconds / 1_000) s"
        case .unread: "it reads nothing of what it is sent"
        case .closed(let code, let reason):
            "it closed the connection" + (code.map { " (\($0))" } ?? "")
                + (reason.isEmpty ? "" : ": \(reason)")
        case .cutOff: "the connection was cut"
        case .cancelled: "it was cancelled"
        }
    }
}

/// The limits of a WebSocket.
package struct WebSocketLimits: Hashable, Sendable {
    /// Bytes of one message, all its fragments together.
    package var message = 8 << 20
    /// Fragments of one message.
    package var fragments = 1_024
    /// Bytes of messages that wait for their reader; then nothing more is read.
    package var inbox = 4 << 20
    /// Bytes that the server has not read; then the connection ends.
    package var unsent = 1 << 20
    /// Milliseconds until the upgrade is answered.
    package var handshake: UInt64 = 10_000
    /// Milliseconds between pings; twice as long without a byte ends the connection.
    package var ping: UInt64 = 15_000

    package init() {}
}
