/// How much goes into one JSON-RPC request, and how many travel at once.
package struct BatchLimits: Sendable, Hashable {
    /// The most calls in one request; geth takes 1,000 unless told otherwise.
    package var items: Int
    /// The most bytes in one request, unless a single call is larger.
    package var bytes: Int
    /// The most requests at once.
    package var concurrency: Int

    /// Limits; none is below 1.
    package init(items: Int = 1_000, bytes: Int = 1_000_000, concurrency: Int = 16) {
        self.items = max(1, items)
        self.bytes = max(1, bytes)
        self.concurrency = max(1, concurrency)
    }
}
