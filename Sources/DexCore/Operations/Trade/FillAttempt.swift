import Ethereum
import ZeroEx

/// One way to make a fill; the simulation shows which of several works.
struct FillAttempt: Hashable, Sendable {
    let mode: FillMode
    /// What the transaction announces (EIP-2930); empty for none.
    var accessList: [AccessListEntry] = []
    /// The contract is given the route's backup orders too.
    var hasBackups: Bool

    /// Orders that are gone are skipped.
    static let skipping = FillAttempt(mode: .skipping, hasBackups: true)
    /// One short order fails the whole call.
    static let throwing = FillAttempt(mode: .throwing, hasBackups: false)

    /// The same, and what to fall back on where an access list turns out not to help after all.
    var withFallbacks: [FillAttempt] {
        guard !accessList.isEmpty else { return [self] }
        var bare = self
        bare.hasBackups = false
        return hasBackups ? [self, bare, .throwing] : [self, .throwing]
    }

    /// The gas of the access list itself (EIP-2930): 2,400 an address and 1,900 a slot.
    var accessListGas: UInt64 {
        accessList.reduce(0) { $0 + 2_400 + 1_900 * UInt64($1.storageKeys.count) }
    }
}
