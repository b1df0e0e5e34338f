import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Preconditions: balances, allowances, fees, gas")
struct ApprovalTests {
    private func market(_ holdings: LiveMarket.Holdings) async throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    @Test("a missing approval is made exactly, then the book is read again, then filled")
    func exact() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let plan = try await market.plan(.buy, "10")
        #expect(plan.content.steps.map(\.purpose) == [.approve, .fill])
        #expect(plan.content.steps[0].summary.contains("approve 0.1 WETH"))
        #expect(plan.content.steps[0].summary.contains(TestMarket.proxy.checksummed))
        let books = market.relay.requests.count
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.purpose) == [.approve, .fill])
        #expect(market.relay.requests.count == books + 1)
        #expect(try await market.allowance(TestMarket.weth) == 0)
        #expect(try market.journaled().map(\.nonce) == [0, 1])
        let spent = outcome.transactions.reduce(UInt256(0)) { $0 + ($1.cost?.rawValue ?? 0) }
        #expect(spent <= plan.content.gas.maxCost.rawValue)
    }

    @Test("a trade that uses up the allowance of own open orders says so")
    func ownOrders() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let own = try await market.order(
            by: market.trader,
            give: (TestMarket.weth, "3"),
            get: (TestMarket.zrx, "500")
        )
        try market.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: TestMarket.exchange,
                hash: own.hash,
                maker: own.maker,
                wire: market.exchangeProtocol.encodeOrder(own).text,
                created: TestMarket.now
            )
        )
        let exact = try await market.plan(.buy, "10").content.warnings
        #expect(exact.contains { $0.contains("offer up to 3 WETH") })
        let unlimited = try await market.plan(.buy, "10") { $0.approval = .unlimited }
        #expect(!unlimited.content.warnings.contains { $0.contains("offer up to") })
    }

    @Test("an unlimited approval is made only by choice")
    func unlimited() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let outcome = try await market.trade(.buy, "10") { $0.approval = .unlimited }
        #expect(outcome.exit == .done)
        #expect(try await market.allowance(TestMarket.weth) == .max)
    }

    @Test("an allowance that cannot be raised (USDT) is set to zero first")
    func resetsFirst() async throws {
        let market = try LiveMarket(
            LiveMarket.Holdings(allowances: [LiveMarket.usdt: 5], allowance: .max)
        )
        let ask = try await market.order(
            by: market.makers[0],
            give: (TestMarket.zrx, "100"),
            get: (LiveMarket.usdt, "50")
        )
        market.setBook(asks: [ask])
        let pair = "\(TestMarket.zrx.checksummed)/\(LiveMarket.usdt.checksummed)"
        let plan = try await market.plan(.buy, "10", pair: pair) { $0.allowsUncheckedPrice = true }
        #expect(plan.content.steps.map(\.purpose) == [.resetAllowance, .approve, .fill])
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.purpose) == [.resetAllowance, .approve, .fill])
        #expect(outcome.received == TestMarket.units("10"))
    }

    @Test("a book that moves during the approval stops with exit 6, the approval told")
    func movesMeanwhile() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let plan = try await market.plan(.buy, "10")
        let expensive = try await market.ask(1, "100", for: "1.5")
        market.node.onSend { _, _ in
            market.setBook(asks: [expensive])
            return .pass
        }
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        #expect(error?.code == "book-moved")
        #expect(error?.exit == .refused)
        #expect(error?.message.contains("The approval is mined and stays") == true)
        let journaled = try market.journaled()
        #expect(journaled.map(\.purpose) == ["approve"])
        #expect(error?.sent.map(\.hash) == journaled.map(\.hash))
        #expect(error?.sent.first?.stage == .confirmed)
        #expect(error?.sent.first?.cost != nil)
    }

    @Test("an approval that is not mined in time exits 12 and nothing is filled")
    func pendingApproval() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0), mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.transactions.map(\.purpose) == [.approve])
        #expect(market.node.sent.count == 1)
    }

    @Test("a throwing call whose maker moved its funds is mined and reverted, exit 11")
    func reverted() async throws {
        let market = try LiveMarket()
        let ask = try await market.order(
            by: market.makers[0],
            give: (LiveMarket.stubborn, "100"),
            get: (TestMarket.weth, "1")
        )
        market.setBook(asks: [ask])
        let pair = "\(LiveMarket.stubborn.checksummed)/WETH"
        let plan = try await market.plan(.buy, "10", pair: pair)
        market.node.onSend { _, _ in
            try await market.drain(market.makers[0], LiveMarket.stubborn)
            return .pass
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .reverted)
        #expect(outcome.transactions.map(\.stage) == [.reverted])
        #expect(outcome.received == 0)
        #expect(try market.journaled().map(\.stage) == [.reverted])
    }

    @Test("a missing balance is refused before anything is signed, with the amounts")
    func balance() async throws {
        let market = try await market(LiveMarket.Holdings(weth: "0.05"))
        let error = await refusal { try await market.plan(.buy, "10") }
        #expect(error?.code == "insufficient-balance")
        #expect(error?.exit == .refused)
        #expect(error?.message.contains("needs 0.1 WETH") == true)
        #expect(error?.message.contains("has 0.05") == true)
    }

    @Test("ether that does not pay the gas is refused")
    func ether() async throws {
        let market = try await market(LiveMarket.Holdings(ether: "0.00001"))
        let error = await refusal { try await market.plan(.buy, "10") }
        #expect(error?.code == "insufficient-ether")
        #expect(error?.exit == .refused)
    }

    @Test("a taker fee without the ZRX for it is refused")
    func feeMissing() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(zrx: "0"))
        let ask = try await market.order(
            by: market.makers[0],
            give: (LiveMarket.usdt, "100"),
            get: (TestMarket.weth, "1"),
            fees: TestMarket.fees(taker: "2")
        )
        market.setBook(asks: [ask])
        let pair = "\(LiveMarket.usdt.checksummed)/WETH"
        let error = await refusal { try await market.plan(.buy, "10", pair: pair) }
        #expect(error?.code == "insufficient-balance")
        #expect(error?.message.contains("ZRX for taker fees") == true)
    }

    @Test("a taker fee is approved exactly too")
    func feeApproved() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        let ask = try await market.order(
            by: market.makers[0],
            give: (LiveMarket.usdt, "100"),
            get: (TestMarket.weth, "1"),
            fees: TestMarket.fees(taker: "2")
        )
        market.setBook(asks: [ask])
        let pair = "\(LiveMarket.usdt.checksummed)/WETH"
        let plan = try await market.plan(.buy, "10", pair: pair)
        #expect(plan.content.steps.map(\.purpose) == [.approve, .approve, .fill])
        #expect(plan.content.steps[1].summary.contains("approve 0.2 ZRX"))
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.fees == TestMarket.units("0.2"))
    }

    @Test("where ZRX is what is sold, amount and fee come out of one pool")
    func onePool() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(zrx: "10", allowance: 0))
        market.setBook(bids: [
            try await market.bid(0, "100", for: "1", fees: TestMarket.fees(taker: "10"))
        ])
        let error = await refusal { try await market.plan(.sell, "10") }
        #expect(error?.code == "insufficient-balance")
        #expect(error?.message.contains("needs 11 ZRX with the taker fee") == true)
        let plan = try await market.plan(.sell, "9")
        #expect(plan.content.steps.map(\.purpose) == [.approve, .fill])
        #expect(plan.content.steps[0].summary.contains("approve 9.9 ZRX"))
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.fees == TestMarket.units("0.9"))
    }

    @Test("a buyer of ZRX without any pays the fee out of what is bought")
    func feeFromProceeds() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(zrx: "0"))
        market.setBook(asks: [
            try await market.ask(0, "100", for: "1", fees: TestMarket.fees(taker: "2"))
        ])
        let plan = try await market.plan(.buy, "10")
        #expect(!plan.content.skipsGoneOrders)
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("9.8")
        )
    }

    @Test("the total fee is capped and said to be; below the base fee it is refused")
    func feeCap() async throws {
        let market = try await market(LiveMarket.Holdings())
        let free = try await market.plan(.buy, "10").content.gas
        #expect(!free.isCapped)
        let cap = Wei(free.maxCost.rawValue * 3 / 4)
        let capped = try await market.plan(.buy, "10") { $0.feeCap = cap }.content
        #expect(capped.gas.isCapped)
        #expect(capped.gas.maxCost <= cap)
        #expect(capped.warnings.contains { $0.contains("cut to the cap") })
        let error = await refusal {
            try await market.plan(.buy, "10") { $0.feeCap = Wei(1_000_000) }
        }
        #expect(error?.code == "fee-cap")
        #expect(error?.exit == .refused)
    }

    @Test("gas that became dearer than confirmed stops with exit 6, nothing signed")
    func baseFeeJump() async throws {
        let market = try await market(LiveMarket.Holdings())
        let plan = try await market.plan(.buy, "10")
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .feeHistory = read, case .success(.feeHistory(let old)) = answer
                else { return answer }
                return .success(
                    .feeHistory(
                        FeeHistory(
                            oldestBlock: old.oldestBlock,
                            baseFeePerGas: old.baseFeePerGas.map { _ in Wei(900_000_000_000) },
                            rewards: old.rewards
                        )
                    )
                )
            }
        }
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        #expect(error?.code == "fees-rose")
        #expect(error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
    }

    @Test("the gas limit is the estimate x 1.3, and the fee 2 x base + the median tip")
    func gas() async throws {
        let market = try await market(LiveMarket.Holdings())
        let estimates = Estimates()
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch read {
                case .feeHistory:
                    return .success(
                        .feeHistory(
                            FeeHistory(
                                oldestBlock: 0,
                                baseFeePerGas: [Wei(7_000_000_000)],
                                rewards: [3, 9, 1, 5, 7].map { (tip: UInt256) in
                                    [Wei.zero, Wei(tip), Wei(100 * tip)]
                                }
                            )
                        )
                    )
                case .estimateGas:
                    if case .success(.number(let gas)) = answer { estimates.add(gas) }
                    return answer
                default: return answer
                }
            }
        }
        let plan = try await market.plan(.buy, "10").content
        let skipping = try #require(estimates.first)
        #expect(plan.gas.limit == skipping * 130 / 100)
        #expect(plan.gas.maxPriorityFeePerGas == Wei(5))
        #expect(plan.gas.maxFeePerGas == Wei(14_000_000_005))
    }
}
