import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a swap did, by the chain and never by the quote")
struct SwapOutcomeTests {
    private func bench(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        mining: ChainConfiguration.Mining = .instant
    ) async throws -> SwapBench {
        let bench = try SwapBench(holdings, mining: mining)
        bench.market.setBook(asks: [try await bench.market.ask(0, "100", for: "1")])
        bench.serve(try await bench.market.ask(1, "100", for: "0.9"))
        return bench
    }

    /// Changes the events of every receipt.
    private func changeLogs(
        _ bench: SwapBench,
        _ change: @escaping @Sendable ([Log]) -> [Log]
    ) {
        bench.onRead { _, answers throws(ChainError) in
            answers.map { answer in
                guard case .success(.receipt(let receipt?)) = answer else { return answer }
                return .success(.receipt(receipt.with(logs: change(receipt.logs))))
            }
        }
    }

    private static func transfer(
        _ token: Address,
        from: Address,
        to: Address,
        _ amount: UInt256,
        like log: Log
    ) -> Log {
        Log(
            address: token,
            topics: [ERC20.transferTopic, from.word, to.word],
            data: amount.bigEndianBytes,
            blockNumber: log.blockNumber,
            blockHash: log.blockHash,
            transactionHash: log.transactionHash,
            logIndex: log.logIndex
        )
    }

    @Test("a token that keeps a part below the minimum ends with exit 14")
    func tax() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        let trader = bench.market.trader.address
        let arrived = TestMarket.units("9.5")
        changeLogs(bench) { logs in
            logs.map { log in
                guard log.address == TestMarket.zrx, log.topics.count == 3,
                    log.topics[2] == trader.word
                else { return log }
                return Log(
                    address: log.address,
                    topics: log.topics,
                    data: arrived.bigEndianBytes,
                    blockNumber: log.blockNumber,
                    blockHash: log.blockHash,
                    transactionHash: log.transactionHash,
                    logIndex: log.logIndex
                )
            }
        }
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.received == arrived)
        #expect(outcome.paid == TestMarket.units("0.09"))
        #expect(outcome.warnings.contains { $0.contains("below the confirmed minimum") })
        #expect(outcome.warnings.contains { $0.contains("keeps a part of each transfer") })
    }

    @Test("what a refund leg brings back is not paid")
    func refund() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        let trader = bench.market.trader.address
        changeLogs(bench) { logs in
            guard let first = logs.first else { return logs }
            return logs + [
                Self.transfer(
                    TestMarket.weth,
                    from: TestMarket.exchange,
                    to: trader,
                    TestMarket.units("0.01"),
                    like: first
                ),
                // Of another token, and between others: neither counts.
                Self.transfer(
                    TestMarket.usdc,
                    from: TestMarket.exchange,
                    to: trader,
                    7,
                    like: first
                ),
                Self.transfer(
                    TestMarket.weth,
                    from: TestMarket.exchange,
                    to: TestMarket.feeRecipient,
                    TestMarket.units("5"),
                    like: first
                ),
            ]
        }
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.paid == TestMarket.units("0.08"))
        #expect(outcome.received == TestMarket.units("10"))
        #expect(outcome.effectivePrice == Price(quote: 8, base: 1_000))
    }

    @Test("a mined swap that brought nothing, and could not be run before, says so with exit 14")
    func nothingArrived() async throws {
        let bench = try await bench()
        bench.market.node.hideAccessLists()
        let order = try await bench.market.ask(2, "10", for: "0.09")
        bench.serve(order)
        let plan = try await bench.plan(.buy, "10")
        // v1 answers 0 for an order that is gone, and does not revert.
        try await bench.market.take(order)
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.received == 0)
        #expect(outcome.paid == 0)
        #expect(outcome.effectivePrice == nil || outcome.received == 0)
        #expect(outcome.warnings.contains { $0.contains("nothing of it arrived") })
    }

    /// A venue that wraps or unwraps one for one at WETH itself.
    private func serveWraps(_ bench: SwapBench) {
        @Sendable func price(_ request: SwapRequest) -> SwapPrice? {
            guard case .exactIn(let amount) = request.amount else { return nil }
            return SwapPrice(
                sold: amount,
                maximumSold: amount,
                bought: amount,
                minimumBought: amount
            )
        }
        bench.swap.set { state in
            state.onPrice = { request in
                price(request).map { .success($0) } ?? .failure(.exactOutUnsupported)
            }
            state.onQuote = { _, request in
                guard let price = price(request) else { return .failure(.exactOutUnsupported) }
                let isWrap = request.sell == .native
                return .success(
                    SwapQuote(
                        price: price,
                        call: SwapCall(
                            to: TestMarket.weth,
                            data: isWrap
                                ? ERC20.call("deposit()")
                                : ERC20.call("withdraw(uint256)") + price.sold.bigEndianBytes,
                            value: isWrap ? Wei(price.sold) : .zero
                        )
                    )
                )
            }
        }
    }

    @Test("ether that is wrapped is counted by WETH's own events and the account's balance")
    func wraps() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0))
        serveWraps(bench)
        let plan = try await bench.plan(.sell, "1.5", pair: "ETH/WETH")
        #expect(plan.content.venue == .swap)
        #expect(plan.content.steps.map(\.purpose) == [.swap])
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.exit == .done, "\(outcome.warnings)")
        #expect(outcome.received == TestMarket.units("1.5"))
        // Without the gas.
        #expect(outcome.paid == TestMarket.units("1.5"))
        #expect(
            try await bench.market.balance(TestMarket.weth, of: bench.market.trader.address)
                == TestMarket.units("101.5")
        )
    }

    @Test("wrapped ether that is bought is sold for exactly, one for one")
    func buysWrapped() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0))
        serveWraps(bench)
        let outcome = try await bench.trade(.buy, "1.5", pair: "WETH/ETH")
        #expect(bench.swap.quotes.map(\.amount) == [.exactIn(TestMarket.units("1.5"))])
        #expect(outcome.exit == .done, "\(outcome.warnings)")
        #expect(outcome.received == TestMarket.units("1.5"))
        #expect(outcome.paid == TestMarket.units("1.5"))
    }

    @Test("a contract that logs a Transfer beside its own event is not counted twice")
    func wrapsWithTransfer() async throws {
        let bench = try await bench()
        serveWraps(bench)
        let trader = bench.market.trader.address
        let amount = TestMarket.units("1.5")
        let sides: [(pair: String, from: Address, to: Address)] = [
            ("ETH/WETH", .zero, trader), ("WETH/ETH", trader, .zero),
        ]
        for (pair, from, to) in sides {
            let plan = try await bench.plan(.sell, "1.5", pair: pair)
            changeLogs(bench) { logs in
                guard let first = logs.first else { return logs }
                return logs + [
                    Self.transfer(TestMarket.weth, from: from, to: to, amount, like: first)
                ]
            }
            let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
            #expect(outcome.received == amount, "\(pair)")
            #expect(outcome.paid == amount, "\(pair)")
        }
    }

    @Test("wrapped ether is unwrapped without an approval, and the ether that came is counted")
    func unwraps() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0))
        serveWraps(bench)
        let plan = try await bench.plan(.sell, "1.5", pair: "WETH/ETH")
        #expect(plan.content.steps.map(\.purpose) == [.swap])
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.exit == .done, "\(outcome.warnings)")
        #expect(outcome.received == TestMarket.units("1.5"))
        #expect(outcome.paid == TestMarket.units("1.5"))
    }

    /// Somebody pays the trader ether in the block of what is sent.
    private func payBeside(_ bench: SwapBench, _ ether: String, from payer: PrivateKeySigner? = nil)
    {
        let market = bench.market
        let payer = payer ?? market.rival
        market.node.onSend { _, raw in
            let client = market.chain
            _ = try await client.send(raw: raw)
            try await market.pay(ether, from: payer, to: market.trader.address)
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
    }

    @Test("another payment in the block is no proceeds and no profit")
    func paymentBeside() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0), mining: .manual)
        serveWraps(bench)
        payBeside(bench, "2")
        let plan = try await bench.plan(.sell, "0.01", pair: "WETH/ETH")
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.exit == .done, "\(outcome.warnings)")
        #expect(outcome.received == nil)
        #expect(outcome.effectivePrice == nil)
        #expect(outcome.warnings.contains { $0.contains("ETH is unknown") })
        let session = try bench.session()
        // Nothing is booked, and the history says that it lacks it.
        let history = try await HistoryModel(session: session, journal: bench.market.journal)
            .load(bench.market.trader.address)
        #expect(history.rows.isEmpty && history.positions.isEmpty)
        #expect(history.warnings.contains { $0.contains("One swap is not in it") })
        let hash = try #require(outcome.transactions.last?.hash)
        let status = StatusModel(session: session, journal: bench.market.journal)
        guard case .transaction(let seen) = try await status.load(hash.word) else {
            Issue.record("it is no transaction")
            return
        }
        #expect(seen.fills.isEmpty && seen.exit == .done)
        #expect(seen.notes.contains { $0.contains("is unknown") })
    }

    @Test("what was wrapped whole was paid, whatever else came in the block")
    func paidBeside() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0), mining: .manual)
        serveWraps(bench)
        payBeside(bench, "2")
        let plan = try await bench.plan(.sell, "1.5", pair: "ETH/WETH")
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.exit == .done, "\(outcome.warnings)")
        #expect(outcome.received == TestMarket.units("1.5"))
        #expect(outcome.paid == TestMarket.units("1.5"))
    }

    @Test("strangers' transactions in the block change nothing where events and balance agree")
    func strangersBeside() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0), mining: .manual)
        serveWraps(bench)
        let market = bench.market
        market.node.onSend { _, raw in
            let client = market.chain
            _ = try await client.send(raw: raw)
            try await market.pay("2", from: market.rival, to: market.makers[0].address)
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
        let plan = try await bench.plan(.sell, "0.5", pair: "WETH/ETH")
        let outcome = try await bench.model().execute(plan, signer: market.signer)
        #expect(outcome.received == TestMarket.units("0.5"))
        #expect(outcome.warnings.isEmpty)
    }

    @Test("a journal that does not take the trade does not hide it")
    func unbooked() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0))
        serveWraps(bench)
        let plan = try await bench.plan(.sell, "0.5", pair: "WETH/ETH")
        let market = bench.market
        market.node.onSend { _, _ in
            try market.damage("DROP TABLE trades")
            return .pass
        }
        let outcome = try await bench.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("0.5"))
        #expect(outcome.warnings.contains { $0.contains("could not be written to the journal") })
    }

    @Test("more ether than there is beside its gas is refused")
    func etherFunds() async throws {
        let bench = try await bench()
        serveWraps(bench)
        for amount in ["10", "10.5"] {
            let error = await refusal { try await bench.plan(.sell, amount, pair: "ETH/WETH") }
            #expect(error?.exit == .refused)
            let codes = ["insufficient-ether", "insufficient-balance"]
            #expect(error.map { codes.contains($0.code) } == true, "\(error?.code ?? "")")
        }
        try bench.expectNothingDone()
    }

    @Test("a swap that reverts in its block ends with exit 11")
    func reverted() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        let market = bench.market
        market.node.onSend { _, _ in
            try await market.drain(market.makers[1], TestMarket.zrx)
            return .pass
        }
        let outcome = try await bench.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .reverted)
        #expect(outcome.received == 0)
        #expect(outcome.transactions.map(\.stage) == [.reverted])
    }

    @Test("a token that keeps a part without an event: what arrived is what the balance says")
    func silentFee() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        let kept = TestMarket.units("0.1")
        let trader = bench.market.trader.address
        bench.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .call(let call, .number(let block)) = read, block > 0,
                    call.to == TestMarket.zrx, call.data == ERC20.balanceOf(trader),
                    case .success(.bytes(let bytes)) = answer,
                    let balance = UInt256(bigEndian: bytes), balance > TestMarket.units("10000")
                else { return answer }
                return .success(.bytes((balance - kept).bigEndianBytes))
            }
        }
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.received == TestMarket.units("9.9"))
        #expect(outcome.exit == .filledLess)
    }

    @Test("a swap whose nonce another transaction used is replaced, exit 13")
    func replaced() async throws {
        let bench = try await bench(mining: .manual)
        let plan = try await bench.plan(.buy, "10")
        let market = bench.market
        market.node.onSend { _, _ in
            try await market.send(
                from: market.trader,
                to: TestMarket.zrx,
                ERC20.transfer(to: market.rival.address, amount: 1),
                nonce: 0
            )
            for _ in 0...12 { try await market.chain.mine() }
            return .lose(.rpc(code: -32_000, message: "nonce too low"))
        }
        let outcome = try await bench.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .replacedOrDropped)
        #expect(try market.journaled().map(\.stage) == [.replaced])
    }

    @Test("a pending swap stops every other market order, at either venue")
    func pending() async throws {
        let bench = try await bench(mining: .manual)
        let outcome = try await bench.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.transactions.map(\.purpose) == [.swap])
        for via in [VenueChoice.best, .book, .swap] {
            let plan = try await bench.plan(.buy, "10", via: via)
            #expect(plan.content.warnings.contains { $0.hasPrefix("PENDING: ") })
            #expect(plan.content.stop?.code == "pending-transaction")
            let error = await refusal {
                try await bench.model().execute(plan, signer: bench.market.signer)
            }
            #expect(error?.code == "pending-transaction")
        }
        #expect(bench.market.node.sent.count == 1)
    }

    @Test("a swap that was mined unseen is not repeated, at either venue; nor is a fill")
    func neverTwice() async throws {
        for first in [VenueChoice.swap, .book] {
            let bench = try await bench(mining: .manual)
            #expect(try await bench.trade(.buy, "10", via: first).exit == .notMinedYet)
            try await bench.market.chain.mine()
            for via in [VenueChoice.best, .book, .swap] {
                let error = await refusal { try await bench.trade(.buy, "10", via: via) }
                #expect(
                    error?.code == "unacknowledged-\(first == .swap ? "swap" : "fill")",
                    "\(first), then \(via)"
                )
                #expect(error?.exit == .refused)
            }
            #expect(bench.market.node.sent.count == 1)
        }
    }
}
