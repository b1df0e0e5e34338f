import Ethereum
import ZeroEx

/// Verifies every order: recovers its signature, on all cores, unless it is known.
struct OrderVerifier: Sendable {
    let exchangeProtocol: any ExchangeProtocol
    let exchange: Address
    let recoverer: any SignatureRecovering
    /// nil recovers every signature.
    let signatures: SignatureCache?
    /// What the signatures are for: the version of 0x, the chain and the exchange.
    let purpose: [UInt8]

    /// Small enough to spread over cores, large enough to hide the cost of a task.
    private static let chunk = 32
    /// The maximum number of concurrent chunks: enough for many cores, but other work on few cores
    /// does not wait for a whole book.
    private static let maximumAtOnce = 16

    /// Verdicts on orders that were verified before their list was complete.
    struct Verdicts: Sendable {
        fileprivate var seen: Set<OrderHash> = []
        fileprivate var rejections: [OrderHash: OrderRejection] = [:]
        /// Orders that came more than once, perhaps with another signature: checked one by one.
        fileprivate var repeated: Set<OrderHash> = []

        fileprivate func isRepeated(_ order: any SignedOrder) -> Bool {
            !repeated.isEmpty && repeated.contains(order.hash)
        }

        /// The verdict on an order that needs no further check.
        fileprivate subscript(order: any SignedOrder) -> Verdict? {
            let hash = order.hash
            guard seen.contains(hash), !repeated.contains(hash) else { return nil }
            return rejections[hash].map { .rejected($0) } ?? .holds
        }
    }

    fileprivate enum Verdict {
        case holds
        case rejected(OrderRejection)

        var rejection: OrderRejection? {
            if case .rejected(let rejection) = self { rejection } else { nil }
        }
    }

    /// What holds of some orders, and what does not.
    struct Outcome: Sendable {
        /// The valid orders, each hash once.
        var verified: [any SignedOrder] = []
        /// The invalid ones with the reason, and further copies of valid ones.
        var dropped: [OrderbookState.Dropped] = []
        /// The copies that do not hold.
        var rejected: [OrderCopyID] = []
        /// Valid further copies of a valid order.
        var duplicates: [OrderCopyID] = []
    }

    init(session: Session) {
        exchangeProtocol = session.exchangeProtocol
        exchange = session.network.exchange
        recoverer = session.recoverer
        signatures = session.signatures
        purpose = Array(
            "\(exchangeProtocol.version) \(session.network.chainID) \(exchange.lowercaseHex)".utf8
        )
    }

    /// The valid orders, each hash once, in order; and the invalid ones with the reason.
    ///
    /// - Parameters:
    ///   - verdicts: on orders that came early; all others are verified now.
    ///   - areDistinct: each order is known to appear once.
    @concurrent
    func verify(
        _ orders: [any SignedOrder],
        verdicts: Verdicts = Verdicts(),
        areDistinct: Bool = false
    ) async -> Outcome {
        // The usual honest book is ready here, and nothing is copied.
        if areDistinct, verdicts.rejections.isEmpty,
            orders.allSatisfy({ verdicts.seen.contains($0.hash) && !verdicts.isRepeated($0) })
        {
            return Outcome(verified: orders)
        }
        let known = orders.map { verdicts[$0] }
        let open = zip(orders, known).compactMap { $1 == nil ? $0 : nil }
        var late = await rejections(of: open)[...]
        let rejections = zip(orders, known).map { order, verdict in
            if let verdict { return verdict.rejection }
            return late.popFirst() ?? rejection(of: order, recovery: nil)
        }
        var outcome = Outcome()
        outcome.verified.reserveCapacity(orders.count)
        var seen: Set<OrderHash> = []
        seen.reserveCapacity(orders.count)
        for (order, rejection) in zip(orders, rejections) {
            if let rejection {
                outcome.dropped.append(OrderbookState.Dropped(order, .rejected(rejection)))
                outcome.rejected.append(order.copyID)
            } else if seen.insert(order.hash).inserted {
                outcome.verified.append(order)
            } else {
                outcome.dropped.append(OrderbookState.Dropped(order, .duplicate))
                outcome.duplicates.append(order.copyID)
            }
        }
        return outcome
    }

    /// Verifies orders as they arrive, until the end.
    @concurrent
    func verdicts(on arrivals: AsyncStream<[any SignedOrder]>) async -> Verdicts {
        // Opened while the relay is asked.
        let recovery = recovery()
        defer { keep(recovery) }
        return await withTaskGroup(of: [(OrderHash, OrderRejection)].self) { group in
            var verdicts = Verdicts()
            var running = 0
            for await orders in arrivals {
                var fresh: [any SignedOrder] = []
                fresh.reserveCapacity(orders.count)
                for order in orders {
                    if verdicts.seen.insert(order.hash).inserted {
                        fresh.append(order)
                    } else {
                        verdicts.repeated.insert(order.hash)
                    }
                }
                for start in stride(from: 0, to: fresh.count, by: Self.chunk) {
                    if running >= Self.maximumAtOnce, let part = await group.next() {
                        verdicts.add(part)
                        running -= 1
                    }
                    let part = fresh[start..<min(start + Self.chunk, fresh.count)]
                    group.addTask {
                        part.compactMap { order in
                            rejection(of: order, recovery: recovery).map { (order.hash, $0) }
                        }
                    }
                    running += 1
                }
            }
            for await part in group { verdicts.add(part) }
            return verdicts
        }
    }

    private func rejections(of orders: [any SignedOrder]) async -> [OrderRejection?] {
        guard !orders.isEmpty else { return [] }
        let recovery = recovery()
        defer { keep(recovery) }
        guard orders.count > Self.chunk else {
            return orders.map { rejection(of: $0, recovery: recovery) }
        }
        var rejections = [OrderRejection?](repeating: nil, count: orders.count)
        await withTaskGroup(of: (Int, [OrderRejection?]).self) { group in
            for start in stride(from: 0, to: orders.count, by: Self.chunk) {
                let part = orders[start..<min(start + Self.chunk, orders.count)]
                group.addTask { (start, part.map { rejection(of: $0, recovery: recovery) }) }
            }
            for await (start, part) in group {
                rejections.replaceSubrange(start..<start + part.count, with: part)
            }
        }
        return rejections
    }

    private func recovery() -> CachedRecovery? {
        signatures?.recovery(for: purpose, recoverer)
    }

    private func keep(_ recovery: CachedRecovery?) {
        if let recovery { signatures?.add(recovery) }
    }

    private func rejection(
        of order: any SignedOrder,
        recovery: CachedRecovery?
    ) -> OrderRejection? {
        do throws(OrderRejection) {
            try TokenMap.checkTokens(of: order)
            try exchangeProtocol.verify(
                order,
                exchange: exchange,
                recoverer: recovery?.recoverer(claiming: order.maker) ?? recoverer
            )
            return nil
        } catch {
            return error
        }
    }
}

extension OrderVerifier.Verdicts {
    fileprivate mutating func add(_ part: [(OrderHash, OrderRejection)]) {
        for (hash, rejection) in part { rejections[hash] = rejection }
    }
}

extension OrderbookState.Dropped {
    init(_ order: any SignedOrder, _ reason: DropReason) {
        self.init(orderHash: order.hash, reason: reason)
    }

    /// Unreadable entries: ten examples of all lists together, and the rest as one.
    static func list(_ unreadable: UnreadableOrders...) -> [OrderbookState.Dropped] {
        var all = UnreadableOrders()
        for part in unreadable { all.add(part) }
        var dropped = all.examples.map {
            OrderbookState.Dropped(orderHash: nil, reason: .malformed($0))
        }
        let rest = all.count - all.examples.count
        if rest > 0 {
            dropped.append(
                OrderbookState.Dropped(orderHash: nil, reason: .moreMalformed(rest), count: rest)
            )
        }
        return dropped
    }
}

extension [OrderbookState.Dropped] {
    /// The number of orders behind these entries.
    package var orderCount: Int { reduce(0) { $0 + $1.count } }
}
