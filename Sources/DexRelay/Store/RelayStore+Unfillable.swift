package import Ethereum
import FoundationEssentials
import GRDB
package import ZeroEx

/// Why an order left the book.
package enum UnfillableState: String, Hashable, Sendable, CaseIterable {
    case expired, filled, cancelled, unfunded
}

/// Orders that left the book, kept for their makers; the oldest are deleted.
extension RelayStore {
    package struct UnfillableRecord: Hashable, Sendable {
        package let hash: OrderHash
        package let body: [UInt8]
        package let state: UnfillableState
    }

    /// The maximum kept for one maker.
    package static let mostUnfillableOfMaker = 1_000
    /// The maximum kept for all makers.
    package static let mostUnfillable = 100_000

    /// Moves orders out of the book's table, in one transaction.
    ///
    /// - Parameter since: seconds since 1970, at most 2^63 - 1.
    package func retire(_ orders: [OrderHash: UnfillableState], since: UInt64) async throws {
        try await database.write { database in
            let copy = try database.makeStatement(
                sql: """
                    INSERT OR REPLACE INTO unfillable (hash, protocol, maker, body, state, since)
                    SELECT hash, protocol, maker, body, ?, ? FROM orders WHERE hash = ?
                    """
            )
            let delete = try database.makeStatement(
                sql: "DELETE FROM orders WHERE hash = ? RETURNING protocol, maker"
            )
            var makers: Set<Maker> = []
            for (hash, state) in orders {
                let key = Data(hash.word.bytes)
                try copy.execute(arguments: [state.rawValue, Int64(clamping: since), key])
                if let row = try Row.fetchOne(delete, arguments: [key]) {
                    makers.insert(Maker(version: row[0], address: row[1]))
                }
            }
            for maker in makers {
                try database.execute(
                    sql: """
                        DELETE FROM unfillable WHERE hash IN (
                            SELECT hash FROM unfillable WHERE protocol = ? AND maker = ?
                            ORDER BY since DESC, hash LIMIT -1 OFFSET ?
                        )
                        """,
                    arguments: [maker.version, maker.address, Self.mostUnfillableOfMaker]
                )
            }
            try database.execute(
                sql: """
                    DELETE FROM unfillable WHERE hash IN (
                        SELECT hash FROM unfillable ORDER BY since DESC LIMIT -1 OFFSET ?
                    )
                    """,
                arguments: [Self.mostUnfillable]
            )
        }
    }

    private struct Maker: Hashable {
        let version: String
        let address: Data
    }

    /// The kept orders of a maker.
    package func unfillable(
        of maker: Address,
        _ version: ProtocolVersion
    ) async throws -> [UnfillableRecord] {
        try await database.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT hash, body, state FROM unfillable WHERE protocol = ? AND maker = ?",
                arguments: [version.rawValue, Data(maker.bytes)]
            )
            var records: [UnfillableRecord] = []
            while let row = try rows.next() {
                let hash: [UInt8] = try row.withUnsafeData(atIndex: 0) {
                    $0.map { Array($0) } ?? []
                }
                let body: [UInt8] = try row.withUnsafeData(atIndex: 1) {
                    $0.map { Array($0) } ?? []
                }
                guard let word = Bytes32(bytes: hash), let state = UnfillableState(rawValue: row[2])
                else { continue }
                records.append(UnfillableRecord(hash: OrderHash(word), body: body, state: state))
            }
            return records
        }
    }
}
