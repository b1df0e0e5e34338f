import DexTestSupport
import Ethereum
import Foundation
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Profit by average cost and by FIFO")
struct ProfitBookTests {
    private static func units(_ text: String) -> UInt256 { TestMarket.units(text) }

    private static func signed(_ text: String) -> SignedAmount {
        let digits = text.drop { $0 == "-" }
        return SignedAmount(magnitude: units(String(digits)), isNegative: text.hasPrefix("-"))
    }

    /// The rows of the worked example in docs/history.md, without the marks of the table.
    private static func example() throws -> [[String]] {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "docs/history.md"),
            encoding: .utf8
        )
        return page.split(separator: "\n").filter { $0.firstMatch(of: /^\| \d \|/) != nil }.map {
            $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("the worked example of docs/history.md is what the book tells, figure by figure")
    func workedExample() throws {
        let rows = try Self.example()
        #expect(rows.count == 4)
        var book = ProfitBook()
        var total = SignedAmount.zero
        for row in rows {
            let words = row[1].split(separator: " ").map(String.init)
            let (base, quote) = (Self.units(words[1]), Self.units(words[4]))
            if words[0] == "buy" {
                book.buy(base, cost: quote)
                #expect(row[4].isEmpty && row[6].isEmpty)
            } else {
                let profit = book.sell(base, proceeds: quote)
                #expect(profit.average == Self.signed(row[4]), "\(row)")
                #expect(profit.fifo == Self.signed(row[6]), "\(row)")
                total = total + profit.average
            }
            #expect(book.held == Self.units(row[2]), "\(row)")
            #expect(book.averageCost == Self.units(row[3]), "\(row)")
            let lots = row[5].split(separator: ",").compactMap { lot in
                lot.split(separator: " ").last.map { Self.units(String($0)) }
            }
            #expect(book.fifoCost == lots.reduce(0) { $0.addingSaturating($1) }, "\(row)")
        }
        #expect(total == Self.signed("0.3"))
    }

    @Test("what is sold without having been bought has no cost and makes no profit")
    func uncovered() {
        var book = ProfitBook()
        let nothing = book.sell(10, proceeds: 100)
        #expect(nothing == ProfitBook.Profit(average: .zero, fifo: .zero, uncovered: 10))
        book.buy(3, cost: 30)
        // 3 of 10 sold have a cost: 33 of the proceeds of 110 are theirs.
        let some = book.sell(10, proceeds: 110)
        #expect(some.average == SignedAmount(33, minus: 30))
        #expect(some.uncovered == 7)
        #expect(book.held == 0)
    }

    @Test("a part of a cost is rounded up, and the rest stays: costs are neither made nor lost")
    func rounding() {
        var book = ProfitBook()
        book.buy(3, cost: 10)
        var costs: [UInt256] = []
        for _ in 0..<3 {
            let before = (book.averageCost, book.fifoCost)
            let profit = book.sell(1, proceeds: 0)
            #expect(profit.average.isNegative && profit.average == profit.fifo)
            costs.append(profit.average.magnitude)
            #expect(book.averageCost + profit.average.magnitude == before.0)
            #expect(book.fifoCost + profit.fifo.magnitude == before.1)
        }
        #expect(costs == [4, 3, 3])
        #expect(book.averageCost == 0)
    }

    @Test("over a whole sale both methods come to the same, whatever the trades", arguments: 0..<50)
    func conservation(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var book = ProfitBook()
        var (cost, proceeds) = (UInt256.zero, UInt256.zero)
        var (average, fifo) = (SignedAmount.zero, SignedAmount.zero)
        func sell(_ base: UInt256, _ price: UInt256) {
            proceeds = proceeds + price
            let profit = book.sell(base, proceeds: price)
            #expect(profit.uncovered == 0)
            average = average + profit.average
            fifo = fifo + profit.fifo
        }
        for _ in 0..<40 {
            let base = UInt256(UInt64.random(in: 1...1_000_000_000, using: &generator))
            let quote = UInt256(UInt64.random(in: 0...1_000_000_000, using: &generator))
            if Bool.random(using: &generator) || base > book.held {
                cost = cost + quote
                book.buy(base, cost: quote)
            } else {
                sell(base, quote)
            }
        }
        if book.held != 0 { sell(book.held, 7) }
        #expect(average == SignedAmount(proceeds, minus: cost))
        #expect(fifo == average)
        #expect(book.averageCost == 0 && book.fifoCost == 0)
    }

    @Test("amounts of 256 bits do not trap")
    func huge() {
        var book = ProfitBook()
        book.buy(.max, cost: .max)
        book.buy(.max, cost: .max)
        let profit = book.sell(.max, proceeds: 1)
        #expect(profit.average.isNegative)
        _ = book.sell(.max, proceeds: .max)
        book.buy(0, cost: 5)
        _ = book.sell(0, proceeds: 5)
        let maximum = SignedAmount(magnitude: .max, isNegative: true)
        #expect(maximum + maximum == maximum)
        #expect(maximum - 1 == maximum)
    }

    @Test("signed amounts add up on both sides of zero, which has no sign")
    func signedAmounts() {
        for (left, right, sum) in [
            (5, 3, 8), (5, -3, 2), (3, -5, -2), (-3, 5, 2), (-5, 3, -2), (-5, -3, -8), (5, -5, 0),
        ] {
            func make(_ value: Int) -> SignedAmount {
                SignedAmount(
                    magnitude: UInt256(UInt64(value.magnitude)),
                    isNegative: value < 0
                )
            }
            #expect(make(left) + make(right) == make(sum))
        }
        #expect(SignedAmount(magnitude: 0, isNegative: true) == .zero)
        #expect(SignedAmount(3, minus: 5) == SignedAmount(magnitude: 2, isNegative: true))
    }
}
