import Ethereum
import GRDB
import Testing

@testable import DexStore

extension MigrationTests {
    @Test("a replacement that was interrupted is still known to end in an order")
    func replacements() throws {
        for version in Self.past.dropLast() {
            let test = try journal(of: version)
            let queue = try DatabaseQueue(path: test.path)
            try queue.write { database in
                for (id, command, closed) in [
                    (7, "replace", nil), (8, "replace", 9), (9, "cancel", nil),
                ] as [(Int, String, Int?)] {
                    try database.execute(
                        sql:
                            "INSERT INTO intents (id, chain_id, account, command, created, closed, "
                            + "exit) VALUES (?, 1, ?, ?, 5, ?, ?)",
                        arguments: [
                            id, TestJournal.alice.lowercaseHex, command, closed,
                            closed.map { _ in 0 },
                        ]
                    )
                }
            }
            try queue.close()
            let intents = try test.journal.unfinished(chainID: 1).intents
            #expect(intents.map(\.id) == [1, 7, 9])
            #expect(intents.map(\.placesOrder) == [false, true, false])
            let plans = try test.journal.read { database in
                try Int.fetchAll(database, sql: "SELECT intent FROM plans ORDER BY intent")
            }
            #expect(plans == [1, 7])
        }
    }
}
