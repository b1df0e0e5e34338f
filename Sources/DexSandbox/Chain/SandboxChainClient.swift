package import Ethereum

/// The simulated chain as a `ChainClient` in the same process, for the relay and the seeding.
package struct SandboxChainClient: ChainClient {
    private let chain: SandboxChain

    package init(chain: SandboxChain) {
        self.chain = chain
    }

    /// Answers many questions in one call to the chain.
    package func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        await chain.read(reads)
    }

    /// Broadcasts a signed transaction.
    ///
    /// - Throws: `ChainError` with the words of a real node, also for a known transaction.
    package func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await chain.send(raw: raw)
    }
}
