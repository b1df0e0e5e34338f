import DexCore
import Glibc
import PrivateFiles
import SandboxHost

/// Starts this binary as a sandbox in the background: in a new session, without a terminal.
struct SandboxLauncher {
    let folder: SandboxFolder

    /// Seconds: the largest market takes some of both cores; a sandbox that ends is reported at
    /// once.
    private static let patience = 60

    /// The arguments of a sandbox without options.
    static let usual = CommandPath.words(of: SandboxUpCommand.self) + ["--json"]

    /// Starts it and waits until it answers.
    ///
    /// - Parameter variables: additional ones, `NAME=value`.
    /// - Throws: `DexError` if it ends or does not answer in time; `SandboxHostError`.
    func launch(
        _ arguments: [String],
        variables: [String] = []
    ) async throws -> SandboxState {
        try PrivateFiles.makeFolder(folder.path)
        let child = try spawn(arguments, variables)
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(Self.patience)
        while true {
            if let state = try SandboxState.read(folder), state.pid == child { return state }
            var status: Int32 = 0
            if waitpid(child, &status, WNOHANG) == child {
                throw SandboxUseError.endedAtStart(lastWords: lastWords(), log: folder.logFile)
            }
            guard clock.now < deadline, !Task.isCancelled else {
                kill(child, SIGTERM)
                waitpid(child, &status, 0)
                try Task.checkCancellation()
                throw SandboxUseError.noAnswerAtStart(seconds: Self.patience, log: folder.logFile)
            }
            try? await clock.sleep(for: .milliseconds(20))  // cancelled: checked above
        }
    }

    private func spawn(_ arguments: [String], _ variables: [String]) throws -> pid_t {
        let outcome = BackgroundProcess.start(arguments, variables: variables) { files in
            posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, folder.logFile, flags, 0o600)
            posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO)
        }
        switch outcome {
        case .started(let child): return child
        case .failed(let code):
            throw SandboxUseError.cannotStart(code: code)
        }
    }

    /// The log's last line that is not empty, for the error.
    private func lastWords() -> String {
        guard let bytes = try? PrivateFiles.read(folder.logFile) else { return "" }  // no log
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let words = lines.first { $0.hasPrefix("error: ") }?.dropFirst("error: ".count)
        return words.map { " \($0)" } ?? ""
    }
}
