/// The reason why a WebSocket ends, as its Close frame says it.
///
/// Source: RFC 6455, section 7.4, and the registry of close codes.
package struct WebSocketCloseCode: Hashable, Sendable {
    package let number: UInt16

    package init(_ number: UInt16) {
        self.number = number
    }

    package static let normal = WebSocketCloseCode(1000)
    /// The server stops.
    package static let goingAway = WebSocketCloseCode(1001)
    package static let protocolError = WebSocketCloseCode(1002)
    /// A message that is not text.
    package static let unsupportedData = WebSocketCloseCode(1003)
    /// Text that is not UTF-8, or not what its form promises.
    package static let invalidPayload = WebSocketCloseCode(1007)
    package static let policyViolation = WebSocketCloseCode(1008)
    package static let messageTooBig = WebSocketCloseCode(1009)
    /// The reader does not keep up.
    package static let tryAgainLater = WebSocketCloseCode(1013)

    /// A Close frame may carry it; some codes only describe an end without such a frame.
    package var isSendable: Bool {
        switch number {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// A breach of the WebSocket protocol, or of a server's limits, by a client.
struct WebSocketViolation: Error, Hashable {
    let code: WebSocketCloseCode
    let reason: String

    init(_ code: WebSocketCloseCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
