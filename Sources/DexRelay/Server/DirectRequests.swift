import HTTPServing
import HTTPTypes
import Logging

/// What requests that are answered on their connections' event loops share with those of the
/// routes: a name, a limit for the client, a count and a line in the log.
struct DirectRequests: Sendable {
    let recorder: RequestRecorder
    let limiter: RateLimiter
    let logger: Logger

    /// A request that has begun and is to be ended once.
    struct Begun: Sendable {
        let request: HTTPRequest
        let record: RequestRecorder.Record
        fileprivate let standing: RateLimiter.Standing?

        /// The client asks for more than it may.
        var isExceeded: Bool { standing?.isExceeded == true }
    }

    /// - Parameter peer: the address of the connection.
    func begin(_ request: HTTPRequest, from peer: String) -> Begun {
        let record = recorder.begin(request, from: peer)
        return Begun(request: request, record: record, standing: limiter.count(record.client))
    }

    /// The answer with the headers that each gets; the request is counted as ended.
    func end(_ begun: Begun, route: String, _ answer: DirectAnswer) -> DirectAnswer {
        var answer = answer
        if let standing = begun.standing { answer.headers.set(standing) }
        RequestRecorder.name(&answer.headers, begun.record)
        recorder.end(begun.record, begun.request, route: route, answer.status, logger)
        return answer
    }
}
