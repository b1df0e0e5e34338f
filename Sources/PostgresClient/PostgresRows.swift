import CPostgres

/// The rows of an answer in PostgreSQL's binary format.
package final class PostgresRows {
    private let result: OpaquePointer
    package let count: Int

    /// Takes over a result of libpq.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(dex_pq_rows(result))
    }

    deinit {
        dex_pq_clear(result)
    }

    /// nil: the value is null.
    package func bytesIfAny(_ row: Int, _ column: Int) throws(PostgresFailure) -> [UInt8]? {
        guard let buffer = try buffer(row, column) else { return nil }
        return Array(buffer)
    }

    package func bytes(_ row: Int, _ column: Int) throws(PostgresFailure) -> [UInt8] {
        guard let bytes = try bytesIfAny(row, column) else { throw .malformed }
        return bytes
    }

    /// nil: the value is null.
    package func textIfAny(_ row: Int, _ column: Int) throws(PostgresFailure) -> String? {
        guard let buffer = try buffer(row, column) else { return nil }
        return String(decoding: buffer, as: UTF8.self)
    }

    package func text(_ row: Int, _ column: Int) throws(PostgresFailure) -> String {
        guard let text = try textIfAny(row, column) else { throw .malformed }
        return text
    }

    /// A value of the types smallint, integer or bigint.
    package func integer(_ row: Int, _ column: Int) throws(PostgresFailure) -> Int64 {
        guard let buffer = try buffer(row, column) else { throw .malformed }
        guard [2, 4, 8].contains(buffer.count) else { throw .malformed }
        let bits = buffer.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        switch buffer.count {
        case 2: return Int64(Int16(truncatingIfNeeded: bits))
        case 4: return Int64(Int32(truncatingIfNeeded: bits))
        default: return Int64(truncatingIfNeeded: bits)
        }
    }

    package func boolean(_ row: Int, _ column: Int) throws(PostgresFailure) -> Bool {
        guard let buffer = try buffer(row, column) else { throw .malformed }
        guard buffer.count == 1 else { throw .malformed }
        return buffer[0] != 0
    }

    package func isNull(_ row: Int, _ column: Int) throws(PostgresFailure) -> Bool {
        try buffer(row, column) == nil
    }

    /// The value in libpq's memory, valid as long as this object; nil if it is null.
    private func buffer(
        _ row: Int,
        _ column: Int
    ) throws(PostgresFailure) -> UnsafeBufferPointer<UInt8>? {
        guard row >= 0, row < count, column >= 0, column < Int(dex_pq_columns(result)) else {
            throw .malformed
        }
        let (row, column) = (CInt(truncatingIfNeeded: row), CInt(truncatingIfNeeded: column))
        guard !dex_pq_is_null(result, row, column), let start = dex_pq_value(result, row, column)
        else { return nil }
        let raw = UnsafeRawBufferPointer(start: start, count: Int(dex_pq_length(result, row, column)))
        return raw.bindMemory(to: UInt8.self)
    }
}
