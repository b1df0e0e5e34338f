import DexTestSupport
package import Foundation
package import PostgresClient
import Synchronization

/// A PostgreSQL server of the tests' own, on a socket in the temporary folder.
package final class PostgresServer: Sendable {
    package let folder: URL
    private let process = Mutex<GuardedProcess?>(nil)
    private let databases = Mutex(0)

    /// One for all tests that do not stop it.
    package static var shared: PostgresServer {
        get async throws { try await sharedTask.value }
    }

    private static let sharedTask = Task { try await PostgresServer() }

    /// The folder of PostgreSQL's own programs, which are not in the path.
    package static let programs: URL = {
        let root = URL(filePath: "/usr/lib/postgresql")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        let newest = versions.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
        return root.appending(path: newest ?? "none").appending(path: "bin")
    }()

    /// What runs a program as a user without rights, since PostgreSQL refuses root.
    package static let unprivileged: [String] = {
        guard getuid() == 0 else { return [] }
        let user = getpwnam("postgres") == nil ? "nobody" : "postgres"
        return ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
            .map { getpwnam("postgres") == nil && $0 == "--regid=nobody" ? "--regid=nogroup" : $0 }
    }()

    /// A new folder that the user without rights owns.
    package static func makeFolder() async throws -> URL {
        let temporary = FileManager.default.temporaryDirectory
        let folder = temporary.appending(path: "pg-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let user = unprivileged.first(where: { $0.hasPrefix("--reuid=") }) else {
            return folder
        }
        // The folder of this test run is closed to others; its name is random.
        try await GuardedProcess.run(["chmod", "o+x", temporary.path])
        try await GuardedProcess.run([
            "chown", String(user.dropFirst("--reuid=".count)), folder.path,
        ])
        return folder
    }

    package init() async throws {
        folder = try await Self.makeFolder()
        let data = folder.appending(path: "data").path
        try await GuardedProcess.run(
            Self.unprivileged + [
                Self.programs.appending(path: "initdb").path, "-D", data, "-U", "dex",
                "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C",
            ]
        )
        let rules = folder.appending(path: "data/pg_hba.conf")
        let trust = try String(contentsOf: rules, encoding: .utf8)
        try Data("local all guarded scram-sha-256\n\(trust)".utf8).write(to: rules)
        try await start()
    }

    package func start() async throws {
        let started = try GuardedProcess(
            Self.unprivileged + [
                Self.programs.appending(path: "postgres").path,
                "-D", folder.appending(path: "data").path, "-k", folder.path,
                "-c", "listen_addresses=", "-c", "max_connections=200",
                "-c", "shared_buffers=32MB",
            ],
            output: folder.appending(path: "log").path
        )
        process.withLock { $0 = started }
        let database = PostgresDatabase(server: self, name: "postgres")
        try await until("PostgreSQL to answer, whose log is \(folder.path)/log") {
            do {
                try await database.run("SELECT 1::bigint")
                return true
            } catch let error as PostgresFailure {
                guard case .unreachable = error else { throw error }
                return false
            }
        }
    }

    /// - Parameter mode: `fast`, or `immediate`, which is a crash.
    package func stop(_ mode: String = "fast") async throws {
        try await GuardedProcess.run(
            Self.unprivileged + [
                Self.programs.appending(path: "pg_ctl").path,
                "-D", folder.appending(path: "data").path, "stop", "-w", "-m", mode,
            ]
        )
        process.withLock { $0 = nil }
    }

    /// The path of the socket.
    package var socket: String { folder.appending(path: ".s.PGSQL.5432").path }

    /// Makes a database that nobody else uses.
    package func makeDatabase() async throws -> PostgresDatabase {
        let name = databases.withLock { count in
            count += 1
            return "test\(count)"
        }
        let administrator = PostgresDatabase(server: self, name: "postgres")
        try await administrator.run("CREATE DATABASE \(name) TEMPLATE template0")
        return PostgresDatabase(server: self, name: name)
    }
}

/// A database of a test.
package struct PostgresDatabase: Sendable {
    package let server: PostgresServer
    package let name: String
    /// What `open` connects through; nil is the server itself.
    package var pooler: PgBouncer?

    package init(server: PostgresServer, name: String, pooler: PgBouncer? = nil) {
        self.server = server
        self.name = name
        self.pooler = pooler
    }

    package func address(user: String = "dex") -> String {
        let host = server.folder.path.replacingOccurrences(of: "/", with: "%2F")
        return "postgres://\(user)@/\(name)?host=\(host)"
    }

    /// Through a proxy of the test.
    package func address(port: UInt16, user: String = "dex") -> String {
        "postgres://\(user)@127.0.0.1:\(port)/\(name)?sslmode=disable&gssencmode=disable"
    }

    package func connect() async throws -> PostgresConnection {
        try await PostgresConnection.open(
            PostgresAddress(address(), password: nil),
            within: .patient
        )
    }

    /// Runs a statement, and returns the first column of its rows as numbers.
    @discardableResult
    package func run(_ text: String) async throws -> [Int64] {
        let connection = try await connect()
        let result = try await connection.perform { connection throws(PostgresFailure) in
            let rows = try connection.query(PostgresStatement(text), within: .patient)
            var numbers: [Int64] = []
            for row in 0..<rows.count { numbers.append(try rows.integer(row, 0)) }
            return numbers
        }
        await connection.close()
        return result
    }

    /// Ends all other sessions of the database.
    package func terminateSessions() async throws {
        try await run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """
        )
    }
}
