package import Ethereum
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
package import ZeroEx

/// A relay: a book of signed orders behind the standard relayer API, v0 today.
///
/// It holds no money and no keys. Everything of a protocol version is asked of the
/// `ExchangeProtocol`; the chain is only read.
package struct RelayServer: Sendable {
    /// Where orders are taken, and many at once for a seed.
    package let desk: OrderDesk
    package let pruner: OrderPruner
    private let logger: Logger

    /// How often the book is looked over; a step costs nothing without a new block.
    package static let pruneInterval = Duration.seconds(1)
    /// Connections beyond these wait.
    private static let maximumConnections = 512
    /// A connection on which nothing moves is closed.
    private static let idleTimeout = TimeAmount.seconds(60)

    /// A relay over an open store; call `desk.restore()` before serving.
    ///
    /// - Parameter now: seconds since 1970.
    package init(
        configuration: RelayConfiguration,
        exchangeProtocol: any ExchangeProtocol,
        chain: any ChainClient,
        recoverer: any SignatureRecovering,
        store: RelayStore,
        now: @escaping @Sendable () -> UInt64,
        logger: Logger
    ) {
        self.logger = logger
        desk = OrderDesk(
            configuration: configuration,
            exchangeProtocol: exchangeProtocol,
            recoverer: recoverer,
            auditor: OrderAuditor(
                exchangeProtocol: exchangeProtocol,
                chain: chain,
                contracts: configuration.contracts
            ),
            book: OrderBook(),
            store: store,
            now: now,
            logger: logger
        )
        pruner = OrderPruner(desk: desk)
    }

    /// The routes, for an application or for requests within the process.
    ///
    /// - Parameter middleware: stands before every request.
    package func router(
        middleware: (any MiddlewareProtocol<Request, Response, RelayRequestContext>)? = nil
    ) -> Router<RelayRequestContext> {
        let router = Router(context: RelayRequestContext.self)
        if let middleware { router.add(middleware: middleware) }
        router.add(
            middleware: MiddlewareV0(
                limiter: desk.configuration.requestsPerHour.map {
                    RateLimiter(limit: $0, now: desk.now)
                },
                logger: logger
            )
        )
        RelayAPIV0(desk: desk, pruner: pruner).addRoutes(to: router)
        return router
    }

    /// The HTTP server with the pruner beside it; a service to run in a group.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - middleware: stands before every request.
    ///   - onRunning: called once with the port that is listened on.
    package func application(
        host: String = "127.0.0.1",
        port: Int,
        middleware: (any MiddlewareProtocol<Request, Response, RelayRequestContext>)? = nil,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        Application(
            router: router(middleware: middleware),
            server: .http1(configuration: .init(idleTimeout: Self.idleTimeout)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.maximumConnections,
                    logger: logger
                )
            ),
            services: [PruneService(pruner: pruner)],
            onServerRunning: { await onRunning($0.localAddress?.port ?? port) },
            logger: logger
        )
    }
}

/// The pruner as a service that stops with its group.
private struct PruneService: Service {
    let pruner: OrderPruner

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await pruner.run(every: RelayServer.pruneInterval)
        }
    }
}
