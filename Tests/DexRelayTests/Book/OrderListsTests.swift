import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexRelay

/// Lists of orders by what requests name, against a book that is filtered and sorted each time, and
/// the work that they cost.
@Suite struct OrderListsTests {
    private static let start = RelayFixture.startTime

    private static func address(_ number: UInt64) -> Address {
        Address(truncating: UInt256(number).word)
    }

    /// Orders of three makers, with few values of some terms and many of others.
    private static func orders(_ count: Int, _ random: inout SeededGenerator) -> [PlainOrder] {
        (0..<count).map { number in
            let taker = random.next() % 6
            return PlainOrder(
                UInt64(number),
                maker: address(1 + random.next() % 3),
                direction: random.next() % 4 == 0 ? PlainOrder.bid : PlainOrder.ask,
                makerAmount: 1_000 + random.next() % 5,
                takerAmount: 1_000 + random.next() % 50,
                expiry: start + 1 + random.next() % 5_000,
                // Sometimes the maker itself.
                taker: taker > 3 ? .zero : address(taker),
                feeRecipient: address(random.next() % 40),
                salt: UInt256(random.next() % UInt64(count))
            )
        }
    }

    private static func value(_ term: OrderTerm, _ random: inout SeededGenerator) -> UInt256 {
        switch term {
        case .hash: UInt256(Keccak256.hash(UInt256(random.next() % 3_000).word.bytes))
        case .maker, .taker, .trader: UInt256(random.next() % 5)
        case .makerToken, .takerToken, .token:
            UInt256(
                [RelayFixture.zrx, RelayFixture.weth, RelayFixture.dai][
                    Int(random.next() % 3)
                ].word
            )
        case .feeRecipient: UInt256(random.next() % 41)
        case .exchange: UInt256(RelayFixture.exchange.word)
        case .makerAmount: UInt256(1_000 + random.next() % 6)
        case .takerAmount: UInt256(1_000 + random.next() % 51)
        case .remaining: UInt256(random.next() % 3)
        case .salt: UInt256(random.next() % 3_000)
        case .takerFee, .sender, .pool: 0
        }
    }

    @Test(
        "after any changes a list is the book, filtered and sorted",
        arguments: [1, 2, 3] as [UInt64]
    )
    func differential(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let entries = try Self.orders(3_000, &random).map { order in
            try #require(OrderEntry(order, ranking: .price))
        }
        let book = OrderBook(.v1)
        let lists = OrderLists(book: book)
        var model: [OrderHash: BookChange] = [:]
        var number: UInt64 = 0
        for round in 0..<30 {
            var changes: [BookChange] = []
            for _ in 0..<(round == 0 ? 3_000 : [3, 40, 400][round % 3]) {
                number += 1
                let entry = entries[Int(random.next() % 3_000)]
                let states: [ListingState] = [.shown, .shown, .shown, .dormant, .filled]
                let change = BookChange(
                    number,
                    entry,
                    states[Int(random.next() % 5)],
                    fillable: random.next() % 3,
                    since: Self.start,
                    previous: model[entry.hash]?.state
                )
                model[entry.hash] = change
                changes.append(change)
            }
            if round == 11 {
                book.reset(to: Array(model.values), sequences: [:])
            } else {
                book.apply(changes)
            }
            let shown = model.values.filter { $0.state == .shown }.map(\.listing)
            for _ in 0..<25 {
                var query = OrderListQuery()
                let terms = OrderTerm.allCases
                for _ in 0..<random.next() % 4 {
                    let term = terms[Int(random.next() % UInt64(terms.count))]
                    query[term] = Self.value(term, &random)
                }
                if random.next() % 3 == 0 {
                    query.set(.makerToken, RelayFixture.zrx)
                    query.set(.takerToken, RelayFixture.weth)
                }
                let visibility = SortedListings.Visibility(
                    horizon: Self.start + random.next() % 5_000,
                    onlyRead: random.next() % 2 == 0
                )
                let isByPrice = query.direction != nil && random.next() % 2 == 0
                let expected = shown.filter { visibility.allows($0) && query.matches($0) }
                    .sorted {
                        isByPrice ? $0.entry.precedes($1.entry) : $0.entry.hash < $1.entry.hash
                    }
                let first = Int(random.next() % 60)
                let page = await lists.page(query, by: isByPrice ? .book : .hash, visibility) {
                    min(first, $0)..<min($0, first + 50)
                }
                #expect(page.total == expected.count)
                #expect(
                    page.listings.map(\.entry.hash)
                        == expected.dropFirst(first).prefix(50).map(\.entry.hash),
                    "\(query)"
                )
                let expectedStandings = expected.dropFirst(first).prefix(50).map(\.standing)
                #expect(page.listings.map(\.standing) == expectedStandings)
                let all = await lists.all(query)
                #expect(
                    all.map(\.entry.hash)
                        == shown.filter(query.matches).map(\.entry.hash).sorted()
                )
            }
        }
    }

    /// How many orders a second request for each of several lists looks at.
    private func work(_ count: Int) async throws -> [Int] {
        var random = SeededGenerator(seed: 7)
        let book = OrderBook(.v1)
        var number: UInt64 = 0
        func add(_ orders: [PlainOrder]) throws {
            book.apply(
                try orders.map { order in
                    number += 1
                    return BookChange(number, try #require(OrderEntry(order, ranking: .price)))
                }
            )
        }
        let orders = Self.orders(count, &random)
        try add(Array(orders.dropLast(10)))
        let lists = OrderLists(book: book)
        let wanted: [[OrderTerm: UInt256]] = [
            [:], [.maker: 1], [.trader: 2], [.token: UInt256(RelayFixture.zrx.word)],
            [.makerToken: UInt256(RelayFixture.zrx.word), .maker: 2],
            [
                .makerToken: UInt256(RelayFixture.zrx.word),
                .takerToken: UInt256(RelayFixture.weth.word),
            ],
            [.feeRecipient: 5, .taker: 0], [.salt: 5], [.takerAmount: 1_005],
            [.exchange: UInt256(RelayFixture.exchange.word), .maker: 3, .remaining: 1],
        ]
        let visibility = SortedListings.Visibility(horizon: Self.start)
        func read(_ page: Int) async -> [Int] {
            var work: [Int] = []
            for values in wanted {
                var query = OrderListQuery()
                for (term, value) in values { query[term] = value }
                let before = await lists.visited
                _ = await lists.page(query, visibility) {
                    min(page * 20, $0)..<min($0, page * 20 + 20)
                }
                work.append(await lists.visited - before)
            }
            return work
        }
        _ = await read(0)
        // What came in between costs each list once.
        try add(Array(orders.suffix(10)))
        return await read(1)
    }

    @Test("a list that is known costs its page and what changed, however many orders there are")
    func independentOfTheBook() async throws {
        let small = try await work(2_000)
        let large = try await work(40_000)
        // 20 orders of the page, 10 changes for each list that is read for it, or the few orders
        // that a rare value has.
        for work in small + large { #expect(work <= OrderLists.maximumVisited + 60) }
        for (index, work) in large.enumerated() where index != 6 && index != 8 {
            #expect(work <= 80, "list \(index)")
        }
    }

    @Test("lists of ever new values do not pile up, and a value that nothing has costs nothing")
    func newValues() async throws {
        var random = SeededGenerator(seed: 9)
        let book = OrderBook(.v1)
        book.apply(
            try Self.orders(5_000, &random).enumerated().map { index, order in
                BookChange(UInt64(index) + 1, try #require(OrderEntry(order, ranking: .price)))
            }
        )
        let lists = OrderLists(book: book)
        func read(_ salt: UInt64) async -> Int {
            var query = OrderListQuery()
            query[.salt] = UInt256(salt)
            query.set(.makerToken, RelayFixture.zrx)
            let before = await lists.visited
            _ = await lists.page(query, SortedListings.Visibility(horizon: 0)) { 0..<$0 }
            return await lists.visited - before
        }
        // The first request makes the two lists.
        #expect(await read(1) >= 10_000)
        var maximum = 0
        for salt in 2..<2_000 { maximum = max(maximum, await read(UInt64(salt))) }
        #expect(maximum < 50)
        for salt in 10_000..<10_100 { #expect(await read(UInt64(salt)) == 0) }
    }
}
