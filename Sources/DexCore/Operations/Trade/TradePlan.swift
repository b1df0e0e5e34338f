package import Ethereum
package import ZeroEx

/// What a trade will do, shown before anything is signed: market orders and single fills.
package struct TradePlan: OperationPlan {
    /// One order that the plan uses, amounts in base units of the token paid and received.
    package struct Leg: Sendable {
        package let orderHash: OrderHash
        package let maker: Address
        package let price: Price
        /// Of the token that we give, without the fee.
        package let pay: UInt256
        /// Of the token that we get; rounded down.
        package let receive: UInt256
        /// In the fee token.
        package let fee: UInt256
        /// A backup: used only where one before it is gone.
        package let isBackup: Bool
    }

    package let side: TradeSide
    package let pair: Pair
    package let block: UInt64
    package let account: Address
    package let legs: [Leg]
    package let payToken: Token
    package let receiveToken: Token
    /// What the orders are paid, without fees.
    package let expectedPay: UInt256
    package let maximumPay: UInt256
    /// What leaves of the token that is paid in any outcome at most, fees in it included.
    package let maximumCost: UInt256
    package let expectedReceive: UInt256
    package let minimumReceive: UInt256
    package let average: Price
    /// The worst price of an order that the contract is given.
    package let worst: Price
    /// How far the average is from the best price, in hundredths of a percent; nil where there is
    /// nothing to compare with.
    package let impactBasisPoints: UInt64?
    /// Taker fees over the legs that are expected to fill; nil where there are none.
    package let fees: TokenAmount?
    /// The most of them in all outcomes; nil where there are none.
    package let maximumFees: TokenAmount?
    /// The value of `fees` in base units of QUOTE; nil if they are in a token of the pair, or have
    /// no price.
    package var feeValue: UInt256?
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    package let warnings: [String]
    /// Why it would send nothing now, so that the user is not asked; nil if it would.
    package var stop: DexError?
    /// The contract skips orders that are gone; false: one short order fails the whole call.
    package let skipsGoneOrders: Bool
}

extension TradePlan {
    /// Fees are in the token that is paid, and come on top of what the orders are paid.
    package var paysFeesOnTop: Bool { fees?.token.address == payToken.address }

    /// What is expected to leave of the token that is paid, fees in it included.
    package var expectedCost: UInt256 { cost(expectedPay, fees?.raw ?? .zero) }

    /// What an order takes of the token that is paid, its fee included where that is in it.
    package func cost(of leg: Leg) -> UInt256 { cost(leg.pay, leg.fee) }

    /// An amount paid, with a fee where that is in the same token.
    package func cost(_ pay: UInt256, _ fee: UInt256) -> UInt256 {
        paysFeesOnTop ? pay.addingSaturating(fee) : pay
    }

    /// How much more a unit may cost in the worst outcome than in the expected one, in hundredths
    /// of a percent.
    var worstSlippage: UInt64 {
        PriceBounds.slippage(
            expected: (expectedPay, expectedReceive),
            worst: (maximumPay, minimumReceive)
        )
    }
}

extension TradePlan {
    /// A trade as it was simulated.
    init(
        _ fill: FillSimulation.Result,
        steps: [PlannedTransaction],
        gas: GasPlan,
        feeToken: Token?,
        warnings: [String],
        stop: DexError?,
        context: TradeContext
    ) {
        let route = fill.route
        self.init(
            side: context.side,
            pair: context.pair,
            block: context.block.number,
            account: context.account.address,
            legs: route.legs.map { Leg($0, isBackup: false) }
                + route.backups.map { Leg($0, isBackup: true) },
            payToken: context.payToken,
            receiveToken: context.receiveToken,
            expectedPay: route.pay,
            maximumPay: route.maximumPay,
            maximumCost: route.maximumCost,
            expectedReceive: route.receive,
            minimumReceive: route.minimumReceive,
            average: route.average,
            worst: route.worst,
            impactBasisPoints: route.impactBasisPoints,
            fees: feeToken.map { TokenAmount(raw: route.fee, token: $0) },
            maximumFees: feeToken.map { TokenAmount(raw: route.maximumFee, token: $0) },
            feeValue: feeToken.flatMap { context.feeValue(of: route.fee, in: $0) },
            steps: steps,
            gas: gas,
            warnings: warnings,
            stop: stop,
            skipsGoneOrders: fill.attempt.mode == .skipping
        )
    }
}

extension TradePlan.Leg {
    fileprivate init(_ leg: TradeRoute.Leg, isBackup: Bool) {
        self.init(
            orderHash: leg.order.hash,
            maker: leg.order.maker,
            price: leg.price,
            pay: leg.pay,
            receive: leg.receive,
            fee: leg.fee,
            isBackup: isBackup
        )
    }
}
