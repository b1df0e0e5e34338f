/// The reason why a connection to PostgreSQL did not do its work.
package enum PostgresFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no connection, or it broke.
    case unreachable(String)
    /// The server did not answer in time; the connection is closed.
    case timedOut
    /// The caller gave up; the connection is closed.
    case interrupted
    /// Trying again cannot help: no library, a wrong password, no such database.
    case unusable(String)
    /// The server refused a statement.
    case refused(sqlState: String, message: String)
    /// An answer has another form than the statement asks for.
    case malformed

    /// Nothing more can be done on that connection.
    package var isFatal: Bool {
        switch self {
        case .unreachable, .timedOut, .interrupted, .unusable: true
        case .refused, .malformed: false
        }
    }

    /// The server or the way to it is at fault, and so probably with every other connection.
    package var isBreak: Bool {
        switch self {
        case .unreachable, .timedOut: true
        case .interrupted, .unusable, .refused, .malformed: false
        }
    }

    package var description: String {
        switch self {
        case .unreachable(let reason), .unusable(let reason): reason
        case .timedOut: "the server did not answer in time"
        case .interrupted: "the connection was closed"
        case .refused(let sqlState, let message): "\(message) (SQLSTATE \(sqlState))"
        case .malformed: "the server's answer has an unexpected form"
        }
    }
}

extension PostgresFailure {
    /// Why no connection was made, from libpq's message; it begins with an SQLSTATE if the server
    /// sent one.
    ///
    /// Example: `... failed: FATAL:  28P01: password authentication failed for user "dex"`.
    init(connecting message: String) {
        let lines = message.split(separator: "\n").map(String.init)
        for line in lines {
            guard let (state, words) = Self.state(in: line) else { continue }
            // A wrong password, an unknown user, no such database, no right to connect to it.
            let isUnusable = state.hasPrefix("28") || ["3D000", "42501"].contains(state)
            self = isUnusable ? .unusable(words) : .unreachable(words)
            return
        }
        self = .unreachable(lines.first ?? "no connection")
    }

    private static func state(in line: String) -> (state: String, words: String)? {
        let parts = line.split(separator: ":", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
        let index = parts.firstIndex { part in
            part.utf8.count == 5 && part.utf8.contains { (0x30...0x39).contains($0) }
                && part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
        }
        guard let index else { return nil }
        return (String(parts[index]), parts[(index + 1)...].joined(separator: ": "))
    }
}
