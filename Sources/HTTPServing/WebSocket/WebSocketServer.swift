package import NIOCore
import NIOHTTP1

/// The WebSockets that a server offers beside HTTP: at which paths, to whom, and what they do.
package struct WebSocketServer: Sendable {
    /// The paths that upgrade, without a slash at the end.
    package let paths: Set<String>
    package let times: WebSocketTimes
    /// Answers a valid request to upgrade; it is called on the connection's event loop.
    package let answer: @Sendable (WebSocketRequest) -> WebSocketAnswer

    package init(
        paths: Set<String>,
        times: WebSocketTimes = WebSocketTimes(),
        answer: @escaping @Sendable (WebSocketRequest) -> WebSocketAnswer
    ) {
        self.paths = paths
        self.times = times
        self.answer = answer
    }
}

/// The time limits of a WebSocket.
package struct WebSocketTimes: Sendable, Hashable {
    /// Between two pings; a client that answers none of them until the next is closed.
    package var ping = TimeAmount.seconds(15)
    /// From the server's Close frame to the client's; then the connection is cut.
    package var closing = TimeAmount.seconds(5)

    package init() {}
}

/// A client's request to upgrade.
package struct WebSocketRequest: Sendable {
    /// Without the query, and without a slash at the end.
    package let path: String
    /// The address of the other end of the connection, which may be a proxy.
    package let peer: String
    private let headers: HTTPHeaders

    init(_ head: HTTPRequestHead, peer: String) {
        path = Self.path(of: head)
        self.peer = peer
        headers = head.headers
    }

    /// The values of a header, one for each time that it appears.
    package func values(of header: String) -> [String] {
        headers[header]
    }

    /// The value of a header that appears once.
    package func value(of header: String) -> String? {
        let values = headers[header]
        return values.count == 1 ? values.first : nil
    }

    static func path(of head: HTTPRequestHead) -> String {
        let path = head.uri.prefix { $0 != "?" }
        return String(path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path)
    }
}

/// An answer to a request to upgrade.
package enum WebSocketAnswer: Sendable {
    /// The closure makes what serves the connection, at once and on its event loop.
    case accept(WebSocketLimits, @Sendable (WebSocketConnection) -> any WebSocketSession)
    /// An HTTP answer instead of an upgrade; then the connection ends.
    case refuse(Response)
}

/// The size limits of a WebSocket.
package struct WebSocketLimits: Sendable, Hashable {
    /// Of one message of the client.
    package let maximumMessageBytes: Int
    /// Of what waits for the client; beyond it the connection is closed with 1013.
    package let maximumUnsentBytes: Int

    package init(maximumMessageBytes: Int, maximumUnsentBytes: Int) {
        self.maximumMessageBytes = maximumMessageBytes
        self.maximumUnsentBytes = maximumUnsentBytes
    }
}

/// What an application does with one WebSocket.
///
/// All calls come on the connection's event loop, so they must be short and must not wait.
package protocol WebSocketSession: AnyObject {
    /// A whole message of valid UTF-8.
    func received(_ text: ByteBuffer)
    /// Called once, as soon as no further message can come or go.
    func ended(_ end: WebSocketEnd)
}

/// How a WebSocket ended.
package enum WebSocketEnd: Hashable, Sendable {
    /// The server closed it.
    case server(WebSocketCloseCode)
    /// The client closed it; nil without a code.
    case client(WebSocketCloseCode?)
    /// The connection ended without a Close frame.
    case lost
}
