import Ethereum
import ZeroEx

/// Reads an exchange's events of a range of blocks, in chunks that the node allows.
package struct LogScan: Sendable {
    let session: Session
    /// The maximum number of events kept from one scan.
    var maximumEvents = 200_000

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
        var pieces = LogPager(session: session, blocks: blocks, store: store) {
            [session] from, to in
            [session.eventFilter(maker: maker, from: from, to: to)]
        }
        var events: [LoggedEvent] = []
        while let piece = try await pieces.next() {
            do throws(ExchangeError) {
                events += try session.loggedEvents(in: piece.logs)
                    // Not every exchange's logs can be filtered by maker.
                    .filter { logged in
                        (maker == nil || logged.event.maker == maker) && keep(logged)
                    }
            } catch {
                throw DexError(error)
            }
            guard events.count <= maximumEvents else {
                throw ReadError.tooManyEvents(
                    maximum: maximumEvents,
                    block: piece.blocks.upperBound
                )
            }
        }
        return events.sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
    }
}
