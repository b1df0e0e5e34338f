import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What is signed for a swap, and when nothing is")
struct SwapSignatureTests {
    private func bench() async throws -> SwapBench {
        let bench = try SwapBench()
        bench.market.setBook(asks: [try await bench.market.ask(0, "100", for: "1")])
        bench.serve(try await bench.market.ask(1, "100", for: "0.9"))
        return bench
    }

    /// The trader's key with the venue in its scope, and its log.
    private func signer(_ bench: SwapBench, _ log: MemoryAuditLog) -> AuthorizedSigner {
        AuthorizedSigner(
            key: LocalKey(bench.market.trader),
            scope: SigningScope(
                network: "sandbox",
                chainID: 1337,
                exchangeProtocol: bench.market.exchangeProtocol,
                exchange: TestMarket.exchange,
                weth: TestMarket.weth,
                feeToken: TestMarket.zrx,
                transferContracts: [TestMarket.proxy],
                swap: FakeRules()
            ),
            policy: Policy(source: "policy.toml", coin: .ether),
            log: log,
            recoverer: Secp256k1(),
            now: bench.market.clock.environment.now
        )
    }

    private func signed(_ log: MemoryAuditLog) throws -> Int {
        try log.lines(since: 0).count { $0.event == .signed }
    }

    /// Why a confirmed plan is not sent.
    enum Obstacle: CaseIterable, CustomTestStringConvertible {
        case paused, otherSettler, moved, failing, silent, counterfeit
        var testDescription: String { "\(self)" }
    }

    @Test(
        "no refusal leaves a signature, a journal entry or a broadcast",
        arguments: Obstacle.allCases
    )
    func nothingSigned(obstacle: Obstacle) async throws {
        let bench = try await bench()
        let log = MemoryAuditLog()
        let plan = try await bench.plan(.buy, "10")
        switch obstacle {
        case .paused: bench.registry.settler = nil
        case .otherSettler: bench.registry.settler = TestMarket.feeRecipient
        case .moved:
            bench.market.clock.pass(seconds: 60)
            bench.serve(try await bench.market.ask(2, "100", for: "1.2"))
        case .failing: try await bench.market.drain(bench.market.makers[1], TestMarket.zrx)
        case .silent:
            bench.market.clock.pass(seconds: 60)
            bench.fail(.unreachable(url: "http://127.0.0.1:3/swap", reason: "refused"))
        case .counterfeit:
            bench.market.clock.pass(seconds: 60)
            bench.serve(try await bench.market.ask(2, "100", for: "0.9")) { _, quote in
                quote.call.to = TestMarket.feeRecipient
            }
        }
        _ = await refusal {
            try await bench.model().execute(plan, signer: signer(bench, log))
        }
        #expect(try signed(log) == 0)
        try bench.expectNothingDone()
    }

    @Test("a swap is one signature, with the venue's genuine contracts named to the policy")
    func oneSignature() async throws {
        let bench = try await bench()
        let log = MemoryAuditLog()
        let plan = try await bench.plan(.buy, "10")
        #expect(plan.signatures.count == 1)
        let outcome = try await bench.model().execute(plan, signer: signer(bench, log))
        #expect(outcome.exit == .done)
        #expect(try signed(log) == 1)
    }

    /// Quotes with a Permit2 message for the exchange, which stands in for a Settler.
    private func servePermits(_ bench: SwapBench) async throws {
        bench.serve(try await bench.market.ask(1, "100", for: "0.9")) { number, quote in
            let permit = SwapPermit(
                chainID: 1337,
                contract: TestMarket.proxy,
                token: TestMarket.weth,
                amount: quote.price.maximumSold,
                spender: TestMarket.exchange,
                nonce: UInt256(UInt64(number)),
                deadline: UInt256(TestMarket.now + 300)
            )
            quote.permit = permit
            quote.permitHash = permit.hash
        }
    }

    private func permitPlan(_ bench: SwapBench) async throws -> Plan<TradePlan> {
        try await bench.model().plan(
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "10", usesPermit: true),
            account: bench.market.trader.address
        )
    }

    @Test("a Permit2 message is signed after the confirmation only, and is in what is sent")
    func permit() async throws {
        let bench = try await bench()
        try await servePermits(bench)
        let log = MemoryAuditLog()
        let plan = try await permitPlan(bench)
        #expect(plan.content.venue == .swap)
        #expect(plan.content.warnings.contains { $0.contains("Permit2 message is signed first") })
        #expect(plan.signatures.count == 2)
        #expect(bench.swap.quotes.first?.payment == .permit)
        let outcome = try await bench.model().execute(plan, signer: signer(bench, log))
        #expect(outcome.exit == .done)
        #expect(try signed(log) == 2)
        let raw = try #require(bench.market.node.sent.first)
        let transaction = try SignedTransaction(raw: raw, recoverer: Secp256k1()).transaction
        let unsigned = try bench.quote(
            try await bench.market.ask(1, "100", for: "0.9"),
            try #require(bench.swap.quotes.first)
        )
        #expect(transaction.data.count == unsigned.call.data.count + 65)
    }

    @Test("a Permit2 message for a contract that is not genuine is never signed")
    func foreignPermit() async throws {
        let bench = try await bench()
        try await servePermits(bench)
        let log = MemoryAuditLog()
        let plan = try await permitPlan(bench)
        bench.market.clock.pass(seconds: 60)
        bench.serve(try await bench.market.ask(1, "100", for: "0.9")) { _, quote in
            quote.permit = SwapPermit(
                chainID: 1337,
                contract: TestMarket.proxy,
                token: TestMarket.weth,
                amount: quote.price.maximumSold,
                spender: TestMarket.feeRecipient,
                nonce: 7,
                deadline: UInt256(TestMarket.now + 300)
            )
        }
        let error = await refusal {
            try await bench.model().execute(plan, signer: signer(bench, log))
        }
        #expect(error?.exit == .refused)
        #expect(error?.code == "foreign-permit" || error?.code == "policy")
        #expect(try signed(log) == 0)
        try bench.expectNothingDone()
    }
}
