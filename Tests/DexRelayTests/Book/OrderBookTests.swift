import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

/// The book in memory against one that is computed from all changes by brute force.
@Suite struct OrderBookTests {
    private static let start = RelayFixture.startTime
    private static let market = MarketKey(version: .v1, pair: PlainOrder.ask)

    private func entry(_ order: PlainOrder) throws -> OrderEntry {
        try #require(OrderEntry(order, body: Array("{}".utf8)))
    }

    @Test(
        "after any changes the book is the one that brute force computes",
        arguments: [1, 2, 3] as [UInt64]
    )
    func differential(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let book = OrderBook(.v1)
        let makers = (1...3).map { Address(truncating: UInt256(UInt64($0)).word) }
        let entries = try (0..<1_500).map { number in
            try entry(
                PlainOrder(
                    UInt64(number),
                    maker: makers[number % 3],
                    direction: number % 4 == 0 ? PlainOrder.bid : PlainOrder.ask,
                    takerAmount: 1_000 + random.next() % 50,
                    expiry: Self.start + 1 + random.next() % 5_000
                )
            )
        }
        var model: [OrderHash: BookChange] = [:]
        var number: UInt64 = 0
        var held: (side: SortedListings, hashes: [OrderHash])?
        for round in 0..<40 {
            var changes: [BookChange] = []
            for _ in 0..<100 {
                number += 1
                let entry = entries[Int(random.next() % 1_500)]
                let old = model[entry.hash]
                // Mostly shown, so that sides become long and chunks are split and joined.
                let states = ListingState.allCases + [.shown, .shown, .shown, .shown]
                let state =
                    round < 25
                    ? states[Int(random.next() % UInt64(states.count))]
                    : [.shown, .filled, .dormant, .expired][Int(random.next() % 4)]
                let change = BookChange(
                    number,
                    entry,
                    state,
                    fillable: random.next() % 3,
                    since: Self.start,
                    previous: old?.state
                )
                model[entry.hash] = change
                changes.append(change)
            }
            if round % 10 == 7 {
                book.reset(to: Array(model.values), sequences: [:])
            } else {
                book.apply(changes)
            }
            try expect(book, model, number: number)
            // A list that was taken out earlier never changes.
            if let held { #expect(held.side.entries.map(\.hash) == held.hashes) }
            let side = book.read { $0.side(PlainOrder.ask) }
            held = (side, side.entries.map(\.hash))
        }
    }

    private func expect(
        _ book: OrderBook,
        _ model: [OrderHash: BookChange],
        number: UInt64
    ) throws {
        let open = model.values.filter { !$0.state.isGone }
        let shown = open.filter { $0.state == .shown }
        #expect(book.read { $0.count } == open.count)
        for maker in Set(model.values.map(\.entry.maker)) {
            #expect(
                book.read { $0.count(of: maker) } == open.count { $0.entry.maker == maker }
            )
        }
        let statistics = book.statistics
        #expect(statistics.number == number)
        for state in ListingState.allCases where !state.isGone {
            #expect(
                statistics.orders[Self.market]?[state] ?? 0 == open.count { $0.state == state }
            )
        }
        for change in model.values {
            let listing = book.read { $0.listing(change.entry.hash) }
            #expect(listing?.state == change.state)
            #expect(listing?.standing == change.standing)
        }
        let byHash = book.read { $0.shown }
        #expect(byHash.entries.map(\.hash) == shown.map(\.entry.hash).sorted())
        for direction in [PlainOrder.ask, PlainOrder.bid] {
            let expected = shown.filter { $0.entry.direction == direction }
                .sorted { $0.entry.precedes($1.entry) }
            let side = book.read { $0.side(direction) }
            #expect(side.count == expected.count)
            #expect(side.entries.map(\.hash) == expected.map(\.entry.hash))
            #expect(side.all.map(\.standing) == expected.map(\.standing))
            #expect(book.read { $0.best(direction) }?.hash == expected.first?.entry.hash)
            #expect(side.earliestExpiry == expected.map(\.entry.expiry).min() ?? .max)
            try expectPages(side, expected)
        }
    }

    /// Pages at several times are parts of the filtered side.
    private func expectPages(_ side: SortedListings, _ expected: [BookChange]) throws {
        for (age, onlyRead) in [
            (0, false), (0, true), (2_500, true), (4_999, false), (9_000, true),
        ] {
            let horizon = Self.start + UInt64(age)
            let visibility = SortedListings.Visibility(horizon: horizon, onlyRead: onlyRead)
            let visible = expected.filter {
                $0.entry.expiry > horizon && (!onlyRead || $0.standing != .unread)
            }
            for start in [0, 100, 333, 5_000] {
                let page = side.page(visibility) { min(start, $0)..<min($0, start + 100) }
                #expect(page.total == visible.count)
                #expect(page.validUntil == visible.map(\.entry.expiry).min() ?? .max)
                #expect(
                    page.listings.map(\.entry.hash)
                        == visible.dropFirst(start).prefix(100).map(\.entry.hash)
                )
            }
            // A range that is out of the list is cut, whoever computes it.
            let page = side.page(visibility) { _ in -5..<Int.max }
            #expect(page.listings.count == visible.count)
        }
    }

    @Test("each change of a side gives it a revision that it never had")
    func revisions() throws {
        let book = OrderBook(.v1)
        let ask = try entry(PlainOrder(1))
        let bid = try entry(PlainOrder(2, direction: PlainOrder.bid))
        func revision() -> UInt64 { book.read { $0.revision(of: PlainOrder.ask) } }
        var seen: [UInt64] = [revision()]
        for (state, previous) in [
            (.shown, nil), (.dormant, .shown), (.shown, .dormant), (.filled, .shown),
            (.shown, .filled),
        ] as [(ListingState, ListingState?)] {
            book.apply([BookChange(UInt64(seen.count), ask, state, previous: previous)])
            // An empty side is as it was when it was empty.
            if state == .shown { #expect(!seen.contains(revision())) }
            seen.append(revision())
        }
        let before = revision()
        book.apply([BookChange(9, bid)])
        #expect(revision() == before)
        book.apply([BookChange(10, ask, version: .v4)])
        #expect(revision() == before)
        book.apply([BookChange(11, ask, fillable: 7, previous: .shown)])
        #expect(!(seen + [before]).contains(revision()))
        let last = revision()
        book.reset(to: [BookChange(11, ask)], sequences: [:])
        #expect(revision() > last)
    }

    @Test("the worst order is the one farthest from its own pair's best, not the dearest of all")
    func worst() throws {
        let book = OrderBook(.v1)
        #expect(book.read { $0.worst(1) }.isEmpty)
        let asks = try [(1, 100), (2, 150), (3, 120)].map { number, taker in
            try entry(PlainOrder(number, makerAmount: 100, takerAmount: taker))
        }
        let bids = try [(4, 1_000_000), (5, 1_200_000)].map { number, taker in
            try entry(
                PlainOrder(
                    number,
                    direction: PlainOrder.bid,
                    makerAmount: 1,
                    takerAmount: taker
                )
            )
        }
        book.apply((asks + bids).enumerated().map { BookChange(UInt64($0 + 1), $1) })
        #expect(book.read { $0.worst(1) }.first?.hash == asks[1].hash)
        book.apply([BookChange(6, asks[1], .removed, previous: .shown)])
        // An order alone on its side is its best.
        book.apply([BookChange(7, asks[2], .removed, previous: .shown)])
        #expect(book.read { $0.worst(1) }.first?.hash == bids[1].hash)
    }

    @Test("an ended order is known as long as a reorganization could bring it back")
    func forgetting() throws {
        let book = OrderBook(.v1)
        let entries = try (0..<3_000).map { try entry(PlainOrder($0)) }
        var number: UInt64 = 0
        func apply(_ entry: OrderEntry, _ state: ListingState, at time: UInt64) {
            number += 1
            book.apply([BookChange(number, entry, state, since: Self.start + time)])
        }
        for entry in entries { apply(entry, .filled, at: 0) }
        #expect(book.read { $0.count } == 0)
        apply(entries[0], .shown, at: 5)
        apply(entries[1], .cancelled, at: 10)
        let late = try entry(PlainOrder(5_000))
        apply(late, .shown, at: OrderLedger.secondsKept)
        #expect(book.read { $0.listing(entries[2].hash)?.state } == .filled)
        apply(late, .dormant, at: OrderLedger.secondsKept + 1)
        #expect(book.read { $0.listing(entries[2].hash) } == nil)
        #expect(book.read { $0.listing(entries[0].hash)?.state } == .shown)
        #expect(book.read { $0.listing(entries[1].hash)?.state } == .cancelled)
        #expect(book.read { $0.count } == 2)
        apply(late, .shown, at: OrderLedger.secondsKept + 11)
        #expect(book.read { $0.listing(entries[1].hash) } == nil)
        #expect(book.read { $0.count } == 2)
        #expect(book.read { $0.newest } == number)
    }

    @Test("orders of another version are not the book's, but their numbers are passed")
    func otherVersion() throws {
        let book = OrderBook(.v4)
        book.apply([BookChange(5, try entry(PlainOrder(1)))])
        #expect(book.read { $0.count } == 0)
        #expect(book.statistics.number == 5)
        book.reset(to: [BookChange(6, try entry(PlainOrder(1)))], sequences: [:])
        #expect(book.read { $0.count } == 0)
    }
}

/// Random numbers that are the same in every run.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
