package import Ethereum

/// A node, or several that are tried in turn, spoken to in JSON-RPC 2.0 over HTTP.
package struct JSONRPCChainClient: ChainClient {
    private let urls: [String]
    private let transport: any HTTPTransport
    private let limits: BatchLimits
    private let retry: RetryPolicy
    private let clock: NetworkClock

    /// A client.
    ///
    /// - Parameter urls: the nodes' URLs, the preferred one first.
    package init(
        urls: [String],
        transport: any HTTPTransport,
        limits: BatchLimits = BatchLimits(),
        retry: RetryPolicy = RetryPolicy(),
        clock: NetworkClock = .system
    ) {
        self.urls = urls
        self.transport = transport
        self.limits = limits
        self.retry = retry
        self.clock = clock
    }

    package func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        fatalError("unimplemented")
    }

    package func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        fatalError("unimplemented")
    }
}
