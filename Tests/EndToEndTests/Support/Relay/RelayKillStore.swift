import Ethereum
import Foundation
import GRDB
import PostgresTestSupport
import Testing

/// The store of a relay that is killed.
enum RelayKillStore: Sendable {
    /// The folder of the file.
    case sqlite(URL)
    case postgres(PostgresDatabase)

    /// The value of `store` in relay.toml.
    var setting: String {
        switch self {
        case .sqlite(let folder): "sqlite:\(folder.path)/relay.sqlite"
        case .postgres(let database): database.address()
        }
    }

    /// Which of a relay's writes are steps: the variable's name and value.
    var place: (name: String, value: String) {
        switch self {
        case .sqlite(let folder): ("DEX_FAULT_FOLDER", folder.resolvingSymlinksInPath().path)
        case .postgres(let database): ("DEX_FAULT_PEER", database.server.folder.path)
        }
    }

    /// The tables hold so many orders, each once, and their changes are numbered without a gap.
    func check(orders: Int, _ story: String) async throws {
        switch self {
        case .sqlite(let folder):
            let path = folder.appending(path: "relay.sqlite").path
            let queue = try DatabaseQueue(path: path)
            let (integrity, stored) = try await queue.read { database in
                (
                    try String.fetchAll(database, sql: "PRAGMA integrity_check"),
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM orders")
                )
            }
            try queue.close()
            #expect(integrity == ["ok"], "\(story)")
            #expect(stored == orders, "\(story)")
        case .postgres(let database):
            #expect(
                try await database.run("SELECT count(*) FROM dex_relay.orders") == [Int64(orders)],
                "\(story)"
            )
            let numbers = try await database.run(
                "SELECT number FROM dex_relay.changes ORDER BY number"
            )
            #expect(numbers == (0..<numbers.count).map { Int64($0 + 1) }, "\(story)")
            let head = try await database.run("SELECT number FROM dex_relay.head")
            #expect(head == [Int64(numbers.count)], "\(story)")
        }
    }
}
