import DexNetwork
import Dispatch
import Glibc
import Synchronization

/// A user's program with a time limit: one process per input; its stderr is ours.
struct TimedProgram: Sendable {
    let command: [String]
    /// The longest time, in milliseconds.
    let timeout: UInt64
    /// The maximum bytes of output; nil discards the output.
    let longestOutput: Int?
    var variables: [String] = []
    /// It gets its own session, so that its children end with it, and no terminal.
    var isDetached = false

    /// The reason why there is no outcome.
    enum Failure: Error {
        /// The missing resource, and the errno.
        case notStarted(String, Int32)
        case tooSlow
        case tooLong
        case interrupted
    }

    /// Milliseconds from the request to end until it is killed.
    private static let grace: UInt64 = 1_000

    /// Runs it to its end.
    ///
    /// - Returns: its output and exit code, -1 if a signal ended it.
    func run(_ input: [UInt8]) async throws(Failure) -> (output: [UInt8], status: Int32) {
        let isCancelled = Atomic<Bool>(false)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // It blocks for as long as the program takes.
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: Result { () throws(Failure) in
                            try converse(input) { isCancelled.load(ordering: .relaxed) }
                        }
                    )
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
        let (output, status) = try result.get()
        return (output, status)
    }

    private func converse(
        _ input: [UInt8],
        isCancelled: () -> Bool
    ) throws(Failure) -> ([UInt8], Int32) {
        guard let toChild = ChildPipe() else { throw .notStarted("there are no pipes", errno) }
        guard let fromChild = ChildPipe() else {
            toChild.close()
            throw .notStarted("there are no pipes", errno)
        }
        let child: pid_t
        do throws(Failure) {
            child = try start(input: toChild.reader, output: fromChild.writer)
        } catch {
            toChild.close()
            fromChild.close()
            throw error
        }
        close(toChild.reader)
        close(fromChild.writer)
        for end in [toChild.writer, fromChild.reader] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        if longestOutput == nil { close(fromChild.reader) }
        var talk = Conversation(
            input: input[...],
            writer: toChild.writer,
            // Its background children may keep its output open for ever.
            reader: longestOutput == nil ? -1 : fromChild.reader,
            deadline: steadyMilliseconds + timeout
        )
        defer { talk.close() }
        var problem: Failure?
        do throws(Failure) {
            while try !talk.advance(limit: longestOutput ?? 0) {
                if isCancelled() { throw .interrupted }
            }
        } catch {
            problem = error
        }
        talk.close()
        if let problem {
            end(child)
            throw problem
        }
        return (talk.output, try wait(for: child, until: talk.deadline, isCancelled))
    }

    // MARK: The process

    private func wait(
        for child: pid_t,
        until deadline: UInt64,
        _ isCancelled: () -> Bool
    ) throws(Failure) -> Int32 {
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WNOHANG)
            // WIFEXITED and WEXITSTATUS, which are macros.
            if ended == child { return status & 0x7F == 0 ? status >> 8 & 0xFF : -1 }
            if ended < 0, errno != EINTR { return -1 }
            guard !isCancelled(), steadyMilliseconds < deadline else {
                end(child)
                throw isCancelled() ? .interrupted : .tooSlow
            }
            usleep(5_000)
        }
    }

    /// Asks it to end, then kills it.
    private func end(_ child: pid_t) {
        // The first process of a session names its process group.
        let target = isDetached ? -child : child
        kill(target, SIGTERM)
        let deadline = steadyMilliseconds + Self.grace
        var status: Int32 = 0
        while steadyMilliseconds < deadline {
            if waitpid(child, &status, WNOHANG) == child {
                if isDetached { kill(target, SIGKILL) }
                return
            }
            usleep(5_000)
        }
        kill(target, SIGKILL)
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
    }

    private func start(input: Int32, output: Int32) throws(Failure) -> pid_t {
        var start = ChildStart(program: command[0], words: command)
        start.isDetached = isDetached
        start.variables = variables
        let outcome = start.run { actions in
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            if longestOutput == nil {
                posix_spawn_file_actions_addopen(
                    &actions,
                    STDOUT_FILENO,
                    "/dev/null",
                    O_WRONLY,
                    0
                )
            } else {
                posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            }
        }
        switch outcome {
        case .started(let child): return child
        case .failed(let code): throw .notStarted(command[0], code)
        }
    }

    /// The remaining input and the output so far.
    private struct Conversation {
        var input: ArraySlice<UInt8>
        var writer: Int32
        var reader: Int32
        /// Monotonic, in milliseconds.
        let deadline: UInt64
        var output: [UInt8] = []

        /// Writes and reads what is ready.
        ///
        /// True at the end of the output, or of the input if no output is read.
        mutating func advance(limit: Int) throws(Failure) -> Bool {
            guard steadyMilliseconds < deadline else { throw .tooSlow }
            var ends = [
                pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: writer, events: Int16(POLLOUT), revents: 0),
            ]
            // Short, for a quick end after Ctrl-C.
            guard poll(&ends, 2, 50) > 0 else { return false }
            if ends[1].revents != 0, writer >= 0 { write() }
            if reader < 0 { return writer < 0 }
            guard ends[0].revents != 0 else { return false }
            var chunk = [UInt8](repeating: 0, count: 16 << 10)
            let count = Glibc.read(reader, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { return false }
            guard count > 0 else { return true }
            output.append(contentsOf: chunk.prefix(count))
            guard output.count <= limit else { throw .tooLong }
            return false
        }

        private mutating func write() {
            let count = input.withUnsafeBytes { Glibc.write(writer, $0.baseAddress, $0.count) }
            if count > 0 { input = input.dropFirst(count) }
            let isBroken = count < 0 && errno != EINTR && errno != EAGAIN
            guard input.isEmpty || isBroken else { return }
            Glibc.close(writer)
            // poll(2) ignores it.
            writer = -1
        }

        mutating func close() {
            if writer >= 0 { Glibc.close(writer) }
            if reader >= 0 { Glibc.close(reader) }
            (writer, reader) = (-1, -1)
        }
    }
}
