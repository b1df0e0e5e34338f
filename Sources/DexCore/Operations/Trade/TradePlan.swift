package import Ethereum
package import ZeroEx

/// The plan of a trade, of a market order or of a single fill: what it pays and brings at most, at
/// least and as expected, where, and by which transactions.
///
/// A purchase of 500 ZRX expects to pay 0.3753 WETH and pays at most 0.3791 WETH.
package struct TradePlan: PlanContent {
    package typealias Outcome = TradeOutcome

    /// One order of the plan, amounts in base units of the paid and received tokens.
    package struct Leg: Sendable {
        package let orderHash: OrderHash
        package let maker: Address
        package let price: Price
        /// Of the paid token, without the fee.
        package let pay: UInt256
        /// Of the received token; rounded down.
        package let receive: UInt256
        /// In the fee token.
        package let fee: UInt256
        /// A backup: used only if an earlier one is gone.
        package let isBackup: Bool
    }

    package let side: TradeSide
    package let pair: Pair
    package let block: UInt64
    package let account: Address
    package let legs: [Leg]
    package let payToken: Token
    package let receiveToken: Token
    /// The payment to the orders, without fees.
    package let expectedPay: UInt256
    package let maximumPay: UInt256
    /// The most of the paid token that can leave, with fees in it.
    package let maximumCost: UInt256
    package let expectedReceive: UInt256
    package let minimumReceive: UInt256
    package let average: Price
    /// The worst price of an order in the call.
    package let worst: Price
    /// The average's distance from the best price, in hundredths of a percent; nil without a
    /// comparison.
    package let impactBasisPoints: UInt64?
    /// Taker fees of the legs that are expected to fill; nil without fees.
    package let fees: TokenAmount?
    /// The most of them in all outcomes; nil without fees.
    package let maximumFees: TokenAmount?
    /// The value of `fees` in base units of QUOTE; nil if they are in a token of the pair, or have
    /// no price.
    package var feeValue: UInt256?
    package let steps: [PlannedTransaction]
    package let gas: GasPlan
    package internal(set) var warnings: [String]
    /// Those of the warnings that say that it leaves less than own open orders offer.
    package internal(set) var ownOrderWarnings: [String] = []
    package var stop: DexError?
    /// The contract skips orders that are gone; if false, one short order fails the whole call.
    package let skipsGoneOrders: Bool
    package var venue = VenueID.book
    /// The venues that are not used, and why.
    package var alternatives: [VenueAlternative] = []
    /// The quote of a swap venue; nil on the book.
    package var quote: QuoteSummary?
    /// It fills one order, which its user chose, perhaps by the start of its hash.
    package var namesOrder = false
    /// The relays that show the order of a fill; empty with one relay.
    package var relays: [String] = []
    /// Halfway between the book's best prices; nil if the book has not both, or was not read.
    package var mid: Price?
    /// The account's balances that it changes: what is paid, what is received, fees, ether.
    package var balances: [PlannedBalance] = []
    /// The origin of its amount; nil if that was typed as a number of BASE.
    package var origin: AmountOrigin?
    /// When an order of it, a permit or a pool's call expires, in seconds since 1970; nil without one.
    var validUntil: UInt64?
    /// Why its price is compared with nothing but its own venue; nil if it is.
    var priceGap: String?
    /// Its price is compared with nothing, and only a flag allows so much.
    var isUncheckedBeyondLimit = false
}

extension TradePlan {
    /// Fees are in the paid token, and added to the payment.
    package var paysFeesOnTop: Bool { fees?.token.address == payToken.address }

    /// What is paid is fixed, and what arrives may be less; else what is paid may be more.
    ///
    /// A sale is, also where a limit price leaves nothing open.
    var isExactIn: Bool { side == .sell || minimumReceive < expectedReceive }

    /// The token whose amount a quote leaves open.
    package var openToken: Token { isExactIn ? receiveToken : payToken }

    /// The expected amount of the paid token, with fees in it.
    package var expectedCost: UInt256 { cost(expectedPay, fees?.raw ?? .zero) }

    /// An order's amount of the paid token, with a fee in it.
    package func cost(of leg: Leg) -> UInt256 { cost(leg.pay, leg.fee) }

    /// A payment, with a fee in the same token.
    package func cost(_ pay: UInt256, _ fee: UInt256) -> UInt256 {
        paysFeesOnTop ? pay.addingSaturating(fee) : pay
    }

    /// Some price is outside a safety limit, and only a flag or a loud warning let it pass.
    ///
    /// The average is 5 % or more behind the best price, or may end more than 5 % behind itself.
    package var isBeyondGuard: Bool {
        (impactBasisPoints ?? 0) >= TradeWarnings.loudImpact
            || worstSlippage > TradeSettings.maximumSlippage || isUncheckedBeyondLimit
    }

    package var word: String? { isBeyondGuard ? side.rawValue : nil }

    /// The bounds that any later plan of the same trade must keep.
    var confirmed: MarketPlanner.Confirmed {
        MarketPlanner.Confirmed(
            pay: maximumPay,
            minimumReceive: minimumReceive,
            maximumFee: maximumFees?.raw ?? .zero,
            cost: maximumCost,
            worst: worst
        )
    }

    /// The highest extra cost of a unit over the expected one, in hundredths of a percent.
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
        mid = context.mid
        // From then on one of its orders cannot be filled.
        validUntil = route.legs.compactMap(\.order.expiry.uint64).min()
        balances = PlannedBalance.changes(by: self, of: context.account)
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
