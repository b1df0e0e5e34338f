import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle

/// Serves a simulated chain's JSON-RPC over HTTP POST, and makes the blocks of timed mining.
package struct ChainServer: Sendable {
    private let chain: SandboxChain
    private let host: String
    private let port: Int
    private let logger: Logger

    /// A server that does not run yet.
    ///
    /// - Parameters:
    ///   - port: 0 takes any free port; `run` reports which.
    package init(
        chain: SandboxChain,
        host: String = "127.0.0.1",
        port: Int = 0,
        logger: Logger = Logger(label: "dex.sandbox.chain")
    ) {
        self.chain = chain
        self.host = host
        self.port = port
        self.logger = logger
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: is told the URL, such as `http://127.0.0.1:8545`, once it answers.
    package func run(
        onReady: @escaping @Sendable (_ url: String) async -> Void = { _ in }
    ) async throws {
        fatalError("unimplemented")
    }
}
