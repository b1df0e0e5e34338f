import Synchronization
import Testing

@testable import HTTPServing

@Suite("What a server does for its clients when it ends")
struct OpenConnectionsTests {
    private final class Cancelled: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    /// The client may have left long ago: no open connection knows the task.
    @Test("a server that is cut short cancels every task, later ones at once, and then has ended")
    func tasks() async {
        let connections = OpenConnections()
        let cancelled = Cancelled()
        let first = connections.taskBegan()
        connections.task(first) { cancelled.add(1) }
        let done = connections.taskBegan()
        connections.task(done) { cancelled.add(2) }
        connections.taskEnded(done)
        let unknown = connections.taskBegan()
        connections.stop()
        #expect(cancelled.all.isEmpty)
        connections.cut()
        #expect(cancelled.all == [1])
        connections.task(unknown) { cancelled.add(3) }
        #expect(cancelled.all == [1, 3])
        // One that has ended is cancelled by nobody.
        connections.task(done) { cancelled.add(4) }
        #expect(cancelled.all == [1, 3])
        connections.taskEnded(first)
        connections.taskEnded(unknown)
        await connections.ended()
    }
}
