import DexStore
import Ethereum
import ZeroEx

@testable import DexCore

extension Fixtures {
    static let gas = GasPlan(
        coin: .ether,
        limit: 345_000,
        maxFeePerGas: Wei(31_500_000_001),
        maxPriorityFeePerGas: Wei(1_500_000_000),
        maxCost: Wei(10_867_500_000_345_000),
        presentCost: Wei(5_692_500_000_000_000),
        priority: .market,
        isCapped: false
    )

    static var buyPlan: TradePlan {
        buyPlan(
            fees: TokenAmount(raw: milli(1_250), token: zrx),
            legFee: 0,
            maximumCost: 3_060_805_000_000_000_000
        )
    }

    /// The same with fees in the token that is paid: 0.003 WETH.
    static var feesOnTopPlan: TradePlan {
        buyPlan(
            fees: TokenAmount(raw: 3_000_000_000_000_000, token: weth),
            legFee: 1_500_000_000_000_000,
            maximumCost: 3_063_805_000_000_000_000
        )
    }

    /// Nothing can make it cost more or bring less.
    static var exactPlan: TradePlan {
        buyPlan(
            fees: TokenAmount(raw: milli(1_250), token: zrx),
            legFee: 0,
            maximumCost: 3_030_500_000_000_000_000,
            minimumReceive: milli(2_500_000)
        )
    }

    private static func buyPlan(
        fees: TokenAmount,
        legFee: UInt256,
        maximumCost: UInt256,
        minimumReceive: UInt256 = milli(2_475_000)
    ) -> TradePlan {
        func leg(_ seed: UInt64, _ millionths: UInt64, _ zrx: UInt64, backup: Bool) -> TradePlan.Leg
        {
            TradePlan.Leg(
                orderHash: hash(seed),
                maker: address(seed),
                price: price(millionths),
                pay: milli(zrx) * UInt256(millionths) / 1_000_000,
                receive: milli(zrx),
                fee: legFee,
                isBackup: backup
            )
        }
        var plan = TradePlan(
            side: .buy,
            pair: pair,
            block: 21_345_678,
            account: address(77),
            legs: [
                leg(2, 1_211, 1_500_000, backup: false), leg(3, 1_214, 1_000_000, backup: false),
                leg(4, 1_220, 500_000, backup: true),
            ],
            payToken: weth,
            receiveToken: zrx,
            expectedPay: 3_030_500_000_000_000_000,
            maximumPay: 3_060_805_000_000_000_000,
            maximumCost: maximumCost,
            expectedReceive: milli(2_500_000),
            minimumReceive: minimumReceive,
            average: price(1_212),
            worst: price(1_220),
            impactBasisPoints: 123,
            fees: fees,
            maximumFees: fees,
            steps: [
                PlannedTransaction(
                    purpose: .approve,
                    summary: "approve 3.060805 WETH to the transfer contract 0x8dA0",
                    gasLimit: 50_000
                ),
                PlannedTransaction(purpose: .fill, summary: "fill 3 orders", gasLimit: 295_000),
            ],
            gas: gas,
            warnings: ["The price impact is 1.23%."],
            skipsGoneOrders: true
        )
        plan.mid = Price(quote: 11_985, base: 10_000_000)
        plan.balances = PlannedBalance.changes(by: plan, of: account)
        return plan
    }

    /// The balances of an account with another open order of 50 ZRX, once orders are filled whole.
    ///
    /// - Parameters:
    ///   - gives: thousandths of ZRX.
    ///   - gets: thousandths of WETH.
    static func limitBalances(
        gives: UInt64,
        gets: UInt64,
        gas: GasPlan? = nil
    ) -> [PlannedBalance] {
        let (held, coins) = (milli(100_125), milli(5_000))
        var balances = [
            PlannedBalance(
                currency: .token(zrx),
                before: held,
                after: held - milli(gives),
                minimum: held - milli(gives) - milli(50_000)
            ),
            PlannedBalance(
                currency: .token(weth),
                before: coins,
                after: coins + milli(gets),
                minimum: coins + milli(gets)
            ),
        ]
        if let gas {
            let ether = account.ether.rawValue
            balances.append(
                PlannedBalance(
                    currency: .coin(.ether),
                    before: ether,
                    after: ether - gas.presentCost.rawValue,
                    minimum: ether - gas.maxCost.rawValue
                )
            )
        }
        return balances
    }

    /// The account of the plans, before them.
    static let account = AccountSnapshot(
        address: address(77),
        ether: Wei(1_250_000_000_000_000_000),
        pendingNonce: 7,
        balances: [weth.address: 5_000_000_000_000_000_000, zrx.address: milli(100_125)],
        allowances: [:]
    )

    /// A plan of many orders, some of them as backup.
    static func longPlan(_ count: Int) -> TradePlan {
        let plan = buyPlan
        let legs = (0..<count).map { index in
            TradePlan.Leg(
                orderHash: hash(UInt64(1_000 + index)),
                maker: address(UInt64(1_000 + index)),
                price: price(1_211 + UInt64(index)),
                pay: 1_816_500_000_000_000_000,
                receive: milli(1_500_000),
                fee: 0,
                isBackup: index >= count - 2
            )
        }
        return TradePlan(
            side: plan.side,
            pair: plan.pair,
            block: plan.block,
            account: plan.account,
            legs: legs,
            payToken: plan.payToken,
            receiveToken: plan.receiveToken,
            expectedPay: plan.expectedPay,
            maximumPay: plan.maximumPay,
            maximumCost: plan.maximumCost,
            expectedReceive: plan.expectedReceive,
            minimumReceive: plan.minimumReceive,
            average: plan.average,
            worst: plan.worst,
            impactBasisPoints: 640,
            fees: plan.fees,
            maximumFees: plan.maximumFees,
            steps: plan.steps,
            gas: plan.gas,
            warnings: plan.warnings,
            stop: nil,
            skipsGoneOrders: true,
            mid: plan.mid,
            balances: plan.balances
        )
    }

    static func sent(
        _ purpose: TransactionPurpose,
        _ stage: TransactionStage
    ) -> SentTransaction {
        SentTransaction(
            purpose: purpose,
            hash: hash(purpose == .fill ? 501 : 500),
            coin: .ether,
            stage: stage,
            block: stage == .confirmed ? 21_345_679 : nil,
            gasUsed: stage == .confirmed ? 198_765 : nil,
            cost: stage == .confirmed ? Wei(3_279_622_500_000_000) : nil
        )
    }

    static var buyOutcome: TradeOutcome {
        TradeOutcome(
            plan: buyPlan,
            transactions: [sent(.approve, .confirmed), sent(.fill, .confirmed)],
            received: milli(2_000_000),
            paid: 2_426_500_000_000_000_000,
            fees: milli(1_000),
            effectivePrice: price(1_213),
            legs: [
                .init(
                    orderHash: hash(2),
                    status: .filled,
                    received: milli(1_500_000),
                    paid: 1_816_500_000_000_000_000,
                    fee: 0,
                    reason: nil
                ),
                .init(
                    orderHash: hash(3),
                    status: .skipped,
                    received: 0,
                    paid: 0,
                    fee: 0,
                    reason: "it was filled or cancelled before\u{1B}[31m"
                ),
                .init(
                    orderHash: hash(4),
                    status: .partlyFilled,
                    received: milli(500_000),
                    paid: 610_000_000_000_000_000,
                    fee: 0,
                    reason: "the amount was used up"
                ),
            ],
            warnings: [],
            ending: .less
        )
    }

    static func orderRow(_ standing: OrdersState.Standing = .partlyFilled) -> OrdersState.Row {
        let order = FixedOrder(
            hash: hash(31),
            exchange: address(1),
            maker: address(77),
            taker: .zero,
            makerToken: zrx.address,
            takerToken: weth.address,
            makerAmount: milli(10_000),
            takerAmount: milli(12),
            feeRecipient: .zero,
            makerFee: 0,
            takerFee: 0,
            expiry: UInt256(now + 86_400),
            salt: 7
        )
        return OrdersState.Row(
            order: order,
            wire: #"{"maker":"0x00","salt":"7"}"#,
            maker: TokenAmount(raw: milli(10_000), token: zrx),
            taker: TokenAmount(raw: milli(12), token: weth),
            pair: pair,
            side: .sell,
            price: price(1_200),
            state: OrderState(filled: milli(3), cancelled: 0, remaining: milli(9)),
            standing: standing,
            fillable: milli(9),
            flags: [.partlyFilled, .own],
            isOwn: true,
            isOnRelay: true
        )
    }

    static var fillEvent: FillEvent {
        FillEvent(
            orderHash: hash(31),
            maker: address(77),
            taker: address(78),
            feeRecipient: .zero,
            makerToken: zrx.address,
            takerToken: weth.address,
            makerAmount: milli(2_500),
            takerAmount: milli(3),
            makerFee: 0,
            takerFee: milli(1)
        )
    }
}

/// An order of no protocol version, for screens.
final class FixedOrder: SignedOrder {
    let hash: OrderHash
    let exchange: Address
    let maker: Address
    let taker: Address
    let makerToken: Address
    let takerToken: Address
    let makerAmount: UInt256
    let takerAmount: UInt256
    let feeRecipient: Address
    let makerFee: UInt256
    let takerFee: UInt256
    let expiry: UInt256
    let salt: UInt256
    /// No screen shows it.
    let wireText: [UInt8] = []

    init(
        hash: OrderHash,
        exchange: Address,
        maker: Address,
        taker: Address,
        makerToken: Address,
        takerToken: Address,
        makerAmount: UInt256,
        takerAmount: UInt256,
        feeRecipient: Address,
        makerFee: UInt256,
        takerFee: UInt256,
        expiry: UInt256,
        salt: UInt256
    ) {
        self.hash = hash
        self.exchange = exchange
        self.maker = maker
        self.taker = taker
        self.makerToken = makerToken
        self.takerToken = takerToken
        self.makerAmount = makerAmount
        self.takerAmount = takerAmount
        self.feeRecipient = feeRecipient
        self.makerFee = makerFee
        self.takerFee = takerFee
        self.expiry = expiry
        self.salt = salt
    }

    var copyID: OrderCopyID { OrderCopyID(hash: hash, r: .zero, s: .zero, kind: 0) }
}
