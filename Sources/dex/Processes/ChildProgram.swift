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
        let output = read(fromChild.reader)
        close(fromChild.reader)
        return Outcome(status: ChildStart.exitCode(of: child) ?? -1, output: output)
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
