import Ethereum
import ZeroEx

/// The chosen orders of a trade, their amounts and totals, before gas and approvals.
struct TradeRoute: Sendable {
    /// The form of the contract call.
    enum Style: Hashable, Sendable {
        /// One order, by at most its own amount.
        case single
        /// A total that moves on from gone orders to the next ones.
        case total
        /// Each order by its own amount; the call has no backups, which it would fill in addition.
        case batch
    }

    /// One order of the route; amounts in base units.
    struct Leg: Sendable {
        let order: any SignedOrder
        let price: Price
        /// Taker token, which we pay; for a backup, the most.
        let pay: UInt256
        /// Maker token, rounded down.
        let receive: UInt256
        /// In the fee token.
        let fee: UInt256
        /// The most that may be filled of it.
        ///
        /// That is the contract's limit, whatever the maker's funds; if the call caps each order,
        /// it is the limit by the maker's funds.
        let remaining: UInt256
    }

    /// Bounds over all outcomes; base units.
    struct Bounds: Sendable {
        let minimumReceive: UInt256
        let maximumFee: UInt256
        let maximumCost: UInt256
    }

    let style: Style
    let legs: [Leg]
    let backups: [Leg]
    /// The payment if no order is gone.
    let pay: UInt256
    /// The highest payment in all outcomes: more only with more expensive backups.
    let maximumPay: UInt256
    /// The proceeds if no order is gone.
    let receive: UInt256
    /// The minimum proceeds for the whole payment.
    let minimumReceive: UInt256
    /// If no order is gone.
    let fee: UInt256
    /// The most in all outcomes.
    let maximumFee: UInt256
    /// Of the paid token if no order is gone, with fees in it.
    let cost: UInt256
    /// The most of it in all outcomes; at most `maximumPay` and `maximumFee` together.
    let maximumCost: UInt256
    /// The bounds without backups; nil if they equal the totals with no order gone.
    var alone: Bounds?
    let average: Price
    /// Of all orders in the call.
    let worst: Price
    /// The average's distance from the best price, in hundredths of a percent; nil without a
    /// comparison.
    var impactBasisPoints: UInt64?

    /// The route stays within the confirmed bounds; its orders were chosen by the worst price.
    func keeps(_ confirmed: MarketPlanner.Confirmed) -> Bool {
        maximumPay <= confirmed.pay && minimumReceive >= confirmed.minimumReceive
            && maximumFee <= confirmed.maximumFee && maximumCost <= confirmed.cost
    }

    /// Backups may replace orders, so that more is paid or less received.
    var backupsMayFill: Bool {
        !backups.isEmpty || maximumPay > pay || minimumReceive < receive
    }

    /// Without backups: for a call that cannot skip orders, or an account that cannot pay them.
    var withoutBackups: TradeRoute {
        TradeRoute(
            style: style,
            legs: legs,
            backups: [],
            pay: pay,
            maximumPay: pay,
            receive: receive,
            minimumReceive: alone?.minimumReceive ?? receive,
            fee: fee,
            maximumFee: alone?.maximumFee ?? fee,
            cost: cost,
            maximumCost: alone?.maximumCost ?? cost,
            alone: alone,
            average: average,
            worst: legs.last?.price ?? worst,
            impactBasisPoints: impactBasisPoints
        )
    }

    /// The call to the exchange.
    func call(
        mode: FillMode,
        exchangeProtocol: any ExchangeProtocol,
        contracts: ExchangeContracts
    ) -> ExchangeCall? {
        let all = mode == .skipping && style == .total ? legs + backups : legs
        let fills = all.map { PlannedFill(order: $0.order, takerAmount: $0.pay) }
        switch style {
        case .single:
            return fills.first.map {
                exchangeProtocol.fillCall($0, mode: mode, contracts: contracts)
            }
        case .total:
            return exchangeProtocol.marketCall(
                fills,
                total: pay,
                mode: mode,
                contracts: contracts
            )
        case .batch: return exchangeProtocol.batchCall(fills, mode: mode, contracts: contracts)
        }
    }
}
