package import Ethereum
import ZeroEx

/// `dex orderbook --watch`: the book whenever it changed.
///
/// Relays with a feed are followed; the others are read at half the block time. The chain is read
/// at half the block time in any case, since fills and balances change there.
extension OrderbookModel {
    /// The current book, and then every changed one.
    ///
    /// A transient failure is reported as progress and retried; any other ends the watch. The
    /// watch ends without an error when its task is cancelled.
    ///
    /// - Parameter show: shows a book; false ends the watch.
    package func watch(
        pairText: String,
        depth: Int? = nil,
        raw: Bool = false,
        account: Address? = nil,
        show: (OrderbookState) async -> Bool
    ) async throws(DexError) {
        let pair = try await TokenResolver(session: session).pair(pairText)
        let feeds = PairFeeds(pair, session: session)
        var context = context
        context.session = feeds.session
        let model = OrderbookModel(context)
        let progress = session.environment.progress
        let outcome = await withTaskGroup(of: Void.self) { group in
            group.addTask { await feeds.run { progress($0) } }
            let outcome = await model.repeatedly(
                pair,
                feeds,
                load: { model, pair throws(DexError) in
                    try await model.load(pair, depth: depth, raw: raw, account: account)
                },
                show: show
            )
            group.cancelAll()
            return outcome
        }
        try outcome.get()
    }

    /// Loads and shows again and again, until the end.
    private func repeatedly(
        _ pair: Pair,
        _ feeds: PairFeeds,
        load: (OrderbookModel, Pair) async throws(DexError) -> OrderbookState,
        show: (OrderbookState) async -> Bool
    ) async -> Result<Void, DexError> {
        var last: OrderbookState?
        while true {
            if last != nil, await !feeds.wait() { return .success(()) }
            if Task.isCancelled { return .success(()) }
            do throws(DexError) {
                var state = try await load(self, pair)
                state.source = feeds.source
                if let last, last.isSame(as: state) { continue }
                last = state
                if await !show(state) { return .success(()) }
            } catch {
                // The first book must succeed, so that a wrong address is reported at once.
                guard last != nil, error.retryable else { return .failure(error) }
                session.environment.progress(error.message)
            }
        }
    }
}
