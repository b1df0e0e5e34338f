import DexStore
import Ethereum
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a trade brings is proven by a simulation, in the plan and right before the signature")
struct ProvenCallTests {
    private static let prover = TestMarket.address("0x00000000000000000000000000000000009f00f0")

    private func bench(_ holdings: LiveMarket.Holdings = LiveMarket.Holdings()) async throws
        -> SwapBench
    {
        var rules = FakeRules()
        rules.prover = Self.prover
        let bench = try SwapBench(holdings, rules: rules)
        bench.market.setBook(asks: [try await bench.market.ask(0, "100", for: "1")])
        bench.serve(try await bench.market.ask(1, "100", for: "0.9"))
        return bench
    }

    /// Answers the proofs, by their number from 0; nil: as the chain does, where no such contract
    /// is.
    private func answer(
        _ bench: SwapBench,
        _ answer: @escaping @Sendable (Int) -> ChainError?
    ) -> @Sendable () -> Int {
        let state = Counter()
        bench.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, reported in
                guard case .call(let call, _) = read, call.to == Self.prover else {
                    return reported
                }
                return answer(state.next()).map { .failure($0) } ?? reported
            }
        }
        return { state.value }
    }

    private final class Counter: Sendable {
        private let state = Mutex(0)
        var value: Int { state.withLock { $0 } }
        func next() -> Int {
            state.withLock { number in
                number += 1
                return number - 1
            }
        }
    }

    private static func words(_ text: String) -> [UInt8] {
        ERC20.call("Error(string)") + UInt256(32).bigEndianBytes
            + UInt256(UInt64(text.utf8.count)).bigEndianBytes
            + Array(text.utf8) + Array(repeating: 0, count: 32 - text.utf8.count)
    }

    private static let short = ChainError.reverted(
        data: words("Insufficient token"),
        message: "execution reverted: Insufficient token"
    )

    @Test("a trade that is proven is done: once for the plan, once for the signature")
    func proven() async throws {
        let bench = try await bench()
        let count = answer(bench) { _ in nil }
        #expect(try await bench.trade(.buy, "10").exit == .done)
        #expect(count() == 2)
    }

    @Test("less than the minimum would arrive: no plan, and nothing is signed")
    func short() async throws {
        let bench = try await bench()
        _ = answer(bench) { _ in Self.short }
        await #expect {
            _ = try await bench.trade(.buy, "10", via: .swap)
        } throws: { error in
            (error as? DexError)?.code == "fee-on-transfer"
                && (error as? DexError)?.exit == .refused
        }
        try bench.expectNothingDone()
    }

    @Test("it turns short between the plan and the signature: nothing is signed")
    func later() async throws {
        let bench = try await bench()
        _ = answer(bench) { $0 == 0 ? nil : Self.short }
        let plan = try await bench.plan(.buy, "10", via: .swap)
        await #expect {
            _ = try await bench.model().execute(plan, signer: bench.market.signer)
        } throws: { ($0 as? DexError)?.code == "fee-on-transfer" }
        try bench.expectNothingDone()
    }

    @Test(
        "with an approval first there is no proof for the plan, and one before the trade is signed"
    )
    func approval() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0))
        _ = answer(bench) { _ in Self.short }
        let plan = try await bench.plan(.buy, "10", via: .swap)
        await #expect {
            _ = try await bench.model().execute(plan, signer: bench.market.signer)
        } throws: { ($0 as? DexError)?.code == "fee-on-transfer" }
        #expect(try bench.market.journaled().map(\.purpose) == ["approve"])
    }

    @Test("a proof that reverts for another reason is a failed simulation: nothing is signed")
    func other() async throws {
        let bench = try await bench()
        let moved = ChainError.reverted(data: Self.words("Too little received"), message: "")
        _ = answer(bench) { _ in moved }
        await #expect {
            _ = try await bench.trade(.buy, "10", via: .swap)
        } throws: { ($0 as? DexError)?.code == "would-revert" }
        try bench.expectNothingDone()
    }

    @Test("a node that does not answer the proof ends it with the node's failure")
    func silent() async throws {
        let bench = try await bench()
        let gone = ChainError.rpc(code: -32_000, message: "no")
        _ = answer(bench) { _ in gone }
        await #expect {
            _ = try await bench.trade(.buy, "10", via: .swap)
        } throws: { ($0 as? DexError)?.kind == .unreachable }
        try bench.expectNothingDone()
    }
}
