package import Ethereum

/// The costs of several transactions, in wei, of which some may not be known.
package struct GasSum: Hashable, Sendable {
    /// Of those that are known; 2^256 - 1 from there on.
    package private(set) var known = Wei.zero
    /// How many are not known.
    package private(set) var unknown = 0

    package init() {}

    /// - Parameter cost: nil if it is not known.
    package mutating func add(_ cost: Wei?) {
        guard let cost else {
            unknown += 1
            return
        }
        known = known.adding(cost) ?? Wei(.max)
    }

    /// nil if a part of it is not known.
    package var total: Wei? { unknown == 0 ? known : nil }
}
