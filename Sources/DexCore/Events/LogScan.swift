import Ethereum
import ZeroEx

/// Reads an exchange's events of a range of blocks, in chunks that the node allows.
package struct LogScan: Sendable {
    let session: Session
    /// The maximum number of events kept from one scan.
    var maximumEvents = 200_000

    /// The pages of logs that `events` reads.
    ///
    /// - Parameters:
    ///   - maker: the maker of the orders; nil is any.
    ///   - store: where logs are kept; nil asks the node for all.
    func pages(maker: Address?, blocks: ClosedRange<UInt64>, store: EventStore?) -> LogPager {
        LogPager(
            session: session,
            blocks: blocks,
            store: store,
            filters: { from, to in [session.eventFilter(maker: maker, from: from, to: to)] }
        )
    }

    /// Events by block and log.
    ///
    /// - Parameters:
    ///   - maker: the maker of the orders; nil is any.
    ///   - store: where logs are kept; nil asks the node for all.
    ///   - keep: which events are kept in memory.
    /// - Throws: `DexError`: exit 4, `logs-refused`, if the node refuses even one block, or
    ///   returns more events than can be kept.
    func events(
        maker: Address?,
        blocks: ClosedRange<UInt64>,
        store: EventStore? = nil,
        keep: (LoggedEvent) -> Bool = { _ in true }
    ) async throws(DexError) -> [LoggedEvent] {
        var pages = pages(maker: maker, blocks: blocks, store: store)
        var events: [LoggedEvent] = []
        while let page = try await pages.next() {
            do throws(ExchangeError) {
                events += try session.loggedEvents(in: page.logs)
                    // Not every exchange's logs can be filtered by maker.
                    .filter { logged in
                        (maker == nil || logged.event.maker == maker) && keep(logged)
                    }
            } catch {
                throw DexError(error)
            }
            guard events.count <= maximumEvents else {
                throw ReadError.tooManyEvents(maximum: maximumEvents, block: page.blocks.upperBound)
            }
        }
        return events.sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
    }
}
