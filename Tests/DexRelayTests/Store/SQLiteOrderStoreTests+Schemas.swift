import Ethereum
import Foundation
import GRDB
import Testing
import ZeroEx

@testable import DexRelay

/// Files of older programs.
extension SQLiteOrderStoreTests {
    @Test("a store from before there were two versions keeps its orders")
    func firstSchema() async throws {
        try await withFile { path in
            try oldFile(path, upTo: "orders") { database in
                let body = Self.oldBody("makerTokenAddress", "takerTokenAddress")
                let row = "INSERT INTO orders (sequence, hash, maker, body, received_at) VALUES"
                for number in [7, 9] as [UInt64] {
                    try database.execute(
                        sql: "\(row) (?, ?, ?, ?, 3)",
                        arguments: [
                            Int64(number), Data(UInt256(number).word.bytes),
                            Data(Self.maker.bytes), number == 7 ? body : "{}",
                        ]
                    )
                }
            }
            let store = try SQLiteOrderStore(path: path)
            var orders: [ListedOrder] = []
            let head = try await store.load(goneSince: 0) { orders.append($0) }
            // One without tokens was never shown.
            #expect(orders.map(\.hash) == [OrderHash(UInt256(7).word)])
            #expect(orders.first?.version == .v1)
            #expect(orders.first?.direction == Self.direction)
            #expect(orders.first?.state == .shown)
            #expect(orders.first?.standing == .unread)
            #expect(orders.first?.receivedAt == 3)
            #expect(head.number == 1)
            #expect(try await store.changes(after: 0, limit: 10) == nil)
            #expect(try await store.commit(added([order(4)]), now: 5).map(\.number) == [2])
            try await store.close()
        }
    }

    @Test("a store of two versions keeps its orders; unfunded ones are dormant, others have ended")
    func secondSchema() async throws {
        try await withFile { path in
            try oldFile(path, upTo: "protocols") { database in
                let body = Self.oldBody("makerToken", "takerToken")
                try database.execute(
                    sql: """
                        INSERT INTO orders (hash, protocol, maker, body, received_at)
                        VALUES (?, 'v4', ?, ?, 3)
                        """,
                    arguments: [Data(UInt256(1).word.bytes), Data(Self.maker.bytes), body]
                )
                let states = ["expired", "filled", "cancelled", "unfunded"]
                for (index, state) in states.enumerated() {
                    try database.execute(
                        sql: "INSERT INTO unfillable VALUES (?, 'v4', ?, ?, ?, ?)",
                        arguments: [
                            Data(UInt256(UInt64(index + 2)).word.bytes), Data(Self.maker.bytes),
                            body, state, index + 2,
                        ]
                    )
                }
            }
            let store = try SQLiteOrderStore(path: path)
            var states: [ListingState] = []
            let head = try await store.load(goneSince: 0) { states.append($0.state) }
            #expect(states == [.shown, .expired, .filled, .cancelled, .dormant])
            #expect(head.number == 5)
            let unshown = try await store.unshown(of: Self.maker, .v4)
            #expect(unshown.map(\.state) == [.dormant, .cancelled, .filled, .expired])
            #expect(try await store.unshown(of: Self.maker, .v1).isEmpty)
            try await store.close()
        }
    }

    @Test("a file from before ends told of hidden orders learns it from its last changes")
    func thirdSchema() async throws {
        try await withFile { path in
            try oldFile(path, upTo: "changes") { database in
                let body = Self.oldBody("makerToken", "takerToken")
                for (number, previous) in [(1, "hidden"), (2, "shown")] as [(Int64, String)] {
                    try database.execute(
                        sql: """
                            INSERT INTO orders VALUES (
                                ?, ?, 'v4', ?, ?, ?, ?, 3, 'filled', zeroblob(32), 0, 4, ?
                            )
                            """,
                        arguments: [
                            number, Data(UInt256(UInt64(number)).word.bytes),
                            Data(Self.maker.bytes), Data(Self.direction.makerToken.bytes),
                            Data(Self.direction.takerToken.bytes), body, number,
                        ]
                    )
                    try database.execute(
                        sql: """
                            INSERT INTO changes VALUES (
                                ?, ?, ?, 'filled', zeroblob(32), 0, 4, ?, 4
                            )
                            """,
                        arguments: [number, number, number, previous]
                    )
                }
                try database.execute(sql: "UPDATE head SET number = 2")
            }
            let store = try SQLiteOrderStore(path: path)
            var hidden: [Bool] = []
            _ = try await store.load(goneSince: 0) { hidden.append($0.wasHidden) }
            #expect(hidden == [true, false])
            try await store.close()
        }
    }

    @Test("a file with a row for each change keeps its orders, and their numbers go on")
    func fourthSchema() async throws {
        try await withFile { path in
            let body = Self.oldBody("makerToken", "takerToken")
            try oldFile(path, upTo: "hidden before the end") { database in
                for (number, state) in [(1, "shown"), (2, "filled")] as [(Int64, String)] {
                    try database.execute(
                        sql: """
                            INSERT INTO orders VALUES (
                                ?, ?, 'v4', ?, ?, ?, ?, 1, ?, zeroblob(32), 0, 4, ?, 0
                            )
                            """,
                        arguments: [
                            number, Data(UInt256(UInt64(number)).word.bytes),
                            Data(Self.maker.bytes), Data(Self.direction.makerToken.bytes),
                            Data(Self.direction.takerToken.bytes), body, state,
                            number == 1 ? 1 : 3,
                        ]
                    )
                }
                for (number, order, state, previous) in [
                    (1, 1, "shown", nil), (2, 2, "shown", nil), (3, 2, "filled", "shown"),
                ] as [(Int64, Int64, String, String?)] {
                    try database.execute(
                        sql: """
                            INSERT INTO changes VALUES (?, ?, ?, ?, zeroblob(32), 0, 4, ?, 4, 0)
                            """,
                        arguments: [number, order, number, state, previous]
                    )
                }
                try database.execute(sql: "UPDATE head SET number = 3")
                try database.execute(
                    sql: "INSERT INTO sequences VALUES ('v4', ?, ?, 3)",
                    arguments: [
                        Data(Self.direction.unordered.makerToken.bytes),
                        Data(Self.direction.unordered.takerToken.bytes),
                    ]
                )
            }
            let store = try SQLiteOrderStore(path: path)
            let posts = added([order(1), order(2, body: body), order(3)])
            var new = try await store.commit(posts, now: 5)
            #expect(new.map(\.number) == [4, 5])
            #expect(new.map(\.previous) == [.filled, nil])
            var batch = OrderBatch()
            batch.updated = [.init(hash: order(1).hash, state: .dormant, standing: .unread)]
            new += try await store.commit(batch, now: 6)
            #expect(new.map(\.pairSequence) == [4, 5, 6])
            #expect(try await store.changes(after: 3, limit: 10) == new)
            #expect(try await store.unshown(of: Self.maker, .v4).map(\.hash) == [order(1).hash])
            try await store.close()
        }
    }

    @Test("a file with a table of changes keeps its orders; the table goes, the numbers go on")
    func fifthSchema() async throws {
        try await withFile { path in
            let body = Self.oldBody("makerToken", "takerToken")
            try oldFile(path, upTo: "quick posts") { database in
                let rows: [(Int64, String, Int64, Int64?)] = [
                    (1, "dormant", 4, nil), (2, "shown", 2, 2), (3, "filled", 5, nil),
                ]
                for (id, state, change, sequence) in rows {
                    try database.execute(
                        sql: """
                            INSERT INTO orders VALUES (
                                ?, ?, 'v4', ?, ?, ?, ?, 1, ?, ?, 1, 4, ?, ?, ?, ?
                            )
                            """,
                        arguments: [
                            id, Data(UInt256(UInt64(id)).word.bytes), Data(Self.maker.bytes),
                            Data(Self.direction.makerToken.bytes),
                            Data(Self.direction.takerToken.bytes), body, state,
                            Data(UInt256(UInt64(70 + id)).bigEndianBytes), change, id == 3,
                            sequence, sequence.map { _ in 4 },
                        ]
                    )
                }
                for (number, order) in [(1, 1), (3, 3), (4, 1), (5, 3)] as [(Int64, Int64)] {
                    try database.execute(
                        sql: """
                            INSERT INTO changes VALUES (
                                ?, ?, ?, 'shown', zeroblob(32), 0, 4, NULL, 4, 0
                            )
                            """,
                        arguments: [number, order, number]
                    )
                }
                try database.execute(sql: "UPDATE head SET number = 5")
                try database.execute(
                    sql: "INSERT INTO sequences VALUES ('v4', ?, ?, 5)",
                    arguments: [
                        Data(Self.direction.unordered.makerToken.bytes),
                        Data(Self.direction.unordered.takerToken.bytes),
                    ]
                )
                try database.execute(
                    sql: "INSERT INTO position VALUES (0, 7, ?, 70, ?)",
                    arguments: [
                        Data(UInt256(7).word.bytes), Data(UInt256(3).word.bytes),
                    ]
                )
            }
            for opening in 0..<2 {
                let store = try SQLiteOrderStore(path: path)
                let tables = try await store.write { database in
                    try String.fetchSet(
                        database,
                        sql: "SELECT name FROM sqlite_schema WHERE type IN ('table', 'index')"
                    )
                }
                #expect(!tables.contains("changes"))
                #expect(tables.isSuperset(of: ["orders_of_maker", "orders_ended", "position"]))
                let (orders, head) = try await store.loaded()
                #expect(Array(orders.map(\.hash).prefix(3)) == [2, 1, 3].map { order($0).hash })
                #expect(orders.map(\.state).prefix(3) == [.shown, .dormant, .filled])
                #expect(orders.map(\.wasHidden).prefix(3) == [false, false, true])
                #expect(
                    orders.prefix(3).map(\.standing.fillable) == [72, 71, 73].map { UInt256($0) }
                )
                #expect(orders.allSatisfy { $0.body == Array(body.utf8) && $0.receivedAt == 1 })
                #expect(head.position?.touched == [order(3).hash])
                #expect(try await store.watched().ended.map(\.hash) == [order(3).hash])
                let new = added([order(UInt64(9 + opening), body: body)])
                let change = try await store.commit(new, now: 9)
                #expect(change.map(\.number) == [UInt64(6 + opening)])
                #expect(change.map(\.pairSequence) == [UInt64(6 + opening)])
                try await store.close()
            }
        }
    }

    private static func oldBody(_ makerToken: String, _ takerToken: String) -> String {
        #"{"\#(makerToken)":"\#(direction.makerToken.lowercaseHex)","#
            + #""\#(takerToken)":"\#(direction.takerToken.lowercaseHex)"}"#
    }

    /// A file as an older program left it.
    private func oldFile(
        _ path: String,
        upTo migration: String,
        _ fill: (Database) throws -> Void
    ) throws {
        let queue = try DatabaseQueue(path: path)
        try SQLiteOrderSchema.migrator.migrate(queue, upTo: migration)
        try queue.write(fill)
        try queue.close()
    }
}
