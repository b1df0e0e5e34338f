import CProcess
import Dispatch
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A policy program that runs: its lines in and out.
final class PolicyProcess: Sendable {
    private let child: pid_t
    private let reader: Int32
    private let writer: Int32
    private let longestLine: Int
    private let lines: AsyncStream<[UInt8]>
    private let sender: AsyncStream<[UInt8]>.Continuation
    /// The child was waited for, so its number may be another's.
    private let isGone = Mutex(false)

    struct StartError: Error {
        let reason: String
    }

    /// Starts a program in a session of its own; its standard error is ours.
    ///
    /// - Parameters:
    ///   - command: a path or a name in the folders of PATH, and its arguments; no shell reads them.
    ///   - environment: its variables, `NAME=value`.
    /// - Throws: `StartError`.
    init(
        _ command: [String],
        environment: [String],
        longestLine: Int
    ) throws(StartError) {
        guard let name = command.first else { throw StartError(reason: "no program is named") }
        guard let toChild = Self.pipe() else { throw StartError(reason: Self.words(errno)) }
        guard let fromChild = Self.pipe() else {
            let code = errno
            for end in [toChild.reader, toChild.writer] { close(end) }
            throw StartError(reason: Self.words(code))
        }
        let outcome = Self.spawn(
            name,
            command,
            environment,
            input: toChild.reader,
            output: fromChild.writer
        )
        close(toChild.reader)
        close(fromChild.writer)
        switch outcome {
        case .success(let started): child = started
        case .failure(let error):
            close(toChild.writer)
            close(fromChild.reader)
            throw error
        }
        reader = fromChild.reader
        writer = toChild.writer
        self.longestLine = longestLine
        (lines, sender) = AsyncStream.makeStream()
    }

    /// Writes a line; nothing if the program has ended.
    func send(_ line: [UInt8]) {
        sender.yield(line + [UInt8(ascii: "\n")])
    }

    /// Ends the program and all that it started; `run` then returns.
    func kill() {
        sender.finish()
        isGone.withLock { isGone in
            guard !isGone else { return }
            // The first process of a session names its process group.
            Glibc.kill(-child, SIGKILL)
        }
    }

    /// Carries lines until the program ends, closes its output, or writes too long a line.
    ///
    /// - Parameter onLine: gets each line without its end; false ends the program.
    /// - Returns: how it ended, in words.
    func run(_ onLine: @escaping @Sendable ([UInt8]) async -> Bool) async -> String {
        var fault: String?
        do {
            fault = try await converse(onLine)
        } catch {
            // A pipe broke: the program's end says more.
        }
        kill()
        let status = await wait()
        return fault ?? status
    }

    private func converse(
        _ onLine: @escaping @Sendable ([UInt8]) async -> Bool
    ) async throws -> String? {
        let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
        do {
            channel = try await NIOPipeBootstrap(group: NIOSingletons.posixEventLoopGroup)
                .takingOwnershipOfDescriptors(input: reader, output: writer) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            close(reader)
            close(writer)
            throw error
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask { [lines] in
                    for await line in lines {
                        try await outbound.write(ByteBuffer(bytes: line))
                    }
                    return nil
                }
                group.addTask { try await self.read(inbound, onLine) }
                // The first to end ends both: no more questions, or no more answers.
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        }
    }

    private func read(
        _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ onLine: @Sendable ([UInt8]) async -> Bool
    ) async throws -> String? {
        var rest: [UInt8] = []
        for try await buffer in inbound {
            for byte in buffer.readableBytesView {
                guard byte == UInt8(ascii: "\n") else {
                    rest.append(byte)
                    if rest.count > longestLine {
                        return "it wrote a line of more than \(longestLine) bytes"
                    }
                    continue
                }
                guard await onLine(rest) else { return nil }
                rest.removeAll(keepingCapacity: true)
            }
        }
        return nil
    }

    // MARK: The child

    /// Waits for the end of a killed child, on a thread that may block.
    private func wait() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [self] in
                var status: Int32 = 0
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
                isGone.withLock { $0 = true }
                // WIFEXITED and WEXITSTATUS, which are macros.
                let words =
                    status & 0x7F == 0
                    ? "it ended with status \(status >> 8 & 0xFF)" : "it ended"
                continuation.resume(returning: words)
            }
        }
    }

    private static func pipe() -> (reader: Int32, writer: Int32)? {
        var (reader, writer): (Int32, Int32) = (-1, -1)
        return dex_pipe(&reader, &writer) == 0 ? (reader, writer) : nil
    }

    private static func spawn(
        _ name: String,
        _ command: [String],
        _ environment: [String],
        input: Int32,
        output: Int32
    ) -> Result<pid_t, StartError> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        // Connections of clients stay ours, however they were opened.
        dex_spawn_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A child would inherit ignored and blocked signals.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        posix_spawnattr_setsigmask(&attributes, &defaults)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        let setSession: Int32 = 0x80
        posix_spawnattr_setflags(
            &attributes,
            Int16(setSession | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        )
        let words = command.map { strdup($0) }
        defer { for word in words { free(word) } }
        let settings = environment.map { strdup($0) }
        defer { for setting in settings { free(setting) } }
        var child: pid_t = 0
        let code = posix_spawnp(
            &child,
            name,
            &actions,
            &attributes,
            words + [nil],
            settings + [nil]
        )
        guard code == 0 else { return .failure(StartError(reason: Self.words(code))) }
        return .success(child)
    }

    private static func words(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}
