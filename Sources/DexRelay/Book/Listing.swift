/// An order in the book, with its state.
///
/// A class, since one is in several lists: there it takes the place of a reference.
package final class Listing: Sendable {
    package let entry: OrderEntry
    package let state: ListingState
    package let standing: OrderStanding

    init(entry: OrderEntry, state: ListingState, standing: OrderStanding) {
        self.entry = entry
        self.state = state
        self.standing = standing
    }

    /// Its amount left was read on chain.
    ///
    /// An order from a file of an older version is shown before that.
    package var isRead: Bool { standing != .unread }
}

extension OrderStanding {
    /// The standing of a shown order that was not read on chain yet.
    package static let unread = OrderStanding(fillable: .zero, isPartlyFilled: false)

    /// The standing once nothing can be filled.
    package var ended: OrderStanding {
        OrderStanding(fillable: .zero, isPartlyFilled: isPartlyFilled)
    }
}
