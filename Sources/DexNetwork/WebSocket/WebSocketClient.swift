import CCurl
import DexSigning

/// Opens WebSockets, with proxies and certificates as `CurlTransport`.
package struct WebSocketClient: Sendable {
    private let options: CurlTransport.Options
    private let limits: WebSocketLimits
    private let elapsed: @Sendable () -> UInt64
    private let random: @Sendable () -> UInt32

    /// - Parameters:
    ///   - elapsed: milliseconds since a fixed moment, never decreasing.
    ///   - random: unpredictable, for keys and masks.
    package init(
        options: CurlTransport.Options = CurlTransport.Options(),
        limits: WebSocketLimits = WebSocketLimits(),
        elapsed: @escaping @Sendable () -> UInt64 = { steadyMilliseconds },
        random: @escaping @Sendable () -> UInt32 = { UInt32.random(in: .min ... .max) }
    ) {
        self.options = options
        self.limits = limits
        self.elapsed = elapsed
        self.random = random
    }

    /// Opens a WebSocket.
    ///
    /// - Parameter url: `ws://` or `wss://`.
    /// - Throws: `WebSocketError`.
    package func connect(to url: String) async throws(WebSocketError) -> WebSocketConnection {
        do throws(HTTPError) {
            try CurlLibrary.load(options.library)
        } catch {
            throw .noConnection(error)
        }
        guard let address = WebSocketAddress(url) else { throw .noConnection(.malformedURL) }
        let link = WebSocketLink(limits: limits)
        let connection = WebSocketConnection(link)
        let (options, limits, elapsed, random) = (options, limits, elapsed, random)
        let hasThread = DetachedThread.start {
            WebSocketThread(
                link: link,
                address: address,
                options: options,
                limits: limits,
                elapsed: elapsed,
                random: random
            ).run()
        }
        guard hasThread else { throw .noConnection(.other("no thread could be started")) }
        guard case .opened = try await link.next() else {
            throw .violation("a message came before the upgrade")
        }
        return connection
    }
}

/// An open WebSocket; it closes when nobody holds it any longer.
package final class WebSocketConnection: Sendable {
    private let link: WebSocketLink

    init(_ link: WebSocketLink) {
        self.link = link
    }

    deinit {
        link.close()
    }

    /// The next message; pings are answered meanwhile.
    ///
    /// - Throws: `WebSocketError`: the end.
    package func next() async throws(WebSocketError) -> String {
        while true {
            if case .message(let text) = try await link.next() { return text }
        }
    }

    package func send(_ text: String) {
        link.send(text)
    }

    /// Closes it; `next()` then throws `.cancelled`.
    package func close() {
        link.close()
    }
}
