import Synchronization

/// Counts how often something happened.
final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    /// The number of this time, from 0.
    func next() -> Int {
        value.withLock { value in
            value += 1
            return value - 1
        }
    }
}

/// Gas estimates in the order in which they were answered.
final class Estimates: Sendable {
    private let values = Mutex<[UInt64]>([])

    var first: UInt64? { values.withLock { $0.first } }

    func add(_ value: UInt64) {
        values.withLock { $0.append(value) }
    }
}
