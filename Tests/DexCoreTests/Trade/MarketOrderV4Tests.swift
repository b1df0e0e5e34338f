import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Market orders where each order is filled by its own amount, fees on top")
struct MarketOrderV4Tests {
    private func units(_ text: String) -> UInt256 { TestMarket.units(text) }

    @Test("fees are on top in what is paid: plan, approval, signature and outcome count them")
    func feesOnTop() async throws {
        let stage = try MarketV4(allowance: units("0.1"))
        let order = try await stage.ask(0, "100", for: "1", fee: "0.05")
        let planned = try await stage.plan("10", from: [order])
        let plan = planned.content
        #expect(plan.expectedPay == units("0.1"))
        #expect(plan.fees?.raw == units("0.005"))
        #expect(plan.fees?.token.address == TestMarket.weth)
        #expect(plan.average == Price(quote: units("0.105"), base: units("10")))
        // The allowance covers the payment and not the fee.
        #expect(plan.steps.map(\.purpose) == [.approve, .fill])
        #expect(planned.content.maximumCost == units("0.105"))
        #expect(plan.steps.first?.summary.contains("0.105 WETH") == true)
    }

    @Test("what is paid and the fee must be owned together")
    func bothMustBeOwned() async throws {
        let order = try await MarketV4().ask(0, "100", for: "1", fee: "0.05")
        let exact = try MarketV4(weth: "0.105")
        #expect(try await exact.plan("10", from: [order]).content.expectedPay == units("0.1"))
        let short = try MarketV4(weth: "0.104999999999999999")
        let error = await refusal { try await short.plan("10", from: [order]) }
        #expect(error?.code == "insufficient-balance")
        #expect(error?.message.contains("with the taker fee") == true)
    }

    @Test("backups step in where a simulation shows that an order is gone, and no more is bought")
    func stepsIn() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let next = try await stage.ask(1, "100", for: "1.002")
        let last = try await stage.ask(2, "100", for: "1.004")
        stage.leave(of: next)
        let planned = try await stage.plan("150", from: [best, next, last])
        let legs = planned.content.legs.filter { !$0.isBackup }
        #expect(legs.map(\.orderHash) == [best.hash, last.hash])
        #expect(planned.content.expectedReceive == units("150"))
        #expect(planned.content.expectedPay == units("1.502"))
        let outcome = try await stage.execute(planned)
        #expect(outcome.exit == .done)
        #expect(outcome.received == units("150"))
        #expect(outcome.paid == units("1.502"))
        guard
            case .limit(.batchFill(let orders, _, let amounts, false)) = try ExchangeCallV4(
                data: try #require(stage.sent.first).data
            )
        else {
            Issue.record("it is not a batch that skips")
            return
        }
        // No backup is in the call.
        #expect(orders.count == 2)
        #expect(amounts.reduce(0, +) == units("1.502").uint128)
    }

    @Test("an order of which only a part is left is used for that part")
    func partLeft() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let next = try await stage.ask(1, "100", for: "1.002")
        stage.leave(units("0.4"), of: best)
        let planned = try await stage.plan("100", from: [best, next])
        #expect(planned.content.legs.filter { !$0.isBackup }.map(\.receive).first == units("40"))
        #expect(planned.content.expectedReceive == units("100"))
    }

    @Test("a single order that reverts in the simulation is replaced as well")
    func singleReplaced() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let next = try await stage.ask(1, "100", for: "1.002")
        stage.leave(of: best)
        let planned = try await stage.plan("10", from: [best, next])
        #expect(planned.content.legs.filter { !$0.isBackup }.map(\.orderHash) == [next.hash])
    }

    @Test("where no order fills anything, nothing is signed, after a few simulations at most")
    func nothingFills() async throws {
        let stage = try MarketV4()
        var asks: [SignedOrderV4] = []
        for maker in 0..<5 {
            let order = try await stage.ask(maker, "100", for: "1.00\(maker)")
            stage.leave(of: order)
            asks.append(order)
        }
        let error = await refusal { try await stage.plan("10", from: asks) }
        #expect(error?.exit == .simulationFailed)
        #expect(error?.code == "would-fill-nothing")
        #expect(stage.sent.isEmpty)
        #expect(stage.market.chain.rounds.count <= 2 + 5)
    }

    @Test("an order that goes right before signing is replaced within what was confirmed")
    func goesAfterPlan() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let backup = try await stage.ask(1, "100", for: "1.005")
        let planned = try await stage.plan("100", from: [best, backup])
        #expect(planned.content.expectedPay == units("1"))
        #expect(planned.content.maximumPay >= units("1.005"))
        stage.leave(of: best)
        let outcome = try await stage.execute(planned)
        #expect(outcome.exit == .done)
        #expect(outcome.received == units("100"))
        #expect(outcome.paid == units("1.005"))
        #expect((outcome.paid ?? 0) <= planned.content.maximumPay)
    }

    @Test("what would cost more than was confirmed is not signed")
    func beyondConfirmed() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let planned = try await stage.plan("100", from: [best])
        #expect(planned.content.maximumPay == units("1"))
        let expensive = try await stage.ask(1, "100", for: "1.005")
        stage.market.setBook(asks: [best, expensive])
        stage.leave(of: best)
        let error = await refusal { try await stage.execute(planned) }
        #expect(error?.code == "book-moved" || error?.code == "would-fill-nothing")
        #expect(stage.sent.isEmpty)
    }

    @Test("an order that goes between signing and its block leaves its part, and is told")
    func goesAfterSigning() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let next = try await stage.ask(1, "100", for: "1.002")
        let backup = try await stage.ask(2, "100", for: "1.004")
        let planned = try await stage.plan("150", from: [best, next, backup])
        stage.leaveWhenMined(of: best)
        let outcome = try await stage.execute(planned)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.received == units("50"))
        #expect(outcome.paid == units("0.501"))
        let reported = outcome.legs.filter { $0.orderHash == best.hash }
        #expect(reported.map(\.status) == [.skipped])
        #expect(reported.first?.reason?.isEmpty == false)
        #expect(outcome.legs.last?.status == .untouched)
    }

    @Test("a single order that goes after signing reverts, and the contract's reason is told")
    func revertReported() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let planned = try await stage.plan("10", from: [best])
        stage.leaveWhenMined(of: best)
        let outcome = try await stage.execute(planned)
        #expect(outcome.exit == .reverted)
        #expect(outcome.paid == 0)
        #expect(
            outcome.warnings.contains { $0.contains("The order \(best.hash) cannot be filled") }
        )
    }

    @Test("the protocol's fee goes along by the price of gas, and is told before and after")
    func protocolFee() async throws {
        let stage = try MarketV4(multiplier: 70_000)
        let best = try await stage.ask(0, "100", for: "1")
        let next = try await stage.ask(1, "100", for: "1.002")
        let planned = try await stage.plan("150", from: [best, next])
        let gas = planned.content.gas
        #expect(gas.protocolFee == gas.maxFeePerGas.multiplied(by: 140_000))
        let outcome = try await stage.execute(planned)
        #expect(outcome.exit == .done)
        let transaction = try #require(stage.sent.first)
        #expect(transaction.value == transaction.fee.maximum.multiplied(by: 140_000))
        #expect(transaction.value <= gas.protocolFee)
        #expect(outcome.protocolFee == transaction.value)
    }

    @Test("ether for the protocol's fee and the gas must be owned together")
    func protocolFeeOwned() async throws {
        // 2.1 gwei: 140,000 of fee and 260,000 of gas, less a little.
        let stage = try MarketV4(ether: "0.00083", multiplier: 70_000)
        let best = try await stage.ask(0, "100", for: "1")
        let next = try await stage.ask(1, "100", for: "1.002")
        let error = await refusal { try await stage.plan("150", from: [best, next]) }
        #expect(error?.code == "insufficient-ether")
        #expect(error?.message.contains("go along") == true)
        let poor = try MarketV4(ether: "0.0001", multiplier: 70_000)
        let refused = await refusal { try await poor.plan("150", from: [best, next]) }
        #expect(refused?.code == "insufficient-ether")
    }
}
