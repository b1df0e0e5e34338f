import Synchronization

@testable import DexNetwork

/// Holds certain requests back until so many of them have come.
final class WaitingTransport: HTTPTransport {
    private struct Waiting {
        var missing: Int
        var continuations: [CheckedContinuation<Void, Never>] = []
    }

    private let wrapped: FakeTransport
    private let isHeld: @Sendable (HTTPRequest) -> Bool
    private let waiting: Mutex<Waiting>

    init(
        _ wrapped: FakeTransport,
        for count: Int,
        where isHeld: @escaping @Sendable (HTTPRequest) -> Bool
    ) {
        self.wrapped = wrapped
        self.isHeld = isHeld
        waiting = Mutex(Waiting(missing: count))
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if isHeld(request) {
            await withCheckedContinuation { continuation in
                let free = waiting.withLock { waiting in
                    waiting.missing -= 1
                    waiting.continuations.append(continuation)
                    guard waiting.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
                    defer { waiting.continuations = [] }
                    return waiting.continuations
                }
                for continuation in free { continuation.resume() }
            }
        }
        return try await wrapped.send(request)
    }
}
