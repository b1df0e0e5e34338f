package import Foundation

/// Python with the packages of Tests/Python/requirements.txt, for the tests that ask programs which
/// others wrote.
package enum PythonEnvironment {
    /// What a script left behind.
    package struct Run: Sendable {
        package let status: Int32
        package let output: Data
        package let errors: String
    }

    /// Why there is no Python to ask.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String
    }

    /// The root of the repository.
    package static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let made = Task { try await make("python-environment") }
    private static let madeSuites = Task { try await make("official-suites") }

    /// The interpreter, once scripts/python-environment has made it or found it up to date.
    ///
    /// - Throws: `Unusable` where it could not be made.
    package static func interpreter() async throws -> URL {
        try await made.value
        return root.appending(path: ".build/python/bin/python")
    }

    /// Makes what the scripts of Tests/Python/suites read, once scripts/official-suites has
    /// downloaded it or found it up to date.
    ///
    /// - Throws: `Unusable` where it could not be made.
    package static func makeSuites() async throws {
        try await madeSuites.value
    }

    /// Runs a script of Tests/Python to its end.
    ///
    /// - Parameters:
    ///   - script: its path below Tests/Python.
    ///   - arguments: what follows it.
    package static func run(_ script: String, _ arguments: String...) async throws -> Run {
        try await run(script, arguments)
    }

    /// The same with the arguments in an array.
    package static func run(_ script: String, _ arguments: [String]) async throws -> Run {
        let file = root.appending(path: "Tests/Python").appending(path: script)
        return try await run(try await interpreter(), [file.path] + arguments)
    }

    private static func make(_ script: String) async throws {
        let run = try await run(root.appending(path: "scripts/\(script)"), [])
        guard run.status == 0 else {
            throw Unusable(
                description: "The Python environment of the tests could not be made; "
                    + "scripts/\(script) says: \(run.errors)"
            )
        }
    }

    private static func run(_ executable: URL, _ arguments: [String]) async throws -> Run {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "dex-python-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files rather than pipes: nobody has to read them while the script runs.
        func file(_ name: String) throws -> (url: URL, handle: FileHandle) {
            let url = folder.appending(path: name)
            try Data().write(to: url)
            return (url, try FileHandle(forUpdating: url))
        }
        let output = try file("output")
        let errors = try file("errors")
        defer {
            try? output.handle.close()
            try? errors.handle.close()
        }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let mark = UUID().uuidString
        process.environment = ProcessInfo.processInfo.environment
            .merging([HangWatch.variable: mark]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.handle
        process.standardError = errors.handle
        // A peer that never answers shall fail its own test, not hold up all others.
        try await HangWatch.shared.watching(mark, executable.lastPathComponent) {
            typealias End = CheckedContinuation<Void, any Error>
            try await withCheckedThrowingContinuation { (done: End) in
                process.terminationHandler = { _ in done.resume() }
                do { try process.run() } catch { done.resume(throwing: error) }
            }
        }
        return Run(
            status: process.terminationStatus,
            output: try Data(contentsOf: output.url),
            errors: String(decoding: try Data(contentsOf: errors.url), as: UTF8.self)
        )
    }
}
