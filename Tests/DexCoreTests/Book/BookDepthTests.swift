import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The depth of a book, against brute force")
struct BookDepthTests {
    /// An order of so many whole units at a price in thousandths.
    private struct Order {
        let units: Int
        let price: Int
    }

    private func depth(_ side: TradeSide, _ orders: [Order]) throws -> BookDepth {
        BookDepth(
            side: side,
            levels: try orders.map { order in
                BookDepth.Level(
                    price: try price(order.price),
                    base: UInt256(UInt64(order.units)),
                    offered: UInt256(UInt64(order.units))
                )
            }
        )
    }

    private func price(_ thousandths: Int) throws -> Price {
        try #require(Price(quote: UInt256(UInt64(thousandths)), base: 1_000))
    }

    private func average(_ orders: [Order]) throws -> Price {
        let quote = orders.reduce(0) { $0 + $1.units * $1.price }
        let base = orders.reduce(0) { $0 + $1.units } * 1_000
        return try #require(Price(quote: UInt256(UInt64(quote)), base: UInt256(UInt64(base))))
    }

    /// Best first.
    private func sorted(_ orders: [Order], _ side: TradeSide) -> [Order] {
        orders.sorted { side == .buy ? $0.price < $1.price : $0.price > $1.price }
    }

    /// The impact guard over single units, each with its price: no shares, no sums, no levels.
    private func isRefused(_ orders: [Order], _ side: TradeSide) -> Bool {
        let units = orders.flatMap { Array(repeating: $0.price, count: $0.units) }
        let total = units.reduce(0, +)
        let count = units.count
        func reference(perTenThousand share: Int) -> Int {
            let reached = units[count * share / 10_000]
            return units.first {
                side == .buy ? reached * 100 <= $0 * 101 : reached * 101 >= $0 * 100
            } ?? reached
        }
        let (market, trace) = (reference(perTenThousand: 500), reference(perTenThousand: 50))
        switch side {
        // The average is total / count.
        case .buy:
            let isFar = total > 5 * trace * count
            return total * 10 > (isFar ? trace : market) * 12 * count
        case .sell:
            let isFar = total * 5 < trace * count
            return total * 10 < (isFar ? trace : market) * 8 * count
        }
    }

    @Test(
        "over random books, steep or flat, the guard fires exactly where brute force says so",
        arguments: [TradeSide.buy, .sell]
    )
    func bruteForce(side: TradeSide) throws {
        var random = SystemRandom(seed: side == .buy ? 501 : 502)
        var outcomes = [0, 0]
        for _ in 0..<3_000 {
            let steepness = [1_050, 1_500, 4_000, 20_000][Int(random.next(in: 0...3))]
            let book = (0..<random.next(in: 1...9)).map { _ in
                Order(
                    units: Int(random.next(in: 1...[3, 40, 400][Int(random.next(in: 0...2))])),
                    price: Int(random.next(in: 1_000...UInt64(steepness)))
                )
            }
            let orders = sorted(book, side)
            let amount = UInt256(UInt64(orders.reduce(0) { $0 + $1.units }))
            let impact = try #require(
                try depth(side, orders).impact(of: average(orders), for: amount)
            )
            #expect((impact > 2_000) == isRefused(orders, side))
            outcomes[impact > 2_000 ? 1 : 0] += 1
        }
        // Neither answer is rare: the test would see a guard that always or never fires.
        #expect(outcomes.allSatisfy { $0 > 300 })
    }

    @Test(
        "crumbs planted in an honest book stop no trade and are no best price",
        arguments: [TradeSide.buy, .sell]
    )
    func planted(side: TradeSide) throws {
        var random = SystemRandom(seed: side == .buy ? 503 : 504)
        for _ in 0..<3_000 {
            let honest = (0..<random.next(in: 1...6)).map { _ in
                Order(
                    units: Int(random.next(in: 2_000...9_000)),
                    price: Int(random.next(in: 10_000...11_900))
                )
            }
            let wanted = honest.reduce(0) { $0 + $1.units }
            // Up to 4.5 % within four times the price, and up to 0.4 % at any.
            var dustOrders: [Order] = []
            var left = wanted * 45 / 1_000
            while left > 0, dustOrders.count < 12 {
                let units = Int(random.next(in: 1...UInt64(left)))
                left -= units
                let price =
                    side == .buy
                    ? random.next(in: 2_975...10_000) : random.next(in: 11_900...40_000)
                dustOrders.append(Order(units: units, price: Int(price)))
            }
            dustOrders.append(
                Order(units: max(wanted * 4 / 1_000, 1), price: side == .buy ? 1 : 90_000_000)
            )
            let orders = sorted(honest + dustOrders, side)
            let amount = UInt256(UInt64(orders.reduce(0) { $0 + $1.units }))
            let book = try depth(side, orders)
            let impact = try #require(try book.impact(of: average(orders), for: amount))
            #expect(impact <= 2_000)
        }
    }

    @Test("the best price of a side is beyond a hundredth of its depth")
    func best() throws {
        let crumb = Order(units: 10, price: 100)
        let deep = Order(units: 990, price: 400)
        #expect(try depth(.buy, [crumb, deep]).best == price(400))
        #expect(try depth(.buy, [Order(units: 11, price: 100), deep]).best == price(100))
        #expect(try depth(.sell, [deep, Order(units: 10, price: 1)]).best == price(400))
        #expect(try depth(.buy, [crumb]).best == price(100))
        #expect(try depth(.buy, []).best == nil)
        #expect(try depth(.buy, []).best(for: 5) == nil)
        #expect(try depth(.buy, []).impact(of: price(1), for: 5) == nil)
    }

    @Test("an order within a hundredth of the reference is the best price, small as it is")
    func tolerance() throws {
        let deep = Order(units: 1_000, price: 1_010)
        #expect(try depth(.buy, [Order(units: 1, price: 1_000), deep]).best == price(1_000))
        #expect(try depth(.buy, [Order(units: 1, price: 999), deep]).best == price(1_010))
    }

    @Test("an amount far beyond the book is measured by what the book has")
    func hugeAmount() throws {
        let book = try depth(
            .buy,
            [Order(units: 100, price: 1_000), Order(units: 100, price: 9_000)]
        )
        #expect(try book.best(for: .max) == price(1_000))
        #expect(try book.impact(of: price(9_000), for: .max) == 80_000)
        #expect(try book.impact(of: price(500), for: .max) == 0)
    }

    @Test("no amounts trap, however large")
    func extremes() throws {
        let extremes: [UInt256] = [0, 1, 1 << 128, .max - 1, .max]
        for quote in extremes {
            for base in extremes where base > 0 {
                for size in extremes {
                    let level = BookDepth.Level(
                        price: try #require(Price(quote: quote, base: base)),
                        base: size,
                        offered: size
                    )
                    for side in TradeSide.allCases {
                        let book = BookDepth(side: side, levels: [level, level])
                        #expect(book.best != nil)
                        #expect(book.impact(of: level.price, for: size) == 0)
                    }
                }
            }
        }
    }
}
