import Glibc

/// How a program is started: with our environment, and with the signals as they are by default.
struct ChildStart {
    /// A path, or a name that is looked for in the folders of PATH.
    let program: String
    /// What it is called, and its arguments; no shell reads them.
    let words: [String]
    /// It gets a session of its own, and so no terminal.
    var isDetached = false
    /// Variables beside ours, `NAME=value`.
    var variables: [String] = []

    /// The process, or the number of the error.
    enum Outcome {
        case started(pid_t)
        case failed(Int32)
    }

    /// Starts it.
    ///
    /// - Parameter redirect: says where its standard input, output and error go.
    func run(_ redirect: (inout posix_spawn_file_actions_t) -> Void) -> Outcome {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        redirect(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Signals that this process ignores would stay ignored in the child.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        let setSession: Int32 = isDetached ? 0x80 : 0
        posix_spawnattr_setflags(&attributes, Int16(setSession | POSIX_SPAWN_SETSIGDEF))
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let settings = (ProcessEnvironment.inherited + variables).map { strdup($0) }
        defer { for setting in settings { free(setting) } }
        var child: pid_t = 0
        let code = MemoryLimit.lifted {
            posix_spawnp(&child, program, &actions, &attributes, copies + [nil], settings + [nil])
        }
        return code == 0 ? .started(child) : .failed(code)
    }
}
