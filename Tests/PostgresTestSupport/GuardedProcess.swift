import Foundation

/// A program that a test runs in the background; it ends with this object, and with the test process
/// however that ends.
package final class GuardedProcess: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    private let pipe: Pipe

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - output: the file that gets what it prints.
    ///   - signal: the name of the one that ends it.
    package init(_ command: [String], output: String, signal: String = "QUIT") throws {
        pipe = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        let script = """
            trap '' INT TERM HUP
            output=$1
            signal=$2
            shift 2
            # What bash starts in the background ignores SIGINT and SIGQUIT, and what is trapped here.
            env --default-signal=HUP,INT,QUIT,TERM "$@" >>"$output" 2>&1 </dev/null &
            cat >/dev/null
            # Only a child: the number of one that has ended is soon another process's.
            ! grep -q "^PPid:[[:space:]]*$$\\$" /proc/$!/status 2>/dev/null || kill -"$signal" $!
            wait
            """
        process.arguments = ["-c", script, "bash", output, signal] + command
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The script sees the end only if nobody else has this end open.
        try pipe.fileHandleForReading.close()
    }

    deinit {
        end()
    }

    package func end() {
        try? pipe.fileHandleForWriting.close()
    }

    /// Runs a program to its end.
    ///
    /// - Returns: what it printed.
    /// - Throws: `Failure` if it fails.
    @discardableResult
    package static func run(_ command: [String]) async throws -> String {
        let output = FileManager.default.temporaryDirectory
            .appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let handle = try FileHandle(forUpdating: output)
        defer { try? handle.close() }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try await withCheckedThrowingContinuation {
            (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(command.joined(separator: " ")): \(text)")
        }
        return text
    }
}
