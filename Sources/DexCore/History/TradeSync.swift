package import DexStore
package import Ethereum
import ZeroEx

/// Keeps the journal's fills and cancels of an account in sync with the chain.
///
/// The account's own actions are in the receipts of its transactions. Others' fills of its orders
/// are only in the exchange's logs, which are read from the last read block on.
package struct TradeSync: Sendable {
    private let session: Session
    private let journal: Journal
    private let logs: LogScan

    /// Seconds that our clock may have been ahead of the chain's when an order was signed.
    private static let clockTolerance: UInt64 = 3_600

    package init(session: Session, journal: Journal, logs: LogScan? = nil) {
        self.session = session
        self.journal = journal
        self.logs = logs ?? LogScan(session: session)
    }

    /// The changes of a rebuild.
    package struct Rebuild: Sendable {
        /// Inclusive.
        package let blocks: ClosedRange<UInt64>
        /// Trades of the range in the journal.
        package let before: Int
        /// Trades of the range on the chain.
        package let after: Int
        /// Trades only in the journal.
        package let removed: Int
        /// Trades only on the chain.
        package let added: Int
    }

    /// Records events since the last time.
    ///
    /// - Returns: the latest block.
    /// - Throws: `DexError`: not reachable, another chain, `logs-refused`, `reorganized`, or the
    ///   journal cannot be read or written.
    @discardableResult
    package func catchUp(_ account: Address) async throws(DexError) -> Block {
        let network = session.network
        let swaps = try journaled(try journal.swapTrades(of: account, network: network))
        let known = try journaled(try journal.trades(of: account, network: network)) + swaps
        let newest = known.max { $0.block < $1.block }
        let unsettled = try journaled(
            try journal.unsettled(chainID: session.network.chainID, sender: account)
        )
        let scan = try journaled(try journal.scan(of: account, network: network))
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        let check = newest.map { batch.add(.block(.number($0.block))) }
        let end = scan.map { batch.add(.block(.number($0.last.number))) }
        let receipts = unsettled.map { batch.add(.receipt($0.hash)) }
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        if let newest, let check {
            let block = try answers.value(check)
            if Reorganization.removed(newest.blockHash, block, session) {
                let start = min(
                    network.isSandbox
                        ? network.firstBlock : Reorganization.start(below: newest.block),
                    head.number
                )
                try await removeSwaps(of: account, from: start, to: head)
                try await read(
                    account,
                    from: start,
                    to: head,
                    maker: nil,
                    store: EventStore(journal, head: head)
                )
                return head
            }
        }
        try await note(known, try answers.values(receipts).compactMap { $0 }, of: account)
        // Without an exchange there are no events to read.
        guard network.hasExchange else { return head }
        let start: UInt64
        if let scan, let end {
            let isGone = Reorganization.removed(scan.last.hash, try answers.value(end), session)
            // A restarted sandbox has none of the blocks that were read.
            start =
                isGone && network.isSandbox
                ? scan.first : max(scan.first, Reorganization.start(below: scan.last.number))
        } else {
            start = try await firstBlock(account, head: head)
        }
        try await read(
            account,
            from: min(start, head.number),
            to: head,
            maker: account,
            store: EventStore(journal, head: head)
        )
        return head
    }

    /// The blocks whose logs `catchUp` has never read for an account.
    ///
    /// - Throws: `DexError`: not reachable, another chain, or the journal cannot be read.
    func backlog(_ account: Address) async throws(DexError) -> UInt64 {
        guard session.network.hasExchange else { return 0 }
        let scan = try journaled(try journal.scan(of: account, network: session.network))
        let head = try await ChainHead.read(session)
        let last: UInt64
        if let scan {
            last = scan.last.number
        } else {
            last = try await firstBlock(account, head: head)
        }
        return head.number - min(last, head.number)
    }

    /// Replaces the journal's trades from a block on with those of the chain's logs: the exchange's
    /// and those at Uniswap's pools.
    ///
    /// Every log is asked of the node, which may have left some out before. So other copies of these
    /// blocks are forgotten, and kept activity is read again.
    ///
    /// - Throws: `DexError` as `catchUp`; exit 2, `block-ahead`, for a future block.
    package func rebuild(
        _ account: Address,
        from first: UInt64
    ) async throws(DexError) -> Rebuild {
        let head = try await ChainHead.read(session)
        guard first <= head.number else {
            throw InputError.blockAhead(first, latest: head.number, option: "--from-block")
        }
        let before = try places(account, from: first)
        let store = EventStore(journal, head: head, isRenewed: true)
        if session.network.hasExchange {
            try await read(account, from: first, to: head, maker: nil, store: store)
        }
        try await readPools(account, from: first, to: head, store)
        try await forgetOthers(account, from: first)
        try await ActivitySync(session: session, account: account, journal: journal)
            .readAgain(from: first)
        let after = try places(account, from: first)
        return Rebuild(
            blocks: first...head.number,
            before: before.count,
            after: after.count,
            removed: before.subtracting(after).count,
            added: after.subtracting(before).count
        )
    }

    // MARK: Reading

    /// Removes the swaps of blocks that the chain no longer has.
    ///
    /// Those of others stay: no log tells of them again.
    private func removeSwaps(
        of account: Address,
        from start: UInt64,
        to head: Block
    ) async throws(DexError) {
        let network = session.network
        let swaps = try journaled(try journal.swapTrades(of: account, network: network))
            .filter { start...head.number ~= $0.block }
        let blocks = try await session.chain.blocks(Set(swaps.map(\.block)))
        let standing = swaps.filter { blocks[$0.block]?.hash == $0.blockHash }
        try journaled(
            try journal.replaceSwaps(of: account, network: network, from: start, with: standing)
        )
    }

    /// Replaces the account's trades at the pools; those at other venues, of which no log tells
    /// enough, stay.
    private func readPools(
        _ account: Address,
        from start: UInt64,
        to head: Block,
        _ store: EventStore
    ) async throws(DexError) {
        let network = session.network
        guard network.pools != nil else { return }
        let history = PoolHistory(session: session, account: account)
        let found = try await history.mined(in: start...head.number, store: store)
        let known = try journaled(try journal.swapTrades(of: account, network: network))
        let others = known.filter { $0.block >= start && !history.finds($0) }
        try journaled(
            try journal.replaceSwaps(
                of: account,
                network: network,
                from: start,
                with: others + found
            )
        )
    }

    /// Forgets the logs of these blocks that were not just read, so that who needs them asks again.
    ///
    /// The node has them, since it answered.
    private func forgetOthers(_ account: Address, from first: UInt64) async throws(DexError) {
        var below: Block?
        if first > 0 { below = try await session.chain.blocks([first - 1])[first - 1] }
        let edge = below.map { WatchedBlock($0) }
        let chainID = session.network.chainID
        var renewed = PoolHistory(session: session, account: account)
            .filters(from: .latest, to: .latest)
        if session.network.hasExchange {
            renewed.append(session.eventFilter(maker: nil, from: .latest, to: .latest))
        }
        let parts = renewed.flatMap { $0.parts(chainID: chainID) }
        try journaled(try journal.forgetEvents(chainID: chainID, above: edge, besides: parts))
    }

    /// - Parameters:
    ///   - maker: the maker of the orders; nil reads all, with the account's own takes.
    ///   - store: where logs are kept.
    private func read(
        _ account: Address,
        from start: UInt64,
        to head: Block,
        maker: Address?,
        store: EventStore
    ) async throws(DexError) {
        let blocks = start...head.number
        let reported = try await logs.events(
            maker: maker,
            blocks: blocks,
            store: store,
            keep: { $0.event.concerns(account) }
        )
        let orders = try journal.ownOrders(of: account, session: session)
        let network = session.network
        let mined = try await logs.pages(maker: maker, blocks: blocks, store: store)
            .checked(blocks) { () async throws(DexError) in
                if !store.isRenewed {
                    try await checkComplete(reported, in: blocks, of: account, maker: maker)
                }
                let events = try await CancelReading(session: session)
                    .complete(reported, orders: orders)
                let known =
                    events.isEmpty
                    ? [] : try journaled(try journal.trades(of: account, network: network))
                return try await TradeReader(session: session)
                    .mined(events, account: account, known: known)
            }
        let range = TradeRange(
            chainID: network.chainID,
            exchange: network.exchange,
            account: account,
            // A restarted sandbox no longer has its later blocks.
            blocks: start...(network.isSandbox ? UInt64(Int64.max) : head.number),
            onlyMaker: maker != nil
        )
        let first = try journaled(
            try firstRead(account, before: start, isNext: maker != nil)
        )
        try journaled(
            try journal.replace(
                range,
                with: mined,
                scan: first.map { KeptRange(first: $0, last: WatchedBlock(head)) }
            )
        )
    }

    /// Checks that the node returns every trade of these blocks that is known.
    ///
    /// - Throws: `DexError`: `logs-incomplete` if one is missing, and its block is the same.
    private func checkComplete(
        _ events: [LoggedEvent],
        in blocks: ClosedRange<UInt64>,
        of account: Address,
        maker: Address?
    ) async throws(DexError) {
        var places: [TransactionHash: Set<UInt64>] = [:]
        for event in events { places[event.transaction, default: []].insert(event.logIndex) }
        let missing = try journaled(
            try journal.trades(of: account, network: session.network)
        ).filter { transaction in
            blocks.contains(transaction.block)
                && transaction.trades.contains { trade in
                    (maker == nil || trade.maker == maker)
                        && places[transaction.transaction]?.contains(trade.logIndex) != true
                }
        }
        guard !missing.isEmpty else { return }
        let headers = try await session.chain.blocks(Set(missing.map(\.block)))
        for one in missing where headers[one.block]?.hash == one.blockHash {
            throw ReadError.tradeIncomplete(block: one.block)
        }
    }

    /// The first block of the gapless read range after the blocks from `start` on are read.
    ///
    /// nil if a gap remains before them, for the next read to close.
    ///
    /// - Parameter isNext: `start` was chosen so that there is no gap.
    private func firstRead(
        _ account: Address,
        before start: UInt64,
        isNext: Bool
    ) throws(JournalError) -> UInt64? {
        let network = session.network
        let scan = try journal.scan(of: account, network: network)
        if let scan {
            return scan.last.number.addingSaturating(1) >= start ? min(scan.first, start) : nil
        }
        if isNext { return start }
        let orders = try journal.orders(of: account, network: network)
        return orders.isEmpty ? start : nil
    }

    /// Also records our mined, unreported transactions; they stay unsettled until reported.
    private func note(
        _ known: [MinedTrades],
        _ receipts: [TransactionReceipt],
        of account: Address
    ) async throws(DexError) {
        var found: [LoggedEvent] = []
        var senders: Set<Address> = []
        for receipt in receipts {
            do throws(ExchangeError) {
                found += try session.exchangeProtocol.loggedEvents(
                    in: receipt.logs,
                    exchange: session.network.exchange
                )
                senders.insert(receipt.from)
            } catch {
                let reason = DexError(error).message
                session.environment.progress("No trades of \(receipt.transactionHash): \(reason)")
            }
        }
        var missing = known.filter { $0.time == nil || $0.isUnread(at: account) }
        missing = await arrived(missing, at: account)
        for sender in senders {
            missing += try await TradeReader(session: session).mined(found, account: sender)
        }
        if missing.contains(where: { $0.time == nil }) { missing = try await timed(missing) }
        guard !missing.isEmpty else { return }
        let entries = missing
        try journaled(try journal.note(entries))
    }

    /// The same with what arrived, if the node has the receipts and the balances.
    private func arrived(_ mined: [MinedTrades], at account: Address) async -> [MinedTrades] {
        let open = mined.filter { $0.isUnread(at: account) }
        guard !open.isEmpty else { return mined }
        var batch = ReadBatch()
        let slots = open.map { batch.add(.receipt($0.transaction)) }
        // nil: asked again later.
        guard let answers = try? await batch.send(to: session.chain) else { return mined }
        var receipts: [TransactionHash: TransactionReceipt] = [:]
        for (transaction, slot) in zip(open, slots) {
            guard let receipt = answers.optional(slot), receipt.blockHash == transaction.blockHash
            else { continue }
            receipts[transaction.transaction] = receipt
        }
        return await ArrivalReader(session: session, account: account)
            .read(mined, receipts: receipts)
    }

    /// The same with block times, if the node has them.
    private func timed(_ mined: [MinedTrades]) async throws(DexError) -> [MinedTrades] {
        var batch = ReadBatch()
        let slots = mined.map { batch.add(.block(.number($0.block))) }
        let answers = try await batch.send(to: session.chain)
        return zip(mined, slots).map { transaction, slot in
            guard let block = answers.optional(slot), block.hash == transaction.blockHash else {
                return transaction
            }
            var transaction = transaction
            transaction.time = block.timestamp
            return transaction
        }
    }

    /// The block at which our first order was signed: none of ours can have earlier events.
    private func firstBlock(_ account: Address, head: Block) async throws(DexError) -> UInt64 {
        let orders = try journaled(try journal.orders(of: account, network: session.network))
        guard let oldest = orders.map(\.created).min() else { return head.number }
        return try await TimeSearch(session: session)
            .block(notAfter: oldest - min(oldest, Self.clockTolerance), slack: 0, head: head)
    }

    private struct Place: Hashable {
        let transaction: TransactionHash
        let logIndex: UInt64
        let event: MinedTrades.Trade.Event
    }

    private func places(_ account: Address, from first: UInt64) throws(DexError) -> Set<Place> {
        let network = session.network
        let mined =
            try journaled(try journal.trades(of: account, network: network))
            + journaled(try journal.swapTrades(of: account, network: network))
        return Set(
            mined.filter { $0.block >= first }.flatMap { transaction in
                transaction.trades.map {
                    Place(
                        transaction: transaction.transaction,
                        logIndex: $0.logIndex,
                        event: $0.event
                    )
                }
            }
        )
    }
}
