import Foundation

/// A program that a test runs in the background; it ends with this object, and with the test process
/// however that ends.
final class GuardedProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let pipe: Pipe

    /// Starts a script of bash that gets `arguments`; `$1` is the first.
    ///
    /// - Parameter atEnd: what the script runs once this process has ended.
    init(atEnd: String, starting script: String = "", _ arguments: [String]) throws {
        pipe = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments =
            ["-c", "trap '' INT TERM HUP; \(script)\ncat >/dev/null; \(atEnd)", "bash"] + arguments
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

    func end() {
        try? pipe.fileHandleForWriting.close()
    }

    /// Runs a program to its end.
    ///
    /// - Returns: what it printed.
    /// - Throws: `Failure` if it fails.
    @discardableResult
    static func run(_ command: [String]) async throws -> String {
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
