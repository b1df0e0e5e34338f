package import Ethereum
package import ZeroEx

/// Reads an exchange's events of a range of blocks, in pieces that the node allows.
package struct LogScan: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// Events by block and log.
    ///
    /// - Parameters:
    ///   - maker: whose orders; nil is everybody's.
    ///   - keep: which events are kept in memory.
    /// - Throws: `DexError`: exit 4, `logs-refused`, where the node refuses even one block.
    package func events(
        maker: Address?,
        blocks: ClosedRange<UInt64>,
        keep: (LoggedEvent) -> Bool = { _ in true }
    ) async throws(DexError) -> [LoggedEvent] {
        let exchange = session.network.exchange
        var pieces = LogPieces(session: session, blocks: blocks) { [session] from, to in
            [
                session.exchangeProtocol.eventFilter(
                    maker: maker,
                    from: from,
                    to: to,
                    exchange: exchange
                )
            ]
        }
        var events: [LoggedEvent] = []
        while let piece = try await pieces.next() {
            do throws(ExchangeError) {
                events += try session.exchangeProtocol
                    .loggedEvents(in: piece.logs, exchange: exchange)
                    // Not every exchange's logs can be asked for by their maker.
                    .filter { logged in
                        (maker == nil || logged.event.maker == maker) && keep(logged)
                    }
            } catch {
                throw DexError(error)
            }
        }
        return events.sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
    }
}
