import DexCore
import DexStore
import DexTerminal

/// One picture of the full screen: everything is read once, and nothing is followed.
struct LiveStill: Sendable {
    let desk: LiveDesk
    let state: LiveState

    /// The screen once each part of it was read, or failed.
    ///
    /// - Throws: `DexError` if there is no book.
    func grid(zone: LocalTime) async throws -> Grid {
        var model = LiveModel(state, slippage: "")
        let (events, sink) = AsyncStream.makeStream(of: LiveEvent.self)
        let feeds = LiveFeeds(desk: desk, interest: LiveInterest())
        let reading = Task {
            await feeds.run(state.pairText, generation: state.generation) { sink.yield($0) }
            sink.finish()
        }
        defer { reading.cancel() }
        for await event in events {
            _ = model.take(event)
            if let error = model.state.troubles[.book] { throw error }
            if Self.isWhole(model.state) { break }
        }
        return LiveView(model.state, zone: zone).grid
    }

    private static func isWhole(_ state: LiveState) -> Bool {
        func isRead(_ source: LiveSource, _ isThere: Bool) -> Bool {
            isThere || state.troubles[source] != nil
        }
        return state.book != nil && isRead(.trades, state.trades != nil)
            && (state.account == nil
                || isRead(.orders, state.orders != nil)
                    && isRead(.balances, state.balances != nil)
                    && isRead(.transactions, state.transactions != nil))
    }
}
