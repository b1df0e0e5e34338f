import DexRelay
import DexSandbox
import Glibc
import Hummingbird
import NIOCore

extension Sandbox {
    /// The servers' base URLs, without the paths of their APIs.
    struct URLs: Hashable, Sendable {
        let rpc: String
        let relay: String
        let swap: String
    }

    private enum Ready: Sendable {
        case chain(url: String)
        case relay(port: Int)
        case swap(port: Int)
    }

    /// Runs the servers until the task is cancelled or one of them fails.
    func serve(
        _ chain: SandboxChain,
        _ relay: RelayServer,
        _ swap: SwapServer,
        _ faults: FaultControl,
        onReady: @escaping @Sendable (URLs) async throws -> Void
    ) async throws {
        let (events, sender) = AsyncStream.makeStream(of: Ready.self)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await named("chain", options.rpcPort) {
                        let server = ChainServer(
                            chain: chain,
                            port: options.rpcPort,
                            middleware: FaultMiddleware<ChainRequestContext>(
                                server: .node,
                                board: faults.board,
                                control: { try await faults.answer(&$0) },
                                watch: { try await faults.watch(&$0) }
                            ),
                            logger: logger
                        )
                        try await server.run { sender.yield(.chain(url: $0)) }
                    }
                }
                group.addTask {
                    try await named("relay", options.relayPort) {
                        let application = relay.application(
                            port: options.relayPort,
                            isLocal: true,
                            middleware: FaultMiddleware<RelayRequestContext>(
                                server: .relay,
                                board: faults.board
                            )
                        ) {
                            sender.yield(.relay(port: $0))
                        }
                        try await application.run()
                    }
                }
                group.addTask {
                    try await named("swap API", options.swapPort) {
                        let application = swap.application(port: options.swapPort) {
                            sender.yield(.swap(port: $0))
                        }
                        try await application.run()
                    }
                }
                group.addTask {
                    var rpc: String?
                    var relay: String?
                    var swap: String?
                    for await event in events {
                        switch event {
                        case .chain(let url): rpc = url
                        case .relay(let port): relay = Self.url(port)
                        case .swap(let port): swap = Self.url(port)
                        }
                        if let rpc, let relay, let swap {
                            try await onReady(URLs(rpc: rpc, relay: relay, swap: swap))
                        }
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch is CancellationError {
            // The normal end of a sandbox.
        }
    }

    private static func url(_ port: Int) -> String { "http://127.0.0.1:\(port)" }

    /// Runs a server; an error names the port that is not available.
    private func named(
        _ name: String,
        _ port: Int,
        _ body: @Sendable () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as IOError {
            throw SandboxHostError.portTaken(
                name: name,
                port: port,
                reason: String(cString: strerror(error.errnoCode))
            )
        }
    }
}
