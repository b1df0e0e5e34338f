import Ethereum
import StrictJSON
import ZeroEx

@testable import DexRelay

/// Entries and changes of orders for the tests of the intake.
enum PostSamples {
    static func entry(_ order: any SignedOrder) throws -> OrderEntry {
        let body = ZeroExV1().encodeOrder(order).utf8
        guard let entry = OrderEntry(order, body: body) else {
            throw Unexpected("an order without a price")
        }
        return entry
    }

    static func change(
        _ entry: OrderEntry,
        _ state: ListingState = .shown,
        fillable: UInt256 = 2000,
        isPartlyFilled: Bool = false,
        from previous: ListingState? = nil
    ) -> BookChange {
        BookChange(
            number: 1,
            pairSequence: 1,
            version: .v1,
            entry: entry,
            state: state,
            standing: OrderStanding(fillable: fillable, isPartlyFilled: isPartlyFilled),
            since: RelayFixture.startTime,
            previous: previous
        )
    }
}
