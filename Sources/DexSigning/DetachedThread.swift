import Glibc

/// A system thread outside of Swift's task pool, for what blocks: C code, a question to the user.
///
/// It is detached, so it never keeps the process from ending. It blocks all signals: they reach the
/// threads that expect them, and a broken connection raises no SIGPIPE.
package enum DetachedThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Does blocking work on a thread; in place if no thread can start.
    package static func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let isStarted = start { continuation.resume(returning: work()) }
            if !isStarted { continuation.resume(returning: work()) }
        }
    }

    /// Starts a thread; false if the system has none left.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED)) == 0 else {
            return false
        }
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        guard pthread_sigmask(SIG_SETMASK, &all, &before) == 0 else { return false }
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // The thread owns this reference and releases it at its end.
        let argument = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread,
            &attributes,
            { argument in
                let pointer: UnsafeMutableRawPointer? = argument
                if let pointer {
                    Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                }
                return nil
            },
            argument.toOpaque()
        )
        if status != 0 { argument.release() }
        return status == 0
    }
}
