import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import ZeroEx

/// Posts of orders, taken on their connections' own event loops.
///
/// An answer is the same as the one of the routes, with the same counts, names and limits. What an
/// event loop reads in one turn goes to the checks together.
final class DirectPosts: Sendable {
    private let requests: DirectRequests
    private let entrances: [Entrance]

    /// A path that takes orders, and the way into its market's queue.
    private final class Entrance: Sendable {
        let path: String
        let interface: RelayInterface
        let intake: OrderIntake
        let turn: LoopTurn<PendingPost>
        /// A request without headers.
        let request: HTTPRequest
        /// The answer to an accepted order.
        let accepted: DirectAnswer

        init(
            path: String,
            interface: RelayInterface,
            intake: OrderIntake,
            turn: LoopTurn<PendingPost>
        ) {
            self.path = path
            self.interface = interface
            self.intake = intake
            self.turn = turn
            request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: path)
            accepted = DirectAnswer(
                status: interface.accepted,
                headers: Response(status: interface.accepted).headers,
                body: ByteBuffer()
            )
        }
    }

    init(markets: [RelayMarket], requests: DirectRequests) {
        self.requests = requests
        entrances = markets.flatMap { market in
            let (interface, intake) = (market.interface, market.intake)
            let turn = LoopTurn { intake.queue.enter($0) }
            return interface.orderPaths.map { path in
                Entrance(path: path, interface: interface, intake: intake, turn: turn)
            }
        }
    }

    /// The paths that take orders.
    var paths: [String] { entrances.map(\.path) }

    /// - Parameter post: to one of `paths`; it is answered once.
    func take(_ post: DirectPost) {
        let entrance = entrances[post.path]
        var request = entrance.request
        if !post.headers.isEmpty { request.headerFields = post.headers }
        let begun = requests.begin(request, from: post.peer)
        let send = post.answer
        let finish: @Sendable (DirectAnswer) -> Void = { [self] answer in
            send(requests.end(begun, route: entrance.path, answer))
        }
        let fault = entrance.interface.fault
        if begun.isExceeded { return finish(DirectAnswer(fault.throttled)) }
        let order: PostedOrder
        switch entrance.interface.order(in: post.body, entrance.intake) {
        case .success(let posted): order = posted
        case .failure(let error): return finish(DirectAnswer(error.fault))
        }
        let pending = entrance.intake.checked(
            [order],
            from: begun.record.client,
            id: entrance.intake.queue.nextID()
        ) { outcome in
            switch outcome {
            case .success: finish(entrance.accepted)
            case .failure(let refused): finish(DirectAnswer(fault.init(refused.refusals)))
            }
        }
        if let pending { entrance.turn.add(pending, on: post.eventLoop) }
    }
}
