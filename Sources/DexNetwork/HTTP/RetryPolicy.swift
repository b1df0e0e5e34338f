/// How often and after how long a read is asked again.
///
/// Writes are never repeated.
package struct RetryPolicy: Sendable, Hashable {
    /// How often a request is sent in all.
    package var tries: Int
    /// The wait before the second try, in milliseconds; it doubles with each further one.
    package var firstDelay: UInt64
    /// The longest wait that a server may ask for, in seconds; beyond it the read fails.
    package var longestWait: UInt64

    /// A policy.
    package init(tries: Int = 3, firstDelay: UInt64 = 200, longestWait: UInt64 = 10) {
        self.tries = max(1, tries)
        self.firstDelay = firstDelay
        self.longestWait = longestWait
    }

    /// The wait after a failed try, in milliseconds.
    ///
    /// - Parameter attempt: 1 for the first try.
    func delay(after attempt: Int) -> UInt64 {
        let doublings = UInt64(min(max(1, attempt), 17) - 1)
        let (delay, overflow) = firstDelay.multipliedReportingOverflow(by: 1 << doublings)
        return overflow ? longestWait * 1000 : min(delay, longestWait * 1000)
    }
}
