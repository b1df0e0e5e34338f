import HTTPTypes
import Synchronization

/// The HTTP requests since the start.
package struct RequestStatistics: Hashable, Sendable {
    /// What is counted apart.
    package struct Kind: Hashable, Sendable {
        /// The route's pattern, such as `/v0/order/{hash}`, never the path of a request.
        package let route: String
        package let method: String
        package let status: Int
    }

    package var answers: [Kind: UInt64] = [:]
    /// From the head of a request to its answer, by route.
    package var times: [String: Histogram] = [:]
    /// Requests without an answer yet.
    package var open = 0
}

/// Counts requests as they are answered.
package final class RequestCounter: Sendable {
    private let value = Mutex(RequestStatistics())

    package var statistics: RequestStatistics { value.withLock { $0 } }

    func began() {
        value.withLock { $0.open += 1 }
    }

    /// Counts an answer.
    ///
    /// - Parameter method: one that no route has is counted as `other`, since a client invents it.
    func ended(route: String, method: HTTPRequest.Method, status: Int, seconds: Double) {
        let name = Self.methods.contains(method) ? method.rawValue : "other"
        let kind = RequestStatistics.Kind(route: route, method: name, status: status)
        value.withLock { statistics in
            statistics.open -= 1
            statistics.answers[kind, default: 0] += 1
            statistics.times[route, default: Histogram()].add(seconds: seconds)
        }
    }

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .options]
}
