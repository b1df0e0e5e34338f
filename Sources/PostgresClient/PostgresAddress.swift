import CPostgres

/// The place where a PostgreSQL database is, and as whom to connect:
/// `postgres://USER@HOST:PORT/DATABASE`.
///
/// The password comes from elsewhere and is never a part of a text that is shown.
package struct PostgresAddress: Sendable, CustomStringConvertible, CustomReflectable {
    /// libpq's keywords and values, without the password.
    private let parts: [String: String]
    private let password: String?

    /// Keywords that an address may set, as in `?sslmode=verify-full`.
    private static let allowed: Set<String> = [
        "host", "hostaddr", "port", "dbname", "user", "sslmode", "sslrootcert", "sslcert", "sslkey",
        "sslcrl", "channel_binding", "gssencmode", "krbsrvname",
    ]

    /// An address as a user writes it; an absent part is what libpq takes for it.
    ///
    /// - Parameter password: nil leaves it to libpq, which also looks into `~/.pgpass`.
    /// - Throws: `PostgresFailure.unusable`; it never quotes the text.
    package init(_ text: String, password: String?) throws(PostgresFailure) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://"),
            !text.utf8.contains(0)
        else { throw Self.malformed }
        try PostgresLibrary.load()
        let found = Parts()
        var problem: UnsafeMutablePointer<CChar>?
        let isParsed = dex_pq_parse(
            text,
            &problem,
            Unmanaged.passUnretained(found).toOpaque()
        ) { context, keyword, value in
            guard let context, let keyword, let value else { return }
            Unmanaged<Parts>.fromOpaque(context).takeUnretainedValue()
                .values[String(cString: keyword)] = String(cString: value)
        }
        // libpq's words may quote a part of a password that was written into the address.
        if let problem { dex_pq_free(problem) }
        guard isParsed else { throw Self.malformed }
        guard found.values["password"] == nil else {
            throw .unusable("the address has a password; write the password into a file instead")
        }
        if let keyword = found.values.keys.sorted().first(where: { !Self.allowed.contains($0) }) {
            throw .unusable("the address cannot set \"\(keyword)\"")
        }
        let hosts = [found.values["host"], found.values["hostaddr"]]
        guard !hosts.contains(where: { $0?.contains(",") == true }) else {
            throw .unusable("the address names several hosts; name one, or a proxy before them")
        }
        guard found.values["port"].map({ UInt16($0) != nil }) ?? true else { throw Self.malformed }
        if password?.utf8.contains(0) == true {
            throw .unusable("the password has a zero byte")
        }
        parts = found.values
        self.password = password
    }

    private static let malformed = PostgresFailure.unusable(
        "the address is not of the form postgres://USER@HOST:PORT/DATABASE"
    )

    private final class Parts {
        var values: [String: String] = [:]
    }

    /// What libpq gets: a dead peer is noticed within seconds.
    var parameters: [(keyword: String, value: String)] {
        var all = parts
        all["client_encoding"] = "UTF8"
        all["application_name"] = "dex relay"
        all["keepalives"] = "1"
        all["keepalives_idle"] = "2"
        all["keepalives_interval"] = "1"
        all["keepalives_count"] = "3"
        all["tcp_user_timeout"] = "5000"
        all["password"] = password
        return all.map { ($0.key, $0.value) }
    }

    /// The address without the password: `postgres://dex@db.example:5432/relay`.
    package var description: String {
        let user = parts["user"].map { "\($0)@" } ?? ""
        let host = parts["host"] ?? parts["hostaddr"] ?? ""
        let port = parts["port"].map { ":\($0)" } ?? ""
        return "postgres://\(user)\(host)\(port)/\(parts["dbname"] ?? "")"
    }

    package var customMirror: Mirror {
        Mirror(self, children: ["address": description])
    }
}
