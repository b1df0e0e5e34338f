import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A used nonce without a receipt says nothing about what used it: a server may lag.
///
/// Two looks a few seconds apart became "replaced, nothing was traded", and a repeat bought again.
@Suite("Replaced is only what is proved to be")
struct ReplacementProofTests {
    private func market(_ mining: ChainConfiguration.Mining = .instant) async throws -> LiveMarket {
        let market = try LiveMarket(mining: mining)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    /// The node counts the nonce and serves no receipts: those are asked of a server that lags.
    private func hide(_ market: LiveMarket) {
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch read {
                case .receipt: .success(.receipt(nil))
                case .transaction: .success(.transaction(nil))
                default: answer
                }
            }
        }
    }

    private func bought(_ market: LiveMarket) async throws -> UInt256 {
        try await market.balance(TestMarket.zrx, of: market.trader.address)
            - TestMarket.units("10000")
    }

    private func mine(_ market: LiveMarket, _ count: Int = 12) async throws {
        for _ in 0..<count { try await market.chain.mine() }
    }

    /// Another program's transaction with the nonce 0.
    private func useNonce(_ market: LiveMarket) async throws {
        try await market.send(
            from: market.trader,
            to: TestMarket.zrx,
            ERC20.transfer(to: market.rival.address, amount: 1),
            tip: 50_000_000_000,
            nonce: 0
        )
        try await market.chain.mine()
    }

    @Test("a purchase whose receipts come late is in flight, and a repeat buys nothing")
    func lateReceipts() async throws {
        let market = try await market()
        hide(market)
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.transactions.map(\.stage) == [.pooled])
        #expect(outcome.transactions[0].reason?.contains("no node shows yet whether by it") == true)
        #expect(!outcome.warnings.contains { $0.lowercased().contains("nothing was traded") })
        #expect(try market.journaled().map(\.stage) == [.broadcast])
        // Whatever is tried meanwhile, nothing new is signed.
        for _ in 0..<3 {
            let error = await refusal { try await market.trade(.buy, "10") }
            #expect(error?.code == "pending-transaction" && error?.exit == .notMinedYet)
            #expect(error?.message.contains("it may be mined") == true)
        }
        let hash = try #require(outcome.transactions.last?.hash)
        let status = StatusModel(session: try market.session(), journal: market.journal)
        guard case .transaction(let seen) = try await status.load(hash.word) else {
            Issue.record("it is no transaction")
            return
        }
        #expect(seen.stage == .pooled && seen.exit == .notMinedYet)
        let speedup = ReplacementModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        for kind in [ReplacementPlan.Kind.speedup, .cancel] {
            let error = await refusal {
                try await speedup.plan(
                    ReplacementRequest(kind, of: hash),
                    account: market.trader.address
                )
            }
            #expect(error?.code == "pending-transaction" && error?.exit == .notMinedYet)
        }
        market.node.onRead(nil)
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill")
        #expect(Set(market.node.sent).count == 1)
        #expect(try await bought(market) == TestMarket.units("10"))
    }

    @Test("another transaction with its nonce proves it only deep in the chain")
    func deep() async throws {
        let market = try await market(.manual)
        let plan = try await market.plan(.buy, "10")
        #expect(try await market.model().execute(plan, signer: market.signer).exit == .notMinedYet)
        let hash = try #require(try market.journaled().first?.hash)
        try await useNonce(market)
        let status = StatusModel(session: try market.session(), journal: market.journal)
        func stage() async throws -> TransactionStage? {
            guard case .transaction(let seen) = try await status.load(hash.word) else { return nil }
            return seen.stage
        }
        try await mine(market, 11)
        #expect(try await stage() == .pooled)
        try await mine(market, 1)
        #expect(try await stage() == .replaced)
        // What took it is found, and what it did.
        guard case .transaction(let replaced) = try await status.load(hash.word) else {
            Issue.record("it is no transaction")
            return
        }
        let taker = try #require(replaced.nonceTaker)
        #expect(taker.to == TestMarket.zrx && taker.value == .zero && taker.hasCall)
        #expect(taker.succeeded == true && !taker.isOwn && taker.hash != hash)
        let note = try #require(replaced.notes.last)
        #expect(note.contains("\(taker.hash) took its nonce in block \(taker.block)"))
        #expect(note.contains("dex did not send it"))
        #expect(replaced.error?.hint == "See what that did: dex status \(taker.hash)")
        // A node without the state of earlier blocks shows nothing.
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .fullBlock = read else { return answer }
                return .failure(.rpc(code: -32_000, message: "missing trie node"))
            }
        }
        guard case .transaction(let unknown) = try await status.load(hash.word) else {
            Issue.record("it is no transaction")
            return
        }
        #expect(unknown.stage == .replaced && unknown.nonceTaker == nil)
        #expect(unknown.notes.last?.contains("What that one did is not known here.") == true)
        market.node.onRead(nil)
        // It holds nothing up any more.
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        #expect(try market.journaled().map(\.stage) == [.replaced, .broadcast])
    }

    @Test("a wait ends with the proof, and its words do not say what the other one did")
    func waiting() async throws {
        let market = try await market(.manual)
        let plan = try await market.plan(.buy, "10")
        market.node.onSend { _, _ in
            try await self.useNonce(market)
            try await self.mine(market, 20)
            return .lose(.rpc(code: -32_000, message: "nonce too low"))
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .replacedOrDropped)
        #expect(outcome.transactions.map(\.stage) == [.replaced])
        #expect(outcome.warnings.count == 1)
        #expect(!outcome.warnings[0].contains("nothing was traded"))
        #expect(outcome.warnings[0].contains("dex status"))
    }

    @Test("our own mined transaction with its nonce proves it at once")
    func ownSuccessor() async throws {
        let market = try await market(.manual)
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        let old = try #require(try market.journaled().first?.hash)
        let model = ReplacementModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            ReplacementRequest(.speedup, of: old),
            account: market.trader.address
        )
        let outcome = try await model.execute(planned, signer: market.signer)
        #expect(outcome.exit == .notMinedYet)
        try await market.chain.mine()
        let status = StatusModel(session: try market.session(), journal: market.journal)
        guard case .transaction(let seen) = try await status.load(old.word) else {
            Issue.record("it is no transaction")
            return
        }
        #expect(seen.stage == .confirmed && seen.replaces == old)
        // Both ends are known, so that neither is a question any more.
        #expect(
            try market.journal.unsettled(chainID: 1337, sender: market.trader.address).isEmpty
        )
        #expect(try await bought(market) == TestMarket.units("10"))
    }

    @Test("what was taken for replaced stays a question, and all agree once it turns up")
    func wronglyReplaced() async throws {
        let market = try await market()
        hide(market)
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        // Every node keeps the receipt back for longer than any lag.
        try await mine(market, 12)
        market.setBook(asks: [])
        let refused = await refusal { try await market.trade(.buy, "10") }
        #expect(refused?.code == "no-liquidity")
        let hash = try #require(try market.journaled().first?.hash)
        try market.journal.mark(hash, as: .replaced, now: TestMarket.now)
        let session = try market.session()
        let chainID = session.network.chainID
        // Nothing contradicts it yet: nobody names it.
        let list = TransactionsModel(session: session, journal: market.journal)
        #expect(try await list.load(account: nil, limit: 9, onlyUnsettled: true).rows.isEmpty)
        let resume = ResumeModel(
            session: session,
            journal: market.journal,
            settings: TradeSettings()
        )
        #expect(try await resume.plan().state.items.isEmpty)
        #expect(
            try market.journal.unsettled(chainID: chainID, sender: market.trader.address)
                .map(\.hash) == [hash]
        )
        // It turns up.
        market.node.onRead(nil)
        market.setBook(asks: [try await market.ask(1, "100", for: "1")])
        let rows = try await list.load(account: nil, limit: 9, onlyUnsettled: true).rows
        #expect(rows.map(\.hash) == [hash] && rows.map(\.stage.word) == ["mined"])
        #expect(try await resume.plan().state.items.map(\.status.word) == ["mined"])
        let doctor = TransactionCheck(session: session, journal: market.journal, patience: 60)
        let row = await doctor.row(market.trader.address)
        #expect(row.remedy == "See what it did: dex status \(hash)")
        let repeated = await refusal { try await market.trade(.buy, "10") }
        #expect(repeated?.code == "unacknowledged-fill")
        #expect(try await bought(market) == TestMarket.units("10"))
        // The history has it already; its status settles it, and it is no question any more.
        let status = StatusModel(session: session, journal: market.journal)
        _ = try await status.load(hash.word)
        #expect(try market.journaled().map(\.stage) == [.mined])
        #expect(
            try market.journal.unsettled(chainID: chainID, sender: market.trader.address).isEmpty
        )
        let history = try await HistoryModel(session: session, journal: market.journal)
            .load(market.trader.address)
        #expect(history.rows.map(\.transaction) == [hash])
    }

    @Test("while one of two nodes is silent a used nonce is in doubt: exit 12, and no repeat")
    func silentNode() async throws {
        let market = try await market(.manual)
        let plan = try await market.plan(.buy, "10")
        #expect(try await market.model().execute(plan, signer: market.signer).exit == .notMinedYet)
        let hash = try #require(try market.journaled().first?.hash)
        try await useNonce(market)
        try await mine(market, 30)
        var session = try market.session()
        let node = SandboxProbe(market.node)
        session.probes = [node, DeadProbe()]
        let status = StatusModel(session: session, journal: market.journal)
        guard case .transaction(let doubted) = try await status.load(hash.word) else {
            Issue.record("it is no transaction")
            return
        }
        #expect(doubted.exit == .notMinedYet && doubted.stage != .replaced)
        let model = MarketOrderModel(
            session: session,
            journal: market.journal,
            settings: TradeSettings()
        )
        let repeated = await refusal {
            let again = try await model.plan(
                MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "10"),
                account: market.trader.address
            )
            return try await model.execute(again, signer: market.signer)
        }
        #expect(repeated?.exit == .notMinedYet, "\(String(describing: repeated))")
        // It answers.
        session.probes = [node, node]
        guard
            case .transaction(let proved) = try await StatusModel(
                session: session,
                journal: market.journal
            ).load(hash.word)
        else {
            Issue.record("it is no transaction")
            return
        }
        #expect(proved.stage == .replaced)
    }

    @Test("every node is asked by itself: one with the receipt outweighs those without")
    func everyNode() async throws {
        let market = try await market()
        hide(market)
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        try await mine(market, 12)
        var session = try market.session()
        let honest = SandboxProbe(market.chain)
        let blind = SandboxProbe(market.node)
        let reading = TransactionReading(
            try #require(try market.journaled().first),
            rules: session.network.fees
        )
        func finding(
            _ probes: [any NodeProbe]
        ) async throws -> ReplacementProof.Finding? {
            session.probes = probes
            return try await ReplacementProof(session: session, journal: nil)
                .findings([reading]).first
        }
        guard case .seen(let seen) = try await finding([blind, honest]) else {
            Issue.record("the receipt was not seen")
            return
        }
        #expect(seen.receipt != nil)
        #expect(try await finding([blind, blind]) == .replaced)
        // A node that is silent may be the one that has it.
        #expect(try await finding([blind, DeadProbe()]) == .unproved)
        #expect(try await finding([DeadProbe()]) == .unproved)
    }
}
