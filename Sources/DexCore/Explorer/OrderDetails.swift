package import Ethereum
package import ZeroEx

/// An order, and what happened to it in the newest blocks.
package struct OrderDetails: Sendable {
    /// A fill or cancel of the order.
    package struct Entry: Sendable {
        package let event: TransactionEvent
        package let transaction: TransactionHash
        package let block: Block
    }

    package let hash: OrderHash
    package let network: String
    /// nil if the relay does not have the order any more: only its events are known.
    package let row: OrdersState.Row?
    /// The newest first.
    package let entries: [Entry]
    /// The blocks that were searched for its events.
    package let searched: ClosedRange<UInt64>
}

/// Reads an order from the relays, and its events from the newest blocks.
package struct OrderDetailsModel: Sendable {
    private let scope: ChainScope

    /// Blocks that are searched for events.
    package static let blocks: UInt64 = 10_000
    /// The most events that are shown.
    package static let entries = 50

    package init(_ scope: ChainScope) { self.scope = scope }

    /// The order; nil if no relay has it and no event of it is found.
    ///
    /// - Throws: `DexError`, the error of a read; also the reason why an order cannot be trusted.
    package func load(_ hash: OrderHash) async throws(DexError) -> OrderDetails? {
        var eventsAlone: OrderDetails?
        for session in scope.sessions where session.network.hasExchange {
            let row = try await row(of: hash, session)
            let head = try await ChainHead.read(session)
            let range = (head.number - min(head.number, Self.blocks - 1))...head.number
            let entries = try await entries(of: hash, maker: row?.order.maker, range, head, session)
            let details = OrderDetails(
                hash: hash,
                network: session.network.name,
                row: row,
                entries: entries,
                searched: range
            )
            if row != nil { return details }
            if !entries.isEmpty { eventsAlone = details }
        }
        return eventsAlone
    }

    private func row(
        of hash: OrderHash,
        _ session: Session
    ) async throws(DexError) -> OrdersState.Row? {
        guard session.relay != nil else { return nil }
        do throws(DexError) {
            return try await OrdersModel(session: session).order(hash: hash).row
        } catch {
            guard error.concerns(.unknownOrder) else { throw error }
            return nil
        }
    }

    private func entries(
        of hash: OrderHash,
        maker: Address?,
        _ range: ClosedRange<UInt64>,
        _ head: Block,
        _ session: Session
    ) async throws(DexError) -> [OrderDetails.Entry] {
        let exchange = session.network.exchange
        var logs: [Log] = []
        var pages = LogScan(session: session)
            .pages(maker: maker, blocks: range, store: EventStore(scope.store, head: head))
        while let page = try await pages.next() {
            logs += page.logs.filter { log in
                // A log that cannot be read says nothing about this order.
                let events = try? session.exchangeProtocol.events(in: [log], exchange: exchange)
                return events?.contains { $0.orderHash == hash } ?? false
            }
        }
        let newest = Array(logs.reversed().prefix(Self.entries))
        let reader = EventReader(scope: scope)
        let tokens = try await TokenResolver(session: session)
            .checkedTokens(at: reader.tokens(in: newest).sorted()).tokens
        var batch = ReadBatch()
        let slots = newest.map { batch.add(.block(.number($0.blockNumber ?? 0))) }
        let answers = try await batch.send(to: session.chain)
        var entries: [OrderDetails.Entry] = []
        for (log, slot) in zip(newest, slots) {
            guard let block = try answers.value(slot), block.hash == log.blockHash,
                let transaction = log.transactionHash
            else { throw ReadError.reorganized }
            entries.append(
                OrderDetails.Entry(
                    event: reader.event(log, tokens),
                    transaction: transaction,
                    block: block
                )
            )
        }
        return entries
    }
}

extension ExchangeEvent {
    /// The order of a fill, a cancel or a skip; nil for a cancel of a whole pair.
    fileprivate var orderHash: OrderHash? {
        switch self {
        case .filled(let fill): fill.orderHash
        case .cancelled(let cancel): cancel.orderHash
        case .cancelSeen(let hash, _), .skipped(let hash, _): hash
        case .pairCancelled: nil
        }
    }
}
