import Synchronization

@testable import DexNetwork

/// Answers requests by a closure and remembers them.
final class FakeTransport: HTTPTransport {
    private let respond:
        @Sendable (_ request: HTTPRequest, _ number: Int) -> Result<HTTPResponse, HTTPError>
    private let log = Mutex<[HTTPRequest]>([])

    /// - Parameter respond: gets the request and how many came before it.
    init(
        _ respond:
            @escaping @Sendable (_ request: HTTPRequest, _ number: Int)
            -> Result<HTTPResponse, HTTPError>
    ) {
        self.respond = respond
    }

    /// Answers every request with 200 and a text.
    convenience init(body: String) {
        self.init { _, _ in .success(HTTPResponse(status: 200, body: Array(body.utf8))) }
    }

    /// Every request so far.
    var requests: [HTTPRequest] { log.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let number = log.withLock { log in
            log.append(request)
            return log.count - 1
        }
        let response = try respond(request, number).get()
        if let error = request.bounds.budget?.take(bytes: response.body.count) { throw error }
        return response
    }
}

extension HTTPResponse {
    /// An answer with a text as body.
    init(_ status: Int, _ text: String, headers: [HTTPHeader] = []) {
        self.init(status: status, headers: headers, body: Array(text.utf8))
    }
}

/// A clock that stands still and remembers how long it was to wait.
final class FakeClock: Sendable {
    private let waits = Mutex<[UInt64]>([])
    private let passed = Mutex<UInt64>(0)
    private let time: UInt64

    init(now: UInt64 = 1_700_000_000) {
        time = now
    }

    /// Every wait so far, in milliseconds.
    var sleeps: [UInt64] { waits.withLock { $0 } }

    /// Lets time go by, in milliseconds.
    func pass(_ milliseconds: UInt64) {
        passed.withLock { $0 += milliseconds }
    }

    var clock: NetworkClock {
        NetworkClock(
            now: { self.time },
            elapsed: { self.passed.withLock { $0 } },
            sleep: { milliseconds in
                self.waits.withLock { $0.append(milliseconds) }
                try Task.checkCancellation()
            }
        )
    }
}
