import Synchronization

/// A request to stop, made once and awaited by the parts that stop.
final class StopRequest: Sendable {
    private let stream: AsyncStream<Void>
    private let sender: AsyncStream<Void>.Continuation
    private let flag = Mutex(false)

    init() {
        (stream, sender) = AsyncStream.makeStream(of: Void.self)
    }

    var isMade: Bool { flag.withLock { $0 } }

    func make() {
        flag.withLock { $0 = true }
        sender.finish()
    }

    /// Returns when the request is made, or the task is cancelled.
    func wait() async {
        for await _ in stream {}
    }
}
