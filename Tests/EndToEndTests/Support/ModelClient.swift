import DexTestSupport
import Foundation
import Glibc
import StrictJSON
import Synchronization
import Testing

/// What a model's host does: it starts `dex mcp` in a process group of its own, and talks to it in
/// lines of JSON-RPC.
final class ModelClient: Sendable {
    private let process: Mutex<Process>
    private let wire: Wire
    private let ids = Mutex(0)
    /// The server's process, and its group.
    let group: pid_t

    /// Starts a server and introduces itself to it.
    ///
    /// - Parameter options: those of `dex mcp`: `--allow do --wallet alice`.
    init(
        _ dex: DexBinary,
        _ options: [String],
        environment: [String: String] = [:]
    ) throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let theirs = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
        let log = dex.home.appending(path: "mcp-\(UUID().uuidString).log")
        try Data().write(to: log)
        let errors = try FileHandle(forUpdating: log)
        let process = Process()
        // What whoever runs the tests ignores, as nohup does, `dex` would leave ignored.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["--default-signal=HUP,INT,QUIT,TERM", DexBinary.executable.path, "mcp"] + options
        process.environment = [
            "DEX_HOME": dex.home.path, "PATH": "/usr/bin:/bin", "HOME": dex.home.path,
        ].merging(environment) { $1 }
        process.standardInput = theirs
        process.standardOutput = theirs
        process.standardError = errors
        let wire = Wire(ends[0], log, secret: [dex.home.path, AgentHome.password])
        process.terminationHandler = { wire.exited(with: $0.terminationStatus) }
        defer {
            Glibc.close(ends[1])
            try? errors.close()  // nil: nothing was written through it
        }
        try process.run()
        group = process.processIdentifier
        self.process = Mutex(process)
        self.wire = wire
        wire.listen()
        _ = request(
            "initialize",
            [
                "protocolVersion": "2025-06-18", "capabilities": [:],
                "clientInfo": ["name": "probe", "version": "1"],
            ]
        )
        wire.send(["jsonrpc": "2.0", "method": "notifications/initialized"])
    }

    deinit {
        kill()
        wire.hangUp()
    }

    // MARK: Calls

    /// Sends a request.
    ///
    /// - Returns: its id.
    func request(_ method: String, _ params: JSONValue) -> Int {
        let id = ids.withLock { ids in
            ids += 1
            return ids
        }
        wire.send([
            "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params,
        ])
        return id
    }

    /// Begins a call of a tool.
    ///
    /// - Returns: the id of its request.
    func begin(_ tool: String, _ arguments: JSONValue = [:]) -> Int {
        request("tools/call", ["name": .string(tool), "arguments": arguments])
    }

    /// The answer to a request; one without a message if the server has gone before it.
    func answer(to id: Int) async throws -> ModelReply {
        // A plan may wait for a block, on a machine with much else to do.
        try await until("the server's answer to request \(id)", looks: 30_000) {
            wire.answer(id) != nil || wire.isGone
        }
        return ModelReply(message: wire.answer(id) ?? .null)
    }

    func call(_ tool: String, _ arguments: JSONValue = [:]) async throws -> ModelReply {
        try await answer(to: begin(tool, arguments))
    }

    /// Whether a request is answered by now.
    func isAnswered(_ id: Int) -> Bool { wire.answer(id) != nil }

    /// Withdraws a call.
    func cancel(_ id: Int) {
        wire.send([
            "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": ["requestId": .integer(id)],
        ])
    }

    /// The names of the tools.
    func tools() async throws -> [String] {
        let list = try await answer(to: request("tools/list", [:])).message["result"]?["tools"]
        return try #require(list?.arrayValue).compactMap { $0["name"]?.stringValue }
    }

    // MARK: The end

    /// Kills the server's process group, as clients do.
    func kill() {
        guard !wire.isGone else { return }
        _ = Glibc.kill(-group, SIGKILL)
    }

    /// Ends the server's input, and waits for the server's end.
    ///
    /// - Returns: its exit code.
    @discardableResult
    func end() async throws -> Int32 {
        wire.endInput()
        return try await status()
    }

    /// The exit code, once the server has ended.
    func status() async throws -> Int32 {
        try await until("the end of dex mcp") { wire.status != nil }
        return try #require(wire.status)
    }

    /// What the server wrote to stderr.
    func log() throws -> String { try String(contentsOf: wire.log, encoding: .utf8) }
}

/// A client's end of the connection.
private final class Wire: Sendable {
    private struct State {
        var answers: [String: JSONValue] = [:]
        var isClosed = false
        var status: Int32?
    }

    private let socket: Int32
    let log: URL
    /// What no answer may have in it.
    private let secret: [String]
    private let state = Mutex(State())

    init(_ socket: Int32, _ log: URL, secret: [String]) {
        self.socket = socket
        self.log = log
        self.secret = secret
    }

    var isGone: Bool { state.withLock { $0.isClosed } }
    var status: Int32? { state.withLock { $0.status } }

    func answer(_ id: Int) -> JSONValue? { state.withLock { $0.answers["\(id)"] } }

    func exited(with status: Int32) { state.withLock { $0.status = status } }

    func send(_ message: JSONValue) {
        let bytes = Array((message.text + "\n").utf8)
        state.withLock { state in
            guard !state.isClosed else { return }
            // A server that has gone takes nothing, and whoever waits for its answer sees that.
            _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    func endInput() {
        state.withLock { state in
            guard !state.isClosed else { return }
            _ = shutdown(socket, Int32(SHUT_WR))
        }
    }

    /// Nothing is read any more.
    func hangUp() {
        state.withLock { state in
            guard !state.isClosed else { return }
            _ = shutdown(socket, Int32(SHUT_RDWR))
        }
    }

    /// Reads lines on a thread of its own, until the server has closed its end.
    func listen() {
        Thread.detachNewThread { [self] in
            var line: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(socket, &piece, piece.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for byte in piece.prefix(count) {
                    if byte == 10 {
                        take(line)
                        line = []
                    } else {
                        line.append(byte)
                    }
                }
            }
            state.withLock { $0.isClosed = true }
            close(socket)
        }
    }

    private func take(_ line: [UInt8]) {
        do {
            let message = try JSONParser.parse(line)
            let text = message.text
            for word in secret where text.contains(word) {
                Issue.record("\(word) is told to a model: \(text)")
            }
            guard let id = message["id"]?.numberText else { return }
            state.withLock { state in
                if state.answers.updateValue(message, forKey: id) != nil {
                    Issue.record("request \(id) was answered twice: \(message.text)")
                }
            }
        } catch {
            Issue.record("dex mcp wrote no JSON: \(String(decoding: line, as: UTF8.self))")
        }
    }
}
