import Ethereum

/// Pseudorandom numbers from a seed and a purpose: SplitMix64.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct MarketRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, purpose: String) {
        state = Keccak256.hash("dex sandbox market, seed \(seed): \(purpose)".utf8).limbs.0
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in a closed range; `Int.random` may change its algorithm, this does not.
    mutating func number(in range: ClosedRange<UInt64>) -> UInt64 {
        range.lowerBound + next() % (range.upperBound - range.lowerBound + 1)
    }
}
