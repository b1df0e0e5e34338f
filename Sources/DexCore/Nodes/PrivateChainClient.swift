package import Ethereum

/// Reads from a network's nodes, and sends signed transactions to a private endpoint alone.
///
/// The one place that decides where signed bytes go. If the endpoint refuses them or is gone, they
/// go nowhere: a public node never sees them before they are mined.
package struct PrivateChainClient: ChainClient {
    private let nodes: any ChainClient
    private let endpoint: any ChainClient

    /// - Parameters:
    ///   - nodes: what is read from.
    ///   - endpoint: what is sent to; nothing is read from it.
    package init(nodes: any ChainClient, endpoint: any ChainClient) {
        self.nodes = nodes
        self.endpoint = endpoint
    }

    package func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        try await nodes.read(reads)
    }

    package func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await endpoint.send(raw: raw)
    }
}
