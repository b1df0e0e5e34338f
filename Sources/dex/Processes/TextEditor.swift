import DexCore
import Glibc

/// The user's text editor: VISUAL, else EDITOR, else the system's.
struct TextEditor {
    /// A command line of the shell, as git and crontab take it: `code --wait`.
    let command: String

    init(_ environment: ProcessEnvironment) {
        command =
            environment["VISUAL"] ?? environment["EDITOR"]
            ?? (ChildProgram(named: "editor", environment) != nil ? "editor" : "vi")
    }

    /// Edits a file, and waits until the editor ends.
    ///
    /// - Parameter keepsOutput: stdout is for a result, so the editor writes to stderr.
    /// - Throws: `DexError`, exit 3, if it does not start or does not exit with 0.
    func edit(_ path: String, keepsOutput: Bool) throws(DexError) {
        let start = ChildStart(
            program: "/bin/sh",
            words: ["sh", "-c", "\(command) \"$@\"", "sh", path]
        )
        let outcome = start.run { actions in
            if keepsOutput {
                posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
            }
        }
        guard case .started(let child) = outcome else {
            throw SetupError.editorFailed(command, status: nil)
        }
        let code = ChildStart.exitCode(of: child)
        guard code == 0 else {
            throw SetupError.editorFailed(command, status: code)
        }
    }
}
