import CPostgres

/// Loads libpq for the first connection, so that only a relay on PostgreSQL needs it.
enum PostgresLibrary {
    /// The error of the usual library, in the dynamic linker's words; nil if it is loaded.
    private static let problem = attempt(DEX_PQ_LIBRARY)

    /// Loads the library if it is not yet loaded.
    ///
    /// - Throws: `PostgresFailure.unusable`.
    static func load(_ name: String = DEX_PQ_LIBRARY) throws(PostgresFailure) {
        guard let problem = name == DEX_PQ_LIBRARY ? problem : attempt(name) else { return }
        throw .unusable(
            "PostgreSQL's client library is missing (\(problem)); install the package libpq5"
        )
    }

    private static func attempt(_ name: String) -> String? {
        var problem: UnsafePointer<CChar>?
        guard !dex_pq_load(name, &problem) else { return nil }
        return problem.map { String(cString: $0) } ?? "the dynamic linker gave no reason"
    }
}
