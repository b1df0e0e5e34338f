/// HTTP through libcurl's multi interface: one thread carries all transfers.
package final class CurlTransport: HTTPTransport {
    /// Bounds of every transfer.
    package struct Options: Sendable {
        /// The longest time to a connection, in milliseconds.
        package var connectTimeout: Int
        /// The longest time to the whole answer, in milliseconds.
        package var timeout: Int
        /// The largest answer, in bytes after decompression.
        package var maximumBody: Int

        /// Bounds.
        package init(
            connectTimeout: Int = 10_000,
            timeout: Int = 30_000,
            maximumBody: Int = 64 << 20
        ) {
            self.connectTimeout = connectTimeout
            self.timeout = timeout
            self.maximumBody = maximumBody
        }
    }

    private let options: Options

    /// A transport; nothing is started before the first request.
    package init(options: Options = Options()) {
        self.options = options
    }

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        fatalError("unimplemented")
    }
}
