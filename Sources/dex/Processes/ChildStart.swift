import Glibc

/// Starts a program with our environment and the default signals.
struct ChildStart {
    /// A path, or a name in the folders of PATH.
    let program: String
    /// Its name and arguments; no shell reads them.
    let words: [String]
    /// It gets its own session, and so no terminal.
    var isDetached = false
    /// Additional variables, `NAME=value`.
    var variables: [String] = []
    /// It is this command itself, and gets the secrets of the environment too.
    var keepsSecrets = false

    /// The process, or the errno.
    enum Outcome {
        case started(pid_t)
        case failed(Int32)
    }

    /// - Parameter redirect: sets its standard input, output and error.
    func run(_ redirect: (inout posix_spawn_file_actions_t) -> Void) -> Outcome {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        redirect(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A child would inherit ignored signals.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGINT, SIGTERM, SIGPIPE, SIGTTOU] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        let setSession: Int32 = isDetached ? 0x80 : 0
        posix_spawnattr_setflags(&attributes, Int16(setSession | POSIX_SPAWN_SETSIGDEF))
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let inherited = keepsSecrets ? ProcessEnvironment.all : ProcessEnvironment.inherited
        let settings = (inherited + variables).map { strdup($0) }
        defer { for setting in settings { free(setting) } }
        var child: pid_t = 0
        let code = MemoryLimit.lifted {
            posix_spawnp(&child, program, &actions, &attributes, copies + [nil], settings + [nil])
        }
        return code == 0 ? .started(child) : .failed(code)
    }

    /// Waits for the end of a started process.
    ///
    /// - Returns: its exit code; nil if a signal ended it.
    static func exitCode(of child: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        // WIFEXITED and WEXITSTATUS, which are macros.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }
}
