import Glibc

/// The program that shows a list which is longer than the screen.
///
/// DEX_PAGER, else PAGER, else less(1). `cat` and an empty name are none.
struct Pager {
    /// A command line of the shell, as git takes it: `less -S`.
    private let command: String
    /// What less needs to show colours and to leave the rows on the screen, unless the user has
    /// settings of their own.
    private let variables: [String]

    /// - Returns: nil if the user wants none, or the machine has none.
    init?(_ environment: ProcessEnvironment) {
        if let requested = environment["DEX_PAGER"] ?? environment["PAGER"] {
            guard !requested.allSatisfy(\.isWhitespace), requested != "cat" else { return nil }
            command = requested
        } else {
            guard ChildProgram(named: "less", environment) != nil else { return nil }
            command = "less"
        }
        variables = environment["LESS"] == nil ? ["LESS=FRX"] : []
    }

    /// Shows a text, and waits until the user has seen enough.
    ///
    /// - Returns: the pager showed it; it need not have read all of it.
    func show(_ text: [UInt8]) -> Bool {
        guard let pipe = ChildPipe() else { return false }
        let start = ChildStart(
            program: "/bin/sh",
            words: ["sh", "-c", command],
            variables: variables
        )
        let outcome = start.run { actions in
            posix_spawn_file_actions_adddup2(&actions, pipe.reader, STDIN_FILENO)
        }
        close(pipe.reader)
        guard case .started(let child) = outcome else {
            close(pipe.writer)
            return false
        }
        _ = text.withUnsafeBytes { Console.write($0, to: pipe.writer) }
        close(pipe.writer)
        // The shell's codes for a program that cannot run or is not there.
        return ![126, 127].contains(ChildStart.exitCode(of: child))
    }
}
