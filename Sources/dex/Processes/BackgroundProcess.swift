import Glibc

/// This binary, started again in the background: a session of its own, without a terminal.
enum BackgroundProcess {
    /// Starts it.
    ///
    /// - Parameter files: says what its standard input, output and error are; it has no others.
    static func start(
        _ arguments: [String],
        files: (inout posix_spawn_file_actions_t) -> Void
    ) -> ChildStart.Outcome {
        // The parent process may wait for the end of descriptors that we inherited from it.
        for descriptor in STDERR_FILENO + 1..<1_024 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        return ChildStart(
            program: "/proc/self/exe",
            words: ["dex"] + arguments,
            isDetached: true
        ).run(files)
    }
}
