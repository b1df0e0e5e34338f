import Ethereum
import FoundationEssentials
import GRDB

/// What a fork keeps of its live chain's past.
extension ChainStore {
    /// A fork of before has no such table.
    static func preparePast(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS past (key TEXT PRIMARY KEY, answer BLOB NOT NULL)
                WITHOUT ROWID
                """
        )
    }

    /// How many bytes of answers are kept.
    func sizeOfPast() throws(SandboxError) -> Int {
        try read { database in
            try Int.fetchOne(database, sql: "SELECT SUM(LENGTH(answer)) FROM past") ?? 0
        }
    }

    /// An answer in JSON; nil if none is kept.
    func past(_ key: String) throws(SandboxError) -> [UInt8]? {
        try read { database in
            try Data.fetchOne(
                database,
                sql: "SELECT answer FROM past WHERE key = ?",
                arguments: [key]
            ).map { Array($0) }
        }
    }

    /// Keeps answers in JSON.
    func keep(past answers: [String: [UInt8]]) throws(SandboxError) {
        guard !answers.isEmpty else { return }
        try write { database in
            let insert = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO past (key, answer) VALUES (?, ?)"
            )
            for (key, answer) in answers {
                try insert.execute(arguments: [key, Data(answer)])
            }
        }
    }
}
