import DexRelay
import DexSandbox
import Explorer
import Glibc
import HTTPServing
import NIOCore

extension Sandbox {
    /// The servers' base URLs, without the paths of their APIs.
    struct URLs: Hashable, Sendable {
        let rpc: String
        let relay: String
        let swap: String
    }

    private enum Ready: Sendable {
        case chain(port: Int)
        case relay(port: Int)
        case swap(port: Int)
    }

    /// Runs the servers until the task is cancelled or one of them fails.
    func serve(
        _ chain: SandboxChain,
        _ relay: RelayServer,
        _ swap: SwapServer,
        _ faults: FaultControl,
        _ copies: LeaderRoutes,
        _ explorer: Explorer,
        onReady: @escaping @Sendable (URLs) async throws -> Void
    ) async throws {
        let (events, sender) = AsyncStream.makeStream(of: Ready.self)
        let pages = ExplorerRoutes(explorer)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await options.listen.named("chain", options.rpcPort) {
                        let server = ChainServer(
                            chain: chain,
                            host: options.listen.text,
                            port: options.rpcPort,
                            hosts: options.listen.hosts,
                            filter: FaultFilter(
                                server: .node,
                                board: faults.board,
                                control: { try await faults.answer($0, $1) },
                                watch: { try await faults.watch($0, $1) }
                            ),
                            routes: { copies.add(to: &$0) },
                            pages: { await pages.respond(to: $0) },
                            logger: logger
                        )
                        try await server.run { sender.yield(.chain(port: $0)) }
                    }
                }
                group.addTask {
                    try await options.listen.named("relay", options.relayPort) {
                        let application = relay.application(
                            host: options.listen.text,
                            port: options.relayPort,
                            isLocal: true,
                            hosts: options.listen.hosts,
                            filter: FaultFilter(server: .relay, board: faults.board)
                        ) {
                            copies.relayPort.set($0)
                            sender.yield(.relay(port: $0))
                        }
                        try await application.run()
                    }
                }
                group.addTask {
                    try await options.listen.named("swap API", options.swapPort) {
                        try await swap.server(options.listen, port: options.swapPort).run {
                            sender.yield(.swap(port: $0))
                        }
                    }
                }
                group.addTask {
                    var rpc: String?
                    var relay: String?
                    var swap: String?
                    for await event in events {
                        switch event {
                        case .chain(let port): rpc = url(port)
                        case .relay(let port): relay = url(port)
                        case .swap(let port): swap = url(port)
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

    private func url(_ port: Int) -> String { "http://\(options.listen.localHost):\(port)" }
}
