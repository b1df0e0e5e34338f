import DexStore
import Ethereum
import ZeroEx

/// Finds an order's fills in the chain's logs, as far back as the node serves them at once.
struct OrderFills {
    /// The fills in some blocks, the oldest first.
    struct Found {
        var fills: [FillEvent]
        /// The node returned the logs of all these blocks now: none is a kept one.
        var isFresh: Bool

        fileprivate var amount: UInt256 {
            fills.reduce(.zero) { $0.addingSaturating($1.takerAmount) }
        }
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
    /// Older ones than those of the last blocks are looked for where some are missing. What is kept
    /// and does not add up is read anew. Neither is done where a node would have to return the fills
    /// of all makers since the first block.
    ///
    /// - Parameters:
    ///   - recent: of the last blocks.
    ///   - filled: by the exchange, in base units of the taker token.
    func all(
        of order: any SignedOrder,
        beside recent: Found?,
        filled: UInt256
    ) async -> [FillEvent] {
        var found = recent ?? Found(fills: [], isFresh: true)
        guard found.amount != filled else { return found.fills }
        let findsMakers = session.exchangeProtocol.findsMakersInLogs
        let end = recent == nil ? head.number : last.lowerBound - min(last.lowerBound, 1)
        if findsMakers, found.amount < filled, recent == nil || last.lowerBound > 0,
            let older = try? await read(order, in: 0...end)  // nil: refused
        {
            found.fills = older.fills + found.fills
            found.isFresh = found.isFresh && older.isFresh
        }
        guard !found.isFresh, found.amount != filled,
            let anew = try? await read(  // nil: refused
                order,
                in: findsMakers ? 0...head.number : last,
                replacing: filled
            ), anew.amount == filled || anew.fills.count > found.fills.count
        else { return found.fills }
        return anew.fills
    }

    /// - Parameter filled: asks the node for every log, which is kept only if the fills are so much;
    ///   nil asks for those that are not kept.
    private func read(
        _ order: any SignedOrder,
        in blocks: ClosedRange<UInt64>,
        replacing filled: UInt256? = nil
    ) async throws(DexError) -> Found {
        var pages = LogScan(session: session).pages(
            maker: order.maker,
            blocks: blocks,
            store: journal.map { EventStore($0, head: head, isRenewed: filled != nil) }
        )
        let (logs, isFresh) = try await pages.whole()
        // Logs that cannot be read count as logs that the node does not serve.
        guard
            let events = try? session.exchangeProtocol.events(  // nil: unreadable
                in: logs,
                exchange: session.network.exchange
            )
        else { return Found(fills: [], isFresh: isFresh) }
        let fills = events.compactMap { event -> FillEvent? in
            guard case .filled(let fill) = event, fill.orderHash == order.hash else { return nil }
            return fill
        }
        let found = Found(fills: fills, isFresh: isFresh)
        if filled == nil || found.amount == filled { try pages.keep() }
        return found
    }
}
