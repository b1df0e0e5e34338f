package import Ethereum
package import ZeroEx

/// The result of `dex orderbook --relays`: what each relay shows of a pair.
package struct RelayComparisonState: Sendable {
    /// One relay.
    package struct Row: Sendable {
        package let relay: String
        /// Entries that it sent, of both sides, unreadable ones included.
        package let received: Int
        /// Its orders that can be filled now, at least partly.
        package let usable: Int
        /// Those of them that no other relay shows.
        package let onlyThere: Int
        /// The best prices among its orders that can be taken.
        package let bid: Price?
        package let ask: Price?
        /// The time to its whole answer.
        package let milliseconds: UInt64
        /// Why it is left out, without its name; nil if its orders count.
        package let failure: String?
    }

    package let pair: Pair
    package let block: UInt64
    /// Seconds since 1970 of that block.
    package let timestamp: UInt64
    package let rows: [Row]
    /// Orders of the merged book that can be filled now.
    package let usable: Int
    /// The best prices of the merged book.
    package let bid: Price?
    package let ask: Price?
}

extension RelayComparisonState {
    /// A sentence for each relay that is left out.
    package var warnings: [String] {
        rows.compactMap { row in
            row.failure.map {
                PlainText.sentence("The relay \(row.relay) is left out: \($0)", limit: 2_000)
            }
        }
    }
}

/// `dex orderbook --relays`.
package struct RelayComparisonModel: ReadModel {
    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// Reads the merged, verified book and counts what each relay contributes.
    ///
    /// - Throws: as `OrderbookModel.load`; all relays failing is exit 4.
    package func load(
        pairText: String,
        account: Address? = nil
    ) async throws(DexError) -> RelayComparisonState {
        let pair = try await TokenResolver(session: session).pair(pairText)
        let start = session.environment.elapsed()
        let book = try await BookReader(session: session, settings: settings)
            .snapshot(of: pair, account: account)
        let now = session.environment.elapsed()
        return RelayComparisonState(
            pair: book.pair,
            block: book.block.number,
            timestamp: book.block.timestamp,
            rows: rows(of: book, milliseconds: now - min(now, start)),
            usable: book.bids.count + book.asks.count,
            bid: book.bid,
            ask: book.ask
        )
    }

    /// - Parameter milliseconds: the time of the whole read, for a single relay.
    private func rows(
        of book: BookSnapshot,
        milliseconds: UInt64
    ) -> [RelayComparisonState.Row] {
        guard let relays = book.relays else {
            let usable = book.bids.count + book.asks.count
            return session.relayMembers.map { member in
                RelayComparisonState.Row(
                    relay: member.name,
                    received: book.received,
                    usable: usable,
                    onlyThere: usable,
                    bid: book.bid,
                    ask: book.ask,
                    milliseconds: milliseconds,
                    failure: nil
                )
            }
        }
        return relays.answers.enumerated().map { index, answer in
            func shown(_ entries: [BookEntry]) -> [BookEntry] {
                guard answer.failure == nil else { return [] }
                return entries.filter { relays[$0.order.copyID].contains(index: index) }
            }
            let (bids, asks) = (shown(book.bids), shown(book.asks))
            let only = (bids + asks).count {
                relays[$0.order.copyID].subtracting(relays.leftOut).count == 1
            }
            return RelayComparisonState.Row(
                relay: answer.relay,
                received: answer.received,
                usable: bids.count + asks.count,
                onlyThere: only,
                bid: BookDepth(bids, side: .sell).best,
                ask: BookDepth(asks, side: .buy).best,
                milliseconds: answer.milliseconds,
                failure: answer.failure.map { PlainText.clean($0.reason, limit: 2_000) }
            )
        }
    }
}
