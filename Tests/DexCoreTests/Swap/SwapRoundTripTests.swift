import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Round trips of a market order with two venues")
struct SwapRoundTripTests {
    private func bench(_ swapTotal: String) async throws -> SwapBench {
        let bench = try SwapBench()
        bench.market.setBook(asks: [try await bench.market.ask(0, "100", for: "1")])
        bench.serve(try await bench.market.ask(1, "100", for: swapTotal))
        bench.market.node.forgetRounds()
        return bench
    }

    @Test(
        "a swap takes 4 beside a book that may trade, and 3 with 2 of the book that is its reference"
    )
    func swap() async throws {
        let bench = try await bench("0.9")
        #expect(try await bench.plan(.buy, "10").content.venue == .swap)
        #expect(bench.market.node.rounds.count == 4)
        #expect(bench.swap.prices.count == 1)
        #expect(bench.swap.quotes.count == 1)
        #expect(bench.market.relay.requests == ["orderbook"])
        bench.market.node.forgetRounds()
        // 2 more are of the book that the price is compared with, beside the swap's own 3.
        _ = try await bench.plan(.buy, "10", via: .swap)
        #expect(bench.market.node.rounds.count == 5)
        #expect(bench.market.relay.requests == ["orderbook", "orderbook"])
    }

    @Test("the book takes 3, however the venue answers")
    func book() async throws {
        let bench = try await bench("1.1")
        #expect(try await bench.plan(.buy, "10").content.venue == .book)
        #expect(bench.market.node.rounds.count == 3)
    }

    @Test("the price is asked beside the book, the quote beside the chain's part of it")
    func beside() async throws {
        let bench = try await bench("0.9")
        let order = try await bench.market.ask(1, "100", for: "0.9")
        let node = bench.market.node
        bench.market.node.forgetRounds()
        bench.swap.set { state in
            state.onPrice = { request in
                // An answer that waits for the node's first round: one after the other never ends.
                guard await SwapBench.reaches({ node.rounds.count >= 1 }) else {
                    return .failure(.nonsense("the node was asked after the price"))
                }
                do {
                    return .success(try bench.price(order, request))
                } catch { return .failure(.nonsense("\(error)")) }
            }
            state.onQuote = { _, request in
                let isBeside = await SwapBench.reaches {
                    node.rounds.contains { $0.contains(where: Self.asksRegistry) }
                }
                guard isBeside else {
                    return .failure(.nonsense("the node was asked after the quote"))
                }
                do {
                    return .success(try bench.quote(order, request))
                } catch { return .failure(.nonsense("\(error)")) }
            }
        }
        let plan = try await bench.plan(.buy, "10").content
        #expect(plan.venue == .swap, "\(plan.alternatives.map(\.reason))")
        #expect(node.rounds.count == 4)
    }

    @Test("everything about the account and the registry is read at the plan's block")
    func sameBlock() async throws {
        let bench = try await bench("0.9")
        let plan = try await bench.plan(.buy, "10").content
        let read = bench.market.node.rounds.first { $0.contains(where: Self.asksRegistry) }
        for read in try #require(read) {
            switch read {
            case .call(_, let tag), .balance(_, let tag):
                #expect(tag == .number(plan.block), "\(read)")
            default: Issue.record("\(read)")
            }
        }
    }

    private static func asksRegistry(_ read: ChainRead) -> Bool {
        if case .call(let call, _) = read { call.to == FakeRules.registry } else { false }
    }
}
