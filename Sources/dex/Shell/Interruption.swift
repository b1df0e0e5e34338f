import DexCore
import Dispatch
import Glibc
import Synchronization

/// Ctrl-C and SIGTERM as structured cancellation: the first cancels the command, the second ends
/// the process at once.
final class Interruption: Sendable {
    private struct State {
        /// When the first signal came.
        var interruptedAt: ContinuousClock.Instant?
        var cancel: (@Sendable () -> Void)?
        /// Something that waits where cancellation does not reach, such as a prompt.
        var release: (@Sendable () -> Void)?
        /// The first signal came while something waited there.
        var cameAtQuestion = false
        /// Gets a byte with the first signal.
        var stop: ChildPipe?
    }

    private let state = Mutex(State())

    /// What comes sooner after the first signal is the same one: timeout(1) and make send it to
    /// the process and to its group.
    private static let echo = Duration.milliseconds(300)

    /// A signal came.
    var isInterrupted: Bool {
        state.withLock { $0.interruptedAt != nil }
    }

    /// The first signal came at a question, a password or a file that was waited for.
    var cameAtQuestion: Bool {
        state.withLock { $0.cameAtQuestion }
    }

    /// Runs the body as a task that the signals cancel.
    static func run(
        _ body: @escaping @Sendable (Interruption) async -> ExitCode
    ) async -> ExitCode {
        let interruption = Interruption()
        // A closed pipe is a write error, which the console reports, not a reason to die.
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "dex.signals")
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { interruption.interrupt() }
            source.resume()
            return source
        }
        let task = Task { await body(interruption) }
        interruption.onInterrupt { task.cancel() }
        let code = await task.value
        for source in sources { source.cancel() }
        return code
    }

    /// Sets what the first signal does beside setting the flag; at once where it came already.
    private func onInterrupt(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.interruptedAt != nil
        }
        if isLate { cancel() }
    }

    /// Runs a body that blocks its thread; a signal meanwhile, or one that came before, runs
    /// `release`.
    func whileWaiting<Result>(
        release: @escaping @Sendable () -> Void,
        _ body: () -> Result
    ) -> Result {
        let isLate = state.withLock { state in
            state.release = release
            return state.interruptedAt != nil
        }
        if isLate { release() }
        defer { state.withLock { $0.release = nil } }
        return body()
    }

    /// A descriptor that can be read from the first signal on, for what waits in poll(2); nil
    /// where the system has none left.
    func stopDescriptor() -> Int32? {
        state.withLock { state in
            if state.stop == nil {
                state.stop = ChildPipe()
                if state.interruptedAt != nil { state.stop?.wake() }
            }
            return state.stop?.reader
        }
    }

    private func interrupt() {
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
