package import Foundation
package import StrictJSON

/// The built `dex`, run as a user would, in a home of its own.
package final class DexBinary: Sendable {
    /// What a run left behind.
    package struct Run: Sendable {
        package let status: Int32
        package let stdout: String
        package let stderr: String

        /// The one JSON object on stdout.
        ///
        /// - Throws: `Failure`, with all that was printed, where there is another text.
        package func json() throws(Failure) -> JSONValue {
            guard let json = try? JSONParser.parse(text: stdout) else {
                throw Failure(
                    description: "stdout is not one JSON value: \(stdout) stderr: \(stderr)"
                )
            }
            return json
        }
    }

    /// What kept a run from being judged.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// DEX_HOME; removed with this object.
    package let home: URL

    package init() throws {
        home = FileManager.default.temporaryDirectory
            .appending(path: "dex-e2e-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    deinit {
        processes.endAll()
        try? FileManager.default.removeItem(at: home)
    }

    package var configFile: URL { home.appending(path: "config.toml") }

    package func write(config: String) throws {
        try Data(config.utf8).write(to: configFile)
    }

    package func config() throws -> String {
        try String(decoding: Data(contentsOf: configFile), as: UTF8.self)
    }

    /// The binary stands beside the test bundle.
    package static let executable: URL = {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "dex")
    }()

    /// Runs without a terminal, with nothing of this process's environment but PATH.
    ///
    /// - Parameter line: the command line, split at spaces; in several texts where it is long.
    package func run(
        _ line: String...,
        environment: [String: String] = [:],
        input: String = ""
    ) async throws -> Run {
        try await run(Self.words(line), environment: environment, input: input, terminal: nil)
    }

    /// The arguments of a command line: nothing is quoted, and none is empty.
    package static func words(_ line: [String]) -> [String] {
        line.flatMap { $0.split(separator: " ").map(String.init) }
    }

    /// The same with the arguments in an array, as they are.
    package func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = ""
    ) async throws -> Run {
        try await run(arguments, environment: environment, input: input, terminal: nil)
    }

    /// Runs another program, which may start `dex`, under a third that watches it.
    ///
    /// - Parameters:
    ///   - wrapper: the watcher and its own arguments.
    ///   - program: the path of the program that gets the arguments.
    package func run(
        _ arguments: [String],
        environment: [String: String],
        under wrapper: [String],
        program: String
    ) async throws -> Run {
        try await run(
            arguments,
            environment: environment,
            input: "",
            terminal: nil,
            program: wrapper + [program]
        )
    }

    /// What the runs that go on now have printed on stdout so far.
    package func printed() throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: home.path)
            .filter { $0.hasPrefix("run-") }
            .map { run in
                let file = home.appending(path: run).appending(path: "stdout")
                // nil: the run has ended meanwhile.
                return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            }
            .joined()
    }

    /// Presses Control-C in every run that goes on now, and tells how many there were.
    package func interrupt() throws -> Int {
        try send(SIGINT)
    }

    /// Sends a signal to every run that goes on now, and tells how many there were.
    package func send(_ signal: CInt) throws -> Int {
        try processes.send(signal)
    }

    /// Kills the runs that go on now (SIGKILL), and tells how many there were; what runs in the
    /// background goes on.
    ///
    /// - Parameter variable: only those with this in their environment: `NAME=value`.
    @discardableResult
    package func kill(with variable: String? = nil) throws -> Int {
        try processes.send(SIGKILL, with: variable)
    }

    /// Sends a signal to the child of `dex live`; its parent gets those of `send`.
    package func sendToScreen(_ signal: CInt) throws -> Int {
        try processes.sendToScreen(signal)
    }

    private var processes: HomeProcesses { HomeProcesses(home: home) }

    /// Runs until a first line is on stdout, then presses Control-C and waits for the end.
    ///
    /// - Returns: the exit code and stdout.
    package func runUntilFirstLine(
        _ arguments: String...
    ) async throws -> (status: Int32, stdout: String) {
        let mark = UUID().uuidString
        let environment = environment(mark)
        return try await HangWatch.shared.watching(mark, "dex \(arguments.joined(separator: " "))")
        {
            try await Self.runUntilFirstLine(arguments, environment)
        }
    }

    private static func runUntilFirstLine(
        _ arguments: [String],
        _ environment: [String: String]
    ) async throws -> (status: Int32, stdout: String) {
        typealias End = CheckedContinuation<(status: Int32, stdout: String), any Error>
        return try await withCheckedThrowingContinuation { (done: End) in
            Thread.detachNewThread {
                let process = Process()
                process.executableURL = executable
                process.arguments = arguments
                process.environment = environment
                let output = Pipe()
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                do {
                    try process.run()
                } catch {
                    done.resume(throwing: error)
                    return
                }
                let reader = output.fileHandleForReading
                var printed = Data()
                var isInterrupted = false
                while case let part = reader.availableData, !part.isEmpty {
                    printed.append(part)
                    guard !isInterrupted, printed.contains(0x0A) else { continue }
                    isInterrupted = true
                    process.interrupt()
                }
                process.waitUntilExit()
                let text = String(decoding: printed, as: UTF8.self)
                done.resume(returning: (process.terminationStatus, text))
            }
        }
    }

    /// All that a run gets of the surroundings.
    private func environment(_ mark: String) -> [String: String] {
        [
            "DEX_HOME": home.path, "PATH": "/usr/bin:/bin", "HOME": home.path,
            HangWatch.variable: mark,
        ]
    }

    /// Runs and holds the thread until the end: for the threads of a server, within another run
    /// that is watched for hanging.
    ///
    /// - Returns: the exit code, and stdout and stderr as one text.
    package func runBlocking(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let file = home.appending(path: "out-\(UUID().uuidString)")
        try Data().write(to: file)
        let output = try FileHandle(forUpdating: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setsid")
        process.arguments = ["--wait", Self.executable.path] + arguments
        process.environment = ["DEX_HOME": home.path, "PATH": "/usr/bin:/bin", "HOME": home.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        defer { try? output.close() }
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        ended.wait()
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return (process.terminationStatus, text)
    }

    /// Runs with a controlling terminal, which is stdin too.
    ///
    /// - Parameter shell: a script of bash that runs `"$@"`, and something before or behind it.
    package func run(
        _ arguments: [String],
        environment: [String: String],
        terminal: FileHandle,
        shell: String? = nil
    ) async throws -> Run {
        let dex = Self.executable.path
        return try await run(
            arguments,
            environment: environment,
            input: "",
            terminal: terminal,
            program: shell.map { ["/bin/bash", "-c", $0, "bash", dex] } ?? [dex]
        )
    }

    private func run(
        _ arguments: [String],
        environment: [String: String],
        input: String,
        terminal: FileHandle?,
        program: [String] = [DexBinary.executable.path]
    ) async throws -> Run {
        let folder = home.appending(path: "run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try ["stdin": input, "stdout": "", "stderr": ""].mapValues { Data($0.utf8) }
            .map { name, content in
                let file = folder.appending(path: name)
                try content.write(to: file)
                return (name, try FileHandle(forUpdating: file))
            }
        let handles = Dictionary(uniqueKeysWithValues: files)
        // A Process keeps them open; hundreds of runs would use up the descriptors of select(2).
        defer { for handle in handles.values { try? handle.close() } }
        let process = Process()
        // A session of its own: without it the terminal of whoever runs the tests is asked.
        let setsid = ["/usr/bin/setsid"] + (terminal == nil ? ["--wait"] : ["--wait", "--ctty"])
        // What whoever runs the tests ignores, as nohup does, `dex` would leave ignored.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["--default-signal=HUP,INT,QUIT,TERM"] + setsid + program + arguments
        let mark = environment[HangWatch.variable] ?? UUID().uuidString
        process.environment = self.environment(mark).merging(environment) { $1 }
        process.standardInput = terminal ?? handles["stdin"]
        process.standardOutput = handles["stdout"]
        process.standardError = handles["stderr"]
        try await HangWatch.shared.watching(mark, "dex \(arguments.joined(separator: " "))") {
            typealias End = CheckedContinuation<Void, any Error>
            try await withCheckedThrowingContinuation { (done: End) in
                process.terminationHandler = { _ in done.resume() }
                do { try process.run() } catch { done.resume(throwing: error) }
            }
        }
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
        }
        return Run(
            status: process.terminationStatus,
            stdout: try text("stdout"),
            stderr: try text("stderr")
        )
    }
}
