import Ethereum
import Testing

@testable import DexStore

@Suite("Who watches the price of a guard")
struct GuardWatchTests {
    private let test = TestJournal()

    private func add() throws -> Int64 {
        try test.journal.add(
            JournalGuard(
                chainID: 1,
                exchange: TestJournal.address(9),
                account: TestJournal.alice,
                side: .sell,
                pair: PairAddresses(base: TestJournal.address(3), quote: TestJournal.address(4)),
                pairName: "ZRX/WETH",
                amount: "1",
                trigger: .below,
                price: "0.1",
                slippage: 100,
                limit: "0.09",
                created: 7
            )
        ).id
    }

    private func watched(_ journal: Journal) throws -> [Int64] {
        try journal.guards(chainID: 1, exchange: TestJournal.address(9)).filter(\.isWatched)
            .map(\.id)
    }

    @Test("each of several processes watches its own, and the last that ends leaves none watched")
    func several() throws {
        let (first, second) = (try add(), try add())
        #expect(try watched(test.journal).isEmpty)
        var runners: [Journal] = [Journal(path: test.path), Journal(path: test.path)]
        try runners[0].watch([first, second])
        #expect(try watched(test.journal) == [first, second])
        #expect(try watched(runners[0]) == [first, second])
        // Two may watch the same.
        try runners[1].watch([first])
        try runners[0].watch([second])
        #expect(try watched(test.journal) == [first, second])
        runners.removeLast()
        #expect(try watched(test.journal) == [second])
        runners.removeLast()
        #expect(try watched(test.journal).isEmpty)
    }

    @Test("a guard that fired is not watched, whoever holds its number")
    func fired() throws {
        let id = try add()
        let runner = Journal(path: test.path)
        try runner.watch([id])
        _ = try runner.open(TestJournal.intent, claim: .guardian(id))
        #expect(try watched(test.journal).isEmpty)
    }

    @Test("numbers are held in a file of their own, not among the intents")
    func apart() throws {
        let intent = try test.journal.open(TestJournal.intent)
        let id = try add()
        #expect(intent == id)
        #expect(try watched(Journal(path: test.path)).isEmpty)
    }
}
