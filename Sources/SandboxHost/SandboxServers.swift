import Glibc
import HTTPServing

/// The servers of a sandbox, a copy or a fork: they run beside each other, and end together.
struct SandboxServers: Sendable {
    struct Server: Sendable {
        /// As an error names it.
        let name: String
        /// 0 takes a free one.
        let port: Int
        let run: @Sendable (_ onReady: @escaping @Sendable (Int) -> Void) async throws -> Void
    }

    let listen: ListenAddress
    let folder: SandboxFolder

    /// Runs until the task is cancelled, or one of them ends or fails; then state.json is removed.
    ///
    /// - Parameters:
    ///   - tasks: further work for as long.
    ///   - onReady: called once with the servers' ports, when all of them answer.
    /// - Throws: `SandboxHostError` for a port that is not available; what a server, a task and
    ///   `onReady` throw.
    func run(
        _ servers: [Server],
        beside tasks: [@Sendable () async throws -> Void] = [],
        onReady: @escaping @Sendable ([Int]) async throws -> Void
    ) async throws {
        defer { unlink(folder.stateFile) }
        let (events, report) = AsyncStream.makeStream(of: (index: Int, port: Int).self)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, server) in servers.enumerated() {
                    group.addTask {
                        try await listen.named(server.name, server.port) {
                            try await server.run { report.yield((index, $0)) }
                        }
                    }
                }
                for task in tasks { group.addTask { try await task() } }
                group.addTask {
                    var ports: [Int: Int] = [:]
                    for await event in events {
                        ports[event.index] = event.port
                        let known = servers.indices.compactMap { ports[$0] }
                        if known.count == servers.count { try await onReady(known) }
                    }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch is CancellationError {
            // The normal end of a sandbox.
        }
    }
}
