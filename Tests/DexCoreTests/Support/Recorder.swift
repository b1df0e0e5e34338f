import Synchronization

/// Numbers in the order in which they came.
final class Recorder: Sendable {
    private let state = Mutex<[Int]>([])

    var values: [Int] { state.withLock { $0 } }

    func append(_ value: Int) {
        state.withLock { $0.append(value) }
    }
}
