import CCurl
import DexSigning
import Synchronization

/// HTTP through libcurl's multi interface, with one thread for all transfers.
///
/// Connections are reused, and servers that support HTTP/2 get it.
///
/// Proxies come from the environment as libcurl reads it (`http_proxy`, `https_proxy`, `all_proxy`,
/// `no_proxy`), except that loopback addresses never use a proxy. Certificates come
/// from `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and `SSL_CERT_DIR`, else from the system.
package final class CurlTransport: HTTPTransport {
    package struct Options: Sendable {
        /// The time limit to a connection, in milliseconds.
        package var connectTimeout: Int
        /// The time limit of the whole answer, in milliseconds.
        package var timeout: Int
        /// The time in seconds that an answer may stay below 10 bytes a second.
        package var stallTimeout: Int
        /// The largest answer, in bytes after decompression.
        package var maximumBody: Int
        /// The maximum number of connections to one server.
        package var connectionsPerHost: Int
        /// The name that the dynamic linker looks up for libcurl.
        package var library: String
        /// The value of an environment variable, for certificates.
        package var environment: @Sendable (_ name: String) -> String?

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

        /// Gives each answer as long as a user allows, also where nothing of it arrives.
        ///
        /// - Parameter seconds: what is longer by default is cut to it, but for the time that an
        ///   answer may stall, which is never cut.
        package mutating func allow(seconds: Int) {
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
            timeout = overflow ? .max : milliseconds
            connectTimeout = min(connectTimeout, timeout)
            stallTimeout = max(stallTimeout, seconds)
        }
    }

    private let options: Options
    private let loop = Mutex<CurlLoop?>(nil)

    /// A transport; the thread starts with the first request.
    package init(options: Options = Options()) {
        self.options = options
    }

    deinit {
        loop.withLock { $0?.stop() }
    }

    /// Loads libcurl on its own thread, so that the first request need not wait for it.
    ///
    /// That request reports any error. Use this only in processes that end with `_exit`: an `exit`
    /// meanwhile would free what the library's start is about to use.
    package static func prepare() {
        _ = DetachedThread.start {
            if CurlLibrary.isLoaded { CurlEngine.prepare() }
        }
    }

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
