import DexTestSupport
import Ethereum
import ZeroEx

/// Calls of v4 that fill and cancel nothing.
extension Planner {
    /// A call about who signs or fills for whom.
    mutating func helperCall() -> PlannedCall {
        let allowed = random.chance(80)
        guard random.chance(50) else {
            let origins = (0..<random.below(4)).map { _ in world.traders[trader()].address }
            return helperCall(.registerAllowedRfqOrigins(origins, allowed: allowed), by: trader())
        }
        let sender = random.chance(70) ? random.pick(limitOrders).maker : trader()
        return registration(of: trader(), by: sender, allowed: allowed)
    }

    /// A call that lets another key sign orders of the sender, or forbids it.
    mutating func registration(of helper: Int, by sender: Int, allowed: Bool) -> PlannedCall {
        if allowed { helpers.append((world.traders[sender].address, helper)) }
        return helperCall(
            .registerAllowedOrderSigner(world.traders[helper].address, allowed: allowed),
            by: sender
        )
    }

    private func helperCall(_ content: ExchangeCallV4, by sender: Int) -> PlannedCall {
        PlannedCall(
            kind: content.function.name,
            sender: sender,
            to: World.exchangeProxy,
            data: content.data
        )
    }

    /// A transaction to a function that only reads.
    mutating func nativeView() -> PlannedCall {
        let content: ExchangeCallV4
        switch random.below(10) {
        case 0: content = .getProtocolFeeMultiplier
        case 1:
            content = .isValidOrderSigner(
                maker: world.traders[trader()].address,
                signer: world.traders[trader()].address
            )
        case 2..<6: content = .limit(view(of: limitOrders))
        default: content = .rfq(view(of: quotes))
        }
        return PlannedCall(
            kind: content.function.name,
            sender: trader(),
            to: World.exchangeProxy,
            data: content.data
        )
    }

    private mutating func view<Order>(
        of orders: [PlannedNativeOrder<Order>]
    ) -> OrderCallV4<Order> {
        let item = random.pick(orders)
        switch random.below(5) {
        case 0: return .hash(item.order)
        case 1: return .info(item.order)
        case 2: return .relevantState(item.order, item.signature)
        default:
            var batch = batch(of: orders)
            let signatures = batch.map(\.signature)
            if random.chance(5), !batch.isEmpty { batch.removeLast() }
            return .batchRelevantStates(batch.map(\.order), signatures)
        }
    }
}
