import DexCore
import DexStore
import DexTerminal

/// One picture of the full screen: everything is read once, and nothing is followed.
struct LiveStill: Sendable {
    let desk: LiveDesk
    let state: LiveState

    /// The screen once each part of it was read, or failed, and it is known how the book is followed.
    ///
    /// - Throws: `DexError` if there is no book.
    func grid(zone: LocalTime) async throws -> Grid {
        var model = LiveModel(state, slippage: "")
        let (events, sink) = AsyncStream.makeStream(of: LiveEvent.self)
        let feeds = LiveFeeds(desk: desk, interest: VisibleOrders())
        let reading = Task {
            await feeds.run(state.pairText, generation: state.generation) { sink.yield($0) }
            sink.finish()
        }
        defer { reading.cancel() }
        for await event in events {
            _ = model.take(event)
            if let error = model.state.troubles[.book] { throw error }
            if model.state.isWhole(venue: !desk.session.venues.isEmpty) { break }
        }
        return LiveView(model.state, zone: zone).grid
    }
}
