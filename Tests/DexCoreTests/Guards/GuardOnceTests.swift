import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import GRDB
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A guard fires once, within its time and the limits of its key")
struct GuardOnceTests: GuardSuite {
    let market: LiveMarket

    init() throws {
        market = try LiveMarket()
    }

    /// What another program can do to the rows of a guard that fired.
    static let replays = [
        "UPDATE guards SET intent = NULL",
        "UPDATE guards SET intent = NULL; UPDATE intents SET exit = NULL, closed = NULL",
        "UPDATE guards SET intent = NULL, id = id + 10",
        """
        UPDATE guards SET intent = NULL; DELETE FROM transactions; DELETE FROM plans;
        DELETE FROM intents
        """,
        "UPDATE guards SET intent = NULL; DELETE FROM guard_firings",
        """
        UPDATE guards SET intent = NULL; DELETE FROM guard_firings; DELETE FROM transactions;
        DELETE FROM plans; DELETE FROM intents
        """,
    ]

    @Test("a guard that fired never fires again, whatever its rows say", arguments: replays)
    func replayed(change: String) async throws {
        market.setBook(bids: [try await bid("9.95")])
        let made = try await add()
        let log = GuardLog()
        #expect(try await run(log: log) { _ in } == nil)
        #expect(log.fired == [made.id])
        #expect(market.node.sent.count == 1)
        try edit(change)
        market.setBook(bids: [try await bid("9.95", salt: 9)])
        // Also one that is in hand already.
        let row = try #require(try model().list().first)
        let signer = market.signer
        var runner = try self.runner()
        await runner.fire(row, key: { signer }) { log.add($0) }
        do {
            _ = try await run(log: log) { number in
                if number > 8 { throw CancellationError() }
            }
        } catch let error as DexError {
            #expect(error.code == "no-guards")
        }
        #expect(log.fired == [made.id])
        #expect(market.node.sent.count == 1)
    }

    @Test("a fired row that is put in again with its signature never fires")
    func insertedAgain() async throws {
        market.setBook(bids: [try await bid("9.95")])
        let made = try await add()
        #expect(try await run { _ in } == nil)
        #expect(market.node.sent.count == 1)
        try model().remove(made.id)
        let copy = try market.journal.add(made)
        #expect(try model().find(copy.id).state != .waiting)
        #expect(try market.journal.rearmGuard(copy.id) == false)
        let error = await #expect(throws: DexError.self) { try await run { _ in } }
        #expect(error?.code == "no-guards")
        #expect(market.node.sent.count == 1)
    }

    @Test("each firing passes the rules and limits of its key, whatever was confirmed")
    func limits() async throws {
        market.setBook(bids: [try await bid("9.95")])
        let made = try await add()
        var policy = Policy(source: Policy.unlockSource, coin: .ether)
        policy.perTrade = [.token(TestMarket.zrx): TestMarket.units("99")]
        policy.limitsEverything = true
        let limited = market.authorized(LocalKey(market.trader), policy: policy)
        let log = GuardLog()
        var runner = try self.runner()
        await runner.fire(made, key: { limited }) { log.add($0) }
        #expect(log.held.count == 1 && log.held[0].contains("--max of dex unlock"), "\(log.held)")
        #expect(log.fired.isEmpty && market.node.sent.isEmpty)
        // Nor does that key confirm it.
        let error = await refusal {
            let plan = try await model().plan(
                GuardRequest(
                    side: .sell,
                    pair: "ZRX/WETH",
                    amount: "100",
                    trigger: .below,
                    price: "0.01",
                    allowsImmediate: true,
                    allowsUnfunded: true
                ),
                account: market.trader.address
            )
            return try await model().add(plan, signer: limited)
        }
        #expect(error?.code == "policy" && error?.exit == .refused)
        #expect(try model().list().count == 1)
    }

    @Test("a guard ends 90 days after it was added, by the time that its key signed")
    func expired() async throws {
        market.setBook(bids: [try await bid("9.95")])
        let now = try market.session().environment.now()
        for (age, isOver) in [(JournalGuard.lifetime, false), (JournalGuard.lifetime + 60, true)] {
            var session = try market.session()
            session.environment.now = { now - age + 30 }
            let model = GuardsModel(session: session, journal: market.journal)
            let plan = try await model.plan(
                GuardRequest(
                    side: .sell,
                    pair: "ZRX/WETH",
                    amount: "100",
                    trigger: .below,
                    price: "0.01",
                    allowsImmediate: true,
                    allowsUnfunded: true
                ),
                account: market.trader.address
            )
            let made = try await model.add(plan, signer: market.signer)
            let log = GuardLog()
            var runner = try self.runner()
            #expect(try runner.watch { log.add($0) }.isEmpty == isOver)
            #expect(log.held == (isOver ? [GuardCheck.expired] : []))
            #expect(runner.leftOut?.code == (isOver ? "guard-expired" : nil))
            let listed = try self.model().find(made.id)
            #expect(listed.neverFires == (isOver ? GuardCheck.expired : nil))
            #expect(listed.state == .waiting)
            if isOver {
                let signer = market.signer
                var other = try self.runner()
                await other.fire(made, key: { signer }) { log.add($0) }
                #expect(log.fired.isEmpty && market.node.sent.isEmpty)
            }
            try model.remove(made.id)
        }
    }
}
