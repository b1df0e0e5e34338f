import Ethereum
import Logging
import StrictJSON
package import ZeroEx

/// Decides which orders the relay takes, and keeps book and store together.
///
/// The checks run from cheap to dear and stop at the first stage that finds something: terms, fees,
/// signature, then the chain.
package struct OrderDesk: Sendable {
    let configuration: RelayConfiguration
    let exchangeProtocol: any ExchangeProtocol
    let recoverer: any SignatureRecovering
    let auditor: OrderAuditor
    package let book: OrderBook
    let store: RelayStore
    let now: @Sendable () -> UInt64
    let logger: Logger

    /// What became of many orders handed over at once.
    package struct BulkOutcome: Sendable {
        package var added = 0
        /// Orders that were there before.
        package var known = 0
        package var refused: [(OrderHash, OrderRefusals)] = []
    }

    /// Takes one order; an order that is there already is taken again without a change.
    ///
    /// - Returns: true where it is new.
    /// - Throws: `OrderRefusals`.
    package func post(_ order: any SignedOrder) async throws(OrderRefusals) -> Bool {
        guard configuration.acceptsOrders else { throw OrderRefusals([.closed]) }
        try checkTerms(of: order)
        try checkFees(of: order)
        try checkSignature(of: order)
        let book = book.snapshot
        if book.entry(order.hash) != nil { return false }
        guard book.count < configuration.maximumOrders else { throw OrderRefusals([.full]) }
        guard book.count(of: order.maker) < configuration.maximumOrdersOfMaker else {
            throw OrderRefusals([.tooManyOfMaker(limit: configuration.maximumOrdersOfMaker)])
        }
        let audits: [OrderAudit]
        do throws(ChainError) {
            audits = try await auditor.audit([order])
        } catch {
            logger.warning("The chain cannot be read: \(error)")
            throw OrderRefusals([.chainUnavailable])
        }
        for audit in audits { try check(audit) }
        do {
            return try await keep([order]) == 1
        } catch {
            logger.error("An order cannot be stored: \(error)")
            throw OrderRefusals([.storeUnavailable])
        }
    }

    /// Takes many orders at once: each is checked like a posted one, signatures on all cores, but
    /// for the fees, which may follow an earlier schedule, and the limit of one maker.
    ///
    /// - Throws: `ChainError` or the store's error; then none was taken.
    @concurrent
    package func add(_ orders: [any SignedOrder]) async throws -> BulkOutcome {
        var outcome = BulkOutcome()
        let snapshot = book.snapshot
        let fresh = orders.filter { snapshot.entry($0.hash) == nil }
        outcome.known = orders.count - fresh.count
        var sound: [any SignedOrder] = []
        for (order, refusals) in zip(fresh, await verdicts(on: fresh)) {
            if let refusals {
                outcome.refused.append((order.hash, refusals))
            } else if snapshot.count + sound.count >= configuration.maximumOrders {
                outcome.refused.append((order.hash, OrderRefusals([.full])))
            } else {
                sound.append(order)
            }
        }
        var accepted: [any SignedOrder] = []
        for chunk in sound.chunks(of: configuration.auditChunk) {
            for (order, audit) in zip(chunk, try await auditor.audit(chunk)) {
                do throws(OrderRefusals) {
                    try check(audit)
                    accepted.append(order)
                } catch {
                    outcome.refused.append((order.hash, error))
                }
            }
        }
        outcome.added = try await keep(accepted)
        outcome.known += accepted.count - outcome.added
        return outcome
    }

    /// Fills the book from the store.
    ///
    /// What has expired meanwhile, or is no order any more, is
    /// deleted; hashes are computed again, signatures were checked before they were stored.
    ///
    /// - Returns: how many orders are in the book.
    @concurrent
    package func restore() async throws -> Int {
        let now = now()
        var entries: [OrderEntry] = []
        var dead: [OrderHash] = []
        for record in try await store.all() {
            if let entry = entry(of: record), entry.expiry > now {
                entries.append(entry)
            } else {
                dead.append(record.hash)
            }
        }
        if !dead.isEmpty { try await store.delete(dead) }
        book.update { $0.insert(contentsOf: entries) }
        return entries.count
    }

    /// Takes orders out of book and store.
    package func drop(_ hashes: Set<OrderHash>) async throws {
        guard !hashes.isEmpty else { return }
        book.update { $0.remove(hashes) }
        try await store.delete(hashes)
    }

    private func entry(of record: RelayStore.Record) -> OrderEntry? {
        guard
            let json = try? JSONParser.parse(
                record.body,
                maximumDepth: RelayConfiguration.maximumBodyDepth
            ),
            let order = try? exchangeProtocol.decodeOrder(json), order.hash == record.hash
        else { return nil }
        return OrderEntry(order, body: record.body, sequence: record.sequence)
    }

    private func keep(_ orders: [any SignedOrder]) async throws -> Int {
        let receivedAt = now()
        var bodies: [OrderHash: (any SignedOrder, [UInt8])] = [:]
        var records: [RelayStore.NewRecord] = []
        for order in orders where bodies[order.hash] == nil {
            let body = exchangeProtocol.encodeOrder(order).utf8
            bodies[order.hash] = (order, body)
            records.append(
                .init(hash: order.hash, maker: order.maker, body: body, receivedAt: receivedAt)
            )
        }
        let entries = try await store.insert(records).compactMap { hash, sequence in
            bodies[hash].flatMap { OrderEntry($0.0, body: $0.1, sequence: sequence) }
        }
        book.update { index in
            if entries.count == 1 {
                index.insert(entries[0])
            } else {
                index.insert(contentsOf: entries)
            }
        }
        return entries.count
    }
}

extension OrderDesk {
    /// Terms and signatures of many orders, on all cores; nil is sound.
    private func verdicts(on orders: [any SignedOrder]) async -> [OrderRefusals?] {
        let chunks = orders.chunks(of: 256)
        return await withTaskGroup(of: (Int, [OrderRefusals?]).self) { group in
            for (index, chunk) in chunks.enumerated() {
                group.addTask { (index, chunk.map(verdict)) }
            }
            var results = [[OrderRefusals?]](repeating: [], count: chunks.count)
            for await (index, verdicts) in group { results[index] = verdicts }
            return results.flatMap { $0 }
        }
    }

    private func verdict(on order: any SignedOrder) -> OrderRefusals? {
        do throws(OrderRefusals) {
            try checkTerms(of: order)
            try checkSignature(of: order)
            return nil
        } catch {
            return error
        }
    }

    /// Exchange, tokens, amounts and expiry; every reason is told.
    func checkTerms(of order: any SignedOrder) throws(OrderRefusals) {
        var reasons: [OrderRefusal] = []
        let exchange = configuration.contracts.exchange
        if order.exchange != exchange { reasons.append(.wrongExchange(expected: exchange)) }
        if order.maker == .zero { reasons.append(.zeroMaker) }
        if order.makerAmount == .zero { reasons.append(.zeroMakerAmount) }
        if order.takerAmount == .zero { reasons.append(.zeroTakerAmount) }
        let direction = PairDirection(makerToken: order.makerToken, takerToken: order.takerToken)
        reasons += refusals(of: direction)
        if let sides = configuration.sides(of: direction) {
            if order.makerAmount > .zero, !sides.maker.allows(order.makerAmount) {
                reasons.append(
                    .makerAmountOutOfRange(
                        minimum: sides.maker.minimum,
                        maximum: sides.maker.maximum
                    )
                )
            }
            if order.takerAmount > .zero, !sides.taker.allows(order.takerAmount) {
                reasons.append(
                    .takerAmountOutOfRange(
                        minimum: sides.taker.minimum,
                        maximum: sides.taker.maximum
                    )
                )
            }
        }
        let now = now()
        if order.expiry <= UInt256(now) { reasons.append(.expired(now: now)) }
        guard reasons.isEmpty else { throw OrderRefusals(reasons) }
    }

    /// Why orders of these tokens are not carried; empty where they are.
    func refusals(of direction: PairDirection) -> [OrderRefusal] {
        guard configuration.sides(of: direction) == nil else { return [] }
        let carried = Set(configuration.pairs.flatMap { [$0.tokenA.token, $0.tokenB.token] })
        var reasons: [OrderRefusal] = []
        if !carried.contains(direction.makerToken) { reasons.append(.makerTokenNotCarried) }
        if !carried.contains(direction.takerToken) { reasons.append(.takerTokenNotCarried) }
        return reasons.isEmpty ? [.pairNotCarried] : reasons
    }

    private func checkFees(of order: any SignedOrder) throws(OrderRefusals) {
        let wanted = configuration.fees.fees(
            PairDirection(makerToken: order.makerToken, takerToken: order.takerToken)
        )
        var reasons: [OrderRefusal] = []
        if order.feeRecipient != wanted.recipient {
            reasons.append(.feeRecipient(expected: wanted.recipient))
        }
        if order.makerFee != wanted.makerFee {
            reasons.append(.makerFee(expected: wanted.makerFee))
        }
        if order.takerFee != wanted.takerFee {
            reasons.append(.takerFee(expected: wanted.takerFee))
        }
        guard reasons.isEmpty else { throw OrderRefusals(reasons) }
    }

    private func checkSignature(of order: any SignedOrder) throws(OrderRefusals) {
        let exchange = configuration.contracts.exchange
        do throws(OrderRejection) {
            try exchangeProtocol.verify(order, exchange: exchange, recoverer: recoverer)
        } catch {
            switch error {
            case .wrongExchange: throw OrderRefusals([.wrongExchange(expected: exchange)])
            case .zeroMaker: throw OrderRefusals([.zeroMaker])
            case .zeroAmount: throw OrderRefusals([.zeroTakerAmount])
            // The chain is in what is signed, where it matters at all.
            case .badSignature, .wrongChain, .wrongTokens, .wrongHash:
                throw OrderRefusals([.badSignature])
            }
        }
    }

    private func check(_ audit: OrderAudit) throws(OrderRefusals) {
        if case .rejected = audit.state.status { throw OrderRefusals([.badSignature]) }
        guard audit.state.remaining > .zero else { throw OrderRefusals([.usedUp]) }
        if let shortage = audit.shortage { throw OrderRefusals([.shortage(shortage)]) }
        guard audit.fillable > .zero else { throw OrderRefusals([.usedUp]) }
    }
}

extension RelayTokenPair.Side {
    /// The relay's bounds let this amount through.
    fileprivate func allows(_ amount: UInt256) -> Bool {
        amount >= minimum ?? .zero && amount <= maximum ?? .max
    }
}

extension Array {
    /// The elements in runs of at most so many.
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: Swift.max(1, size)).map {
            Array(self[$0..<Swift.min(count, $0 + Swift.max(1, size))])
        }
    }
}
