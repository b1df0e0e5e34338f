import DexStore
import Ethereum
import ZeroEx

/// A range of blocks with their logs.
struct WatchChunk {
    let blocks: ClosedRange<UInt64>
    let logs: [Log]
    /// Where the logs come from, which keeps them once they are checked.
    var pages: LogPager
}

/// The result of a reading, noted at once.
struct WatchReading {
    let changes: [WatchStep.Change]
    /// The last block read.
    let last: WatchedBlock
}

extension WatchFollower {
    /// The changes from blocks with their logs, and from the passing of time.
    ///
    /// - Parameter chunk: nil if there is no new block.
    mutating func reading(
        _ chunk: WatchChunk?,
        head: Block
    ) async throws(DexError) -> WatchReading {
        var seen: [WatchEvent] = []
        var unread: [ClosedRange<UInt64>] = []
        if let chunk {
            let scan = WatchScan(session: session, subject: subject)
            let ether = try await EtherScan(session: session, subject: subject)
                .findings(in: chunk.blocks, wraps: scan.wraps(in: chunk.logs))
            let events = try await scan.events(in: chunk.logs, orders: try orders.recorded())
            seen = WatchScan.ordered(events + ether.events)
            unread = ether.unread
            tell(ether, of: chunk.blocks)
        }
        let trusted = TrustedTokens(own: try orders.tokens(), map: session.tokens)
        let trades = WatchTrades(seen, of: subject) { token in
            settings.tellsAllTokens || trusted.contains(token)
        }
        let keys = orders.keys.union(seen.map(\.key)).union(trades.keys)
        let ledger = EventDiff(
            try journaled(
                try journal.notedEvents(
                    subject,
                    keys: keys,
                    from: chunk?.blocks.lowerBound ?? UInt64(Int64.max)
                )
            )
        )
        var undone: [WatchEvent] = []
        var last = WatchedBlock(number: head.number, hash: head.hash)
        if let chunk {
            seen = reportable(trades.combined(seen, ledger), ledger, trusted)
            // Events in blocks that are no longer part of the chain are removed with them.
            let isLatest = chunk.blocks.upperBound == head.number
            let missing = ledger.missing(
                seen,
                in: chunk.blocks.lowerBound...(isLatest ? .max : chunk.blocks.upperBound)
            )
            let numbers = (seen + missing).map(\.place.block.number) + [chunk.blocks.upperBound]
            let blocks = try await blocks(Set(numbers), head: head)
            seen = try placed(seen, in: blocks)
            undone = try gone(missing, from: blocks, unread: unread)
            guard let end = blocks[chunk.blocks.upperBound] else {
                throw ReadError.reorganized
            }
            last = WatchedBlock(number: end.number, hash: end.hash)
        }
        let standing = orders.events(
            expiryNotice: settings.expiryNotice,
            funding: { ledger.funding(of: $0) }
        )
        return WatchReading(
            changes: undone.map { .undone($0) } + ledger.changes(seen + standing),
            last: last
        )
    }

    /// The events without token transfers that may be forged.
    private func reportable(
        _ seen: [WatchEvent],
        _ ledger: EventDiff,
        _ trusted: TrustedTokens
    ) -> [WatchEvent] {
        guard !settings.tellsAllTokens else { return seen }
        return seen.filter { event in
            // Orders and ether cannot be forged, wrapped ether is the network's, and what paid for a
            // trade is believed.
            guard event.kind == .received || event.kind == .sent, let token = event.token else {
                return true
            }
            return trusted.contains(token) || ledger.knows(event)
        }
    }

    /// Blocks by number, as the chain has them now.
    ///
    /// - Throws: `DexError`: `reorganized` if the latest block changed meanwhile.
    private func blocks(
        _ numbers: Set<UInt64>,
        head: Block
    ) async throws(DexError) -> [UInt64: Block] {
        let blocks = try await session.chain.blocks(numbers.union([head.number]))
        guard blocks[head.number]?.hash == head.hash else { throw ReadError.reorganized }
        return blocks
    }

    /// The events with the times of their blocks.
    ///
    /// - Throws: `DexError`: `reorganized` if the blocks changed while the logs were read.
    private func placed(
        _ seen: [WatchEvent],
        in blocks: [UInt64: Block]
    ) throws(DexError) -> [WatchEvent] {
        var placed: [WatchEvent] = []
        for var event in seen {
            guard let block = blocks[event.place.block.number],
                block.hash == event.place.block.hash
            else { throw ReadError.reorganized }
            event.place = WatchEvent.Place(
                block: event.place.block,
                logIndex: event.place.logIndex,
                time: block.timestamp
            )
            placed.append(event)
        }
        return placed
    }

    /// The missing events that a reorganization removed from the chain.
    ///
    /// - Parameter unread: blocks whose ether payments the node does not report.
    /// - Throws: `DexError`: `logs-incomplete` if an event is missing in a block that is
    ///   unchanged.
    private func gone(
        _ missing: [WatchEvent],
        from blocks: [UInt64: Block],
        unread: [ClosedRange<UInt64>]
    ) throws(DexError) -> [WatchEvent] {
        var gone: [WatchEvent] = []
        for event in missing {
            let number = event.place.block.number
            guard blocks[number]?.hash == event.place.block.hash else {
                gone.append(event)
                continue
            }
            if event.token == nil, unread.contains(where: { $0.contains(number) }) { continue }
            throw ReadError.logsIncomplete(block: number)
        }
        return gone
    }

    /// Reports from which block on ether payments are missing, and when they are back.
    private mutating func tell(_ ether: EtherScan.Findings, of blocks: ClosedRange<UInt64>) {
        if reportsEtherPayments, let first = ether.unread.first {
            tell(.etherPaymentsUnavailable(from: first.lowerBound, reason: ether.reason ?? ""))
            reportsEtherPayments = false
        }
        let next = ether.unread.last?.upperBound.addingSaturating(1) ?? blocks.lowerBound
        if !reportsEtherPayments, next <= blocks.upperBound {
            tell(.etherReported(from: next))
            reportsEtherPayments = true
        }
    }
}
