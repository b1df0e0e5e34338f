import DexSigning
import EthereumWallet
import Glibc

/// A program with arguments, input and output.
struct ChildProgram {
    let path: String

    /// The most bytes of output.
    private static let longestOutput = 64 << 10

    /// Its exit code and output.
    struct Outcome: ~Copyable {
        let status: Int32
        let output: SecretBytes
    }

    /// A program of the folders of PATH; nil if there is none.
    init?(named name: String, _ environment: ProcessEnvironment) {
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        let paths = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
        self.path = path
    }

    /// Runs it to its end, without its stderr; nil if it cannot start.
    func run(_ arguments: [String], input: borrowing SecretBytes) -> Outcome? {
        begin(arguments, input).map(end)
    }

    /// The same without input; a thread of its own waits for the output, since it may ask the user.
    func run(_ arguments: [String]) async -> Outcome? {
        guard let running = begin(arguments, SecretBytes(copying: [])) else { return nil }
        await DetachedThread.run {
            var waiting = pollfd(fd: running.output, events: Int16(POLLIN), revents: 0)
            while poll(&waiting, 1, -1) < 0, errno == EINTR {}
        }
        return end(running)
    }

    private struct Running {
        let child: pid_t
        let output: Int32
    }

    private func begin(_ arguments: [String], _ input: borrowing SecretBytes) -> Running? {
        guard let toChild = ChildPipe(), let fromChild = ChildPipe() else { return nil }
        guard let child = start(arguments, input: toChild.reader, output: fromChild.writer) else {
            for pipe in [toChild, fromChild] { pipe.close() }
            return nil
        }
        close(toChild.reader)
        close(fromChild.writer)
        // Inputs are passwords: they fit into a pipe, so this never waits.
        _ = input.withBytes { Console.write($0, to: toChild.writer) }
        close(toChild.writer)
        return Running(child: child, output: fromChild.reader)
    }

    private func end(_ running: Running) -> Outcome {
        let output = read(running.output)
        close(running.output)
        return Outcome(status: ChildStart.exitCode(of: running.child) ?? -1, output: output)
    }

    private func read(_ descriptor: Int32) -> SecretBytes {
        var count = 0
        let memory = SecretBytes(count: Self.longestOutput) { memory in
            while count < memory.count {
                let read = Glibc.read(
                    descriptor,
                    memory.baseAddress?.advanced(by: count),
                    memory.count - count
                )
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                count += read
            }
        }
        return memory.withBytes { SecretBytes(copying: $0.prefix(count)) }
    }

    private func start(_ arguments: [String], input: Int32, output: Int32) -> pid_t? {
        let start = ChildStart(program: path, words: [path] + arguments)
        let outcome = start.run { actions in
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        guard case .started(let child) = outcome else { return nil }
        return child
    }
}
