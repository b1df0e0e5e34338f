package import Ethereum
package import ZeroEx

/// What the operator decided about orders while the relay runs: hidden, removed, or shown whatever
/// the policy says.
///
/// A rule about an order comes before one about its maker, and that before one about its pair; of
/// several about the same, the last counts.
package struct Moderation: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case order(OrderHash)
        case maker(Address)
        /// In either direction.
        case pair(PairDirection)
    }

    package enum Action: String, Hashable, Sendable, CaseIterable {
        /// Kept, and watched, but in no answer; its maker is told nothing.
        case hide
        /// Out of the relay; a post of it is refused.
        case remove
        /// In the book again, as far as it can be filled.
        case show
    }

    private var orders: [OrderHash: Action] = [:]
    private var makers: [Address: Action] = [:]
    private var pairs: [PairDirection: Action] = [:]

    package init() {}

    /// What decisions say together, the latest last.
    package init(_ decisions: [ModerationDecision]) {
        for decision in decisions { set(decision.subject, decision.action) }
    }

    package mutating func set(_ subject: Subject, _ action: Action) {
        switch subject {
        case .order(let hash): orders[hash] = action
        case .maker(let maker): makers[maker] = action
        case .pair(let pair): pairs[pair.unordered] = action
        }
    }

    /// The rule for an order; nil if there is none.
    func action(for order: any SignedOrder) -> Action? {
        if orders.isEmpty, makers.isEmpty, pairs.isEmpty { return nil }
        let direction = PairDirection(makerToken: order.makerToken, takerToken: order.takerToken)
        return orders[order.hash] ?? makers[order.maker] ?? pairs[direction.unordered]
    }

    /// The state that a rule gives an open order; nil if it stays as it is.
    func state(of listing: Listing) -> ListingState? {
        switch (action(for: listing.entry.order), listing.state) {
        case (.hide, .shown), (.hide, .dormant): .hidden
        case (.remove, let state) where !state.isGone: .removed
        case (.show, .hidden): listing.standing.fillable == .zero ? .dormant : .shown
        default: nil
        }
    }
}
