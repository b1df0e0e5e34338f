import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import ZeroEx

/// Posts of orders, taken on their connections' own event loops.
///
/// An answer is the same as the one of the routes, with the same counts, names and limits. What an
/// event loop reads in one turn goes to the checks together.
struct DirectPosts: Sendable {
    private let requests: DirectRequests
    private let entrances: [Entrance]

    /// A path that takes orders, and the way into its market's queue.
    private struct Entrance: Sendable {
        let path: String
        let interface: RelayInterface
        let intake: OrderIntake
        let turn: LoopTurn<PendingPost>
        /// A request without headers.
        let request: HTTPRequest
        /// The headers of the answer to an accepted order.
        let accepted: HTTPFields
    }

    init(markets: [RelayMarket], requests: DirectRequests) {
        self.requests = requests
        entrances = markets.flatMap { market in
            let (interface, intake) = (market.interface, market.intake)
            let turn = LoopTurn { intake.queue.enter($0) }
            return interface.orderPaths.map { path in
                Entrance(
                    path: path,
                    interface: interface,
                    intake: intake,
                    turn: turn,
                    request: HTTPRequest(method: .post, scheme: nil, authority: nil, path: path),
                    accepted: Response(status: interface.accepted).headers
                )
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
        let finish: @Sendable (DirectAnswer) -> Void = { [requests] answer in
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
            case .success:
                finish(
                    DirectAnswer(
                        status: entrance.interface.accepted,
                        headers: entrance.accepted,
                        body: ByteBuffer()
                    )
                )
            case .failure(let refused): finish(DirectAnswer(fault.init(refused.refusals)))
            }
        }
        if let pending { entrance.turn.add(pending, on: post.eventLoop) }
    }
}

/// Collects what event loops find in one turn, and hands it on together at its end.
private final class LoopTurn<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let hand: @Sendable ([Element]) -> Void

    init(_ hand: @escaping @Sendable ([Element]) -> Void) {
        self.hand = hand
    }

    func add(_ element: Element, on eventLoop: any EventLoop) {
        let isFirst = elements.withLock { elements in
            elements.append(element)
            return elements.count == 1
        }
        guard isFirst else { return }
        // Runs after everything that is ready to be read.
        eventLoop.execute { [self] in
            hand(
                elements.withLock { elements in
                    defer { elements = [] }
                    return elements
                }
            )
        }
    }
}
