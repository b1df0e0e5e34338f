/// A sum of unsigned 256-bit amounts from which each can be taken out again, also where the sum is
/// beyond 256 bits.
///
/// Range: up to 2^320 - 1, in the unit of its amounts.
package struct RunningTotal: Hashable, Sendable {
    private var low: UInt256 = 0
    /// How often 2^256 is in it.
    private var high: UInt64 = 0

    package init() {}

    package var isZero: Bool { high == 0 && low == .zero }

    /// The sum; 2^256 - 1 where it is larger.
    package var saturated: UInt256 { high == 0 ? low : .max }

    package mutating func add(_ amount: UInt256) {
        let (sum, overflow) = low.addingReportingOverflow(amount)
        low = sum
        if overflow { high &+= 1 }
    }

    /// - Parameter amount: was added before.
    package mutating func subtract(_ amount: UInt256) {
        let (rest, overflow) = low.subtractingReportingOverflow(amount)
        low = rest
        if overflow { high &-= 1 }
    }
}
