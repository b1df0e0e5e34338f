extension Duration {
    /// The longest that a test waits for an answer of a server on its own machine, which may be busy
    /// with other tests; where a test is about a limit, it has its own.
    package static let patient = Duration.seconds(600)
}
