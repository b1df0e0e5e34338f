import DexCore
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Orders that are gone when the transaction is mined")
struct GoneOrderTests {
    @Test("a backup steps in; the payment is the planned one and the minimum holds")
    func spareStepsIn() async throws {
        let market = try LiveMarket()
        let wanted = try await market.ask(0, "10", for: "0.1")
        let backup = try await market.ask(1, "50", for: "0.5025")
        market.setBook(asks: [wanted, backup])
        let plan = try await market.plan(.buy, "10")
        market.node.onSend { _, _ in
            try await market.take(wanted)
            return .pass
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.paid == plan.content.maximumPay)
        #expect((outcome.received ?? 0) < plan.content.expectedReceive)
        #expect((outcome.received ?? 0) >= plan.content.minimumReceive)
        #expect(outcome.legs.map(\.status) == [.skipped, .filled])
        #expect(outcome.legs[0].reason == "it was filled or cancelled before")
    }

    @Test("a mined transaction that filled nothing says so and exits 14")
    func nothing() async throws {
        let market = try LiveMarket()
        let only = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [only])
        let plan = try await market.plan(.buy, "10")
        market.node.onSend { _, _ in
            try await market.take(only)
            return .pass
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.transactions.map(\.stage) == [.confirmed])
        #expect(outcome.paid == 0)
        #expect(outcome.effectivePrice == nil)
        #expect(outcome.warnings.contains { $0.contains("filled nothing") })
    }

    @Test("an order that others filled in part is told as partly filled, exit 14")
    func partly() async throws {
        let market = try LiveMarket()
        let only = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [only])
        let plan = try await market.plan(.buy, "10")
        market.node.onSend { _, _ in
            try await market.take(only, TestMarket.units("0.04"))
            return .pass
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.legs.map(\.status) == [.partlyFilled])
        #expect(outcome.received == TestMarket.units("6"))
        #expect(outcome.paid == TestMarket.units("0.06"))
    }

    @Test("a maker who moved its funds away is skipped with the reason")
    func drained() async throws {
        let market = try LiveMarket()
        let wanted = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [wanted])
        let plan = try await market.plan(.buy, "10")
        market.node.onSend { _, _ in
            try await market.drain(market.makers[0], TestMarket.zrx)
            return .pass
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.legs.map(\.status) == [.skipped])
        #expect(outcome.legs[0].reason?.contains("balance or allowance") == true)
    }

    @Test("an order gone before signing is planned around within the same bounds")
    func replanned() async throws {
        let market = try LiveMarket()
        let wanted = try await market.ask(0, "10", for: "0.1")
        let other = try await market.ask(1, "10", for: "0.1")
        market.setBook(asks: [wanted, other])
        let plan = try await market.plan(.buy, "10")
        // Both of the confirmed orders but one are taken; an equal one appears.
        try await market.take(wanted)
        try await market.take(other)
        market.setBook(asks: [try await market.ask(2, "20", for: "0.2")])
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("10"))
        #expect((outcome.paid ?? 0) <= plan.content.maximumPay)
        #expect(market.node.sent.count == 1)
    }

    @Test("a book that moved beyond what was confirmed stops with exit 6, nothing signed")
    func movedTooFar() async throws {
        let market = try LiveMarket()
        let wanted = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [wanted])
        let plan = try await market.plan(.buy, "10")
        try await market.take(wanted)
        market.setBook(asks: [try await market.ask(2, "20", for: "0.22")])
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        #expect(error?.code == "book-moved")
        #expect(error?.exit == .refused)
        #expect(market.node.sent.isEmpty)
        #expect(try market.journaled().isEmpty)
    }

    @Test("a simulation that fails stops with exit 10 before anything is signed")
    func simulation() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "10", for: "0.1")])
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .call(let request, _) = read, request.from != nil {
                    .failure(.reverted(data: [], message: "paused\u{7}"))
                } else {
                    answer
                }
            }
        }
        let error = await refusal { try await market.plan(.buy, "10") }
        #expect(error?.exit == .simulationFailed)
        #expect(error?.code == "would-revert")
        #expect(error?.message.contains("paused") == true)
        #expect(error?.message.contains("\u{7}") == false)
    }

    @Test("nothing is sent after a failed estimate")
    func estimate() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "10", for: "0.1")])
        let plan = try await market.plan(.buy, "10")
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .estimateGas = read {
                    .failure(.rpc(code: -32_000, message: "gas required exceeds allowance"))
                } else {
                    answer
                }
            }
        }
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        #expect(error?.exit == .simulationFailed)
        #expect(market.node.sent.isEmpty)
    }

    @Test("a partly funded order is filled by its own amount, not by what is passed on")
    func partlyFunded() async throws {
        let market = try LiveMarket()
        // The first maker owns 100,000 ZRX; it offers more than that.
        let thin = try await market.ask(0, "150000", for: "75")
        let deep = try await market.ask(1, "50000", for: "25.01")
        market.setBook(asks: [thin, deep])
        let outcome = try await market.trade(.buy, "120000") { $0.allowsUncheckedPrice = true }
        #expect(outcome.exit == .done)
        #expect(outcome.legs.map(\.status) == [.filled, .filled])
        #expect(outcome.received == TestMarket.units("120000"))
    }
}
