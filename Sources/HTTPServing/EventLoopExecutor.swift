import NIOCore

/// Runs the steps of a connection's task on the connection's own event loop.
///
/// Otherwise each step of a request is handed to another thread and back, which takes longer than
/// most answers.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
