import DexTestSupport
import Foundation
import StrictJSON
import Synchronization
import Testing

/// `dex relay serve` as a process that goes on while a test talks to it.
final class ServingRelay: Sendable {
    /// The line that it printed when it served.
    let report: JSONValue
    /// What it printed before that line, of both outputs.
    let beginning: [String]
    private let process: Mutex<Process>
    private let lines: AsyncStream<String>
    private let ended: AsyncStream<Int32>

    /// The base URL, such as `http://127.0.0.1:40123`.
    var url: String { report["url"]?.stringValue ?? "" }

    /// Starts it and waits until it serves.
    ///
    /// - Parameters:
    ///   - environment: what it gets besides a user's.
    ///   - onStart: gets the number of its process, which does not serve yet.
    /// - Throws: `NotServing` with its exit code if it ends before.
    init(
        _ dex: DexBinary,
        mark: String,
        _ arguments: String...,
        environment: [String: String] = [:],
        onStart: (pid_t) -> Void = { _ in }
    ) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["--default-signal=HUP,INT,QUIT,TERM", DexBinary.executable.path, "relay", "serve"]
            + ["--json"] + arguments
        process.environment = [
            "DEX_HOME": dex.home.path, "PATH": "/usr/bin:/bin", "HOME": dex.home.path,
            HangWatch.variable: mark,
        ].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let (lines, sender) = AsyncStream.makeStream(of: String.self)
        let (ended, end) = AsyncStream.makeStream(of: Int32.self)
        let (output, log) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = log
        process.terminationHandler = { process in
            // As a shell tells it: 137 after SIGKILL.
            let isKilled = process.terminationReason == .uncaughtSignal
            end.yield(process.terminationStatus + (isKilled ? 128 : 0))
            end.finish()
        }
        try process.run()
        Self.read([output, log], to: sender)
        onStart(process.processIdentifier)
        self.process = Mutex(process)
        self.lines = lines
        self.ended = ended
        var first: JSONValue?
        var reported: [String] = []
        while let line = try await lines.next("the relay to serve") {
            reported.append(line)
            guard line.hasPrefix("{") else { continue }
            first = try JSONParser.parse(text: line)
            break
        }
        let data = first?["data"]
        guard let data, data["running"] == true else {
            let status: Int32?
            status = try await ended.next("the relay's end")
            throw NotServing(description: "it does not serve: \(reported)", status: status)
        }
        report = data
        beginning = reported
    }

    /// Hands lines on until all pipes have ended, each on a thread of its own: a
    /// `readabilityHandler` that is taken away may crash libdispatch.
    private static func read(_ pipes: [Pipe], to sender: AsyncStream<String>.Continuation) {
        let readers = Readers(pipes.count)
        for pipe in pipes {
            let handle = pipe.fileHandleForReading
            Thread.detachNewThread {
                var rest = Data()
                while case let part = handle.availableData, !part.isEmpty {
                    rest.append(part)
                    while let end = rest.firstIndex(of: 0x0A) {
                        sender.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                        rest = Data(rest[rest.index(after: end)...])
                    }
                }
                if readers.leave() { sender.finish() }
            }
        }
    }

    /// Waits for a line that has a text.
    @discardableResult
    func line(with text: String) async throws -> String {
        while let line = try await lines.next("a line with \(text)") {
            if line.contains(text) { return line }
        }
        throw NotServing(description: "it ended without a line with \(text)", status: nil)
    }

    /// Sends a signal while it runs: later its number may be another test's process.
    func send(_ signal: Int32) {
        process.withLock { process in
            if process.isRunning { kill(process.processIdentifier, signal) }
        }
    }

    /// What kept it from serving, or from saying what is awaited.
    struct NotServing: Error, CustomStringConvertible {
        let description: String
        /// Its exit code, once it has ended.
        let status: Int32?
    }

    /// Asks it to stop and waits for its end.
    func stop(_ signal: Int32 = SIGTERM) async -> Int32 {
        send(signal)
        return await status()
    }

    /// The exit code, once it has ended.
    func status() async -> Int32 {
        for await status in ended { return status }
        return process.withLock { $0.terminationStatus }
    }
}

/// How many still read.
private final class Readers: Sendable {
    private let count: Mutex<Int>

    init(_ count: Int) {
        self.count = Mutex(count)
    }

    /// Whether it was the last.
    func leave() -> Bool {
        count.withLock { count in
            count -= 1
            return count == 0
        }
    }
}
