/// Headers of the relay's answers.
enum RelayHeaders {
    /// What a web page of another origin may read of an answer.
    static let exposed = [
        "ETag", "X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
        "Link", "Retry-After",
    ]
}
