import Ethereum
import ZeroEx

@testable import DexRelay

/// Orders of the store's tests; a store does not look into their bodies.
enum SampleOrders {
    static let zrx = address(0xA1)
    static let weth = address(0xA2)
    static let dai = address(0xA3)
    static let maker = address(0x11)

    static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(w0: number, w1: 0, w2: 0, w3: 0).word)
    }

    static func hash(_ number: UInt64) -> OrderHash {
        OrderHash(UInt256(w0: number, w1: 7, w2: 0, w3: 9).word)
    }

    static func order(
        _ number: UInt64,
        version: ProtocolVersion = .v4,
        maker: Address = maker,
        direction: PairDirection = PairDirection(makerToken: zrx, takerToken: weth),
        state: ListingState = .shown,
        body: String? = nil,
        since: UInt64 = 1_000
    ) -> ListedOrder {
        ListedOrder(
            hash: hash(number),
            version: version,
            maker: maker,
            direction: direction,
            body: Array((body ?? "{\"salt\":\"\(number)\"}").utf8),
            receivedAt: since,
            state: state,
            standing: standing(1_000 + number),
            since: since
        )
    }

    static func standing(_ fillable: UInt64, isPartlyFilled: Bool = false) -> OrderStanding {
        OrderStanding(
            fillable: UInt256(w0: fillable, w1: 0, w2: 0, w3: 1),
            isPartlyFilled: isPartlyFilled
        )
    }

    static func adding(_ orders: ListedOrder...) -> OrderBatch {
        adding(orders)
    }

    static func adding(_ orders: [ListedOrder]) -> OrderBatch {
        var batch = OrderBatch()
        batch.added = orders
        return batch
    }

    static func updating(
        _ number: UInt64,
        to state: ListingState,
        fillable: UInt64 = 0,
        expected: ListingState? = nil
    ) -> OrderBatch {
        var batch = OrderBatch()
        batch.updated = [
            OrderBatch.Update(
                hash: hash(number),
                state: state,
                standing: standing(fillable),
                expected: expected
            )
        ]
        return batch
    }
}

extension OrderStore {
    /// Everything that `load` gives.
    func loaded(goneSince: UInt64 = 0) async throws -> (orders: [ListedOrder], head: StoreHead) {
        var orders: [ListedOrder] = []
        let head = try await load(goneSince: goneSince) { orders.append($0) }
        return (orders, head)
    }
}
