import Ethereum
import HTTPServing
import HTTPTypes
import NIOCore
import ZeroEx

/// The relay API for the orders of a protocol version: the only code that separates versions.
enum RelayInterface: Hashable, Sendable {
    case v0
    case v4

    /// The API of the orders of a protocol version.
    init(_ version: ProtocolVersion) {
        switch version {
        case .v1: self = .v0
        case .v4: self = .v4
        }
    }

    /// The API's name in the relay's descriptions.
    var name: String {
        switch self {
        case .v0: "v0"
        case .v4: "v4"
        }
    }

    /// The path of its WebSocket channel.
    var webSocketPath: String {
        switch self {
        case .v0: "/v0/ws"
        case .v4: "/orderbook/v1"
        }
    }

    /// The beginnings of all its paths.
    var paths: [String] {
        switch self {
        case .v0: ["/v0"]
        case .v4: ["/sra/v4", "/orderbook/v1"]
        }
    }

    /// The paths of its WebSocket.
    var webSocketPaths: [String] {
        switch self {
        case .v0: ["/v0/ws", "/v0"]
        case .v4: paths
        }
    }

    var rules: RelayRules {
        switch self {
        case .v0: .v0
        case .v4: .v4
        }
    }

    var fault: any RelayFault.Type {
        switch self {
        case .v0: FaultV0.self
        case .v4: FaultV4.self
        }
    }

    func addRoutes(of market: RelayMarket, to router: inout Router) {
        switch self {
        case .v0: RelayAPIV0(market).addRoutes(to: &router)
        case .v4: RelayAPIV4(market).addRoutes(to: &router)
        }
    }

    /// The status of the answer to an accepted order.
    var accepted: HTTPResponse.Status {
        switch self {
        case .v0: .created
        case .v4: .ok
        }
    }

    /// The answer to an order in a body: once it is settled, and on disk if it is accepted.
    ///
    /// It needs no task. What an event loop reads in one turn goes to the checks together.
    ///
    /// - Throws: a `RelayFault`: the body is no order for this relay.
    func post(_ body: ByteBuffer, of request: Request, to intake: OrderIntake) throws -> Answer {
        let order = try order(in: body, intake)
        let promise = request.eventLoop.makePromise(of: Response.self)
        let pending = intake.checked(
            [order],
            from: request.client,
            holder: request.holder,
            id: intake.queue.nextID()
        ) { outcome in
            switch outcome {
            case .success: promise.succeed(Response(status: accepted))
            case .failure(let refused): promise.fail(fault.init(refused.refusals))
            }
        }
        if let pending { intake.queue.enter(pending, behindTurnOf: request.eventLoop) }
        return .later(promise.futureResult)
    }

    private func order(in body: ByteBuffer, _ intake: OrderIntake) throws -> PostedOrder {
        switch self {
        case .v0: try RelayAPIV0.order(in: body, intake)
        case .v4: try RelayAPIV4.order(in: body, intake)
        }
    }

    /// A page of a pair's book: at once if it is ready, else from a task that makes it.
    func page<Query: RelayQuery>(
        _ query: Query,
        of pair: [Address],
        for request: Request,
        in pages: PageCache,
        _ intake: OrderIntake,
        _ make: @escaping @Sendable (PageCache.Book, Query, _ horizon: UInt64) -> PageCache.Content
    ) -> Answer {
        let key = PageCache.Key(
            base: pair[0],
            quote: pair[1],
            page: query.page,
            pageSize: query.pageSize
        )
        let (path, authority) = (request.path, request.authority)
        let answer: @Sendable (CachedPage) -> Response = { page in
            var response = page.response
            let link = query.link(path: path, authority: authority, count: page.total)
            if let link { response.headers.set("Link", link) }
            return response
        }
        if let page = pages.ready(key, at: intake.horizon) { return .now(answer(page)) }
        return .task {
            answer(
                pages.page(key, at: intake.horizon) { horizon in
                    let book = PageCache.Book(base: key.base, quote: key.quote, in: intake.book)
                    return make(book, query, horizon)
                }
            )
        }
    }
}
