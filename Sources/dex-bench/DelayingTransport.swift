import DexNetwork
import Synchronization

/// Carries requests, each only after a fixed delay, as if the servers were far away.
///
/// The delay passes before any bound on connections applies, so requests that are made at once
/// wait at once; with a delay far above all computing, a run takes as many delays as there are
/// requests that each need the answer of the one before.
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

    /// How many requests there were.
    var requests: Int {
        sent.withLock { $0 }
    }
}
