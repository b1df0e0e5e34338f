import GRDB

/// Tells whether a journal has changed: two marks differ if anything was written in between, by
/// this process or another one.
package struct JournalMark: Hashable, Sendable {
    /// Counts the commits of others (SQLite, `PRAGMA data_version`).
    let others: Int64
    /// Counts our own changed rows.
    let own: Int
}

extension Journal {
    package func mark() throws(JournalError) -> JournalMark {
        try read { database in
            JournalMark(
                others: try Int64.fetchOne(
                    database.cachedStatement(sql: "PRAGMA data_version")
                ) ?? 0,
                own: database.totalChangesCount
            )
        }
    }
}
