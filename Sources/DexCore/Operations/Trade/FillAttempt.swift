import Ethereum
import ZeroEx

/// A form of a fill; the simulation shows which one works.
struct FillAttempt: Hashable, Sendable {
    let mode: FillMode
    /// The transaction's access list (EIP-2930); empty for none.
    var accessList: [AccessListEntry] = []
    /// The contract also gets the route's backup orders.
    var hasBackups: Bool

    /// Orders that are gone are skipped.
    static let skipping = FillAttempt(mode: .skipping, hasBackups: true)
    /// One short order fails the whole call.
    static let throwing = FillAttempt(mode: .throwing, hasBackups: false)

    /// This one, and fallbacks for an access list that does not help after all.
    var withFallbacks: [FillAttempt] {
        guard !accessList.isEmpty else { return [self] }
        var bare = self
        bare.hasBackups = false
        return hasBackups ? [self, bare, .throwing] : [self, .throwing]
    }

}
