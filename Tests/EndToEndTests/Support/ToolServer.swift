import DexTestSupport
import Foundation
import StrictJSON

/// `dex mcp` in a process group of its own, with a client that writes and reads bytes.
///
/// Each wait has a bound of silence, and says what it waited for.
final class ToolServer {
    /// What kept a client from going on.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let input: FileHandle
    private let output: FileHandle
    private let process: Process
    private var read: [UInt8] = []

    /// Seconds of silence after which nothing more is expected, on a busy machine neither.
    private static let patience: Int32 = 600

    /// - Parameter options: behind `dex mcp`.
    init(_ dex: DexBinary, _ options: String...) throws {
        signal(SIGPIPE, SIG_IGN)
        process = Process()
        // Foundation gives each child a process group of its own.
        process.executableURL = DexBinary.executable
        process.arguments = ["mcp"] + options
        process.environment = [
            "DEX_HOME": dex.home.path, "PATH": "/usr/bin:/bin", "HOME": dex.home.path,
        ]
        let (given, reported) = (try Self.pipe(dex.home), try Self.pipe(dex.home))
        process.standardInput = given.reader
        process.standardOutput = reported.writer
        process.standardError = FileHandle.nullDevice
        try process.run()
        try given.reader.close()
        try reported.writer.close()
        (input, output) = (given.writer, reported.reader)
    }

    /// A pipe that no other child of this process inherits, not even between two calls: it would
    /// keep the input open.
    private static func pipe(_ folder: URL) throws -> (reader: FileHandle, writer: FileHandle) {
        let path = folder.appending(path: "pipe-\(UUID().uuidString)").path
        guard mkfifo(path, 0o600) == 0 else { throw Failure(description: "no pipe at \(path)") }
        defer { unlink(path) }
        // A reader waits for no writer, and the writer finds it there.
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        guard reader >= 0, writer >= 0, fcntl(reader, F_SETFL, 0) == 0 else {
            throw Failure(description: "the pipe at \(path) does not open")
        }
        return (
            FileHandle(fileDescriptor: reader, closeOnDealloc: true),
            FileHandle(fileDescriptor: writer, closeOnDealloc: true)
        )
    }

    deinit {
        if process.isRunning { kill(-process.processIdentifier, SIGKILL) }
    }

    func write(_ bytes: some Sequence<UInt8>) throws {
        try input.write(contentsOf: Data(bytes))
    }

    func write(_ text: String) throws { try write(text.utf8) }

    /// Writes more than a pipe holds, which waits until the server has read it.
    func write(_ piece: Data, times: Int) async throws {
        let descriptor = input.fileDescriptor
        try await onOwnThread {
            let input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            for _ in 0..<times { try input.write(contentsOf: piece) }
        }
    }

    /// Ends the client's side.
    func close() throws { try input.close() }

    func send(signal: CInt) { kill(-process.processIdentifier, signal) }

    /// The next message; nil once the server has ended its side.
    func next(_ what: String) async throws -> JSONValue? {
        while true {
            if let end = read.firstIndex(of: 0x0A) {
                let line = read[..<end]
                read.removeSubrange(...end)
                return try JSONParser.parse(line)
            }
            let part = try await part(what)
            guard !part.isEmpty else {
                guard read.isEmpty else {
                    throw Failure(description: "half a message before the end: \(read)")
                }
                return nil
            }
            read += part
        }
    }

    /// The next message with this id; others are left out.
    func answer(_ id: JSONValue) async throws -> JSONValue {
        while let message = try await next("the answer to \(id.text)") {
            if message["id"] == id { return message }
        }
        throw Failure(description: "the server ended before the answer to \(id.text)")
    }

    /// Writes a request, and reads its answer.
    func ask(_ id: Int, _ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        try write(Self.request(id, method, params))
        return try await answer(.integer(id))
    }

    func begin() async throws {
        _ = try await ask(0, "initialize", ["protocolVersion": "2025-11-25"])
    }

    static func request(_ id: Int, _ method: String, _ params: JSONValue = [:]) -> String {
        let object: JSONValue = [
            "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params,
        ]
        return object.text + "\n"
    }

    static func call(_ id: Int, _ tool: String, _ arguments: JSONValue = [:]) -> String {
        request(id, "tools/call", ["name": .string(tool), "arguments": arguments])
    }

    /// The exit code, once all that the server says is read.
    func end() async throws -> Int32 {
        while try await next("the end of the server") != nil {}
        let process = process
        return try await onOwnThread {
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    /// Peak and present resident memory, in KiB.
    var memory: (peak: Int, now: Int) {
        get throws {
            let path = "/proc/\(process.processIdentifier)/status"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            func value(_ key: String) throws -> Int {
                let line = text.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
                guard let value = Int(line.filter(\.isNumber)) else {
                    throw Failure(description: "the kernel does not tell \(key)")
                }
                return value
            }
            return (try value("VmHWM:"), try value("VmRSS:"))
        }
    }

    /// Milliseconds of processor that the server has used, as the kernel counts them.
    var processor: Double {
        get throws {
            var clock = clockid_t()
            guard clock_getcpuclockid(process.processIdentifier, &clock) == 0 else {
                throw Failure(description: "the server's clock cannot be read")
            }
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
        }
    }

    /// Bytes as they come; none at the end.
    private func part(_ what: String) async throws -> [UInt8] {
        let descriptor = output.fileDescriptor
        return try await onOwnThread {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Self.patience * 1_000) > 0 else {
                throw Failure(description: "waited for \(what), in vain")
            }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            return count > 0 ? Array(bytes[..<count]) : []
        }
    }
}
