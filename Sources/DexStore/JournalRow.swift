import GRDB

/// SQLite has 63 bits for non-negative integers: GRDB traps on a larger `UInt64`, so each that is
/// written goes through here.
func integer(_ value: UInt64, _ what: String) throws(JournalError) -> Int64 {
    guard let value = Int64(exactly: value) else { throw .outOfRange(what) }
    return value
}

extension Row {
    /// The value of a column, where `row[column]` would trap on damage.
    func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        try decode(forColumn: column)
    }

    /// The block of two columns, its number and its hash.
    func block(_ number: String = "block", hash: String = "block_hash") throws -> WatchedBlock {
        WatchedBlock(number: try value(number), hash: try value(hash))
    }

    /// The blocks from `first` to `last`, both included.
    func blocks() throws -> ClosedRange<UInt64> {
        let first: UInt64 = try value("first")
        // A damaged row must not stop the program.
        return first...Swift.max(first, try value("last"))
    }

    /// Words in one column, which a character sets apart.
    func words(_ column: String, by separator: Character) throws -> [String] {
        (try value(column) as String?)?.split(separator: separator).map(String.init) ?? []
    }
}

extension PersistenceContainer {
    /// A block as `block` and `block_hash`.
    mutating func set(_ block: WatchedBlock) throws {
        self["block"] = try integer(block.number, "the block")
        self["block_hash"] = block.hash
    }

    /// Blocks as `first` and `last`, both included.
    mutating func set(_ blocks: ClosedRange<UInt64>) throws {
        self["first"] = try integer(blocks.lowerBound, "the block")
        self["last"] = try integer(blocks.upperBound, "the block")
    }
}

/// A row with the columns that say of what it is, and what is kept of it.
struct Kept<Value: EncodableRecord & TableRecord>: PersistableRecord {
    static var databaseTableName: String { Value.databaseTableName }

    let value: Value
    /// Sets the columns that say of what it is.
    let place: (inout PersistenceContainer) throws -> Void

    init(_ value: Value, place: @escaping (inout PersistenceContainer) throws -> Void) {
        self.value = value
        self.place = place
    }

    init(_ value: Value, of place: some EncodableRecord) {
        self.init(value) { try place.encode(to: &$0) }
    }

    func encode(to row: inout PersistenceContainer) throws {
        try place(&row)
        try value.encode(to: &row)
    }
}

extension EncodableRecord where Self: TableRecord {
    /// Inserts the row, or gives the one with its primary key the new values.
    ///
    /// - Parameter expressions: what a column becomes in place of its new value, which is the one of
    ///   the row `excluded`.
    func merge(into database: Database, _ expressions: [String: String] = [:]) throws {
        let table = Self.databaseTableName
        let key = try database.primaryKey(table).columns
        let row = try databaseDictionary.sorted { $0.key < $1.key }
        let changes = row.map(\.key).filter { !key.contains($0) }.map { column in
            "\(column) = \(expressions[column] ?? "excluded.\(column)")"
        }
        let sql = """
            INSERT INTO \(table) (\(row.map(\.key).joined(separator: ", ")))
            VALUES (\(databaseQuestionMarks(count: row.count)))
            ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE
            SET \(changes.joined(separator: ", "))
            """
        try database.cachedStatement(sql: sql)
            .execute(arguments: StatementArguments(row.map(\.value)))
    }
}

extension TableRecord {
    /// The rows of a place.
    static func of(_ place: some EncodableRecord) throws -> QueryInterfaceRequest<Self> {
        let columns = try place.databaseDictionary.sorted { $0.key < $1.key }
        return filter(columns.map { Column($0.key) == $0.value }.joined(operator: .and))
    }
}

extension QueryInterfaceRequest {
    /// The rows of blocks, both ends included.
    func within(_ blocks: ClosedRange<UInt64>) -> Self {
        let numbers = Int64(clamping: blocks.lowerBound)...Int64(clamping: blocks.upperBound)
        return filter(numbers.contains(Column("block")))
    }
}
