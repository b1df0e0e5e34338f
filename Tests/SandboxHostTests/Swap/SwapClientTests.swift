import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import SandboxHost

/// The sandbox's Swap API and the client's own requests, reading and rules, written apart.
@Suite("The client at the sandbox's Swap API")
struct SwapClientTests {
    private static let rules = ZeroExSwapRules(chainID: 1337)
    private static let token: UInt256 = 1_000_000_000_000_000_000
    private typealias Kind = SandboxFault.Misquote.Kind

    private func asset(_ address: Address) -> SwapAsset {
        address == SwapBench.native ? .native : .token(address)
    }

    private func request(_ bench: SwapBench, _ swap: SwapCase) -> SwapRequest {
        SwapRequest(
            chainID: 1337,
            sell: asset(swap.sell),
            buy: asset(swap.buy),
            amount: swap.isExactOut ? .exactOut(swap.amount) : .exactIn(swap.amount),
            payment: swap.endpoint == .permit2 ? .permit : .allowance,
            taker: bench.alice.address,
            slippage: 10_050
        )
    }

    /// The answer to a path of the client, with its query.
    private func ask(_ bench: SwapBench, _ path: String) async throws -> SwapAPI.Reply {
        let parts = path.split(separator: "?", maxSplits: 1)
        let items = parts.dropFirst().first?.split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
            return (name: pair[0], value: pair.count > 1 ? pair[1] : "")
        }
        return try await bench.api.answer(
            SwapAPI.Request(
                path: String(parts[0]),
                items: items ?? [],
                key: "sandbox",
                version: "v2"
            )
        )
    }

    private func price(_ bench: SwapBench, _ request: SwapRequest) async throws -> SwapPrice {
        let reply = try await ask(bench, ZeroExSwapWire.path(request, firm: false))
        return try ZeroExSwapWire.price(reply.body, for: request)
    }

    private func quote(_ bench: SwapBench, _ request: SwapRequest) async throws -> SwapQuote {
        let reply = try await ask(bench, ZeroExSwapWire.path(request, firm: true))
        return try ZeroExSwapWire.quote(reply.body, for: request)
    }

    /// The bounds that follow from a price, and the Settlers that the chain names.
    private func terms(
        _ bench: SwapBench,
        _ request: SwapRequest,
        _ price: SwapPrice
    ) async throws -> SwapTerms {
        let client = bench.chain
        var answers: [[UInt8]?] = []
        for call in Self.rules.registryCalls {
            answers.append(try? await client.call(call))  // nil: the registry is paused
        }
        return SwapTerms(
            request: request,
            account: bench.alice.address,
            maximum: price.maximumSold,
            minimum: price.minimumBought,
            genuine: try Self.rules.genuine(answers: answers),
            wrapped: SwapBench.weth,
            now: SwapBench.now
        )
    }

    @Test(
        "every honest quote passes the rules, and what the client sends brings what it says",
        arguments: SwapCase.all.filter { $0.mode == "direct" }
    )
    func honest(_ swap: SwapCase) async throws {
        let bench = try SwapBench()
        let request = request(bench, swap)
        let price = try await price(bench, request)
        let quote = try await quote(bench, request)
        #expect(quote.price.bought == price.bought && quote.price.maximumSold == price.maximumSold)
        #expect(quote.price.shortBalance == nil && quote.price.isSimulated)
        let terms = try await terms(bench, request, price)
        var call = try Self.rules.verify(quote, terms)
        if let permit = try Self.rules.permit(of: quote, terms) {
            let signature = try await bench.alice.sign(digest: permit.hash)
            call = Self.rules.call(call, signature: signature)
        } else {
            #expect(swap.endpoint == .allowanceHolder || quote.permit == nil)
        }
        let before = try await bench.balance(swap.buy)
        let receipt = try await bench.send(to: call.to, call.data, value: call.value)
        #expect(receipt.succeeded)
        guard swap.buy != SwapBench.native else { return }
        #expect(try await bench.balance(swap.buy) - before == quote.price.bought)
    }

    @Test("every lie of the call data is refused, by the field that lies")
    func lies() async throws {
        let bench = try SwapBench()
        let cases: [(Kind, holder: String, permit: String)] = [
            (.recipient, "execute.recipient", "execute.recipient"),
            (.token, "execute.buyToken", "execute.buyToken"),
            (.settler, "exec.operator", "transaction.to"),
            (.spender, "allowanceTarget", "allowanceTarget"),
            (.worse, "execute.minAmountOut", "execute.minAmountOut"),
        ]
        for swap in SwapCase.all.filter({ $0.name == "a token for another" }) {
            let request = request(bench, swap)
            let price = try await price(bench, request)
            let terms = try await terms(bench, request, price)
            for (kind, holder, permit) in cases {
                bench.board.set(.quote(.init(kind: kind)), of: .swap)
                let quote = try await quote(bench, request)
                let fault = #expect(throws: QuoteFault.self) {
                    try Self.rules.verify(quote, terms)
                }
                guard case .counterfeit(let field, _, _)? = fault else {
                    Issue.record("\(kind): \(String(describing: fault))")
                    continue
                }
                #expect(field == (swap.endpoint == .permit2 ? permit : holder), "\(kind)")
            }
            // First none at all, then half of it.
            bench.board.set(.quote(.init(kind: .minimum)), of: .swap)
            let none = try await quote(bench, request)
            #expect(throws: QuoteFault.unprotected) { try Self.rules.verify(none, terms) }
            let half = try await quote(bench, request)
            let fault = #expect(throws: QuoteFault.self) { try Self.rules.verify(half, terms) }
            guard case .counterfeit(let field, _, _)? = fault else {
                Issue.record("\(String(describing: fault))")
                continue
            }
            #expect(field == "execute.minAmountOut")
        }
    }

    @Test("what is no lie passes: the previous Settler, and a quote that is merely old")
    func genuine() async throws {
        let bench = try SwapBench()
        for swap in SwapCase.all.filter({ $0.name == "a token for another" }) {
            let request = request(bench, swap)
            let terms = try await terms(bench, request, try await price(bench, request))
            bench.board.set(.quote(.init(kind: .previous)), of: .swap)
            let previous = try await quote(bench, request)
            _ = try Self.rules.verify(previous, terms)
            // The deadline of a message can be read; that of an action only simulation shows.
            bench.board.set(.quote(.init(kind: .stale)), of: .swap)
            let stale = try await quote(bench, request)
            let call = try Self.rules.verify(stale, terms)
            if swap.endpoint == .permit2 {
                #expect(throws: QuoteFault.self) { try Self.rules.permit(of: stale, terms) }
            } else {
                let receipt = try await bench.send(to: call.to, call.data, value: call.value)
                #expect(!receipt.succeeded)
            }
            _ = bench.board.clear([.quote])
        }
    }

    @Test("a paused registry stops everything")
    func paused() async throws {
        let bench = try SwapBench()
        let swap = try #require(SwapCase.all.first)
        let request = request(bench, swap)
        let price = try await price(bench, request)
        try await bench.chain.setSwapPaused(true)
        // The API still quotes, for the Settler that it knows.
        let quote = try await quote(bench, request)
        #expect(quote.price.bought == price.bought)
        await #expect(throws: QuoteFault.paused) { try await terms(bench, request, price) }
    }

    @Test("answers that are no answers are told apart")
    func noAnswers() async throws {
        let bench = try SwapBench()
        let swap = try #require(SwapCase.all.first)
        let request = request(bench, swap)
        bench.board.set(.quote(.init(kind: .noLiquidity)), of: .swap)
        await #expect(throws: LiquidityError.noLiquidity) { try await price(bench, request) }
        await #expect(throws: LiquidityError.noLiquidity) { try await quote(bench, request) }
        bench.board.set(.quote(.init(kind: .balance)), of: .swap)
        #expect(try await quote(bench, request).price.shortBalance == swap.amount - 1)
        for kind in [Kind.html, .fields] {
            bench.board.set(.quote(.init(kind: kind)), of: .swap)
            for fault in FieldFault.all {
                let error = await #expect(throws: LiquidityError.self) {
                    try await quote(bench, request)
                }
                guard case .nonsense? = error else {
                    Issue.record("\(kind) \(fault.path): \(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test("a wrapped coin cannot be bought exactly, and the client knows why")
    func exactWrap() async throws {
        let bench = try SwapBench()
        let request = SwapRequest(
            chainID: 1337,
            sell: .native,
            buy: .token(SwapBench.weth),
            amount: .exactOut(Self.token),
            taker: bench.alice.address,
            slippage: 0
        )
        let reply = try await ask(bench, ZeroExSwapWire.path(request, firm: true))
        let error = ZeroExSwapWire.failure(status: reply.status, body: reply.body, url: "u")
        #expect(error == .exactOutUnsupported)
        let chains = try await ask(bench, ZeroExSwapWire.chainsPath)
        #expect(try ZeroExSwapWire.chains(chains.body) == [1337])
    }
}
