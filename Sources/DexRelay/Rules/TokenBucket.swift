/// So many tokens a second on average, and a burst: a limit of how often something is done.
struct TokenBucket: Sendable {
    private var tokens: Int
    /// In seconds since 1970.
    private var filledAt: UInt64

    /// A full one.
    init(burst: Int, at now: UInt64) {
        tokens = burst
        filledAt = now
    }

    /// Takes tokens.
    ///
    /// - Parameters:
    ///   - rate: how many come each second.
    ///   - burst: the most that there ever are.
    ///   - now: seconds since 1970.
    /// - Returns: nil if there were enough, else the seconds until there are; then none was taken.
    mutating func take(_ count: Int, rate: Int, burst: Int, at now: UInt64) -> Int? {
        let rate = max(1, rate)
        fill(to: burst, rate: rate, at: now)
        // More than a burst can never be there at once: a full bucket then pays with debt.
        guard tokens >= min(count, burst) else {
            return (min(count, burst) - tokens + rate - 1) / rate
        }
        tokens -= count
        return nil
    }

    /// Nothing is missing, so that a new one would do.
    mutating func isFull(_ burst: Int, rate: Int, at now: UInt64) -> Bool {
        fill(to: burst, rate: max(1, rate), at: now)
        return tokens >= burst
    }

    private mutating func fill(to burst: Int, rate: Int, at now: UInt64) {
        // A clock that was set back gives nothing.
        let seconds = now > filledAt ? Int(clamping: now - filledAt) : 0
        let (gained, overflow) = seconds.multipliedReportingOverflow(by: rate)
        let (sum, above) = tokens.addingReportingOverflow(gained)
        tokens = overflow || above ? burst : min(burst, sum)
        filledAt = now
    }
}
