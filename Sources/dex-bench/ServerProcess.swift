import Glibc

/// A server that runs beside the benchmark, whose processor time and memory are its own.
struct ServerProcess {
    private let child: pid_t

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

    /// Processor time of the process until now, in steps of 10 ms.
    var processor: Duration {
        // The name in parentheses may have spaces; the 12th and 13th field behind it are times.
        let fields =
            Notice.read("/proc/\(child)/stat")?.split(separator: ")").last?
            .split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
            return .zero
        }
        return .seconds(Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK))))
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
