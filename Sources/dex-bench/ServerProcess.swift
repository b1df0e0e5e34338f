import Glibc

/// A server that runs beside the benchmark, whose processor time and memory are its own.
struct ServerProcess {
    private let child: pid_t

    /// A program that runs already.
    init(_ child: pid_t) { self.child = child }

    /// Starts a program; its output goes to /dev/null.
    ///
    /// - Parameter log: a file for its standard error.
    init(_ arguments: [String], log: String? = nil) throws(ChildProcessError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        if let log {
            posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT, 0o600)
        }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, arguments[0], &actions, nil, words, environ)
        guard status == 0 else { throw .failed("posix_spawn", status) }
        self.child = child
    }

    /// Starts this program in a role of its own.
    ///
    /// - Parameters:
    ///   - folder: the role's argument, where it writes what it tells.
    ///   - launcher: the words of a program that starts it.
    init(
        role: String,
        folder: String,
        launcher: [String] = []
    ) throws(ChildProcessError) {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        let program = path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
        try self.init(launcher + [String(decoding: program, as: UTF8.self), role, folder])
    }

    /// Processor time of all its threads until now, to the nanosecond.
    ///
    /// /proc has it in steps of 10 ms, which are a tenth of what some rows measure.
    var processor: Duration {
        var clock = clockid_t()
        guard clock_getcpuclockid(child, &clock) == 0 else { return .zero }
        // A timespec: its members belong to a module that cannot be named.
        var time = (seconds: 0, nanoseconds: 0)
        let isRead = withUnsafeMutablePointer(to: &time) { pointer in
            pointer.withMemoryRebound(to: timespec.self, capacity: 1) {
                clock_gettime(clock, $0) == 0
            }
        }
        return isRead ? .seconds(time.seconds) + .nanoseconds(time.nanoseconds) : .zero
    }

    /// Bytes of resident memory at the peak.
    var peakMemory: Int {
        let line = Notice.read("/proc/\(child)/status")?.split(separator: "\n")
            .first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(separator: "\t").last?.split(separator: " ").first
        return (kibibytes.flatMap { Int($0) } ?? 0) * 1_024
    }

    /// Kills it.
    func stop() {
        kill(child, SIGKILL)
        var ending: Int32 = 0
        waitpid(child, &ending, 0)
    }
}
