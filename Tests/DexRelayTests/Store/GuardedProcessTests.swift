import DexTestSupport
import Foundation
import PostgresTestSupport
import Testing

/// Programs that tests run in the background end with their tests, whatever else runs.
@Suite("Programs in the background of tests")
struct GuardedProcessTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "guarded-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// One that handles no signal, as PgBouncer 1.18 does not handle SIGQUIT.
    private func begin(_ name: String, signal: String) async throws -> (GuardedProcess, pid_t) {
        let file = folder.appending(path: name)
        let process = try GuardedProcess(
            ["/bin/bash", "-c", "echo $$ >'\(file.path)'; exec sleep infinity"],
            output: "/dev/null",
            signal: signal
        )
        var number: pid_t?
        try await until("\(name) to run") {
            number = (try? String(contentsOf: file, encoding: .utf8))
                .flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            return number != nil
        }
        return (process, try #require(number))
    }

    @Test(
        "one that does not handle its signal ends, while one that began after it runs",
        arguments: ["HUP", "INT", "QUIT", "TERM"]
    )
    func ends(_ signal: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, number) = try await begin("first", signal: signal)
        let (second, other) = try await begin("second", signal: signal)
        first.end()
        try await until("the first to end") { kill(number, 0) != 0 }
        #expect(kill(other, 0) == 0)
        second.end()
        try await until("the second to end") { kill(other, 0) != 0 }
    }
}
