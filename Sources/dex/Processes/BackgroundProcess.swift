import Glibc

/// This binary as a background process: in its own session, without a terminal.
enum BackgroundProcess {
    /// - Parameters:
    ///   - variables: additional ones, `NAME=value`.
    ///   - files: sets its standard input, output and error; it has no others.
    static func start(
        _ arguments: [String],
        variables: [String] = [],
        files: (inout posix_spawn_file_actions_t) -> Void
    ) -> ChildStart.Outcome {
        // The parent may wait for the end of inherited descriptors.
        for descriptor in STDERR_FILENO + 1..<1_024 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        return ChildStart(
            program: "/proc/self/exe",
            words: ["dex"] + arguments,
            isDetached: true,
            variables: variables
        ).run(files)
    }
}
