/// The number of attempts and the delays of a read.
///
/// Writes are never repeated.
package struct RetryPolicy: Sendable, Hashable {
    /// The total number of attempts.
    package var tries: Int
    /// The delay before the second attempt, in milliseconds; it doubles each time.
    package var firstDelay: UInt64
    /// The maximum wait that a server may request, in seconds; for longer ones the read fails.
    package var longestWait: UInt64

    package init(tries: Int = 3, firstDelay: UInt64 = 200, longestWait: UInt64 = 10) {
        self.tries = max(1, tries)
        self.firstDelay = firstDelay
        self.longestWait = longestWait
    }

    /// The delay after a failed attempt, in milliseconds.
    ///
    /// - Parameter attempt: 1 for the first attempt.
    func delay(after attempt: Int) -> UInt64 {
        let doublings = UInt64(min(max(1, attempt), 17) - 1)
        let (delay, overflow) = firstDelay.multipliedReportingOverflow(by: 1 << doublings)
        return overflow ? longestWait * 1000 : min(delay, longestWait * 1000)
    }
}
