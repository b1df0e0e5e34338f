import Ethereum
import ZeroEx

/// Believes no order: recovers every signature, on all cores.
struct OrderVerifier: Sendable {
    let exchangeProtocol: any ExchangeProtocol
    let exchange: Address
    let recoverer: any SignatureRecovering

    /// Small enough to spread over cores, large enough that a task's cost does not show.
    private static let chunk = 64

    init(session: Session) {
        exchangeProtocol = session.exchangeProtocol
        exchange = session.network.exchange
        recoverer = session.recoverer
    }

    /// The orders that hold, each hash once, in their order; and what does not, with the reason.
    @concurrent
    func verify(
        _ orders: [any SignedOrder]
    ) async -> (verified: [any SignedOrder], dropped: [OrderbookState.Dropped]) {
        let rejections = await rejections(of: orders)
        var verified: [any SignedOrder] = []
        verified.reserveCapacity(orders.count)
        var dropped: [OrderbookState.Dropped] = []
        var seen: Set<OrderHash> = []
        seen.reserveCapacity(orders.count)
        for (order, rejection) in zip(orders, rejections) {
            if let rejection {
                dropped.append(OrderbookState.Dropped(order, rejection))
            } else if seen.insert(order.hash).inserted {
                verified.append(order)
            } else {
                dropped.append(
                    OrderbookState.Dropped(
                        orderHash: order.hash,
                        code: "duplicate",
                        reason: "The relay sent it more than once."
                    )
                )
            }
        }
        return (verified, dropped)
    }

    private func rejections(of orders: [any SignedOrder]) async -> [OrderRejection?] {
        guard orders.count > Self.chunk else { return orders.map(rejection) }
        var rejections = [OrderRejection?](repeating: nil, count: orders.count)
        await withTaskGroup(of: (Int, [OrderRejection?]).self) { group in
            for start in stride(from: 0, to: orders.count, by: Self.chunk) {
                let part = orders[start..<min(start + Self.chunk, orders.count)]
                group.addTask { (start, part.map(rejection)) }
            }
            for await (start, part) in group {
                rejections.replaceSubrange(start..<start + part.count, with: part)
            }
        }
        return rejections
    }

    private func rejection(of order: any SignedOrder) -> OrderRejection? {
        do throws(OrderRejection) {
            try exchangeProtocol.verify(order, exchange: exchange, recoverer: recoverer)
            return nil
        } catch {
            return error
        }
    }
}

extension OrderbookState.Dropped {
    /// An order that was refused by itself.
    init(_ order: any SignedOrder, _ rejection: OrderRejection) {
        self.init(orderHash: order.hash, code: rejection.code, reason: rejection.description)
    }

    /// Something that is not an order.
    init(_ error: OrderError) {
        self.init(
            orderHash: nil,
            code: "malformed",
            reason: PlainText.clean(error.description)
        )
    }
}
