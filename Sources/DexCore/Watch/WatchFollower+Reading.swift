import DexStore
import Ethereum
import ZeroEx

/// Blocks whose logs were read.
struct WatchChunk {
    let blocks: ClosedRange<UInt64>
    /// Of all of them.
    let logs: [Log]
}

/// What is noted at once.
struct WatchReading {
    let changes: [WatchStep.Change]
    /// The last block that was read.
    let last: WatchedBlock
}

extension WatchFollower {
    /// What blocks with their logs change, and what passed of itself meanwhile.
    ///
    /// - Parameter chunk: nil where there is no new block.
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
        let keys = orders.keys.union(seen.map(\.key))
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
            seen = try told(seen, ledger)
            // What was in blocks that the chain does not have any more is gone with them.
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
                throw DexError(ReadError.reorganized)
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

    /// Without the transfers of tokens that anybody may have made up.
    private mutating func told(
        _ seen: [WatchEvent],
        _ ledger: EventDiff
    ) throws(DexError) -> [WatchEvent] {
        guard !settings.tellsAllTokens else { return seen }
        let own = try orders.tokens()
        return seen.filter { event in
            // Neither orders nor ether can be made up, and wrapped ether is the network's.
            guard event.kind == .received || event.kind == .sent, let token = event.token else {
                return true
            }
            return own.contains(token) || session.tokens.known(token) != nil || ledger.knows(event)
        }
    }

    /// Blocks by number, as far as the chain has them now.
    ///
    /// - Throws: `DexError`: `reorganized` where the latest is another one by now.
    private func blocks(
        _ numbers: Set<UInt64>,
        head: Block
    ) async throws(DexError) -> [UInt64: Block] {
        var batch = ReadBatch()
        let slots = numbers.union([head.number]).sorted()
            .map { ($0, batch.add(.block(.number($0)))) }
        let answers = try await batch.send(to: session.chain)
        var blocks: [UInt64: Block] = [:]
        for (number, slot) in slots { blocks[number] = try answers.value(slot) }
        guard blocks[head.number]?.hash == head.hash else { throw DexError(ReadError.reorganized) }
        return blocks
    }

    /// The events with the times of their blocks.
    ///
    /// - Throws: `DexError`: `reorganized` where the blocks changed while the logs were read.
    private func placed(
        _ seen: [WatchEvent],
        in blocks: [UInt64: Block]
    ) throws(DexError) -> [WatchEvent] {
        var placed: [WatchEvent] = []
        for var event in seen {
            guard let block = blocks[event.place.block.number],
                block.hash == event.place.block.hash
            else { throw DexError(ReadError.reorganized) }
            event.place = WatchEvent.Place(
                block: event.place.block,
                logIndex: event.place.logIndex,
                time: block.timestamp
            )
            placed.append(event)
        }
        return placed
    }

    /// Of the events that are missing those that a reorganization took out of the chain.
    ///
    /// - Parameter unread: blocks of which the node does not tell what was paid in ether.
    /// - Throws: `DexError`: `logs-incomplete` where one is missing in a block that is still the
    ///   same.
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
            throw DexError(ReadError.logsIncomplete(block: number))
        }
        return gone
    }

    /// Says from where on payments in ether are not told, and from where on they are again.
    private mutating func tell(_ ether: EtherScan.Findings, of blocks: ClosedRange<UInt64>) {
        if isEtherTold, let first = ether.unread.first {
            tell(.etherUntold(from: first.lowerBound, reason: ether.reason ?? ""))
            isEtherTold = false
        }
        let next = ether.unread.last?.upperBound.addingSaturating(1) ?? blocks.lowerBound
        if !isEtherTold, next <= blocks.upperBound {
            tell(.etherTold(from: next))
            isEtherTold = true
        }
    }
}
