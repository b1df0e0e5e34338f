/// The reason why there is no complete answer; no text contains a URL's path, query or password.
package enum HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an absolute http or https URL.
    case malformedURL
    /// libcurl is missing, in the dynamic linker's words.
    case noLibrary(String)
    case unknownHost(String)
    /// The connection is refused, or there is no route to the host.
    case noConnection(host: String)
    /// The proxy did not connect to the server: its status, such as 407 for a wrong password.
    case refusedByProxy(status: Int)
    /// There was no connection within this time.
    case connectTimedOut(host: String, milliseconds: Int)
    /// The TLS handshake or the certificate failed.
    case untrusted(String)
    /// There was no complete answer within this time.
    case timedOut(milliseconds: Int)
    /// The server kept sending, but too slowly, for this many seconds.
    case stalled(seconds: Int)
    /// The connection ended before or during the answer.
    case cutOff
    /// The decompressed answer is larger than this.
    case tooLarge(bytes: Int)
    /// The decompressed answers to one read are together larger than this.
    case tooLargeTogether(bytes: Int)
    /// The answers to one read together took longer than this.
    case tooSlowTogether(milliseconds: Int)
    /// The data is not HTTP, or its compression is damaged.
    case garbled(String)
    case cancelled
    /// Anything else that libcurl reports.
    case other(String)

    /// The words that follow "cannot be reached:".
    package var reason: String {
        switch self {
        case .malformedURL: "its address is not an http or https URL"
        case .noLibrary(let problem):
            "libcurl cannot be loaded (\(problem)); "
                + "install it, on Debian and Ubuntu with `apt install libcurl4-openssl-dev`"
        case .unknownHost(let host): "there is no host named \(host)"
        case .noConnection(let host): "nothing accepts connections at \(host)"
        case .refusedByProxy(let status):
            "the proxy refused to connect to it (HTTP status \(status))"
        case .connectTimedOut(let host, let milliseconds):
            "\(host) did not take a connection within \(HTTPError.seconds(milliseconds)) s"
        case .untrusted(let problem): "no trusted connection could be made (\(problem))"
        case .timedOut(let milliseconds):
            "no whole answer came within \(HTTPError.seconds(milliseconds)) s"
        case .stalled(let seconds): "almost nothing came for \(seconds) s"
        case .cutOff: "the connection was cut before the whole answer came"
        case .tooLarge(let bytes): "the answer is larger than \(bytes) bytes"
        case .tooLargeTogether(let bytes):
            "its answers together are larger than \(bytes) bytes"
        case .tooSlowTogether(let milliseconds):
            "its answers together took longer than \(HTTPError.seconds(milliseconds)) s"
        case .garbled(let problem): "what came is not a proper HTTP answer (\(problem))"
        case .cancelled: "the request was cancelled"
        case .other(let problem): "the request failed (\(problem))"
        }
    }

    package var description: String {
        "The server gave no usable answer: \(reason)."
    }

    /// The server may have received the whole request although there is no answer.
    package var mayHaveArrived: Bool {
        switch self {
        case .malformedURL, .noLibrary, .unknownHost, .noConnection, .refusedByProxy,
            .connectTimedOut, .untrusted:
            false
        default: true
        }
    }

    private static func seconds(_ milliseconds: Int) -> String {
        guard !milliseconds.isMultiple(of: 1000) else { return String(milliseconds / 1000) }
        var digits = String(milliseconds % 1000)
        digits = String(repeating: "0", count: 3 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(milliseconds / 1000).\(digits)"
    }
}
