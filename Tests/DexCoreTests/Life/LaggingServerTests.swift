import DexCore
import DexSandbox
import DexStore
import DexTestSupport
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Two servers behind one address that lag against each other at every question.
@Suite("Before lagging servers each confirmed intent has one effect")
struct LaggingServerTests {
    private func session(_ market: LiveMarket, _ servers: LaggingServers) throws -> Session {
        var session = try market.session()
        session.chain = servers
        return session
    }

    /// What a user does who wants something once: repeats until it is done, or told to be.
    private func buyOnce(
        _ market: LiveMarket,
        _ servers: LaggingServers,
        _ amount: String,
        _ generator: inout SeededGenerator
    ) async throws -> Bool {
        let earlier = Set(try market.journaled().map(\.hash.hex))
        for _ in 0..<12 {
            let model = MarketOrderModel(
                session: try session(market, servers),
                journal: market.journal,
                settings: TradeSettings()
            )
            do {
                let plan = try await model.plan(
                    MarketRequest(side: .buy, pair: "ZRX/WETH", amount: amount),
                    account: market.trader.address
                )
                let outcome = try await model.execute(plan, signer: market.signer)
                let words = (outcome.warnings + outcome.transactions.compactMap(\.reason))
                    .joined(separator: " ")
                #expect(!words.lowercased().contains("nothing was traded"))
                #expect(outcome.transactions.allSatisfy { $0.stage != .replaced })
                if outcome.exit == .done { return true }
            } catch {
                if error.code == "unacknowledged-fill" {
                    // The message names it: an earlier intent's was reported by a lagging server.
                    guard earlier.contains(where: error.message.contains) else { return true }
                }
                #expect(error.kind != .replacedOrDropped && error.kind != .fault, "\(error)")
            }
            if generator.pick([true, false]) { try await market.chain.mine() }
        }
        return false
    }

    @Test("a purchase is made once, whatever either server says", arguments: 0..<24)
    func oneEffect(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "1000", for: "10")])
        for _ in 0..<3 { try await market.chain.mine() }
        let lag = UInt64(generator.pick([1, 2, 3, 5, 8]))
        let servers = LaggingServers(market.chain, lag: lag, seed: seed)
        var wanted = UInt256.zero
        for amount in ["10", "20", "30"] {
            let isDone = try await buyOnce(market, servers, amount, &generator)
            // The user looks at what was left over, with a server that is up to date.
            servers.setLag(0)
            let resume = ResumeModel(
                session: try session(market, servers),
                journal: market.journal,
                settings: TradeSettings()
            )
            _ = try await resume.execute(try await resume.plan())
            servers.setLag(lag)
            let owned = try await market.balance(TestMarket.zrx, of: market.trader.address)
            let bought = owned - TestMarket.units("10000") - wanted
            // Never twice; and what was said to be done, is.
            #expect(bought == (isDone ? TestMarket.units(amount) : bought), "seed \(seed)")
            #expect(
                bought == .zero || bought == TestMarket.units(amount),
                "seed \(seed), \(amount)"
            )
            wanted = owned - TestMarket.units("10000")
        }
        let rows = try market.journaled()
        // What is replaced is so by our own mined transaction.
        #expect(
            rows.filter { $0.stage == .replaced }.allSatisfy { one in
                rows.contains { $0.nonce == one.nonce && $0.stage == .mined }
            },
            "\(rows.map { "\($0.nonce) \($0.stage)" })"
        )
        let nonces = rows.filter { $0.stage == .mined }.map(\.nonce)
        #expect(nonces.count == Set(nonces).count)
    }

    @Test("a payment repeated with an empty journal is no earlier payment", arguments: 0..<12)
    func freshHome(seed: UInt64) async throws {
        let market = try LiveMarket()
        for _ in 0..<3 { try await market.chain.mine() }
        let rival = market.rival.address
        func owned() async throws -> UInt256 {
            try await market.balance(TestMarket.zrx, of: rival)
        }
        func send(_ session: Session, _ journal: Journal) async throws -> TransferOutcome {
            let model = TransferModel(
                session: session,
                journal: journal,
                settings: TradeSettings()
            )
            let planned = try await model.plan(
                .send(asset: "ZRX", amount: "7", to: rival.checksummed),
                account: market.trader.address
            )
            return try await model.execute(planned, signer: market.signer)
        }
        let before = try await owned()
        #expect(try await send(try market.session(), market.journal).exit == .done)
        #expect(try await owned() == before + TestMarket.units("7"))
        let servers = LaggingServers(market.chain, lag: 1, seed: seed)
        let home = TemporaryJournal()
        var done = 0
        for _ in 0..<4 {
            do {
                let outcome = try await send(try session(market, servers), home.journal)
                if outcome.exit == .done { done += 1 }
            } catch let error as DexError {
                #expect(error.exit != .done)
            }
        }
        let paid = try await owned() - before
        #expect(
            paid >= TestMarket.units("7") * UInt256(UInt64(1 + done)),
            "seed \(seed): what was reported as sent is sent"
        )
    }
}
