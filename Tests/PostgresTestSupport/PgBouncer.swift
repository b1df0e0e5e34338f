import DexTestSupport
package import Foundation
import PostgresClient

/// PgBouncer before a server of the tests, as many hosts have it.
package final class PgBouncer: Sendable {
    package let folder: URL
    private let process: GuardedProcess

    package init(before server: PostgresServer, mode: String = "transaction") async throws {
        folder = try await PostgresServer.makeFolder()
        let users = folder.appending(path: "users")
        try Data("\"dex\" \"\"\n".utf8).write(to: users)
        let settings = folder.appending(path: "settings.ini")
        let text = """
            [databases]
            * = host=\(server.folder.path) port=5432
            [pgbouncer]
            listen_addr =
            listen_port = 5432
            unix_socket_dir = \(folder.path)
            auth_type = trust
            auth_file = \(users.path)
            pool_mode = \(mode)
            default_pool_size = 20

            """
        try Data(text.utf8).write(to: settings)
        process = try GuardedProcess(
            PostgresServer.unprivileged + ["/usr/sbin/pgbouncer", settings.path],
            output: folder.appending(path: "log").path
        )
        let address = try PostgresAddress(Self.address(folder, "postgres"), password: nil)
        try await until("PgBouncer to answer, whose log is \(folder.path)/log") {
            do {
                let connection = try await PostgresConnection.open(address, within: .patient)
                await connection.close()
                return true
            } catch let error as PostgresFailure {
                guard case .unreachable = error else { throw error }
                return false
            }
        }
    }

    package func end() {
        process.end()
    }

    package func address(_ database: String) -> String {
        Self.address(folder, database)
    }

    private static func address(_ folder: URL, _ database: String) -> String {
        let host = folder.path.replacingOccurrences(of: "/", with: "%2F")
        return "postgres://dex@/\(database)?host=\(host)"
    }
}
