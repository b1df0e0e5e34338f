import Ethereum
import Synchronization
import Testing
import ZeroEx

/// A relay that answers only what a test has set, and fails the test on everything else.
final class FakeRelay: RelayClient {
    /// What the relay answers, and what it was asked.
    struct State: Sendable {
        var pairs: Result<[RelayTokenPair], RelayError>?
        var book: Result<RelayOrderbook, RelayError>?
        /// Books by base and quote, before `book`.
        var books: [[Address]: Result<RelayOrderbook, RelayError>] = [:]
        var onOrders: (@Sendable (OrderQuery) -> Result<RelayOrders, RelayError>)?
        var orders: [OrderHash: Result<(any SignedOrder)?, RelayError>] = [:]
        /// The answer for an order that is not in `orders`.
        var missing: Result<(any SignedOrder)?, RelayError>?
        var fees: Result<OrderFees, RelayError>?
        /// The answer to an order that is posted; taken orders are served from then on.
        var post: Result<Void, RelayError>?
        /// Orders that it refuses, whatever it answers to others.
        var refused: Set<OrderHash> = []
        /// Serves what was posted even where it answers with an error.
        var showsPosted = false
        var requests: [String] = []
        var drafts: [OrderDraft] = []
        var posted: [any SignedOrder] = []
    }

    private let state = Mutex(State())

    /// Changes what the relay answers.
    func set(_ change: (inout sending State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// What was asked, in order: `orderbook`, `orders` and so on.
    var requests: [String] {
        state.withLock { $0.requests }
    }

    /// The orders that were posted.
    var posted: [any SignedOrder] {
        state.withLock { $0.posted }
    }

    /// The drafts that fees were asked for.
    var drafts: [OrderDraft] {
        state.withLock { $0.drafts }
    }

    func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        try answer("token_pairs") { $0.pairs }
    }

    func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        try answer("orders") { $0.onOrders?(query) }
    }

    func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        try answer("order") { $0.orders[hash] ?? $0.missing }
    }

    func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        let book = try answer("orderbook") { $0.books[[base, quote]] ?? $0.book }
        arrived(book.bids.orders + book.asks.orders)
        return book
    }

    func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        state.withLock { $0.drafts.append(draft) }
        return try answer("fees") { $0.fees }
    }

    func post(_ order: any SignedOrder) async throws(RelayError) {
        try answer("post") { state -> Result<Void, RelayError>? in
            state.posted.append(order)
            if state.refused.contains(order.hash) {
                state.orders[order.hash] = .success(nil)
                return .failure(.refused(status: 400, code: 100, reason: "No room", fields: []))
            }
            switch state.post {
            case .success: state.orders[order.hash] = .success(order)
            case _ where state.showsPosted: state.orders[order.hash] = .success(order)
            // It does not have what it would not take.
            case .failure(.refused), .failure(.rateLimited):
                state.orders[order.hash] = state.orders[order.hash] ?? .success(nil)
            case .failure, nil: break
            }
            return state.post
        }
    }

    private func answer<Value: Sendable>(
        _ request: String,
        _ read: (inout State) -> Result<Value, RelayError>?
    ) throws(RelayError) -> Value {
        let result = state.withLock { state in
            state.requests.append(request)
            return read(&state)
        }
        guard let result else {
            Issue.record("the test set no answer for \(request)")
            throw .nonsense("the test set no answer for \(request)")
        }
        return try result.get()
    }
}
