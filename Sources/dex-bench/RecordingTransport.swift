import DexNetwork
import Synchronization

/// Carries requests and keeps when each began and ended.
final class RecordingTransport: HTTPTransport {
    struct Transfer: Sendable {
        let start: ContinuousClock.Instant
        let end: ContinuousClock.Instant
    }

    private let wrapped: any HTTPTransport
    private let transfers = Mutex<[Transfer]>([])

    init(_ wrapped: any HTTPTransport) {
        self.wrapped = wrapped
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let clock = ContinuousClock()
        let start = clock.now
        let response = try await wrapped.send(request)
        let end = clock.now
        transfers.withLock { $0.append(Transfer(start: start, end: end)) }
        return response
    }

    /// How many transfers there were, and the longest chain of them in which each began after the
    /// one before had ended: the round trips one after another.
    var count: (transfers: Int, roundTrips: Int) {
        transfers.withLock { transfers in
            var roundTrips = 0
            var lastEnd: ContinuousClock.Instant?
            for transfer in transfers.sorted(by: { $0.end < $1.end }) {
                if let end = lastEnd, transfer.start < end { continue }
                roundTrips += 1
                lastEnd = transfer.end
            }
            return (transfers.count, roundTrips)
        }
    }
}
