import Glibc

/// A running `RelayBenchmarkServer`.
struct RelayProcess {
    private let child: pid_t
    private let home: TemporaryHome
    let port: UInt16

    /// Starts it and waits until it listens.
    init(onOneCore: Bool) throws {
        home = try TemporaryHome()
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        let program = String(
            decoding: path.prefix(max(0, length)).map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
        let taskset = onOneCore ? ["/usr/bin/taskset", "-c", "0"] : []
        let arguments = taskset + [program, RelayBenchmarkServer.role, home.path]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, arguments[0], nil, nil, words, environ)
        guard status == 0 else { throw ChildProcessError.failed("posix_spawn", status) }
        self.child = child
        let deadline = ContinuousClock.now + .seconds(30)
        var port: UInt16?
        while port == nil, ContinuousClock.now < deadline {
            usleep(10_000)
            port = Self.text("\(home.path)/port").flatMap { UInt16($0) }
        }
        guard let port else {
            kill(child, SIGKILL)
            throw ChildProcessError.exited(arguments, 1)
        }
        self.port = port
    }

    /// Processor time of the process until now, in steps of 10 ms.
    var processor: Duration {
        // The name in parentheses may have spaces; the 12th and 13th field behind it are times.
        let fields =
            Self.text("/proc/\(child)/stat")?.split(separator: ")").last?
            .split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
            return .zero
        }
        return .seconds(Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }

    func stop() {
        kill(child, SIGKILL)
        var ending: Int32 = 0
        waitpid(child, &ending, 0)
        do {
            try home.remove()
        } catch {
            print("\(home.path) is left behind: \(error)")
        }
    }

    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
