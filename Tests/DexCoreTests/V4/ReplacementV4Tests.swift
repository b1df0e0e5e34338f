import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Fills on 0x v4 that wait are sped up or taken back with the protocol's fee of their price")
struct ReplacementV4Tests {
    private static let multiplier: UInt32 = 70_000

    /// A market whose blocks are made by hand, with a purchase of two orders that waits.
    private func waiting(
        _ multiplier: UInt32 = Self.multiplier
    ) async throws -> (LiveMarket, TransactionHash) {
        let market = try LiveMarket(
            mining: .manual,
            version: .v4,
            protocolFeeMultiplier: multiplier
        )
        market.setBook(asks: [
            try await market.ask(0, "6", for: "0.06"), try await market.ask(1, "100", for: "1.02"),
        ])
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        return (market, try #require(outcome.transactions.last?.hash))
    }

    private func model(
        _ market: LiveMarket,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> ReplacementModel {
        var settings = TradeSettings()
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
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> Plan<ReplacementPlan> {
        try await model(market, change)
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

    private func journaled(_ market: LiveMarket) throws -> [Transaction] {
        try market.journaled().map {
            try SignedTransaction(raw: $0.raw, recoverer: Secp256k1()).transaction
        }
    }

    /// The node tells another multiplier than the contract has.
    private func tell(_ multiplier: UInt32, _ market: LiveMarket) {
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, real in
                guard case .call(let request, _) = read,
                    request.data == ExchangeCallV4.getProtocolFeeMultiplier.data
                else { return real }
                return .success(.bytes(ExchangeAnswerV4.protocolFeeMultiplier(multiplier).data))
            }
        }
    }

    private func ether(_ market: LiveMarket) async throws -> UInt256 {
        try await market.chain
            .read(.balance(market.trader.address, .latest)).rawValue
    }

    // MARK: Faster

    @Test("the plan funds the fee at the new highest price, and counts it to the total")
    func plan() async throws {
        let (market, hash) = try await waiting()
        let old = try #require(try journaled(market).first)
        #expect(old.value == old.maximumGasPrice.multiplied(by: 140_000))
        let plan = try await plan(.speedup, market, hash).content
        #expect(plan.gas.maxFeePerGas > old.maximumGasPrice)
        #expect(plan.value == plan.gas.maxFeePerGas.multiplied(by: 140_000))
        #expect(plan.value > old.value)
        #expect(plan.total == plan.gas.maxCost.adding(plan.value))
        #expect(market.node.sent.count == 1)
    }

    @Test(
        "it fills both orders, the exchange takes its fee at the price paid, and the rest is back"
    )
    func speedup() async throws {
        let (market, hash) = try await waiting()
        let before = try await ether(market)
        let planned = try await plan(.speedup, market, hash)
        mineOnSend(market)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        let status = try #require(outcome.mined)
        #expect(status.fills.count == 2)
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("10010")
        )
        let (first, second) = (try journaled(market)[0], try journaled(market)[1])
        #expect(second.data == first.data && second.to == first.to)
        #expect(second.value == second.maximumGasPrice.multiplied(by: 140_000))
        let mined = try #require(outcome.transactions.last?.hash)
        let receipt = try #require(
            try await market.chain.read(.receipt(mined))
        )
        let price = try #require(receipt.effectiveGasPrice).rawValue
        let spent = try await before - ether(market)
        #expect(spent == price * (UInt256(receipt.gasUsed) + 140_000))
        #expect(price < second.maximumGasPrice.rawValue, "so something came back")
    }

    @Test("a multiplier that changed meanwhile counts as it is now, up to none and from none")
    func otherMultiplier() async throws {
        for (before, now) in [(70_000, 90_000), (70_000, 0), (0, 70_000)] as [(UInt32, UInt32)] {
            let (market, hash) = try await waiting(before)
            tell(now, market)
            let plan = try await plan(.speedup, market, hash).content
            let owed = plan.gas.maxFeePerGas.multiplied(by: UInt256(2 * UInt64(now)))
            #expect(plan.value == owed, "\(before) to \(now)")
        }
    }

    @Test("where the fee is not told, nothing is signed")
    func unknownMultiplier() async throws {
        let (market, hash) = try await waiting()
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, real in
                guard case .call(let request, _) = read,
                    request.data == ExchangeCallV4.getProtocolFeeMultiplier.data
                else { return real }
                return .failure(.lost)
            }
        }
        let error = await refusal { try await plan(.speedup, market, hash) }
        #expect(error?.code == "node-unreachable")
        #expect(market.node.sent.count == 1)
    }

    @Test("the cap on the cost of gas holds for gas and fee together")
    func capped() async throws {
        let (market, hash) = try await waiting()
        let free = try await plan(.speedup, market, hash).content
        let total = free.total.rawValue
        let enough = try await plan(.speedup, market, hash) { $0.feeCap = Wei(total) }.content
        #expect(enough.total == free.total)
        // A replacement cannot pay less than a tenth more, so there is nothing to cut.
        let error = await refusal {
            try await plan(.speedup, market, hash) { $0.feeCap = Wei(total - 1) }
        }
        #expect(error?.exit == .refused)
        #expect(market.node.sent.count == 1)
    }

    @Test("a rule on ether counts the fee that goes along and gas, before anything is signed")
    func policy() async throws {
        let (market, hash) = try await waiting()
        let planned = try await plan(.speedup, market, hash)
        let gas = try #require(
            planned.content.gas.maxFeePerGas.multiplied(by: UInt256(planned.content.gas.limit))
        )
        let value = planned.content.value.rawValue + gas.rawValue
        func refused(_ limit: UInt256) throws -> DexError? {
            var policy = Policy(source: "policy.toml", coin: .ether)
            policy.perTrade = [.ether: limit]
            let signer = market.authorized(LocalKey(market.trader), policy: policy)
            let model = try model(market)
            do throws(DexError) {
                try model.check(planned, signer: signer)
                return nil
            } catch {
                return error
            }
        }
        #expect(try refused(value) == nil)
        let error = try refused(value - 1)
        #expect(error?.code == "policy")
        #expect(error?.message.contains("max_per_trade.ETH") == true)
    }

    @Test("once nothing of its orders can be filled it is not sent again, at any price")
    func gone() async throws {
        let (market, hash) = try await waiting()
        let answer = ExchangeAnswerV4.batchFill([
            FillAmountsV4(taker: 0, maker: 0), FillAmountsV4(taker: 5, maker: 0),
        ])
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, real in
                guard case .call(let request, _) = read,
                    case .limit(.batchFill)? = try? ExchangeCallV4(data: request.data)
                else { return real }
                return .success(.bytes(answer.data))
            }
        }
        let error = await refusal { try await plan(.speedup, market, hash) }
        #expect(error?.code == "would-fill-nothing")
        #expect(error?.exit == .simulationFailed)
        #expect(error?.hint?.contains("dex tx cancel \(hash)") == true)
    }

    // MARK: Taken back

    @Test("taken back it costs gas for nothing: no fee of the protocol's goes along")
    func cancel() async throws {
        let (market, hash) = try await waiting()
        let before = try await ether(market)
        let planned = try await plan(.cancel, market, hash)
        #expect(planned.content.value == .zero)
        #expect(planned.content.gas.limit == 21_000)
        #expect(planned.content.total == planned.content.gas.maxCost)
        mineOnSend(market)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.purpose) == [.cancelTransaction])
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("10000")
        )
        #expect(try await before - ether(market) <= planned.content.total.rawValue)
        let sent = try #require(try journaled(market).last)
        #expect(sent.data.isEmpty && sent.to == market.trader.address && sent.value == .zero)
        #expect(try await market.trade(.buy, "10").exit == .done, "its nonce is the next")
    }
}
