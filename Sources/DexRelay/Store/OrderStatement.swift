import Ethereum
import GRDB
import GRDBSQLite
import ZeroEx

/// A prepared statement that is bound and run through SQLite's own interface.
///
/// The row of an order has 14 values, and GRDB makes an object of each value. What is
/// lent to `bind` must stay in place until the statement has run.
struct OrderStatement {
    /// Keeps `statement` in memory.
    private let owner: Statement
    private let statement: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String
    private var next: CInt = 1

    /// - Throws: `DatabaseError`.
    init(_ sql: String, in database: Database) throws {
        guard let connection = database.sqliteConnection else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
        }
        owner = try database.cachedStatement(sql: sql)
        statement = owner.sqliteStatement
        self.connection = connection
        self.sql = sql
    }

    // MARK: Values, in the order of the question marks

    mutating func bind(_ number: UInt64) {
        sqlite3_bind_int64(statement, place(), Int64(clamping: number))
    }

    mutating func bind(_ id: Int64) {
        sqlite3_bind_int64(statement, place(), id)
    }

    mutating func bind(_ flag: Bool) {
        sqlite3_bind_int64(statement, place(), flag ? 1 : 0)
    }

    mutating func bind(blob bytes: UnsafeRawBufferPointer) {
        sqlite3_bind_blob(statement, place(), bytes.baseAddress, CInt(bytes.count), nil)
    }

    /// - Parameter text: UTF-8.
    mutating func bind(text: UnsafeRawBufferPointer) {
        sqlite3_bind_text(
            statement,
            place(),
            text.baseAddress?.assumingMemoryBound(to: CChar.self),
            CInt(text.count),
            nil
        )
    }

    /// The text is copied by SQLite; nil is NULL.
    mutating func bind(copying text: String?) {
        guard var text else {
            sqlite3_bind_null(statement, place())
            return
        }
        let place = place()
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        text.withUTF8 { text in
            _ = text.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, place, $0.baseAddress, CInt($0.count), copied)
            }
        }
    }

    private mutating func place() -> CInt {
        defer { next += 1 }
        return next
    }

    /// Runs it with the bound values, which are unbound after it.
    ///
    /// - Returns: the number of rows that it changed.
    /// - Throws: `DatabaseError`.
    @discardableResult
    mutating func run() throws -> Int {
        next = 1
        let code = sqlite3_step(statement)
        let changes = Int(sqlite3_changes(connection))
        let message = code == SQLITE_DONE ? nil : String(cString: sqlite3_errmsg(connection))
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
        guard let message else { return changes }
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
}
