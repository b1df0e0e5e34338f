import DexSigning
import Dispatch
import Glibc
import Synchronization

/// A program of the user's that signs: one process for each question, which comes on its standard
/// input; its standard error and the terminal are its own to talk to the user.
struct SignerChild: SignerProgram {
    /// What it is called in messages.
    let name: String
    /// The program and its arguments; no shell reads them.
    let command: [String]
    /// The longest time, in seconds.
    let timeout: UInt64

    /// The most bytes of an answer: a signed transaction of the largest size that nodes take.
    private static let longestOutput = 1 << 20
    /// How long it may take to end after it was asked to, in milliseconds.
    private static let grace: UInt64 = 1_000

    func run(_ input: [UInt8]) async throws(SigningError) -> (output: [UInt8], status: Int32) {
        let isCancelled = Atomic<Bool>(false)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // It blocks for as long as somebody looks at a device.
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: Result { () throws(SigningError) in
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
    ) throws(SigningError) -> ([UInt8], Int32) {
        guard let toChild = ChildPipe() else { throw failed("there are no pipes", errno) }
        guard let fromChild = ChildPipe() else {
            toChild.close()
            throw failed("there are no pipes", errno)
        }
        let child: pid_t
        do throws(SigningError) {
            child = try start(input: toChild.reader, output: fromChild.writer)
        } catch {
            toChild.close()
            fromChild.close()
            throw error
        }
        close(toChild.reader)
        close(fromChild.writer)
        for end in [toChild.writer, fromChild.reader] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        var talk = Conversation(
            input: input[...],
            writer: toChild.writer,
            reader: fromChild.reader,
            deadline: Self.now() + timeout * 1_000
        )
        defer { talk.close() }
        var problem: SigningError?
        do throws(SigningError) {
            while try !talk.advance(limit: Self.longestOutput, self) {
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
    ) throws(SigningError) -> Int32 {
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WNOHANG)
            // WIFEXITED and WEXITSTATUS, which are macros.
            if ended == child { return status & 0x7F == 0 ? status >> 8 & 0xFF : -1 }
            if ended < 0, errno != EINTR { return -1 }
            guard !isCancelled(), Self.now() < deadline else {
                end(child)
                throw isCancelled() ? .interrupted : tooSlow
            }
            usleep(5_000)
        }
    }

    /// Asks it to end, and ends it.
    private func end(_ child: pid_t) {
        kill(child, SIGTERM)
        let deadline = Self.now() + Self.grace
        var status: Int32 = 0
        while Self.now() < deadline {
            if waitpid(child, &status, WNOHANG) == child { return }
            usleep(5_000)
        }
        kill(child, SIGKILL)
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
    }

    private func start(input: Int32, output: Int32) throws(SigningError) -> pid_t {
        let outcome = ChildStart(program: command[0], words: command).run { actions in
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        }
        switch outcome {
        case .started(let child): return child
        case .failed(let code): throw failed(command[0], code)
        }
    }

    // MARK: Errors

    private func failed(_ what: String, _ code: Int32) -> SigningError {
        SigningError(
            .configuration,
            code: "signer-command",
            "The command of \(name) cannot be started: \(what): "
                + "\(String(cString: strerror(code))).",
            hint: "Correct signers.\(name).command."
        )
    }

    private var tooSlow: SigningError {
        SigningError(
            .key,
            code: "signer-timeout",
            "\(name) did not answer within \(timeout) s, and was ended.",
            hint: "A longer time is set by signers.\(name).timeout, in seconds."
        )
    }

    fileprivate static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(max(0, time.tv_sec)) * 1_000 + UInt64(max(0, time.tv_nsec)) / 1_000_000
    }

    /// What is still to be written and what was read.
    private struct Conversation {
        var input: ArraySlice<UInt8>
        var writer: Int32
        var reader: Int32
        /// Of the monotonic clock, in milliseconds.
        let deadline: UInt64
        var output: [UInt8] = []

        /// Writes and reads what can be; true at the end of the output.
        mutating func advance(limit: Int, _ child: SignerChild) throws(SigningError) -> Bool {
            guard SignerChild.now() < deadline else { throw child.tooSlow }
            var ends = [
                pollfd(fd: reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: writer, events: Int16(POLLOUT), revents: 0),
            ]
            // Short, so that Ctrl-C is seen.
            guard poll(&ends, 2, 50) > 0 else { return false }
            if ends[1].revents != 0, writer >= 0 { write() }
            guard ends[0].revents != 0 else { return false }
            var chunk = [UInt8](repeating: 0, count: 16 << 10)
            let count = Glibc.read(reader, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { return false }
            guard count > 0 else { return true }
            output.append(contentsOf: chunk.prefix(count))
            guard output.count <= limit else {
                throw SigningError(
                    .key,
                    code: "bad-signer-answer",
                    "\(child.name) wrote more than \(limit) bytes; it was ended."
                )
            }
            return false
        }

        private mutating func write() {
            let count = input.withUnsafeBytes { Glibc.write(writer, $0.baseAddress, $0.count) }
            if count > 0 { input = input.dropFirst(count) }
            let isBroken = count < 0 && errno != EINTR && errno != EAGAIN
            guard input.isEmpty || isBroken else { return }
            Glibc.close(writer)
            // poll(2) passes over it.
            writer = -1
        }

        mutating func close() {
            if writer >= 0 { Glibc.close(writer) }
            if reader >= 0 { Glibc.close(reader) }
            (writer, reader) = (-1, -1)
        }
    }
}
