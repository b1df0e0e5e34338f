import DexSigning
import Ethereum
import EthereumWallet
import Testing

@testable import ZeroEx

@Suite("The rules of a policy on calls of 0x v4")
struct PolicyV4Tests {
    typealias Bench = SigningBench

    private static let domain = ExchangeDomainV4(chainID: 1, exchange: Bench.exchange)
    private static let signature = SignatureV4(
        type: 2,
        v: 27,
        r: UInt256(1).word,
        s: UInt256(2).word
    )

    private func bench(_ change: (inout Policy) -> Void = { _ in }) throws -> SigningBench {
        var bench = try Bench()
        bench.exchangeProtocol = ZeroExV4(domain: Self.domain, signatureKind: .ethSign)
        bench.feeToken = nil
        change(&bench.policy)
        return bench
    }

    private static func units(_ text: String) -> UInt128 {
        Bench.units(text).uint128 ?? 0
    }

    /// Somebody's order that gives 10 ZRX for WETH, with a fee in WETH on top.
    private static func order(_ weth: String = "1", fee: String = "0.1") -> LimitOrderV4 {
        LimitOrderV4(
            makerToken: Bench.zrx,
            takerToken: Bench.weth,
            makerAmount: units("10"),
            takerAmount: units(weth),
            takerTokenFeeAmount: units(fee),
            maker: Bench.bob,
            feeRecipient: Bench.bob,
            expiry: 2_000_000_000,
            salt: 1
        )
    }

    private static func call(
        _ call: ExchangeCallV4,
        ether: String = "0"
    ) -> SigningRequest.Content {
        .transaction(Bench.transaction(to: Bench.exchange, ether: ether, data: call.data))
    }

    private static func fill(_ amount: String, ether: String = "0") -> SigningRequest.Content {
        call(.limit(.fill(order(), signature, amount: units(amount))), ether: ether)
    }

    private static func batch(_ amounts: [String]) -> SigningRequest.Content {
        call(
            .limit(
                .batchFill(
                    amounts.map { _ in order() },
                    amounts.map { _ in signature },
                    amounts: amounts.map(units),
                    revertIfIncomplete: false
                )
            )
        )
    }

    private static let cancels: [SigningRequest.Content] = {
        let pair = PairCancelV4(makerToken: Bench.zrx, takerToken: Bench.weth, minValidSalt: .max)
        return [
            call(.limit(.cancel(order()))), call(.limit(.batchCancel([order(), order()]))),
            call(.limit(.cancelPair(pair))),
            call(
                .limit(
                    .batchCancelPair(
                        makerTokens: [Bench.zrx],
                        takerTokens: [Bench.weth],
                        minValidSalts: [1]
                    )
                )
            ),
        ]
    }()

    // MARK: Amounts

    @Test("max_per_trade counts what is paid with the fee on top, of the whole batch")
    func perTrade() throws {
        let bench = try bench { $0.perTrade = [.token(Bench.weth): Bench.units("1.1")] }
        #expect(bench.refusal(Self.fill("1")) == nil, "1 and a fee of 0.1")
        #expect(bench.refusal(Self.fill("7")) == nil, "the order has no more than 1")
        #expect(bench.refusal(Self.batch(["0.5", "0.5"])) == nil)
        let refusal = bench.refusal(Self.batch(["0.5", "0.6"]))
        #expect(refusal?.rule == "max_per_trade.WETH")
        #expect(
            refusal?.reason == "it may take 1.21 WETH, and 1.1 WETH are allowed at once"
        )
        #expect(bench.refusal(Self.batch(["1", "1"]))?.rule == "max_per_trade.WETH")
    }

    @Test("max_per_day counts what was paid before, and amounts that overflow are above any limit")
    func perDay() async throws {
        let bench = try bench { $0.perDay = [.token(Bench.weth): Bench.units("2")] }
        try await bench.sign(Bench.transfer(Bench.weth, "0.9"))
        let ledger = SpendingLedger(try bench.log.lines(since: 0), since: 0)
        #expect(bench.refusal(Self.fill("1"), ledger: ledger) == nil)
        #expect(
            bench.refusal(Self.batch(["0.6", "0.6"]), ledger: ledger)?.rule == "max_per_day.WETH"
        )
        var huge = Self.order()
        huge.takerAmount = .max
        huge.takerTokenFeeAmount = .max
        let all = Self.call(.limit(.fill(huge, Self.signature, amount: .max)))
        #expect(bench.refusal(all)?.rule == "max_per_day.WETH")
        #expect(bench.effects(all).paid == [.token(Bench.weth): UInt256(UInt128.max) * 2])
    }

    @Test("the token of fees is that of the order, so none is unknown on a network without one")
    func tokens() throws {
        let both = try bench { $0.tokens = [.token(Bench.weth), .token(Bench.zrx)] }
        #expect(both.refusal(Self.fill("1")) == nil)
        let none = try bench { $0.tokens = [.token(Bench.weth)] }
        #expect(none.refusal(Self.fill("1"))?.rule == "tokens", "what comes in counts too")
        #expect(!both.effects(Self.fill("1")).hasUnknownFee)
        var own = Bench.ownOrder()
        own.fees = OrderFees(recipient: Bench.bob, makerFee: 0, takerFee: Bench.units("0.1"))
        #expect(both.refusal(.order(own)) == nil, "its taker pays the fee")
    }

    @Test("ether that goes along as the protocol's fee is paid, but sent to nobody")
    func protocolFee() throws {
        let bench = try bench { policy in
            // 0.001 ETH of it for gas.
            policy.perTrade = [.ether: Bench.units("0.011")]
            policy.recipients = []
        }
        #expect(bench.refusal(Self.fill("1", ether: "0.01")) == nil)
        let expensive = bench.refusal(Self.fill("1", ether: "0.011"))
        #expect(expensive?.rule == "max_per_trade.ETH")
        // A cancel has no such fee, so ether is lost there.
        let lost = Self.call(.limit(.cancel(Self.order())), ether: "0.001")
        #expect(bench.refusal(lost)?.rule == "recipients")
    }

    // MARK: Reach

    @Test("cancels take nothing and need no token, only a contract that may be called")
    func cancels() throws {
        let strict = try bench { policy in
            policy.tokens = []
            policy.recipients = []
            policy.limitsEverything = true
        }
        for cancel in Self.cancels {
            #expect(strict.refusal(cancel) == nil)
            #expect(strict.effects(cancel).paid.isEmpty)
            #expect(strict.effects(cancel).isUnderstood)
        }
        let closed = try bench { $0.spenders = [Bench.proxy] }
        for cancel in Self.cancels { #expect(closed.refusal(cancel)?.rule == "spenders") }
        #expect(try bench { $0.spenders = [Bench.exchange] }.refusal(Self.cancels[0]) == nil)
    }

    @Test("what gives somebody else a signature of ours, and broken batches, are not understood")
    func signers() throws {
        let bench = try bench { $0.perTrade = [.token(Bench.weth): .max] }
        let uneven = ExchangeCallV4.limit(
            .batchFill([Self.order()], [Self.signature], amounts: [], revertIfIncomplete: false)
        )
        let calls: [ExchangeCallV4] = [
            .registerAllowedOrderSigner(Bench.bob, allowed: true),
            .registerAllowedRfqOrigins([Bench.bob], allowed: true), uneven,
        ]
        for call in calls {
            #expect(bench.refusal(Self.call(call))?.rule == "spenders")
            #expect(!bench.effects(Self.call(call)).isUnderstood)
        }
        // Taking it back is fine.
        let back = Self.call(.registerAllowedOrderSigner(Bench.bob, allowed: false))
        #expect(bench.refusal(back) == nil)
        let unknown = Bench.transaction(to: Bench.exchange, data: [0xd9, 0x62, 0x7a, 0xa4])
        #expect(bench.refusal(.transaction(unknown))?.rule == "spenders", "sellToUniswap")
    }

    @Test("an order for another exchange, or another chain's, is not understood")
    func elsewhere() throws {
        let bench = try bench { $0.perTrade = [.token(Bench.zrx): .max] }
        var draft = Bench.ownOrder()
        #expect(bench.refusal(.order(draft)) == nil)
        draft.exchange = Bench.proxy
        #expect(bench.refusal(.order(draft))?.rule == "spenders")
    }
}
