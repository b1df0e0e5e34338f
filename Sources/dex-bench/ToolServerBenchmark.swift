import Glibc

/// `dex mcp`: how soon it answers at first, and the memory that it has after many calls.
struct ToolServerBenchmark {
    private static let runs = 20
    private static let calls = 100_000
    private static let firstAnswer = Duration.milliseconds(40)
    private static let maximumMemory = 60 << 20

    private static let handshake =
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#
    /// One that answers, one that is refused, one of no tool.
    private static let requests = [
        #"{"name":"tokens","arguments":{"query":"DAI","limit":1}}"#,
        #"{"name":"price","arguments":{"yes":true}}"#, #"{"name":"nope"}"#,
    ].map { #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#($0)}"# }

    static func run(binary: String) throws -> [Measurement] {
        let home = try TemporaryHome()
        setenv("DEX_HOME", home.path, 1)
        setenv("DEX_NETWORK", "sandbox", 1)
        var starts: [Duration] = []
        for _ in 0..<runs {
            let server = try PipedProcess([binary, "mcp"])
            try server.ask(handshake)
            starts.append(server.processor)
            try server.end()
        }
        let server = try PipedProcess([binary, "mcp"])
        try server.ask(handshake)
        for call in 0..<calls { try server.ask(requests[call % requests.count]) }
        let memory = server.peakMemory
        try server.end()
        try home.remove()
        return [
            Measurement(
                name: "dex mcp, processor of the first answer / 40 ms",
                figure: milliseconds(median(starts)),
                ratio: median(starts) / firstAnswer,
                limit: 1
            ),
            Measurement(
                name: "dex mcp, memory after 100,000 calls / 60 MiB",
                figure: "\(memory >> 20) MiB",
                ratio: Double(memory) / Double(maximumMemory),
                limit: 1
            ),
        ]
    }
}

/// A program that is asked by lines, each of which it answers with one.
private struct PipedProcess {
    private let child: pid_t
    private let input: Int32
    private let output: Int32

    init(_ arguments: [String]) throws(ChildProcessError) {
        var given: [Int32] = [-1, -1]
        var reported: [Int32] = [-1, -1]
        guard pipe(&given) == 0, pipe(&reported) == 0 else { throw .failed("pipe", errno) }
        // The child must not hold the other ends, or its input never ends.
        for end in [given[1], reported[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, given[0], 0)
        posix_spawn_file_actions_adddup2(&actions, reported[1], 1)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, arguments[0], &actions, nil, words, environ)
        close(given[0])
        close(reported[1])
        guard status == 0 else { throw .failed("posix_spawn", status) }
        (self.child, input, output) = (child, given[1], reported[0])
    }

    /// Writes a line, and reads one.
    func ask(_ line: String) throws(ChildProcessError) {
        let bytes = Array((line + "\n").utf8)
        guard write(input, bytes, bytes.count) == bytes.count else { throw .failed("write", errno) }
        var answer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(output, &answer, answer.count)
            guard count > 0 else { throw .failed("read", errno) }
            if answer[count - 1] == UInt8(ascii: "\n") { return }
        }
    }

    var processor: Duration { ServerProcess(child).processor }
    var peakMemory: Int { ServerProcess(child).peakMemory }

    /// Ends its input, and waits for it.
    func end() throws(ChildProcessError) {
        close(input)
        close(output)
        var ending: Int32 = 0
        guard waitpid(child, &ending, 0) == child, ending == 0 else {
            throw .exited(["dex", "mcp"], ending >> 8)
        }
    }
}
