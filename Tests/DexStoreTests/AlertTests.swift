import Ethereum
import Testing

@testable import DexStore

@Suite("Alerts in the journal")
struct AlertTests {
    private let test = TestJournal()
    private static let pair = PairAddresses(
        base: TestJournal.address(3),
        quote: TestJournal.address(4)
    )

    private func alert(_ condition: AlertCondition) -> JournalAlert {
        JournalAlert(
            chainID: 1,
            exchange: TestJournal.address(9),
            account: condition.isOfAccount ? TestJournal.alice : nil,
            condition: condition,
            text: "text",
            isOnce: true,
            created: 7
        )
    }

    @Test("conditions of every kind come out as they went in, on their own exchange")
    func keeps() throws {
        var conditions: [AlertCondition] = []
        for comparison in AlertCondition.Comparison.allCases {
            for price in AlertCondition.BookPrice.allCases {
                conditions.append(.price(price, Self.pair, comparison, "0.00074"))
            }
            conditions.append(.spread(Self.pair, comparison, 200))
            conditions.append(.balance(nil, comparison, "1"))
            conditions.append(.balance(TestJournal.address(3), comparison, ".5"))
        }
        for change in AlertCondition.OrderChange.allCases {
            conditions += [.order(change, nil), .order(change, Self.pair)]
        }
        let added = try conditions.map { try test.journal.add(alert($0)) }
        #expect(added.map(\.id) == (1...Int64(conditions.count)).map { $0 })
        let again = Journal(path: test.path)
        let read = try again.alerts(chainID: 1, exchange: TestJournal.address(9))
        #expect(read == added)
        #expect(read.map(\.condition) == conditions)
        #expect(try again.alerts(chainID: 2, exchange: TestJournal.address(9)).isEmpty)
        #expect(try again.alerts(chainID: 1, exchange: TestJournal.address(8)).isEmpty)
        #expect(
            try again.removeAlert(1, chainID: 2, exchange: TestJournal.address(9)) == nil
        )
        #expect(
            try again.removeAlert(1, chainID: 1, exchange: TestJournal.address(9)) == added[0]
        )
        #expect(
            try again.alerts(chainID: 1, exchange: TestJournal.address(9)).count
                == conditions.count - 1
        )
    }

    @Test(
        "comparisons hold at and beside the limit",
        arguments: [
            (AlertCondition.Comparison.less, [true, false, false]),
            (.atMost, [true, true, false]), (.more, [false, false, true]),
            (.atLeast, [false, true, true]),
        ]
    )
    func comparisons(comparison: AlertCondition.Comparison, expected: [Bool]) {
        #expect([4, 5, 6].map { comparison.holds($0, 5) } == expected)
    }
}
