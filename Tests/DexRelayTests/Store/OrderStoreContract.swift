import DexTestSupport
import Ethereum
import Foundation
import PostgresTestSupport
import Testing
import ZeroEx

@testable import DexRelay

/// A kind of store that a relay can have.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, sqlite, postgres

    /// What was committed before it was opened can be read change by change.
    ///
    /// The others are of one process, and keep what that process may have missed.
    var keepsChanges: Bool { self == .postgres }

    /// An empty database, which any number of stores may open one after another.
    func place() async throws -> StorePlace {
        switch self {
        case .memory:
            let store = MemoryOrderStore()
            return StorePlace { () async throws -> any OrderStore in
                store.reopen()
                return store
            }
        case .sqlite:
            let file = FileManager.default.temporaryDirectory
                .appending(path: "orders-\(UUID().uuidString).sqlite")
            return StorePlace { () async throws -> any OrderStore in
                try SQLiteOrderStore(path: file.path)
            }
        case .postgres:
            let database = try await PostgresServer.shared.makeDatabase()
            return StorePlace { () async throws -> any OrderStore in try await database.open() }
        }
    }
}

struct StorePlace: Sendable {
    let open: @Sendable () async throws -> any OrderStore
}

/// What every store of orders does.
@Suite struct OrderStoreContract {
    private func withStore(
        _ kind: StoreKind,
        _ body: (any OrderStore) async throws -> Void
    ) async throws {
        let store = try await kind.place().open()
        try await body(store)
        try await store.close()
    }

    @Test(
        "changes are numbered from 1 without gaps, and for each pair too",
        arguments: StoreKind.allCases
    )
    func numbering(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let other = PairDirection(makerToken: SampleOrders.dai, takerToken: SampleOrders.weth)
            let reverse = PairDirection(makerToken: SampleOrders.weth, takerToken: SampleOrders.zrx)
            let first = try await store.commit(
                SampleOrders.adding(
                    SampleOrders.order(1),
                    SampleOrders.order(2, direction: other),
                    SampleOrders.order(3, direction: reverse)
                ),
                now: 1_000
            )
            #expect(first.map(\.number) == [1, 2, 3])
            #expect(first.map(\.pairSequence) == [1, 1, 2])
            #expect(first.map(\.order.change) == [1, 2, 3])
            #expect(first.map(\.previous) == [nil, nil, nil])
            let second = try await store.commit(
                SampleOrders.adding(SampleOrders.order(4), SampleOrders.order(5, version: .v1)),
                now: 1_001
            )
            #expect(second.map(\.number) == [4, 5])
            #expect(second.map(\.pairSequence) == [3, 1])
            let head = try await store.loaded().head
            #expect(head.number == 5)
            let pair = PairDirection(makerToken: SampleOrders.zrx, takerToken: SampleOrders.weth)
            #expect(
                head.sequences == [
                    MarketKey(version: .v4, pair: pair): 3,
                    MarketKey(version: .v4, pair: other): 1,
                    MarketKey(version: .v1, pair: pair): 1,
                ]
            )
            #expect(head.position == nil)
        }
    }

    @Test(
        "what a commit returns is what is read later, byte for byte",
        arguments: StoreKind.allCases
    )
    func roundTrip(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let order = SampleOrders.order(
                7,
                version: .v1,
                state: .hidden,
                body: "{\"a\": \"\\u0000\u{1F600} '; DROP TABLE orders; --\\\\\"}",
                since: 1_234
            )
            let changes = try await store.commit(SampleOrders.adding(order), now: 9_999)
            var expected = order
            expected.change = 1
            #expect(changes.map(\.order) == [expected])
            #expect(try await store.changes(after: 0, limit: 10) == changes)
            #expect(try await store.loaded().orders == [expected])
            #expect(try await store.unshown(of: order.maker, .v1) == [expected])
        }
    }

    @Test(
        "a known order is added without a change, a gone one is replaced",
        arguments: StoreKind.allCases
    )
    func addingAgain(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            _ = try await store.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
            let again = SampleOrders.adding(
                SampleOrders.order(1, body: "{}", since: 1_010),
                SampleOrders.order(2),
                SampleOrders.order(2, body: "{}")
            )
            let changes = try await store.commit(again, now: 1_010)
            #expect(changes.map(\.order.hash) == [SampleOrders.hash(2)])
            #expect(changes.map(\.number) == [2])
            for state in [ListingState.filled, .cancelled, .expired, .removed] {
                let end = try await store.commit(SampleOrders.updating(1, to: state), now: 1_020)
                #expect(end.map(\.previous) == [.shown])
                let back = SampleOrders.order(1, body: "{\"n\":\"\(state)\"}", since: 1_030)
                let change = try await store.commit(SampleOrders.adding(back), now: 1_030)
                #expect(change.map(\.previous) == [state])
                let stored = try await store.loaded().orders.first { $0.hash == back.hash }
                #expect(stored?.body == back.body)
                #expect(stored?.since == 1_030)
                #expect(stored?.state == .shown)
            }
            for state in [ListingState.dormant, .hidden] {
                _ = try await store.commit(SampleOrders.updating(1, to: state), now: 1_040)
                let again = SampleOrders.adding(SampleOrders.order(1))
                #expect(try await store.commit(again, now: 1_050).isEmpty)
            }
        }
    }

    @Test(
        "an update makes a change only if it changes something and what it expects holds",
        arguments: StoreKind.allCases
    )
    func updating(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            _ = try await store.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
            #expect(try await store.commit(SampleOrders.updating(99, to: .filled), now: 1).isEmpty)
            let wrong = SampleOrders.updating(1, to: .filled, expected: .dormant)
            #expect(try await store.commit(wrong, now: 2_000).isEmpty)
            // The standing alone: the state is as old as before.
            let less = SampleOrders.updating(1, to: .shown, fillable: 5, expected: .shown)
            let standing = try await store.commit(less, now: 2_000)
            #expect(standing.map(\.order.standing) == [SampleOrders.standing(5)])
            #expect(standing.map(\.order.since) == [1_000])
            #expect(try await store.commit(less, now: 2_010).isEmpty)
            let dormant = SampleOrders.updating(1, to: .dormant, fillable: 5)
            let change = try await store.commit(dormant, now: 2_020)
            #expect(change.map(\.order.since) == [2_020])
            #expect(change.map(\.previous) == [.shown])
            #expect(change.map(\.number) == [3])
        }
    }

    @Test(
        "a batch adds first and then updates in its order, also the same order",
        arguments: StoreKind.allCases
    )
    func severalOfOneOrder(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            var batch = SampleOrders.adding(SampleOrders.order(1), SampleOrders.order(2))
            for state in [ListingState.dormant, .shown, .filled] {
                batch.updated += SampleOrders.updating(1, to: state).updated
            }
            let changes = try await store.commit(batch, now: 3_000)
            #expect(changes.map(\.order.state) == [.shown, .shown, .dormant, .shown, .filled])
            #expect(changes.map(\.previous) == [nil, nil, .shown, .dormant, .shown])
            #expect(changes.map(\.pairSequence) == [1, 2, 3, 4, 5])
            #expect(try await store.changes(after: 0, limit: 100) == changes)
            let orders = try await store.loaded().orders
            #expect(orders.map(\.hash) == [SampleOrders.hash(2), SampleOrders.hash(1)])
            #expect(orders.map(\.change) == [2, 5])
            #expect(orders.map(\.state) == [.shown, .filled])
        }
    }

    @Test("changes are read from a number on, at most so many", arguments: StoreKind.allCases)
    func reading(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            #expect(try await store.changes(after: 0, limit: 10)?.isEmpty == true)
            let batch = SampleOrders.adding((1...25).map { SampleOrders.order($0) })
            let all = try await store.commit(batch, now: 1_000)
            var read: [OrderChange] = []
            while true {
                let after = read.last?.number ?? 0
                let part = try #require(try await store.changes(after: after, limit: 10))
                #expect(part.count <= 10)
                guard !part.isEmpty else { break }
                read += part
            }
            #expect(read == all)
        }
    }

    @Test("orders that ended long ago are not loaded", arguments: StoreKind.allCases)
    func loading(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let orders = (1...4).map { SampleOrders.order($0) }
            _ = try await store.commit(SampleOrders.adding(orders), now: 1_000)
            _ = try await store.commit(SampleOrders.updating(1, to: .filled), now: 2_000)
            _ = try await store.commit(SampleOrders.updating(2, to: .cancelled), now: 3_000)
            _ = try await store.commit(SampleOrders.updating(3, to: .dormant), now: 1_500)
            let loaded = try await store.loaded(goneSince: 2_500).orders
            #expect(loaded.map(\.hash) == [4, 2, 3].map(SampleOrders.hash))
            #expect(try await store.loaded(goneSince: 2_000).orders.count == 4)
        }
    }

    @Test(
        "orders that the position names are loaded and kept, however long ago they ended",
        arguments: StoreKind.allCases
    )
    func touched(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            _ = try await store.commit(
                SampleOrders.adding((1...5).map { SampleOrders.order($0) }),
                now: 1_000
            )
            var batch = OrderBatch()
            for number in 1...4 as ClosedRange<UInt64> {
                batch.updated += SampleOrders.updating(number, to: .filled).updated
            }
            batch.position = WatchPosition(
                steps: [[3, 1], [], [99, 3, 5]].enumerated().map { ordinal, touched in
                    WatchPosition.Step(
                        number: 7 + UInt64(ordinal),
                        hash: BlockHash(UInt256(UInt64(ordinal)).word),
                        time: 2_000,
                        touched: touched.map(SampleOrders.hash)
                    )
                }
            )
            _ = try await store.commit(batch, now: 2_000)
            let late = try await store.loaded(goneSince: 9_000).orders
            #expect(late.map(\.hash) == [5, 1, 3].map(SampleOrders.hash))
            let watched = try await store.watched()
            #expect(watched.position == batch.position)
            #expect(Set(watched.ended) == Set(late.dropFirst()))
            #expect(try await store.loaded(goneSince: 2_000).orders.count == 5)
            try await store.prune(before: 9_000)
            let left = try await store.loaded().orders
            #expect(left.map(\.hash) == [5, 1, 3].map(SampleOrders.hash))
            var moved = OrderBatch()
            moved.position = WatchPosition(steps: [
                WatchPosition.Step(
                    number: 80,
                    hash: BlockHash(UInt256(80).word),
                    time: 3_000,
                    touched: []
                )
            ])
            _ = try await store.commit(moved, now: 3_000)
            try await store.prune(before: 9_000)
            #expect(try await store.loaded().orders.map(\.hash) == [SampleOrders.hash(5)])
        }
    }

    @Test(
        "an order that ended says whether it was hidden, until it is back",
        arguments: StoreKind.allCases
    )
    func wasHidden(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            _ = try await store.commit(
                SampleOrders.adding(
                    SampleOrders.order(1, state: .hidden),
                    SampleOrders.order(2)
                ),
                now: 1_000
            )
            let path: [(ListingState, Bool)] = [
                (.cancelled, true), (.filled, true), (.hidden, false), (.expired, true),
                (.shown, false), (.filled, false),
            ]
            var all = try await #require(store.changes(after: 0, limit: 10))
            for (time, (state, wasHidden)) in path.enumerated() {
                let update = SampleOrders.updating(1, to: state, fillable: UInt64(time))
                let changes = try await store.commit(update, now: 2_000 + UInt64(time))
                #expect(changes.map(\.order.wasHidden) == [wasHidden], "\(state)")
                let stored = try await store.loaded().orders.first {
                    $0.hash == SampleOrders.hash(1)
                }
                #expect(stored?.wasHidden == wasHidden)
                all += changes
            }
            // Each change says what was so then.
            #expect(try await store.changes(after: 0, limit: 100) == all)
            _ = try await store.commit(SampleOrders.updating(2, to: .hidden), now: 3_000)
            _ = try await store.commit(SampleOrders.updating(2, to: .filled), now: 3_001)
            let again = SampleOrders.adding(SampleOrders.order(2))
            #expect(try await store.commit(again, now: 3_002).map(\.order.wasHidden) == [false])
        }
    }

    @Test("a maker's orders that are not shown come latest first", arguments: StoreKind.allCases)
    func unshown(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let stranger = SampleOrders.order(9, maker: SampleOrders.address(0x12), state: .dormant)
            let orders =
                (1...4).map { SampleOrders.order($0) }
                + [stranger, SampleOrders.order(8, version: .v1, state: .dormant)]
            _ = try await store.commit(SampleOrders.adding(orders), now: 1_000)
            for (number, state) in [(2, ListingState.filled), (1, .hidden), (3, .dormant)] {
                let update = SampleOrders.updating(UInt64(number), to: state)
                _ = try await store.commit(update, now: 2_000 + UInt64(number))
            }
            let found = try await store.unshown(of: SampleOrders.maker, .v4)
            #expect(found.map(\.hash) == [3, 2, 1].map(SampleOrders.hash))
            #expect(found.map(\.state) == [.dormant, .filled, .hidden])
        }
    }

    @Test("pruned changes are told apart from none", arguments: StoreKind.allCases)
    func pruning(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let orders = (1...3).map { SampleOrders.order($0) }
            _ = try await store.commit(SampleOrders.adding(orders), now: 1_000)
            _ = try await store.commit(SampleOrders.updating(1, to: .filled), now: 2_000)
            let last = try await store.commit(SampleOrders.updating(2, to: .expired), now: 3_000)
            try await store.prune(before: 500)
            #expect(try await store.changes(after: 0, limit: 100)?.count == 5)
            try await store.prune(before: 2_500)
            #expect(try await store.changes(after: 0, limit: 100) == nil)
            #expect(try await store.changes(after: 4, limit: 100) == last)
            let left = try await store.loaded()
            #expect(left.orders.map(\.hash) == [3, 2].map(SampleOrders.hash))
            #expect(left.head.number == 5)
            // Numbers and sequences go on.
            let next = try await store.commit(
                SampleOrders.adding(SampleOrders.order(1)),
                now: 4_000
            )
            #expect(next.map(\.number) == [6])
            #expect(next.map(\.pairSequence) == [6])
            #expect(next.map(\.previous) == [nil])
        }
    }

    @Test(
        "the watcher's position is written with a batch or alone, and replaced whole",
        arguments: StoreKind.allCases
    )
    func position(_ kind: StoreKind) async throws {
        func position(_ numbers: ClosedRange<UInt64>, _ salt: UInt64) -> WatchPosition {
            WatchPosition(
                steps: numbers.map { number in
                    WatchPosition.Step(
                        number: number,
                        hash: BlockHash(UInt256(w0: number, w1: salt, w2: 0, w3: 1).word),
                        time: 1_700_000_000 + number,
                        touched: (0..<(number % 3)).map { SampleOrders.hash($0) }
                    )
                }
            )
        }
        try await withStore(kind) { store in
            var batch = SampleOrders.adding(SampleOrders.order(1))
            batch.position = position(100...164, 1)
            #expect(try await store.commit(batch, now: 1).count == 1)
            #expect(try await store.loaded().head.position == batch.position)
            // A reorganization: fewer blocks, other hashes.
            batch = OrderBatch()
            batch.position = position(150...160, 2)
            #expect(try await store.commit(batch, now: 2).isEmpty)
            #expect(try await store.loaded().head.position == batch.position)
            _ = try await store.commit(SampleOrders.adding(SampleOrders.order(2)), now: 3)
            #expect(try await store.loaded().head.position == batch.position)
        }
    }

    @Test(
        "what a watcher decided under an earlier lease is not written",
        arguments: StoreKind.allCases
    )
    func fencing(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            _ = try await store.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
            let first = try #require(try await store.takeWatch())
            var late = SampleOrders.updating(1, to: .filled)
            late.epoch = first.epoch
            late.position = Self.position(7)
            #expect(try await store.commit(late, now: 2_000).count == 1)
            await first.release()
            let second = try #require(try await store.takeWatch())
            #expect(second.epoch > first.epoch)
            var next = SampleOrders.updating(1, to: .shown)
            next.epoch = second.epoch
            next.position = Self.position(8)
            _ = try await store.commit(next, now: 2_001)
            let before = try await store.loaded()
            await #expect(throws: OrderStoreError.superseded) {
                try await store.commit(late, now: 3_000)
            }
            late.updated = []
            await #expect(throws: OrderStoreError.superseded) {
                try await store.commit(late, now: 3_000)
            }
            let after = try await store.loaded()
            #expect(after.orders == before.orders)
            #expect(after.head.number == before.head.number)
            #expect(after.head.position == next.position)
            // Posts have no lease.
            let post = SampleOrders.adding(SampleOrders.order(2))
            #expect(try await store.commit(post, now: 3_001).map(\.number) == [4])
            await second.release()
        }
    }

    private static func position(_ number: UInt64) -> WatchPosition {
        let hash = BlockHash(UInt256(number).word)
        return WatchPosition(steps: [.init(number: number, hash: hash, time: 2_000, touched: [])])
    }

    @Test(
        "what was committed is there after the store was closed and opened",
        arguments: StoreKind.allCases
    )
    func reopening(_ kind: StoreKind) async throws {
        let place = try await kind.place()
        let first = try await place.open()
        let changes = try await first.commit(
            SampleOrders.adding((1...600).map { SampleOrders.order($0) }),
            now: 1_000
        )
        #expect(changes.count == 600)
        try await first.close()
        let second = try await place.open()
        #expect(try await second.loaded().orders == changes.map(\.order))
        let read = try await second.changes(after: 0, limit: 1_000)
        #expect(read == (kind.keepsChanges ? changes : nil))
        #expect(try await second.changes(after: 600, limit: 1_000) == [])
        let next = try await second.commit(SampleOrders.adding(SampleOrders.order(601)), now: 1_001)
        #expect(next.map(\.number) == [601])
        #expect(next.map(\.pairSequence) == [601])
        #expect(try await second.changes(after: 600, limit: 1_000) == next)
        // What no store has written yet was read from another one: everything is read again.
        #expect(try await second.changes(after: 602, limit: 1_000) == nil)
        try await second.close()
    }

    @Test("a closed store does nothing, and its wake-ups end", arguments: StoreKind.allCases)
    func closing(_ kind: StoreKind) async throws {
        let store = try await kind.place().open()
        let wakeUps = store.wakeUps()
        try await store.close()
        try await ended("the end of the wake-ups") { for await _ in wakeUps {} }
        await #expect(throws: OrderStoreError.self) {
            try await store.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1)
        }
        await #expect(throws: OrderStoreError.self) { try await store.changes(after: 0, limit: 1) }
    }

    @Test(
        "many commits of one store at once are all done, each once",
        arguments: StoreKind.allCases
    )
    func concurrentCommits(_ kind: StoreKind) async throws {
        try await withStore(kind) { store in
            let numbers = try await withThrowingTaskGroup(of: [UInt64].self) { group in
                for task in 0..<20 as Range<UInt64> {
                    group.addTask {
                        var numbers: [UInt64] = []
                        for step in 0..<5 as Range<UInt64> {
                            // Each order is posted by two tasks.
                            let order = SampleOrders.order((task / 2) * 5 + step)
                            let batch = SampleOrders.adding(order)
                            numbers += try await store.commit(batch, now: 1_000).map(\.number)
                        }
                        return numbers
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(numbers.sorted() == Array(1...50))
            #expect(try await store.changes(after: 0, limit: 100)?.map(\.number) == Array(1...50))
        }
    }
}
