package import NIOCore

/// The time limits of a connection to a server.
///
/// Each limit is for a whole step, not between two bytes: a client that sends a byte a second gets
/// no more time than a silent one.
package struct ConnectionTimes: Sendable, Hashable {
    /// From the connection to the head of the first request.
    package var head = TimeAmount.seconds(10)
    /// From a request's head to the end of its body.
    package var body = TimeAmount.seconds(30)
    /// From the start of an answer until the client has taken all of it.
    package var answer = TimeAmount.seconds(60)
    /// From the end of an answer to the head of the next request.
    package var idle = TimeAmount.seconds(60)

    package init() {}
}

/// Tells when a connection keeps the server waiting for too long.
///
/// There is no limit while the server works on a request. A connection has one timer: a later limit
/// does not move it, it looks for the current limit when it fires. It belongs to its event loop.
final class ConnectionDeadlines {
    private let times: ConnectionTimes
    let eventLoop: any EventLoop
    private let passed: () -> Void
    private var timer: Scheduled<Void>?
    /// When the timer fires: at the limit or before it.
    private var firesAt = NIODeadline.distantFuture
    /// The current limit; nil if there is none.
    private var limit: NIODeadline?
    /// Requests with a head whose answers are not completely taken.
    private var unanswered = 0
    /// Answers that are being taken.
    private var untaken = 0

    /// The limits of a new connection.
    ///
    /// - Parameter passed: called on the event loop when a limit has passed.
    init(_ times: ConnectionTimes, _ eventLoop: any EventLoop, passed: @escaping () -> Void) {
        self.times = times
        self.eventLoop = eventLoop
        self.passed = passed
        start(times.head)
    }

    /// An answer is written that the client has not wholly taken.
    var hasUntaken: Bool { untaken > 0 }

    /// The head of a request was read.
    func requestBegan() {
        unanswered += 1
        start(times.body)
    }

    /// A request was read whole.
    ///
    /// After an early answer, the rest of the request has the idle limit.
    func requestEnded() {
        guard unanswered > 0 else { return }
        if hasUntaken { start(times.answer) } else { limit = nil }
    }

    /// An answer is being written.
    func answerBegan() {
        untaken += 1
        start(times.answer)
    }

    /// The client has taken an answer.
    func answerTaken() {
        untaken = max(0, untaken - 1)
        unanswered = max(0, unanswered - 1)
        if unanswered == 0 { start(times.idle) }
    }

    /// There is nothing to wait for any more.
    func end() {
        limit = nil
        timer?.cancel()
        timer = nil
    }

    private func start(_ time: TimeAmount) {
        let limit = eventLoop.now + time
        self.limit = limit
        if timer != nil, firesAt <= limit { return }
        timer?.cancel()
        schedule(at: limit)
    }

    private func schedule(at time: NIODeadline) {
        firesAt = time
        timer = eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.fire() }
    }

    private func fire() {
        timer = nil
        guard let limit else { return }
        if limit <= eventLoop.now { passed() } else { schedule(at: limit) }
    }
}

@available(*, unavailable)
extension ConnectionDeadlines: Sendable {}
