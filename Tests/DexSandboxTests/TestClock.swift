import Synchronization

/// A clock that only tests move; seconds since 1970.
final class TestClock: Sendable {
    private let seconds: Mutex<UInt64>

    init(_ seconds: UInt64) {
        self.seconds = Mutex(seconds)
    }

    var now: UInt64 {
        seconds.withLock { $0 }
    }

    func advance(_ by: UInt64) {
        seconds.withLock { $0 += by }
    }
}
