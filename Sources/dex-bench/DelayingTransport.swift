import DexNetwork
import Synchronization

/// Delays each request by a fixed time, as if the servers were far away.
///
/// The delay precedes any limit on connections, so concurrent requests wait concurrently. With a
/// delay far above all computing, a run takes as many delays as it has sequential requests.
final class DelayingTransport: HTTPTransport {
    private let wrapped: any HTTPTransport
    private let delay: Duration
    private let sent = Mutex(0)

    init(_ wrapped: any HTTPTransport, delay: Duration) {
        self.wrapped = wrapped
        self.delay = delay
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        sent.withLock { $0 += 1 }
        do {
            try await Task.sleep(for: delay)
        } catch {
            throw .cancelled
        }
        return try await wrapped.send(request)
    }

    /// The number of requests.
    var requests: Int {
        sent.withLock { $0 }
    }
}
