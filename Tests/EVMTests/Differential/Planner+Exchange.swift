import DexTestSupport
import Ethereum
import ZeroEx

extension Planner {
    /// A call of the exchange that changes something.
    mutating func exchangeCall() throws -> PlannedCall {
        var call = PlannedCall(kind: "", sender: trader(), to: World.exchange)
        let order = random.pick(orders)
        // Makers seldom trade with themselves.
        if call.sender == order.maker, random.chance(70) { call.sender = (order.maker + 1) % 4 }
        let throwing = random.chance(45)
        let (kind, content) = content(order, throwing: throwing, sender: &call.sender)
        call.kind = kind
        call.data = content.data
        return call
    }

    private mutating func content(
        _ order: PlannedOrder,
        throwing: Bool,
        sender: inout Int
    ) -> (String, ExchangeCallV1) {
        let suffix = throwing ? " throwing" : ""
        switch random.below(100) {
        case ..<34:
            return (
                "fillOrder" + suffix,
                .fillOrder(
                    order.addresses,
                    order.values,
                    fill: part(of: order),
                    shouldThrow: throwing,
                    order.signature
                )
            )
        case ..<46:
            return (
                "fillOrKillOrder",
                .fillOrKillOrder(
                    order.addresses,
                    order.values,
                    fill: part(of: order),
                    order.signature
                )
            )
        case ..<62:
            let batch = batch(sameTakerToken: random.chance(85))
            return (
                "fillOrdersUpTo" + (batch.isEmpty ? " of none" : suffix),
                .fillOrdersUpTo(
                    entries(batch),
                    fill: total(of: batch),
                    shouldThrow: throwing,
                    signatures(batch)
                )
            )
        case ..<73:
            let batch = batch()
            return (
                "batchFillOrders" + suffix,
                .batchFillOrders(
                    entries(batch),
                    fills: parts(of: batch),
                    shouldThrow: throwing,
                    signatures(batch)
                )
            )
        case ..<81:
            let batch = batch()
            return (
                "batchFillOrKillOrders",
                .batchFillOrKillOrders(
                    entries(batch),
                    fills: parts(of: batch),
                    signatures(batch)
                )
            )
        case ..<93:
            if random.chance(90) { sender = order.maker }
            return (
                "cancelOrder",
                .cancelOrder(order.addresses, order.values, cancel: part(of: order))
            )
        default:
            let batch =
                random.chance(80) ? batch().filter { $0.maker == order.maker } : batch()
            if random.chance(90) { sender = order.maker }
            return (
                "batchCancelOrders",
                .batchCancelOrders(entries(batch), cancels: parts(of: batch))
            )
        }
    }

    /// How much of an order a call asks for.
    private mutating func part(of order: PlannedOrder) -> UInt256 {
        let whole = order.terms.takerAmount
        let thousandths = UInt256(UInt64(1 + random.below(999)))
        return random.pick(weighted: [
            (30, whole),
            (40, whole / 1_000 * thousandths),
            (8, whole / 2 + 1),
            (6, whole &+ 1),
            (6, UInt256(UInt64(1 + random.below(2_000)))),
            (3, 0),
            (3, .max),
            (4, amount(of: order.terms.takerToken)),
        ])
    }

    // MARK: Batches

    private mutating func batch(sameTakerToken: Bool = false) -> [PlannedOrder] {
        if random.chance(3) { return [] }
        var batch = (0..<(1 + random.below(4))).map { _ in random.pick(orders) }
        if sameTakerToken {
            let token = batch[0].terms.takerToken
            batch = batch.filter { $0.terms.takerToken == token }
        }
        return batch
    }

    private mutating func parts(of batch: [PlannedOrder]) -> [UInt256] {
        var parts = batch.map { part(of: $0) }
        // The exchange does not compare the arrays' lengths.
        if random.chance(4) { parts.append(1) }
        if random.chance(4), !parts.isEmpty { parts.removeLast() }
        return parts
    }

    private mutating func total(of batch: [PlannedOrder]) -> UInt256 {
        guard let first = batch.first else { return amount(of: World.weth) }
        let sum = batch.reduce(UInt256.zero) { $0 &+ $1.terms.takerAmount }
        return random.pick(weighted: [
            (35, sum),
            (35, sum / 1_000 &* UInt256(UInt64(1 + random.below(1_100)))),
            (15, part(of: first)),
            (5, first.terms.takerAmount &+ 1),
            (5, .max),
            (2, 0),
        ])
    }

    private mutating func entries(_ batch: [PlannedOrder]) -> ExchangeCallV1.Orders {
        var entries = ExchangeCallV1.Orders(batch.map(\.terms))
        if random.chance(3), !batch.isEmpty { entries.values.removeLast() }
        if random.chance(3), let last = entries.values.last { entries.values.append(last) }
        return entries
    }

    private mutating func signatures(_ batch: [PlannedOrder]) -> ExchangeCallV1.Signatures {
        var signatures = ExchangeCallV1.Signatures(
            v: batch.map(\.signature.v),
            r: batch.map(\.signature.r),
            s: batch.map(\.signature.s)
        )
        if random.chance(4), !batch.isEmpty {
            switch random.below(3) {
            case 0: signatures.v.removeLast()
            case 1: signatures.r.removeLast()
            default: signatures.s.removeLast()
            }
        }
        return signatures
    }
}
