package import DexStore
package import Ethereum
import ZeroEx

/// `dex orders --mine`: the account's orders from journal, relay and chain, with their fills.
package struct OwnOrdersModel: Sendable {
    private let session: Session
    private let journal: Journal
    private let settings: ReadSettings

    package init(
        session: Session,
        journal: Journal,
        settings: ReadSettings = ReadSettings()
    ) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }

    /// The orders: the journal's first, newest first, then those only on the relay.
    ///
    /// If the relay or the node's logs are not available, `warnings` names the gaps. The state of
    /// the orders is read from the chain.
    ///
    /// - Parameters:
    ///   - pairText: both directions of `BASE/QUOTE`; nil is every pair.
    ///   - onlyOpen: excludes orders that cannot be filled now.
    /// - Throws: `DexError`: not reachable, another chain, no exchange.
    package func load(
        _ account: Address,
        pairText: String? = nil,
        onlyOpen: Bool = false
    ) async throws(DexError) -> OwnOrdersState {
        var tokens: Set<Address>?
        if let pairText {
            let pair = try await TokenResolver(session: session).pair(pairText)
            tokens = [pair.base.address, pair.quote.address]
        }
        var warnings: [String] = []
        let records = try recorded(account)
        let served = await relayed(account, warnings: &warnings)
        let own = records.compactMap { OrderFinder.order(of: $0, session: session) }
            .filter { $0.maker == account }
        let known = Set(own.map(\.hash))
        let all = (own + served.orders.filter { !known.contains($0.hash) }).filter { order in
            tokens.map { $0 == [order.makerToken, order.takerToken] } ?? true
        }
        do {
            try await TradeSync(session: session, journal: journal).catchUp(account)
        } catch {
            // An order's state is known without its fills.
            warnings.append("Not all fills are shown: \(error.message)")
        }
        let inspection = try await OrderInspector(session: session, settings: settings).rows(
            for: all,
            own: known,
            // A relay without an answer is assumed to have the orders that it accepted.
            served: served.isKnown
                ? Set(served.orders.map(\.hash))
                : Set(records.filter { $0.relay != nil }.map(\.hash))
        )
        let events = try happened(account)
        let byHash = Dictionary(records.map { ($0.hash, $0) }) { first, _ in first }
        if onlyOpen { warnings += OrdersState.unfunded(inspection.rows) }
        warnings += inspection.warnings
        let rows = inspection.rows.filter { !onlyOpen || $0.standing.isFillable }.map { row in
            let record = byHash[row.order.hash]
            return OwnOrdersState.Row(
                order: row,
                signed: record?.created,
                relay: record.flatMap(Self.relays),
                isInDoubt: record?.isInDoubt ?? false,
                events: events[row.order.hash] ?? []
            )
        }
        if let warning = Self.gap(rows) { warnings.append(warning) }
        warnings += session.leftOutRelays
        return OwnOrdersState(
            account: account,
            block: inspection.block.number,
            timestamp: inspection.block.timestamp,
            rows: rows,
            dropped: served.dropped + inspection.dropped,
            warnings: warnings
        )
    }

    /// The relays that took it, as far as they may be shown.
    private static func relays(of record: JournalOrder) -> String? {
        let names = record.relays.map { name in
            // A name may end with the number of a relay among those of its server.
            let number = name.lastIndex(of: "#").map { name[$0...] } ?? ""
            return name.contains("://") ? PlainText.origin(of: name) + number : name
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    // MARK: Sources

    private struct Served {
        var orders: [any SignedOrder] = []
        var dropped: [OrderbookState.Dropped] = []
        var isKnown = false
    }

    private func recorded(_ account: Address) throws(DexError) -> [JournalOrder] {
        try journaled(try journal.orders(of: account, network: session.network))
    }

    private func relayed(_ account: Address, warnings: inout [String]) async -> Served {
        guard let relay = session.relay else { return Served(isKnown: true) }
        var query = OrderQuery()
        query.exchange = session.network.exchange
        query.maker = account
        do throws(RelayError) {
            let answer = try await relay.orders(query)
            return Served(
                orders: answer.orders.filter { $0.maker == account },
                dropped: OrderbookState.Dropped.list(answer.unreadable),
                isKnown: true
            )
        } catch {
            warnings.append(
                "Only the orders of the journal are shown: "
                    + PlainText.sentence(error.description)
            )
            return Served()
        }
    }

    private func happened(_ account: Address) throws(DexError) -> [OrderHash: [OwnOrderEvent]] {
        let mined = try journaled(try journal.trades(of: account, network: session.network))
        let events = mined.flatMap { OwnOrderEvent.events(in: $0, maker: account) }
        return Dictionary(grouping: events, by: \.orderHash)
    }

    /// A warning if the exchange's filled amount exceeds the fills in the logs.
    private static func gap(_ rows: [OwnOrdersState.Row]) -> String? {
        let short = rows.filter { row in
            let sum = row.events.reduce(UInt256.zero) { sum, event in
                guard case .fill = event.kind else { return sum }
                return sum.addingSaturating(event.takerAmount)
            }
            return sum < row.order.state.filled
        }
        guard !short.isEmpty else { return nil }
        return "Of \(short.count == 1 ? "one order" : "\(short.count) orders") more is filled than "
            + "the logs that were read tell; `dex history rebuild --from-block N` reads them from "
            + "an earlier block on."
    }
}
