import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Transactions that wait are sped up or taken back: one of the two is mined, never both")
struct ReplacementModelTests {
    /// A market whose blocks are made by hand, with a purchase that waits.
    private func waiting() async throws -> (LiveMarket, TransactionHash) {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        return (market, try #require(outcome.transactions.last?.hash))
    }

    private func model(
        _ market: LiveMarket,
        allowsMore: Bool = false,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> ReplacementModel {
        var settings = TradeSettings()
        settings.allowsBeyondLimits = allowsMore
        change(&settings)
        return ReplacementModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        )
    }

    private func plan(
        _ kind: ReplacementPlan.Kind,
        _ market: LiveMarket,
        _ hash: TransactionHash,
        allowsMore: Bool = false,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> Plan<ReplacementPlan> {
        try await model(market, allowsMore: allowsMore, change)
            .plan(ReplacementRequest(kind, of: hash), account: market.trader.address)
    }

    /// A block is made as soon as something more is sent.
    private func mineOnSend(_ market: LiveMarket) {
        market.node.onSend { _, raw in
            _ = try await market.chain.send(raw: raw)
            try await market.chain.mine()
            return .lose(.rpc(code: -32_000, message: "already known"))
        }
    }

    private func owned(_ market: LiveMarket) async throws -> UInt256 {
        try await market.balance(TestMarket.zrx, of: market.trader.address)
    }

    @Test("the plan of a faster one names nonce, value and both prices, and signs nothing")
    func speedupPlan() async throws {
        let (market, hash) = try await waiting()
        let old = try SignedTransaction(
            raw: try market.journaled()[0].raw,
            recoverer: Secp256k1()
        ).transaction
        let planned = try await plan(.speedup, market, hash)
        let plan = planned.content
        #expect(plan.nonce == 0 && plan.count == 1 && plan.purpose == "fill")
        #expect(plan.hash == hash && plan.value == .zero)
        #expect(plan.replacedPrice == old.maximumGasPrice)
        #expect(plan.gas.maxFeePerGas >= (try ReplacementFees.raised(old.maximumGasPrice)))
        let tip = try #require(plan.gas.maxPriorityFeePerGas)
        #expect(tip >= (try ReplacementFees.raised(try #require(old.fee.tip))))
        #expect(plan.gas.limit >= old.gasLimit)
        #expect(
            plan.total == plan.gas.maxFeePerGas.multiplied(by: UInt256(plan.gas.limit))
        )
        #expect(market.node.sent.count == 1)
        #expect(try market.journaled().count == 1)
    }

    @Test("a faster one is mined in place of the first, which points to it; it buys once")
    func speedup() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.speedup, market, hash)
        mineOnSend(market)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.stage) == [.confirmed])
        #expect(outcome.mined?.fills.count == 1)
        #expect(outcome.mined?.hash == outcome.transactions.last?.hash)
        let all = try market.journaled()
        #expect(all.map(\.stage) == [.replaced, .mined])
        #expect(all.map(\.nonce) == [0, 0])
        #expect(all.map(\.purpose) == ["fill", "fill"])
        #expect(all[0].successor == all[1].hash && all[1].predecessor == all[0].hash)
        #expect(try await owned(market) == TestMarket.units("10010"))
        // Its end was told, so that nothing holds the next one up.
        #expect(try await market.trade(.buy, "10").exit == .done)
        let old = try SignedTransaction(raw: all[0].raw, recoverer: Secp256k1()).transaction
        let new = try SignedTransaction(raw: all[1].raw, recoverer: Secp256k1()).transaction
        #expect(new.data == old.data && new.to == old.to && new.value == old.value)
        #expect(new.accessList == old.accessList && new.nonce == old.nonce)
    }

    @Test("a cancelled one is never mined, and costs nothing but gas")
    func cancel() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.cancel, market, hash)
        #expect(planned.content.gas.limit == 21_000)
        mineOnSend(market)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.purpose) == [.cancelTransaction])
        #expect(try await owned(market) == TestMarket.units("10000"))
        #expect(try market.journaled().map(\.stage) == [.replaced, .mined])
        #expect(try await market.trade(.buy, "10").exit == .done)
    }

    @Test("a cancel that comes too late ends with 13 and tells what was mined")
    func tooLate() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.cancel, market, hash)
        market.node.onSend { _, _ in
            try await market.chain.mine()
            return .pass
        }
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .replacedOrDropped)
        #expect(outcome.mined?.hash == hash && outcome.mined?.fills.count == 1)
        #expect(outcome.warnings.contains { $0.hasPrefix("It was too late") })
        #expect(try market.journaled().map(\.stage) == [.mined, .replaced])
        #expect(try await owned(market) == TestMarket.units("10010"))
    }

    @Test("where a third one took the nonce, neither of the two counts as mined")
    func third() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.cancel, market, hash)
        market.node.onSend { _, _ in
            try await market.send(
                from: market.trader,
                to: TestMarket.zrx,
                ERC20.transfer(to: market.rival.address, amount: 1),
                tip: 50_000_000_000,
                nonce: 0
            )
            // As deep as it has to be to prove it.
            for _ in 0...market.network.replacementDepth { try await market.chain.mine() }
            return .pass
        }
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.warnings.contains { $0.contains("neither of the two") })
        #expect(outcome.mined == nil)
        #expect(outcome.error?.code == "replaced-or-dropped")
    }

    @Test("a faster one that comes too late ends as the first did")
    func minedBefore() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.speedup, market, hash)
        market.node.onSend { _, _ in
            try await market.chain.mine()
            return .pass
        }
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.mined?.hash == hash)
        #expect(try market.journaled().map(\.stage) == [.mined, .replaced])
        #expect(try await owned(market) == TestMarket.units("10010"))
    }

    @Test("one that was mined between plan and signature is not replaced; nothing is signed")
    func minedBetween() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.cancel, market, hash)
        try await market.chain.mine()
        let error = await refusal {
            try await model(market).execute(planned, signer: market.signer)
        }
        #expect(error?.code == "already-mined" && error?.exit == .refused)
        #expect(market.node.sent.count == 1)
        #expect(try market.journaled().count == 1)
        #expect(await refusal { try await plan(.speedup, market, hash) }?.code == "already-mined")
    }

    @Test("while both wait it says that one of them will be mined; the chain decides which")
    func bothWait() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.speedup, market, hash)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.warnings.contains { $0.contains("and never both") })
        let again = await refusal { try await plan(.speedup, market, hash) }
        #expect(again?.code == "has-successor")
        // A repeated purchase still stops.
        let repeated = await refusal { try await market.trade(.buy, "10") }
        #expect(repeated?.code == "pending-transaction")
        try await market.chain.mine()
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill")
        #expect(try market.journaled().map(\.stage) == [.replaced, .broadcast])
        #expect(try await owned(market) == TestMarket.units("10010"))
    }

    @Test("the fourth time it is refused, unless more is asked for")
    func tooOften() async throws {
        var (market, hash) = try await waiting()
        for count in 1...3 {
            let planned = try await plan(.speedup, market, hash)
            #expect(planned.content.count == count)
            let outcome = try await model(market).execute(planned, signer: market.signer)
            hash = try #require(outcome.transactions.last?.hash)
        }
        let error = await refusal { try await plan(.cancel, market, hash) }
        #expect(error?.code == "replaced-too-often" || error?.code == "replacement-cap")
        let more = try await plan(.cancel, market, hash, allowsMore: true)
        #expect(more.content.count == 4)
        mineOnSend(market)
        let outcome = try await model(market, allowsMore: true)
            .execute(more, signer: market.signer)
        #expect(outcome.exit == .done)
        let all = try market.journaled()
        #expect(all.map(\.stage) == [.replaced, .replaced, .replaced, .replaced, .mined])
        #expect(Set(all.map(\.nonce)) == [0])
        #expect(try await owned(market) == TestMarket.units("10000"))
    }

    @Test("a fill that would fill nothing by now is not sped up; its nonce can be taken")
    func nothingLeft() async throws {
        let market = try LiveMarket(mining: .manual)
        let ask = try await market.ask(0, "10", for: "0.1")
        market.setBook(asks: [ask])
        let outcome = try await market.trade(.buy, "10")
        let hash = try #require(outcome.transactions.last?.hash)
        try await market.take(ask)
        // Only the rival's is mined: ours pays less than the base fee of that block.
        await market.chain.setNextBaseFee(40_000_000_000)
        try await market.chain.mine()
        await market.chain.setNextBaseFee(nil)
        let error = await refusal { try await plan(.speedup, market, hash) }
        #expect(error?.exit == .simulationFailed)
        #expect(error?.code == "would-fill-nothing")
        #expect(error?.hint?.contains("dex tx cancel \(hash)") == true)
        #expect(market.node.sent.count == 1)
    }

    @Test("what is not ours, another account's or over is refused with the reason")
    func refusals() async throws {
        let (market, hash) = try await waiting()
        let foreign = await refusal {
            try await model(market).plan(
                ReplacementRequest(.cancel, of: hash),
                account: market.rival.address
            )
        }
        #expect(foreign?.code == "wrong-account" && foreign?.exit == .wallet)
        let unknown = await refusal {
            try await plan(.cancel, market, TransactionHash(UInt256(5).word))
        }
        #expect(unknown?.code == "unknown-transaction" && unknown?.exit == .usage)
        let expensive = await refusal {
            try await plan(.speedup, market, hash) { $0.feeCap = Wei(1_000) }
        }
        #expect(expensive?.code == "fee-cap" && expensive?.exit == .refused)
        try market.journal.mark(hash, as: .replaced, now: 1)
        let over = await refusal { try await plan(.cancel, market, hash) }
        #expect(over?.code == "not-replaceable")
        #expect(market.node.sent.count == 1)
    }

    @Test("a replacement that the node refuses leaves the first as it was")
    func nodeRefuses() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.cancel, market, hash)
        market.node.onSend { _, _ in
            .lose(.rpc(code: -32_000, message: "replacement transaction underpriced"))
        }
        let error = await refusal {
            try await model(market).execute(planned, signer: market.signer)
        }
        #expect(error?.code == "send-refused")
        #expect(error?.hint?.contains("in flight still") == true)
        let all = try market.journaled()
        #expect(all.map(\.stage) == [.broadcast, .refused])
        #expect(all[0].successor == nil)
        market.node.onSend(nil)
        #expect(try await plan(.cancel, market, hash).content.count == 1)
    }

    @Test("what the two would pay counts once against the limit of the day")
    func policy() async throws {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        var policy = Policy(source: "policy.toml", coin: .ether)
        policy.perDay = [.token(TestMarket.weth): TestMarket.units("0.15")]
        policy.recipients = []
        policy.spenders = [TestMarket.proxy, TestMarket.exchange]
        let signer = market.authorized(LocalKey(market.trader), policy: policy)
        let bought = try await market.model()
            .execute(try await market.plan(.buy, "10"), signer: signer)
        let first = try #require(bought.transactions.last?.hash)
        let faster = try await model(market)
            .execute(try await plan(.speedup, market, first), signer: signer)
        #expect(faster.exit == .notMinedYet)
        let second = try #require(faster.transactions.last?.hash)
        // One more purchase would be over it.
        let more = try await market.plan(.buy, "10") { $0.allowsPending = true }
        let refused = await refusal {
            try await market.model { $0.allowsPending = true }.execute(more, signer: signer)
        }
        #expect(refused?.code == "policy")
        // Nothing, sent to the account itself, may always be sent.
        mineOnSend(market)
        let void = try await model(market)
            .execute(try await plan(.cancel, market, second), signer: signer)
        #expect(void.exit == .done)
    }

    @Test("a reorganization that brings the replaced one back tells so of both")
    func reorganized() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.speedup, market, hash)
        mineOnSend(market)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        let second = try #require(outcome.transactions.last?.hash)
        market.node.onSend(nil)
        _ = try await market.chain.reorganize(blocks: 1, transactions: .gone)
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "resumed")
        #expect(error?.message.contains(second.hex) == true)
        try await market.chain.mine()
        #expect(try await owned(market) == TestMarket.units("10010"))
        #expect(market.node.sent.count == 3)
    }

    @Test("a faster one pays what was told, and --gas-price means nothing for it")
    func reported() async throws {
        let (market, hash) = try await waiting()
        let old = try SignedTransaction(
            raw: try market.journaled()[0].raw,
            recoverer: Secp256k1()
        ).transaction.maximumGasPrice
        let price = Wei(old.rawValue * 14 / 10)
        let planned = try await plan(.speedup, market, hash) { $0.fees.maxFee = price }
        #expect(planned.content.gas.maxFeePerGas == price && !planned.content.gas.isCapped)
        let low = await refusal {
            try await plan(.speedup, market, hash) { $0.fees.maxFee = old }
        }
        #expect(low?.code == "replacement-too-low" || low?.code == "max-fee-too-low")
        let wrong = await refusal {
            try await plan(.cancel, market, hash) { $0.fees.gasPrice = price }
        }
        #expect(wrong?.code == "has-base-fee" && wrong?.exit == .usage)
        #expect(wrong?.message.hasPrefix("The transaction to replace uses EIP-1559 fees") == true)
    }
}
