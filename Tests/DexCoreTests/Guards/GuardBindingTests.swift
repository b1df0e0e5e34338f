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

@Suite("A guard does what was confirmed, by the price of now, and nothing else")
struct GuardBindingTests: GuardSuite {
    let market: LiveMarket

    init() throws {
        market = try LiveMarket()
    }

    // MARK: Bound terms

    static let edits = [
        "amount = '1000'", "amount_units = '1000000000000000000000'", "limit_price = '0.0001'",
        "limit_quote = '1'", "limit_base = '1000000'", "price_quote = '99999999'",
        "price = '99'", "trigger = 'above'", "side = 'buy'", "slippage = 9000",
        "base_decimals = 20", "quote_decimals = NULL", "base = quote, quote = base",
        "pair = 'OTHER/WETH'", "created = created + 1", "signature = NULL",
        "signature = '0x' || substr(signature, 5, 130) || '1b'", "amount_units = NULL",
        "nonce = '0x' || substr(nonce, 4) || '0'",
    ]

    @Test("an edited row is not signed, is reported, and is not confirmed", arguments: edits)
    func edited(change: String) async throws {
        market.setBook(bids: [try await bid("9.95")])
        let made = try await add()
        #expect(made.isConfirmed)
        #expect(try model().list().map(\.isConfirmed) == [true])
        try edit("UPDATE guards SET \(change)")
        #expect(try model().list().map(\.isConfirmed) == [false])
        let log = GuardLog()
        var runner = try self.runner()
        #expect(try runner.watch { log.add($0) }.isEmpty)
        #expect(log.held == [GuardCheck.unconfirmed])
        // Also one that is in hand already.
        let signer = market.signer
        let edited = try #require(try model().list().first)
        var other = try self.runner()
        await other.fire(edited, key: { signer }) { log.add($0) }
        #expect(log.fired.isEmpty)
        #expect(market.node.sent.isEmpty)
        let error = await #expect(throws: DexError.self) { try await run { _ in } }
        #expect(error?.code == "guard-changed")
    }

    @Test("a row of another account's confirmed guard, or of an earlier version, never fires")
    func foreign() async throws {
        market.setBook(bids: [try await bid("9.95")])
        _ = try await add()
        let rival = market.rival.address.lowercaseHex
        try edit("UPDATE guards SET account = '\(rival)'")
        #expect(try model().list().map(\.isConfirmed) == [false])
        let other = market.makers[4].address
        let error = await #expect(throws: DexError.self) {
            try await model().add(
                try await model().plan(
                    GuardRequest(
                        side: .sell,
                        pair: "ZRX/WETH",
                        amount: "1",
                        trigger: .below,
                        price: "0.01",
                        allowsImmediate: true,
                        allowsUnfunded: true
                    ),
                    account: other
                ),
                signer: market.signer
            )
        }
        #expect(error?.exit == .wallet || error?.exit == .refused, "\(String(describing: error))")
    }

    @Test("a row that is edited while guards run ends them without a signature")
    func editedMeanwhile() async throws {
        market.setBook(bids: [try await bid("11")])
        _ = try await add()
        let low = try await bid("9.95", salt: 5)
        let error = await #expect(throws: DexError.self) {
            let ended = try await run { number in
                if number == 1 { try edit("UPDATE guards SET amount_units = '5', amount = '5'") }
                market.setBook(bids: [low])
            }
            if let ended { throw ended }
        }
        #expect(error?.code == "guard-changed")
        #expect(market.node.sent.isEmpty)
    }

    @Test("the message of a guard is signed for nothing but a guard")
    func message() async throws {
        market.setBook(bids: [try await bid("9.95")])
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
        let message = try #require(GuardMessage.bytes(plan.guardOrder))
        let signer = market.signer
        await #expect(throws: SigningError.self) { try await signer.sign(message: message) }
        await #expect(throws: SigningError.self) {
            try await signer.sign(guardTerms: Array("hello".utf8))
        }
    }

    // MARK: Decimals

    @Test("a token whose decimals change is held, and the confirmed base units stay")
    func decimals() async throws {
        market.setBook(bids: [try await bid("9.95")])
        let made = try await add()
        #expect(made.terms?.amount == TestMarket.units("100"))
        #expect(made.terms?.baseDecimals == 18)
        let terms = try #require(made.terms)
        let changed = GuardTerms(
            baseDecimals: 20,
            quoteDecimals: terms.quoteDecimals,
            amount: terms.amount,
            price: terms.price,
            limit: terms.limit,
            nonce: terms.nonce
        )
        let other = JournalGuard(
            chainID: made.chainID,
            exchange: made.exchange,
            account: made.account,
            side: made.side,
            pair: made.pair,
            pairName: made.pairName,
            amount: made.amount,
            trigger: made.trigger,
            price: made.price,
            slippage: made.slippage,
            limit: made.limit,
            created: made.created,
            terms: changed
        )
        let verdict = GuardCheck.verdict(other, in: .book(try await book()))
        guard case .blocked(let reason) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(reason.contains("has 18 decimals now, and had 20 decimals"))
        let error = await refusal {
            try await MarketOrderModel(
                session: try market.session(),
                journal: market.journal,
                settings: TradeSettings()
            ).plan(firing: other, account: market.trader.address)
        }
        #expect(error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
    }

    // MARK: The streak

    private func block(_ number: UInt64, _ branch: UInt64 = 0, parent: UInt64 = 0) throws -> Block {
        func hash(_ number: UInt64, _ branch: UInt64) -> BlockHash {
            BlockHash(UInt256(number * 1_000 + branch).word)
        }
        return Block(
            number: number,
            hash: hash(number, branch),
            parentHash: hash(number - 1, parent),
            timestamp: number * 12,
            baseFeePerGas: nil,
            gasLimit: 1,
            gasUsed: 0
        )
    }

    @Test("a reading counts only after the reading of the block before, of the same branch")
    func streak() throws {
        var streak = GuardStreak()
        #expect(streak.add(1, at: try block(9), within: 1) == .begins)
        #expect(streak.add(1, at: try block(9), within: 1) == .stays)
        #expect(streak.add(1, at: try block(50), within: 1) == .begins)
        #expect(streak.add(2, at: try block(50), within: 1) == .begins)
        #expect(streak.add(1, at: try block(51), within: 1) == .follows(seconds: 12))
        #expect(streak.add(1, at: try block(53), within: 1) == .begins)
        // Another branch, and a step back.
        #expect(streak.add(1, at: try block(54, 7, parent: 7), within: 1) == .begins)
        #expect(streak.add(1, at: try block(54), within: 1) == .begins)
        #expect(streak.add(1, at: try block(53), within: 1) == .begins)
        streak.end(1)
        #expect(streak.add(1, at: try block(54), within: 1) == .begins)
        #expect(streak.add(2, at: try block(51), within: 1) == .follows(seconds: 12))
        streak.endAll()
        #expect(streak.add(2, at: try block(52), within: 1) == .begins)
        // A chain with several blocks a second.
        #expect(streak.add(2, at: try block(56), within: 4) == .follows(seconds: 48))
        #expect(streak.add(2, at: try block(61), within: 4) == .begins)
    }

    @Test("an outage between two readings begins anew: two blocks in a row are needed after it")
    func outage() async throws {
        market.setBook(bids: [try await bid("9.95")])
        let low = try await bid("9.95")
        let high = try await bid("11", salt: 6)
        _ = try await add()
        let sentAtEnd = Mutex(0)
        _ = try await run { [market] number in
            switch number {
            // Reached in the first block; then nothing is known for many.
            case 1: market.relay.set { $0.book = .failure(.unreachable(url: "u", reason: "r")) }
            case 2: for _ in 0..<40 { try await market.chain.mine() }
            case 3: market.setBook(bids: [low])
            case 4: market.setBook(bids: [high])
            case 6:
                sentAtEnd.withLock { $0 = market.node.sent.count }
                throw CancellationError()
            default: break
            }
        }
        #expect(sentAtEnd.withLock { $0 } == 0)
    }

    // MARK: The price of now

    @Test("a trigger that the plan's own book no longer reaches does not fire")
    func trigger() async throws {
        market.setBook(bids: [try await bid("9.95")])
        let made = try await add()
        // The verdict is of an older book.
        market.setBook(bids: [try await bid("12", salt: 3)])
        let log = GuardLog()
        var runner = try self.runner()
        let signer = market.signer
        await runner.fire(made, key: { signer }) { log.add($0) }
        #expect(
            log.held == [
                "The price of guard \(made.id) is not reached any more: nothing was traded."
            ]
        )
        #expect(market.node.sent.isEmpty)
        #expect(try model().list().map(\.state) == [.waiting])
    }

    @Test("of several guards that are reached one fires a reading, the oldest first")
    func oneAReading() async throws {
        market.setBook(bids: [try await bid("9.95")])
        let guards = [try await add("10"), try await add("20"), try await add("30")]
        let log = GuardLog()
        let fired = Mutex<[Int]>([])
        _ = try await run(log: log) { _ in
            fired.withLock { $0.append(log.fired.count) }
        }
        #expect(log.fired == guards.map(\.id))
        // Two readings each: no two of them between two looks.
        let counts = fired.withLock { $0 }
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 - $0 <= 1 }, "\(counts)")
        #expect(market.node.sent.count == 3)
    }

    @Test("the key is asked for at each: a wallet that is unlocked later fires")
    func unlockedLater() async throws {
        market.setBook(bids: [try await bid("9.95")])
        _ = try await add()
        let asked = Mutex(0)
        let log = GuardLog()
        let signer = market.signer
        _ = try await run(
            log: log,
            key: {
                asked.withLock { count in
                    count += 1
                    return count > 2 ? signer : nil
                }
            }
        ) { _ in }
        #expect(log.fired.count == 1)
        #expect(asked.withLock { $0 } == 3)
        #expect(log.held == ["The key of \(market.trader.address.checksummed) is locked."])
    }

    @Test("after an approval the trigger is checked again; what was approved alone waits again")
    func approvalAlone() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        let low = try await market.bid(2, "1000", for: "9.95")
        let high = try await market.bid(2, "1000", for: "12")
        market.setBook(bids: [low])
        let model = GuardsModel(session: try market.session(), journal: market.journal)
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
        market.node.onSend { _, _ in
            market.setBook(bids: [high])
            return .pass
        }
        let failed = Mutex<[(String, Bool)]>([])
        var runner = GuardRunner(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings(),
            account: market.trader.address
        )
        let signer = market.signer
        await runner.fire(made, key: { signer }) { report in
            if case .failed(_, let error, let waits) = report {
                failed.withLock { $0.append((error.code, waits)) }
            }
        }
        #expect(failed.withLock { $0.map(\.0) } == ["guard-not-reached"])
        #expect(failed.withLock { $0.map(\.1) } == [true])
        #expect(try market.journaled().map(\.purpose) == ["approve"])
        #expect(try model.list().map(\.state) == [.waiting])
    }
}
