import DexStore
import Ethereum
import ZeroEx

/// Finds an order's fills in the chain's logs, as far back as the node serves them at once.
struct OrderFills {
    /// The fills in some blocks, the oldest first.
    struct Found {
        let fills: [FillEvent]
        /// The node returned the logs of all these blocks now: none is a kept one.
        let isFresh: Bool
        /// What it was read from, not kept yet.
        fileprivate var pages: LogPager

        fileprivate var amount: UInt256 { OrderFills.sum(of: fills) }
    }

    let session: Session
    /// The latest block.
    let head: Block
    /// Where logs are kept; nil asks the node for all.
    let journal: Journal?

    /// The usual range limit of nodes.
    private static let window: UInt64 = 10_000

    /// The last blocks, which are searched first.
    private var last: ClosedRange<UInt64> {
        head.number - min(head.number, Self.window)...head.number
    }

    private static func sum(of fills: [FillEvent]) -> UInt256 {
        fills.reduce(.zero) { $0.addingSaturating($1.takerAmount) }
    }

    /// The fills of the last blocks; nil if the node does not give their logs at once.
    ///
    /// - Throws: `DexError`, exit 4, if the node did not answer; or the journal cannot be read or
    ///   written.
    func recent(of order: any SignedOrder) async throws(DexError) -> Found? {
        do throws(DexError) {
            return try await read(order, in: last)
        } catch {
            guard error.concerns(.refusedLogs) else { throw error }
            return nil
        }
    }

    /// The fills of all blocks, as far as the node serves them.
    ///
    /// Older ones than those of the last blocks are looked for where some are missing, but not where
    /// a node would have to return the fills of all makers since the first block. What is kept and
    /// does not add up is read anew. Logs are kept only where all add up.
    ///
    /// - Parameters:
    ///   - recent: of the last blocks.
    ///   - filled: by the exchange, in base units of the taker token.
    func all(
        of order: any SignedOrder,
        beside recent: Found?,
        filled: UInt256
    ) async -> [FillEvent] {
        var newest = recent
        var older: Found?
        func amount() -> UInt256 {
            [older, newest].reduce(.zero) { $0.addingSaturating($1?.amount ?? .zero) }
        }
        let end = recent == nil ? head.number : last.lowerBound - min(last.lowerBound, 1)
        let hasOlder = recent == nil || last.lowerBound > 0
        if session.exchangeProtocol.findsMakersInLogs, hasOlder, amount() < filled {
            older = try? await read(order, in: 0...end)  // nil: refused
        }
        // The last blocks first: all before them are more than many nodes give.
        if amount() != filled { newest = await renewed(newest, of: order, in: last, filled) }
        if amount() != filled { older = await renewed(older, of: order, in: 0...end, filled) }
        let fills = [older, newest].compactMap(\.self).flatMap(\.fills)
        guard amount() == filled else { return fills }
        for var found in [older, newest].compactMap(\.self) {
            try? found.pages.keep()  // They are asked for again.
        }
        return fills
    }

    /// Why fills are not those that an order's state tells of, as a sentence; nil if they are.
    func warning(of fills: [FillEvent], of row: OrdersState.Row) -> String? {
        let (shown, filled) = (Self.sum(of: fills), row.state.filled)
        guard shown != filled else { return nil }
        let unit = Currency.token(row.taker.token)
        let text =
            "The fills in the node's logs come to \(unit.text(shown)); the exchange counts "
            + "\(unit.text(filled)) as filled"
        if shown > filled { return text + ": not all of these fills happened." }
        return session.exchangeProtocol.findsMakersInLogs
            ? text + ": some fills are not shown."
            : text + ": fills before block \(last.lowerBound) are not searched."
    }

    /// The better one of what was kept and of what the node says now.
    private func renewed(
        _ kept: Found?,
        of order: any SignedOrder,
        in blocks: ClosedRange<UInt64>,
        _ filled: UInt256
    ) async -> Found? {
        guard let kept, !kept.isFresh,
            let anew = try? await read(order, in: blocks, isRenewed: true),  // nil: refused
            kept.amount > filled || anew.amount > kept.amount
        else { return kept }
        return anew
    }

    /// - Parameter isRenewed: asks the node for every log, not only for those that are not kept.
    private func read(
        _ order: any SignedOrder,
        in blocks: ClosedRange<UInt64>,
        isRenewed: Bool = false
    ) async throws(DexError) -> Found {
        var pages = LogScan(session: session).pages(
            maker: order.maker,
            blocks: blocks,
            store: journal.map { EventStore($0, head: head, isRenewed: isRenewed) }
        )
        let (logs, isFresh) = try await pages.whole()
        // Logs that cannot be read count as logs that the node does not serve.
        let events = try? session.exchangeProtocol.events(  // nil: unreadable
            in: logs,
            exchange: session.network.exchange
        )
        let fills = (events ?? []).compactMap { event -> FillEvent? in
            guard case .filled(let fill) = event, fill.orderHash == order.hash else { return nil }
            return fill
        }
        return Found(fills: fills, isFresh: isFresh, pages: pages)
    }
}
