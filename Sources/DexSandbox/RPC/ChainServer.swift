package import HTTPServing
import HTTPTypes
package import Logging
import NIOCore

/// Serves a simulated chain's JSON-RPC over HTTP POST, and makes the blocks of timed mining.
///
/// What steers the chain (`RPCAccess`) it serves only to programs of this machine.
package struct ChainServer: Sendable {
    /// The maximum bytes of a request's body, as in geth.
    package static let maximumBody = 5 * 1024 * 1024

    private let chain: SandboxChain
    private let host: String
    private let port: Int
    private let hosts: AcceptedHosts
    private let access: RPCAccess?
    private let routes: @Sendable (inout Router) -> Void
    private let filter: (any RequestFilter)?
    private let pages: @Sendable (Request) async -> Response
    private let logger: Logger

    /// A server that is not running yet.
    ///
    /// - Parameters:
    ///   - host: an IP address of this machine.
    ///   - port: 0 takes any free port; `run` reports which.
    ///   - hosts: what requests may call the server.
    ///   - access: what every client may do; nil leaves all to programs of this machine.
    ///   - filter: stands before every request but those of pages.
    ///   - routes: adds further paths.
    ///   - pages: answers every other request, such as those of a browser.
    package init(
        chain: SandboxChain,
        host: String = "127.0.0.1",
        port: Int = 0,
        hosts: AcceptedHosts = .loopback,
        access: RPCAccess? = nil,
        filter: (any RequestFilter)? = nil,
        routes: @escaping @Sendable (inout Router) -> Void = { _ in },
        pages: @escaping @Sendable (Request) async -> Response = Self.onlyRPC,
        logger: Logger = Logger(label: "dex.sandbox.chain") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.chain = chain
        self.host = host
        self.port = port
        self.hosts = hosts
        self.access = access
        self.routes = routes
        self.filter = filter
        self.pages = pages
        self.logger = logger
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: gets the port once the server answers.
    /// - Throws: an error if the address cannot be bound, or a timed block cannot be stored.
    package func run(
        onReady: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) async throws {
        let (ports, report) = AsyncStream.makeStream(of: Int.self)
        let server = HTTPServer(router, host: host, port: port, logger: logger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { report.finish() }
                    try await server.run { port in
                        report.yield(port)
                        report.finish()
                    }
                }
                group.addTask {
                    // Concurrent with the server, which may already be called.
                    for await port in ports { await onReady(port) }
                    try await chain.makeTimedBlocks()
                }
                // The first one to end or fail ends the other.
                try await group.next()
                group.cancelAll()
            }
        } catch is CancellationError {
            // The normal end of a server.
        }
    }

    private var router: Router {
        var router = Router()
        router.add(LocalRequestGuard(hosts: hosts))
        router.otherwise([.get, .head, .put, .delete, .patch, .options, .post]) { request in
            .task { await pages(request) }
        }
        // Only what is added from here on passes it.
        if let filter { router.add(filter) }
        router.post("/", maximum: Self.maximumBody) { request, body in
            let body = try body.get()
            let access = access ?? (request.channel?.isFromThisMachine == true ? .full : .remote)
            return .task {
                let answer = await chain.answer(body: Array(body.readableBytesView), access: access)
                return Response(json: ByteBuffer(bytes: answer))
            }
        }
        routes(&router)
        return router
    }

    /// What a server without pages answers.
    package static let onlyRPC: @Sendable (Request) async -> Response = { request in
        guard request.path == "/", [.get, .head].contains(request.method) else {
            return Response(status: .notFound)
        }
        return Response(
            type: "text/plain",
            ByteBuffer(string: "dex sandbox chain: POST JSON-RPC here\n")
        )
    }
}
