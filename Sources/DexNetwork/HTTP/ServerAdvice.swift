import CCurl

/// The wait that a server requests in the headers of its answer.
enum ServerAdvice {
    /// A reset below this is a delay: as a time it would be in 2001.
    private static let earliestTime: UInt64 = 1_000_000_000

    /// Seconds to wait; nil if the server does not say.
    ///
    /// `Retry-After` holds seconds or a date (RFC 9110, section 10.2.3); `X-RateLimit-Reset` holds
    /// seconds since 1970 in the relayer API, but elsewhere a delay.
    static func wait(in response: HTTPResponse, now: UInt64) -> UInt64? {
        if let text = response.values(of: "retry-after").first {
            if let seconds = UInt64(text) { return seconds }
            guard CurlLibrary.isLoaded else { return nil }
            let date = dex_curl_getdate(text)
            if date >= 0 { return seconds(until: UInt64(date), now: now) }
        }
        if let text = response.values(of: "x-ratelimit-reset").first {
            let whole = text.split(separator: ".").first ?? ""
            guard let value = UInt64(whole) else { return nil }
            return value < earliestTime ? value : seconds(until: value, now: now)
        }
        return nil
    }

    /// The server's clock when it answered, seconds since 1970; nil if it does not say.
    ///
    /// Source: RFC 9110, section 6.6.1
    static func date(of response: HTTPResponse) -> UInt64? {
        guard let text = response.values(of: "date").first, CurlLibrary.isLoaded else { return nil }
        let date = dex_curl_getdate(text)
        return date >= 0 ? UInt64(date) : nil
    }

    private static func seconds(until time: UInt64, now: UInt64) -> UInt64 {
        time > now ? time - now : 0
    }

    /// The message for an error status without its own explanation.
    static func reason(for response: HTTPResponse) -> String {
        let status = response.status
        switch status {
        case 300..<400:
            guard let target = response.values(of: "location").first,
                let address = WebAddress(target)
            else { return "it redirects to another address (HTTP \(status))" }
            return "it redirects to \(address.shown) (HTTP \(status)); use that address instead"
        case 401, 403:
            return "it refused us with HTTP \(status); check the key in its address"
        case 404: return "it answered with HTTP 404; check the path in its address"
        case 413: return "it refuses a request this large (HTTP 413)"
        default: return "it answered with HTTP \(status)"
        }
    }

    /// The same request may succeed later (trading rules, "Sending").
    static func isRetryable(status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500..<600).contains(status)
    }
}
