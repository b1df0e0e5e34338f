import Ethereum
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What others did to a trade at pools within its block")
struct FrontRunningTests {
    private let scene: PoolMarketScene
    private let account = PoolMarketScene.address(0xa11ce)
    private let rival = PoolMarketScene.address(0xbad)
    private let block: UInt64 = 50

    init() throws { scene = try PoolMarketScene([.v3(fee: 500), .v2]) }

    /// Our sale of 1,000 ZRX for so much WETH, at the log index 10 of the block.
    private func trade(
        _ kind: PoolKind = .v3(fee: 500),
        weth: UInt256 = 990,
        atStart: UInt256? = 1_000
    ) throws -> (call: CallRequest, receipt: TransactionReceipt) {
        let hash = scene.mine(
            [try PoolMarketScene.swap(kind, sells: true, zrx: 1_000, weth: weth)],
            block: block,
            firstIndex: 10,
            by: account
        )
        let path = try #require(PoolPath([TestMarket.zrx, TestMarket.weth], [kind]))
        let call = RouterCall(
            deadline: 1,
            swaps: [RouterSwap(path: path, amount: .exactIn(1_000), bound: 1, recipient: account)]
        )
        let router = PoolMarketScene.deployment.router
        scene.market.chain.set { state in
            if let atStart {
                let words: [UInt256] = [32, 1, 32, 32, atStart]
                state.pastCalls[block - 1] = [
                    FakeChain.CallKey(to: router, data: call.data):
                        .success(words.flatMap(\.bigEndianBytes))
                ]
            }
        }
        var known: TransactionReceipt??
        scene.market.chain.set { known = $0.receipts[hash] }
        let receipt = try #require(known ?? nil)
        return (CallRequest(from: account, to: router, data: call.data), receipt)
    }

    /// Somebody's swap at a log index of the block.
    @discardableResult
    private func swap(
        _ index: UInt64,
        sells: Bool,
        zrx: UInt256 = 500,
        weth: UInt256 = 500,
        by sender: Address,
        _ kind: PoolKind = .v3(fee: 500)
    ) throws -> TransactionHash {
        let log = try PoolMarketScene.swap(kind, sells: sells, zrx: zrx, weth: weth)
        let hash = scene.mine([log], block: block, firstIndex: index, by: sender)
        know(hash, of: sender)
        return hash
    }

    /// The node knows a transaction of the block and its sender.
    private func know(_ hash: TransactionHash, of sender: Address) {
        let info = TransactionInfo(
            hash: hash,
            from: sender,
            to: PoolMarketScene.deployment.router,
            nonce: 0,
            value: .zero,
            gasLimit: 100_000,
            data: [],
            blockNumber: block,
            blockHash: TestMarket.blockHash(block)
        )
        scene.market.chain.set { $0.transactions[hash] = .some(info) }
    }

    private func read(
        _ trade: (call: CallRequest, receipt: TransactionReceipt)
    ) async throws -> FrontRunning? {
        try await FrontRunning.read(trade.call, in: trade.receipt, session: try scene.session())
    }

    @Test("nobody: one round trip, no loss, whatever happened behind it, or at another pool")
    func nobody() async throws {
        let own = try trade()
        try swap(20, sells: true, by: rival)
        try swap(2, sells: true, by: PoolMarketScene.address(0xb0b), .v2)
        let found = try #require(try await read(own))
        #expect(found == FrontRunning(ahead: [], sandwich: nil, lost: nil))
        #expect(scene.market.chain.rounds.count == 1)
    }

    @Test("trades before it in its direction are told in their order, with what they cost")
    func ahead() async throws {
        let own = try trade()
        let second = try swap(5, sells: true, by: rival)
        let first = try swap(2, sells: true, by: PoolMarketScene.address(0xb0b))
        try swap(3, sells: false, by: PoolMarketScene.address(0xca01))
        let found = try #require(try await read(own))
        #expect(found == FrontRunning(ahead: [first, second], sandwich: nil, lost: 10))
        #expect(scene.market.chain.rounds.count == 2)
    }

    @Test(
        "of two accounts it is a sandwich if the second sells what the first bought, within 1 %",
        arguments: [(694 as UInt256, true), (692, false), (707, true), (708, false)]
    )
    func sandwich(sold: UInt256, isSandwich: Bool) async throws {
        let own = try trade()
        let front = try swap(5, sells: true, weth: 700, by: rival)
        let back = try swap(15, sells: false, weth: sold, by: PoolMarketScene.address(0xb0b))
        let found = try #require(try await read(own))
        let sandwich = FrontRunning.Sandwich(front: front, back: back, account: nil)
        #expect(found.sandwich == (isSandwich ? sandwich : nil))
        #expect(found.ahead == [front])
    }

    @Test("one account may trade back any amount")
    func sandwichOfOne() async throws {
        let own = try trade()
        let front = try swap(5, sells: true, weth: 700, by: rival)
        let log = try PoolMarketScene.swap(sells: false, zrx: 90, weth: 100)
        let back = scene.mine([log, log], block: block, firstIndex: 15, by: rival)
        know(back, of: rival)
        let found = try #require(try await read(own))
        #expect(
            found
                == FrontRunning(
                    ahead: [front],
                    sandwich: .init(front: front, back: back, account: rival),
                    lost: 10
                )
        )
    }

    @Test("an own earlier trade is nobody's front")
    func ownTrade() async throws {
        let own = try trade()
        let log = try PoolMarketScene.swap(sells: true, zrx: 5, weth: 5)
        let earlier = scene.mine([log, log], block: block, firstIndex: 1, by: account)
        know(earlier, of: account)
        #expect(try await read(own)?.ahead == [])
    }

    @Test("what the node does not tell is unknown: the state before, a sender, the trade itself")
    func unknown() async throws {
        let own = try trade(atStart: nil)
        scene.market.chain.set { state in
            state.onCall = { _, _ in .failure(.reverted(data: [], message: "")) }
            state.hasNoOtherTransactions = true
        }
        let log = try PoolMarketScene.swap(sells: true, zrx: 5, weth: 5)
        let front = scene.mine([log], block: block, firstIndex: 1, by: rival)
        scene.mine(
            [try PoolMarketScene.swap(sells: false, zrx: 1, weth: 1)],
            block: block,
            firstIndex: 30,
            by: PoolMarketScene.address(0xb0b)
        )
        let found = try #require(try await read(own))
        #expect(found == FrontRunning(ahead: [front], sandwich: nil, lost: nil))
        // Logs of another block, or none, are no answer about this one.
        scene.lie { logs, _ in logs.filter { $0.transactionHash != own.receipt.transactionHash } }
        let error = await refusal { _ = try await read(own) }
        #expect(error?.code == "reorganized")
        // The sandwich of a liar is no crash either.
        scene.lie { logs, _ in logs + logs + logs }
        _ = try? await read(own)
    }

    @Test("a call of another contract, or one that is not understood, is none of a pool")
    func foreign() async throws {
        let own = try trade()
        let other = CallRequest(from: account, to: TestMarket.exchange, data: own.call.data)
        #expect(try await read((other, own.receipt)) == nil)
        let odd = CallRequest(from: account, to: own.call.to, data: [1, 2, 3, 4])
        #expect(try await read((odd, own.receipt)) == nil)
        #expect(scene.market.chain.rounds.isEmpty)
    }

    @Test("what multicall returns is summed, and refused if it is anything else")
    func results() throws {
        let path = try #require(PoolPath([TestMarket.zrx, TestMarket.weth], [.v3(fee: 500)]))
        let swap = RouterSwap(path: path, amount: .exactIn(5), bound: 1, recipient: account)
        let call = RouterCall(deadline: 1, swaps: [swap, swap])
        func bytes(_ words: UInt256...) -> [UInt8] { words.flatMap(\.bigEndianBytes) }
        #expect(call.result(bytes(32, 2, 64, 128, 32, 7, 32, 9)) == 16)
        #expect(call.result(bytes(32, 3, 96, 160, 224, 32, 7, 32, 9, 0)) == 16)
        #expect(call.result(bytes(32, 1, 32, 32, 7)) == nil)
        #expect(call.result([]) == nil)
        #expect(call.result(bytes(7)) == nil)
        let pairs = try #require(
            PoolPath([TestMarket.zrx, TestMarket.usdc, TestMarket.weth], [.v2, .v2])
        )
        var v2 = V2RouterCall(
            path: pairs,
            amount: .exactOut(9),
            bound: 10,
            recipient: account,
            deadline: 1,
            coin: .none,
            measures: false
        )
        #expect(v2.result(bytes(32, 3, 5, 6, 9)) == 5)
        v2.amount = .exactIn(5)
        #expect(v2.result(bytes(32, 3, 5, 6, 9)) == 9)
        #expect(v2.result(bytes(32, 2, 5, 9)) == nil)
        #expect(v2.result([]) == nil)
    }
}
