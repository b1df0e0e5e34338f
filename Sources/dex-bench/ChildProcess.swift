import Glibc
import StrictJSON

/// A finished run of a program: its exit, time, processor time and peak memory.
struct ChildProcess {
    let exitCode: Int32
    let wall: Duration
    /// Of the program and the system for it; independent of other load.
    let processor: Duration
    /// Bytes of resident memory at the peak, as wait4(2) reports.
    let peakMemory: Int
    let output: String

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - arguments: the program's path and its arguments.
    ///   - environment: `NAME=value` entries besides our own.
    ///   - keepsOutput: collects standard output; else it goes to /dev/null.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        keepsOutput: Bool = false
    ) throws(ChildProcessError) -> ChildProcess {
        for (name, value) in environment { setenv(name, value, 1) }
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { throw .failed("pipe", errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if keepsOutput {
            posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addclose(&actions, pipe[0])
        posix_spawn_file_actions_addclose(&actions, pipe[1])

        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let clock = ContinuousClock()
        let start = clock.now
        let status = posix_spawn(&child, arguments[0], &actions, nil, words, environ)
        close(pipe[1])
        guard status == 0 else {
            close(pipe[0])
            throw .failed("posix_spawn", status)
        }
        let output = keepsOutput ? readAll(pipe[0]) : []
        close(pipe[0])
        var ending: Int32 = 0
        var usage = rusage()
        guard wait4(child, &ending, 0, &usage) == child else { throw .failed("wait4", errno) }
        let signal = ending & 0x7F
        return ChildProcess(
            exitCode: signal == 0 ? (ending >> 8) & 0xFF : 128 + signal,
            wall: clock.now - start,
            processor: Duration(usage.ru_utime) + Duration(usage.ru_stime),
            peakMemory: usage.ru_maxrss * 1024,
            output: String(decoding: output, as: UTF8.self)
        )
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
    }
}

extension Duration {
    init(_ time: timeval) {
        self = .seconds(time.tv_sec) + .microseconds(Int64(time.tv_usec))
    }
}

/// A program could not be run.
enum ChildProcessError: Error, CustomStringConvertible {
    case failed(String, Int32)
    case exited([String], Int32)
    /// The answer of a command lacks what is measured by.
    case noMember(String)

    var description: String {
        switch self {
        case .failed(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
        case .exited(let arguments, let code):
            "\(arguments.joined(separator: " ")) exited with \(code)"
        case .noMember(let name): "the answer of dex has no \(name): the benchmark is older"
        }
    }
}

extension JSONValue {
    /// A member of `data`, which is not null.
    ///
    /// - Throws: `ChildProcessError.noMember`, `JSONError`.
    static func data(_ name: String, of answer: String) throws -> JSONValue {
        guard let value = try JSONParser.parse(text: answer)["data"]?[name], !value.isNull else {
            throw ChildProcessError.noMember(name)
        }
        return value
    }
}
