import CCurl
import DexSigning
import Synchronization

/// HTTP through libcurl's multi interface: one thread carries all transfers, keeps connections for
/// the next ones, and speaks HTTP/2 where a server does.
///
/// Proxies come from the environment as libcurl reads it (`http_proxy`, `https_proxy`, `all_proxy`,
/// `no_proxy`), except that this machine itself is never asked through a proxy. Certificates come
/// from `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and `SSL_CERT_DIR`, else from the system.
package final class CurlTransport: HTTPTransport {
    /// Bounds of every transfer.
    package struct Options: Sendable {
        /// The longest time to a connection, in milliseconds.
        package var connectTimeout: Int
        /// The longest time to the whole answer, in milliseconds.
        package var timeout: Int
        /// How long an answer may trickle at under 10 bytes a second, in seconds.
        package var stallTimeout: Int
        /// The largest answer, in bytes after decompression.
        package var maximumBody: Int
        /// The most connections to one server.
        package var connectionsPerHost: Int
        /// What the dynamic linker finds libcurl by.
        package var library: String
        /// The value of an environment variable, for certificates.
        package var environment: @Sendable (_ name: String) -> String?

        /// Bounds.
        package init(
            connectTimeout: Int = 10_000,
            timeout: Int = 30_000,
            stallTimeout: Int = 20,
            maximumBody: Int = 32 << 20,
            connectionsPerHost: Int = 6,
            library: String = DEX_CURL_LIBRARY,
            environment: @escaping @Sendable (_ name: String) -> String? = { variable(named: $0) }
        ) {
            self.connectTimeout = connectTimeout
            self.timeout = timeout
            self.stallTimeout = stallTimeout
            self.maximumBody = maximumBody
            self.connectionsPerHost = connectionsPerHost
            self.library = library
            self.environment = environment
        }
    }

    private let options: Options
    private let loop = Mutex<CurlLoop?>(nil)

    /// A transport; nothing is started before the first request.
    package init(options: Options = Options()) {
        self.options = options
    }

    deinit {
        loop.withLock { $0?.stop() }
    }

    /// Begins to load libcurl on a thread of its own, so that the first request need not wait for
    /// it; whatever goes wrong, that request tells.
    ///
    /// For processes that end with `_exit` only: an `exit` meanwhile would tear down what the
    /// library's start is about to use.
    package static func prepare() {
        _ = DetachedThread.start {
            if CurlLibrary.isLoaded { CurlEngine.prepare() }
        }
    }

    /// Sends a request and collects the whole answer.
    ///
    /// - Throws: `HTTPError`.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        try CurlLibrary.load(options.library)
        guard let address = WebAddress(request.url) else { throw .malformedURL }
        let loop = try runningLoop()
        let ticket = loop.takeTicket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.start(
                    CurlJob(
                        ticket: ticket,
                        request: request,
                        address: address,
                        continuation: continuation
                    )
                )
            }
        } onCancel: {
            loop.cancel(ticket)
        }
        loop.giveBack(ticket)
        return try result.get()
    }

    private func runningLoop() throws(HTTPError) -> CurlLoop {
        let started = loop.withLock { loop -> CurlLoop? in
            if loop == nil {
                let fresh = CurlLoop(options: options)
                if fresh.startThread() { loop = fresh }
            }
            return loop
        }
        guard let started else { throw .other("no thread could be started") }
        return started
    }
}
