import DexCore
import DexSigning
import EthereumWallet
import Glibc
import StrictJSON

/// Starts the agent of an account and passes it the key through a pipe.
struct AgentLauncher {
    /// The folder of the agent's socket.
    let folder: String

    /// Returns once the agent answers.
    ///
    /// - Throws: `DexError` with the agent's own words if it does not start.
    func launch(_ grant: AgentGrant, key: PrivateKeySigner) throws(DexError) {
        guard let input = ChildPipe() else { throw failed("there are no pipes") }
        guard let output = ChildPipe() else {
            input.close()
            throw failed("there are no pipes")
        }
        let outcome = BackgroundProcess.start([AgentCommand.name]) { files in
            posix_spawn_file_actions_adddup2(&files, input.reader, STDIN_FILENO)
            posix_spawn_file_actions_adddup2(&files, output.writer, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&files, output.writer, STDERR_FILENO)
        }
        close(input.reader)
        close(output.writer)
        defer { close(output.reader) }
        let child: pid_t
        switch outcome {
        case .started(let started): child = started
        case .failed(let code):
            close(input.writer)
            throw failed(String(cString: strerror(code)))
        }
        let json: JSONValue = ["folder": .string(folder), "grant": grant.json]
        key.withSecret { secret in
            secret.withBytes { _ = Console.write($0, to: input.writer) }
        }
        _ = json.utf8.withUnsafeBytes { Console.write($0, to: input.writer) }
        close(input.writer)
        let words = read(output.reader)
        if words == "\(AgentCommand.ready)\n" { return }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        throw failed(words.isEmpty ? "it ended with status \(status)" : words)
    }

    private func read(_ descriptor: Int32) -> String {
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while text.count < 64 << 10 {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += chunk.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func failed(_ reason: String) -> DexError {
        AgentStartError.notStarted(reason: reason)
    }
}
