import Synchronization

@testable import DexNetwork

/// Answers requests from a script, so that a client meets any server: the same request, sent
/// again, gets the next answer, and a page of a list that of its number.
///
/// What is answered depends on nothing but the script and the request, however many are under way.
final class ScriptedTransport: HTTPTransport {
    private struct State {
        var requests = 0
        var attempts: [HTTPRequest: Int] = [:]
    }

    private let answers: [HTTPResponse?]
    private let state = Mutex(State())

    /// A server with some answers; nil is a connection that is cut.
    init(_ answers: [HTTPResponse?]) {
        self.answers = answers
    }

    /// Answers as text, a NUL byte between two of them: a line with the status (0 cuts the
    /// connection), header lines, an empty line, the body.
    convenience init(script: [UInt8]) {
        self.init(
            script.split(separator: 0, maxSplits: 200, omittingEmptySubsequences: false)
                .map(Self.answer)
        )
    }

    /// How many requests came.
    var requests: Int {
        state.withLock { $0.requests }
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let attempt = state.withLock { state in
            state.requests += 1
            state.attempts[request, default: 0] += 1
            return state.attempts[request, default: 1] - 1
        }
        let index = Self.page(of: request) - 1 + attempt
        guard index < answers.count else { return HTTPResponse(status: 404) }
        guard let answer = answers[index] else { throw .cutOff }
        return answer
    }

    private static func page(of request: HTTPRequest) -> Int {
        guard
            let mark = request.url.firstRange(of: "&page=") ?? request.url.firstRange(of: "?page=")
        else {
            return 1
        }
        return Int(request.url[mark.upperBound...].prefix { $0.isNumber }) ?? 1
    }

    private static func answer(_ text: ArraySlice<UInt8>) -> HTTPResponse? {
        var rest = text
        func line() -> String {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            return String(decoding: line, as: UTF8.self)
        }
        guard let status = Int(line()), (100...999).contains(status) else { return nil }
        var headers: [HTTPHeader] = []
        while true {
            let field = line()
            guard let colon = field.firstIndex(of: ":") else { break }
            let value = field[field.index(after: colon)...].drop { $0 == " " }
            headers.append(HTTPHeader(String(field[..<colon]), String(value)))
        }
        return HTTPResponse(status: status, headers: headers, body: Array(rest))
    }
}

extension NetworkClock {
    /// A clock that stands still, and in which no wait takes any time.
    static let still = NetworkClock(now: { SampleOrders.now }, sleep: { _ in })
}
