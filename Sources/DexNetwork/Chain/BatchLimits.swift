/// The size of one JSON-RPC request, and the number of concurrent ones.
package struct BatchLimits: Sendable, Hashable {
    /// The maximum number of calls in one request; geth's default limit is 1,000.
    package var items: Int
    /// The maximum bytes of one request, unless a single call is larger.
    package var bytes: Int
    /// The maximum number of concurrent requests.
    package var concurrency: Int

    /// Limits; none is below 1.
    package init(items: Int = 1_000, bytes: Int = 1_000_000, concurrency: Int = 16) {
        self.items = max(1, items)
        self.bytes = max(1, bytes)
        self.concurrency = max(1, concurrency)
    }
}
