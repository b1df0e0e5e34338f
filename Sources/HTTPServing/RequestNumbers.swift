import Synchronization

/// Numbers that name requests: 2^64 different ones from a random start.
///
/// They look random, so that no two servers soon give the same one; they keep no secret. A number of
/// the system's source costs a system call.
///
/// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014 (SplitMix64).
package final class RequestNumbers: Sendable {
    private let state: Atomic<UInt64>

    package init(start: UInt64 = .random(in: .min ... .max)) {
        state = Atomic(start)
    }

    package func next() -> UInt64 {
        var number = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
