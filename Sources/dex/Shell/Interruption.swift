import DexCore
import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM: the first cancels the command's task, the second ends the process.
final class Interruption: Sendable {
    private struct State {
        /// The time of the first signal.
        var interruptedAt: ContinuousClock.Instant?
        var cancel: (@Sendable () -> Void)?
        /// Releases a wait that cancellation does not reach, such as a prompt.
        var release: (@Sendable () -> Void)?
        /// The first signal came during such a wait.
        var cameAtQuestion = false
        /// A pager has the terminal, and Ctrl-C is for it.
        var isPaging = false
        /// Gets a byte with the first signal.
        var stop: ChildPipe?
    }

    private let state = Mutex(State())

    /// An earlier second signal is the same one: timeout(1) and make signal the process and its
    /// group.
    private static let echo = Duration.milliseconds(300)

    var isInterrupted: Bool {
        state.withLock { $0.interruptedAt != nil }
    }

    /// The first signal came during a question, a password or a wait for a file.
    var cameAtQuestion: Bool {
        state.withLock { $0.cameAtQuestion }
    }

    /// Runs the body as a task that the signals cancel.
    static func run(
        _ body: @escaping @Sendable (Interruption) async -> ExitCode
    ) async -> ExitCode {
        let interruption = Interruption()
        // The console reports a closed pipe as a write error.
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "dex.signals")
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { interruption.interrupt(by: number) }
            source.resume()
            return source
        }
        let task = Task { await body(interruption) }
        interruption.onInterrupt { task.cancel() }
        let code = await task.value
        for source in sources { source.cancel() }
        return code
    }

    /// Sets the effect of the first signal besides the flag; at once if it came already.
    private func onInterrupt(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.interruptedAt != nil
        }
        if isLate { cancel() }
    }

    /// Begins a wait that cancellation does not reach: an earlier or later signal runs `release`.
    func beginWaiting(release: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.release = release
            return state.interruptedAt != nil
        }
        if isLate { release() }
    }

    /// The wait has ended.
    func endWaiting() {
        state.withLock { $0.release = nil }
    }

    /// Runs a body in which Ctrl-C is meant for another program at the terminal.
    func whilePaging<Result>(_ body: () -> Result) -> Result {
        state.withLock { $0.isPaging = true }
        defer { state.withLock { $0.isPaging = false } }
        return body()
    }

    /// A descriptor for poll(2), readable from the first signal on; nil if none is left.
    func stopDescriptor() -> Int32? {
        state.withLock { state in
            if state.stop == nil {
                state.stop = ChildPipe()
                if state.interruptedAt != nil { state.stop?.wake() }
            }
            return state.stop?.reader
        }
    }

    private func interrupt(by number: Int32) {
        guard number != SIGINT || !state.withLock({ $0.isPaging }) else { return }
        let now = ContinuousClock.now
        let (first, cancel, release) = state.withLock { state in
            let first = state.interruptedAt ?? now
            state.interruptedAt = first
            if first == now {
                state.cameAtQuestion = state.release != nil
                state.stop?.wake()
            }
            return (first, state.cancel, state.release)
        }
        guard first == now || now - first > Self.echo else { return }
        let isSecond = first != now
        if isSecond {
            Terminal.showTyping()
            _exit(ExitCode.interrupted.rawValue)
        }
        release?()
        cancel?()
    }
}
