import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import Uniswap

/// The calls and events of module Uniswap at the sandbox's contracts.
@Suite("dex's Uniswap calls on the sandbox")
struct UniswapCodecTests {
    private let dai = TestChain.dai
    private let weth = TestChain.weth

    private func path(_ tokens: [Address], _ kind: PoolKind) throws -> PoolPath {
        try #require(PoolPath(tokens, Array(repeating: kind, count: tokens.count - 1)))
    }

    @Test("a split over a v3 pool and a pair, with native coin out, and its trades in the logs")
    func split() async throws {
        let test = try TestChain.withUniswap()
        let call = RouterCall(
            deadline: TestChain.start + 500,
            swaps: [
                RouterSwap(
                    path: try path([dai, weth], .v3(fee: 3_000)),
                    amount: .exactIn(ether),
                    bound: 1,
                    recipient: RouterSwap.inRouter
                ),
                RouterSwap(
                    path: try path([dai, weth], .v2),
                    amount: .exactOut(ether / 1_000),
                    bound: 3 * ether,
                    recipient: RouterSwap.inRouter
                ),
            ],
            unwrap: RouterUnwrap(minimum: ether / 2, recipient: test.alice.address)
        )
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.uniswap.router,
            data: call.data
        )
        #expect(receipt.succeeded)
        let pools = [TestChain.pool: TestChain.poolID, TestChain.pair: TestChain.pairID]
        let trades = PoolTrade.trades(in: receipt.logs, of: pools)
        #expect(trades.map(\.pool) == [TestChain.poolID, TestChain.pairID])
        #expect(trades.allSatisfy { $0.sold == dai && $0.bought == weth })
        #expect(trades.first?.soldAmount == ether)
        #expect(trades.first?.boughtAmount == 996_006_981_039_903_216)
        #expect(trades.last.map { $0.boughtAmount >= ether / 1_000 } == true)
        #expect(trades.allSatisfy { $0.sender == TestChain.uniswap.router })
    }

    @Test("a quote is what the swap then brings, to the last unit", arguments: [true, false])
    func quotes(isExactIn: Bool) async throws {
        let test = try TestChain.withUniswap()
        let path = try path([weth, dai], .v3(fee: 3_000))
        let amount: PoolAmount = isExactIn ? .exactIn(5 * ether) : .exactOut(5 * ether)
        let question = try #require(QuoterCall(path, amount))
        let quote = try question.decode(
            try await test.answer(TestChain.uniswap.quoter, question.data)
        )
        let call = RouterCall(
            deadline: TestChain.start + 500,
            swaps: [
                RouterSwap(
                    path: path,
                    amount: amount,
                    bound: isExactIn ? 1 : 6 * ether,
                    recipient: test.alice.address
                )
            ],
            refunds: true,
            value: Wei(isExactIn ? 5 * ether : 6 * ether)
        )
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.uniswap.router,
            data: call.data,
            value: call.value.rawValue
        )
        let trade = PoolTrade.trades(
            in: receipt.logs,
            of: [TestChain.pool: TestChain.poolID]
        ).first
        #expect((isExactIn ? trade?.boughtAmount : trade?.soldAmount) == quote.amount)
        let slot0 = try await test.words(TestChain.pool, ERC20.call("slot0()"))
        #expect([slot0[0]] == quote.sqrtPricesAfter)
        #expect(try await test.etherBalance(TestChain.uniswap.router) == 0)
    }
}
