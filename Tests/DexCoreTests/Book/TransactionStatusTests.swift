import DexCore
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What became of a transaction")
struct TransactionStatusTests {
    let market: TestMarket
    let store = TemporaryJournal()
    let hash = TransactionHash(UInt256(0xabcdef).word)

    init() throws {
        market = try TestMarket()
        market.chain.set { state in
            state.receipts[hash] = .some(nil)
            state.transactions[hash] = .some(nil)
        }
        market.relay.set { $0.orders[OrderHash(hash.word)] = .success(nil) }
    }

    private func model() throws -> StatusModel {
        StatusModel(session: try market.session(), journal: store.journal)
    }

    private func load(confirmations: UInt64 = 1) async throws -> TransactionStatus {
        try Self.transaction(try await model().load(hash.word, confirmations: confirmations))
    }

    private static func transaction(_ state: StatusState) throws -> TransactionStatus {
        guard case .transaction(let status) = state else {
            throw DexError(.fault, code: "test", message: "It is an order.")
        }
        return status
    }

    private func setReceipt(_ receipt: TransactionReceipt) {
        market.chain.set { $0.receipts[receipt.transactionHash] = .some(receipt) }
    }

    private func setPending(nonce: UInt64 = 7, mined: UInt64 = 7) {
        let info = market.info(hash, nonce: nonce)
        let trader = market.trader.address
        market.chain.set { state in
            state.transactions[info.hash] = .some(info)
            state.minedNonces[trader] = mined
        }
    }

    private func record(nonce: UInt64) throws {
        let intent = try store.journal.open(
            JournalIntent(
                chainID: 1337,
                account: market.trader.address,
                command: "market-buy",
                plan: "{}",
                created: TestMarket.now
            )
        )
        let reservation = try store.journal.reserveNonce(
            intent: intent,
            purpose: "fill",
            chainID: 1337,
            sender: market.trader.address,
            pendingCount: nonce,
            now: TestMarket.now
        )
        try store.journal.record(
            raw: [1, 2, 3],
            hash: hash,
            for: reservation,
            now: TestMarket.now
        )
    }

    // MARK: Mined

    @Test("a mined fill is decoded with its tokens, fees and what was skipped")
    func mined() async throws {
        let ask = try await market.ask(
            by: market.makers[0],
            "100",
            for: "1",
            fees: TestMarket.fees(maker: "3", taker: "5")
        )
        let gone = try await market.ask(by: market.makers[1], "100", for: "1")
        let own = try await market.bid(by: market.trader, "100", for: "1")
        let trader = market.trader.address
        setReceipt(
            market.receipt(
                hash,
                block: TestMarket.head,
                logs: [
                    market.fillLog(ask, taker: trader, filling: TestMarket.units("0.5")),
                    market.errorLog(gone, 1), market.cancelLog(own, cancelling: 7),
                ]
            )
        )

        let status = try await load()

        #expect(status.stage == .confirmed)
        #expect(status.exit == .done)
        #expect(status.block == TestMarket.head)
        #expect(status.confirmations == 1)
        #expect(status.cost == Wei(100_000_000_000_000))
        #expect(status.from == trader)
        let fill = try #require(status.fills.first)
        #expect(status.fills.count == 1)
        #expect(fill.event.orderHash == ask.hash)
        #expect(fill.event.makerAmount == TestMarket.units("50"))
        #expect(fill.event.takerFee == TestMarket.units("2.5"))
        #expect(fill.makerToken.symbol == "ZRX")
        #expect(fill.takerToken.symbol == "WETH")
        #expect(status.skipped.map(\.0) == [gone.hash])
        #expect(status.skipped.map(\.1) == [.filledOrCancelled])
        #expect(status.cancels.map(\.orderHash) == [own.hash])
        #expect(status.fills.allSatisfy { $0.feeToken?.symbol == "ZRX" })
        // The second one compares the tokens' decimals.
        #expect(market.chain.rounds.count == 2)
    }

    @Test("a mined call of the exchange that moved nothing exits 14", arguments: [true, false])
    func nothingFilled(skips: Bool) async throws {
        let ask = try await market.ask(by: market.makers[0], "100", for: "1")
        setReceipt(
            market.receipt(
                hash,
                block: TestMarket.head,
                logs: skips ? [market.errorLog(ask, 3)] : []
            )
        )

        let status = try await load()

        #expect(status.stage == .confirmed)
        #expect(status.exit == .filledLess)
    }

    @Test("a fill whose confirmed bounds the journal cannot read is no success")
    func unreadBounds() async throws {
        try record(nonce: 7)
        let ask = try await market.ask(by: market.makers[0], "100", for: "1")
        let fill = market.fillLog(
            ask,
            taker: market.trader.address,
            filling: TestMarket.units("0.5")
        )
        setReceipt(market.receipt(hash, block: TestMarket.head, logs: [fill]))
        #expect(try await load().exit == .done)

        try store.damage("DROP TABLE plans")

        let error = await #expect(throws: DexError.self) { try await load() }
        #expect(error?.code == "journal-failed")
    }

    @Test("a mined transaction of another contract needs no fill")
    func approval() async throws {
        setReceipt(market.receipt(hash, block: TestMarket.head, to: TestMarket.weth))

        #expect(try await load().exit == .done)
    }

    @Test("a reverted transaction exits 11")
    func reverted() async throws {
        setReceipt(market.receipt(hash, block: TestMarket.head, succeeded: false))

        let status = try await load()

        #expect(status.stage == .reverted)
        #expect(status.exit == .reverted)
    }

    @Test("confirmations count the block of the receipt, whose hash is read again")
    func confirmations() async throws {
        market.mine(96, timestamp: TestMarket.now)
        setReceipt(market.receipt(hash, block: 96, to: TestMarket.weth))

        let enough = try await load(confirmations: 5)
        let tooFew = try await load(confirmations: 6)
        let none = try await load(confirmations: 0)

        #expect(enough.confirmations == 5)
        #expect(enough.exit == .done)
        #expect(tooFew.exit == .notMinedYet)
        #expect(tooFew.stage == .mined)
        #expect(none.exit == .done)
    }

    @Test(
        "a receipt whose block is not part of the chain is not believed",
        arguments: [100, 96, 101] as [UInt64]
    )
    func reorganised(block: UInt64) async throws {
        market.mine(96, timestamp: TestMarket.now)
        setReceipt(market.receipt(hash, block: block, fork: 1))
        setPending()

        let status = try await load()

        #expect(status.stage == .pooled)
        #expect(status.exit == .notMinedYet)
        #expect(status.block == nil)
        #expect(status.fills.isEmpty)
    }

    @Test("a receipt from a reorganised block is pending even where nothing else is known")
    func reorganisedAlone() async throws {
        setReceipt(market.receipt(hash, block: TestMarket.head, fork: 1))

        #expect(try await load().stage == .pooled)
    }

    @Test("another transaction's receipt is never ours")
    func foreignReceipt() async throws {
        let other = market.receipt(TransactionHash(.zero), block: TestMarket.head)
        market.chain.set { $0.receipts[hash] = .some(other) }

        await #expect {
            _ = try await load()
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .unreachable && error?.code == "node-nonsense"
        }
    }

    @Test("a fill that claims to be the exchange's and cannot be read is the node's fault")
    func unreadableLog() async throws {
        let ask = try await market.ask(by: market.makers[0], "100", for: "1")
        let log = market.fillLog(ask, taker: market.trader.address, filling: 1)
        let cut = Log(address: log.address, topics: log.topics, data: Array(log.data.dropLast()))
        setReceipt(market.receipt(hash, block: TestMarket.head, logs: [cut]))

        await #expect {
            _ = try await load()
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .unreachable && error?.code == "exchange-nonsense"
        }
    }

    // MARK: Not mined

    @Test("a transaction that the node has and has not mined is pending, exit 12")
    func pending() async throws {
        setPending()

        let status = try await load()

        #expect(status.stage == .pooled)
        #expect(status.exit == .notMinedYet)
        #expect(status.to == TestMarket.exchange)
        #expect(status.confirmations == 0)
    }

    @Test("a nonce that is used by another transaction tells of a replacement, exit 13")
    func replaced() async throws {
        setPending(nonce: 7, mined: 8)

        let status = try await load()

        #expect(status.stage == .replaced)
        #expect(status.exit == .replacedOrDropped)
    }

    @Test("what we sent and no node has is dropped, or replaced where its nonce is used")
    func dropped() async throws {
        try record(nonce: 7)
        let trader = market.trader.address
        market.chain.set { $0.minedNonces[trader] = 7 }

        let lost = try await load()
        market.chain.set { $0.minedNonces[trader] = 8 }
        let replaced = try await load()

        #expect(lost.stage == .dropped)
        #expect(lost.exit == .replacedOrDropped)
        #expect(lost.from == trader)
        #expect(replaced.stage == .replaced)
        #expect(market.relay.requests.isEmpty)
    }

    @Test("mined between two looks is mined, not replaced")
    func minedMeanwhile() async throws {
        setPending(nonce: 7, mined: 8)
        let receipt = market.receipt(hash, block: TestMarket.head)
        market.chain.set { state in
            state.onRound = { round, reads in
                guard round == 1 else { return nil }
                let history = FeeHistory(oldestBlock: 1, baseFeePerGas: [], rewards: [])
                return .answers(
                    reads.map { read in
                        switch read {
                        case .transactionCount: .success(.number(8))
                        case .receipt: .success(.receipt(receipt))
                        case .transaction: .success(.transaction(nil))
                        case .chainID: .success(.number(1337))
                        case .blockNumber: .success(.number(TestMarket.head))
                        case .feeHistory: .success(.feeHistory(history))
                        default: .failure(.nonsense("\(read) is not expected"))
                        }
                    }
                )
            }
        }

        let status = try await load()

        #expect(status.stage == .confirmed)
        #expect(status.exit == .filledLess)
    }

    @Test("a transaction in a block whose receipt the node lacks has used its own nonce")
    func receiptMissing() async throws {
        let info = market.info(hash, nonce: 7, block: TestMarket.head)
        let trader = market.trader.address
        market.chain.set { state in
            state.transactions[info.hash] = .some(info)
            state.minedNonces[trader] = 8
        }

        #expect(try await load().stage == .pooled)
    }

    @Test("a transaction that the node forgot is what the journal saw, once it is deep enough")
    func forgotten() async throws {
        try record(nonce: 7)
        let trader = market.trader.address
        market.chain.set { $0.minedNonces[trader] = 8 }
        try store.journal.record(
            market.receipt(hash, block: TestMarket.head, to: TestMarket.weth),
            trades: nil
        )

        let shallow = try await load()
        market.mine(TestMarket.head + 129, timestamp: TestMarket.now)
        let deep = try await load()

        #expect(shallow.stage == .replaced)
        #expect(deep.stage == .confirmed)
        #expect(deep.exit == .done)
        #expect(deep.block == TestMarket.head)
        #expect(deep.confirmations == 130)
    }

    @Test("mined in another block than by the journal, it is told and the journal has that block")
    func anotherBlock() async throws {
        try record(nonce: 7)
        market.mine(96, timestamp: TestMarket.now)
        try store.journal.record(market.receipt(hash, block: 96), trades: nil)
        setReceipt(market.receipt(hash, block: TestMarket.head))

        let status = try await load()

        #expect(status.stage == .confirmed && status.block == TestMarket.head)
        let journaled = try store.journal.transaction(hash)
        #expect(journaled?.stage == .mined && journaled?.block == TestMarket.head)
        #expect(journaled?.reorgedFromBlock == 96)
    }

    @Test("a hash that nobody knows is exit 2, and may be known later")
    func unknown() async throws {
        await #expect {
            _ = try await load()
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .usage && error?.code == "unknown-hash"
                && error?.retryable == true
                && error?.message
                    == "Neither the node, the relay nor the journal knows \(hash)."
        }
    }

    @Test("a relay that is down does not hide a transaction, but does leave a hash unknown")
    func relayDown() async throws {
        market.relay.set {
            $0.orders[OrderHash(hash.word)] = .failure(.unreachable(url: "u", reason: "down"))
        }
        await #expect {
            _ = try await load()
        } throws: { ($0 as? DexError)?.code == "relay-unreachable" }

        setPending()
        #expect(try await load().stage == .pooled)
    }

    // MARK: Waiting

    @Test("waiting polls until the confirmations are there")
    func wait() async throws {
        setPending()
        let (market, hash) = (market, hash)
        market.clock.onSleep { count in
            switch count {
            case 1:
                market.mine(101, timestamp: TestMarket.now)
                let receipt = market.receipt(hash, block: 101, to: TestMarket.weth)
                market.chain.set { $0.receipts[hash] = .some(receipt) }
            case 3: market.mine(102, timestamp: TestMarket.now)
            default: break
            }
        }

        let state = try await model().wait(hash.word, confirmations: 2)

        let status = try Self.transaction(state)
        #expect(status.exit == .done && status.confirmations == 2)
        // Each look before the last one is shown; nobody's own transaction has no price.
        let waits = market.clock.waits
        #expect(waits.dropLast().map { $0?.hash } == Array(repeating: hash, count: 4))
        #expect(waits.last == .some(nil) && waits.allSatisfy { $0?.price == nil })
        #expect(market.clock.sleeps == Array(repeating: 250, count: 4))
        // Once it is known to be a transaction the relay is left alone.
        #expect(market.relay.requests == ["order"])
    }

    @Test("after the time-out what was seen last is reported: exit 12, not a failure")
    func timeout() async throws {
        setPending()

        let state = try await model().wait(hash.word, timeout: 3)

        #expect(state.exit == .notMinedYet)
        #expect(market.clock.sleeps.count == 12)
    }

    @Test("waiting outlives failures that may pass, and reports the last one at the end")
    func waitThroughFailures() async throws {
        setPending()
        let (market, hash) = (market, hash)
        // Nobody tells why it reverts.
        market.chain.answer(TestMarket.exchange, [], with: .success([]))
        market.chain.set { state in
            state.onRound = { round, _ in
                round < 3 ? .failure(.unreachable(url: "n", reason: "down")) : nil
            }
        }
        market.clock.onSleep { count in
            guard count == 5 else { return }
            let receipt = market.receipt(hash, block: TestMarket.head, succeeded: false)
            market.chain.set { $0.receipts[hash] = .some(receipt) }
        }

        let state = try await model().wait(hash.word)
        #expect(state.exit == .reverted)
        #expect(market.clock.messages.count == 3)

        market.chain.set { state in
            state.onRound = { _, _ in .failure(.unreachable(url: "n", reason: "down")) }
        }
        await #expect {
            _ = try await model().wait(hash.word, timeout: 1)
        } throws: { ($0 as? DexError)?.code == "node-unreachable" }
    }

    @Test("a failure that cannot pass ends the wait at once")
    func waitWrongChain() async throws {
        market.chain.set { $0.chainID = 1 }

        await #expect {
            _ = try await model().wait(hash.word)
        } throws: { ($0 as? DexError)?.code == "wrong-chain" }
        #expect(market.clock.sleeps.isEmpty)
    }

    @Test("an interrupted wait exits 130")
    func interrupted() async throws {
        setPending()
        market.clock.onSleep { _ in throw CancellationError() }

        await #expect {
            _ = try await model().wait(hash.word)
        } throws: { ($0 as? DexError)?.exit == .interrupted }
    }
}
