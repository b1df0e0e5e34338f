import Ethereum
import ZeroEx

/// Which orders a trade takes, how much of each, and what follows for the totals: all the choices,
/// before gas and approvals.
struct TradeRoute: Sendable {
    /// How the contract is told.
    enum Style: Hashable, Sendable {
        /// One order, by at most its own amount.
        case single
        /// A total that moves on from orders that are gone to the ones behind them.
        case total
        /// Each order by its own amount; spares are not passed on, they would be filled in addition.
        case batch
    }

    /// One order of the route; amounts in base units.
    struct Leg: Sendable {
        let order: any SignedOrder
        let price: Price
        /// Taker token, so what we pay; of a spare what it could take.
        let pay: UInt256
        /// Maker token, rounded down.
        let receive: UInt256
        /// In the fee token.
        let fee: UInt256
        /// What may come to be filled of it: what the contract lets us, whether the maker has the
        /// funds or not; where the call caps each order, what the maker's funds allow.
        let remaining: UInt256
    }

    let style: Style
    let legs: [Leg]
    let spares: [Leg]
    /// What is paid with nothing gone.
    let pay: UInt256
    /// The most that is paid, in all outcomes: more only where spares step in that cost more.
    let maximumPay: UInt256
    /// What the legs pay out with nothing gone.
    let receive: UInt256
    /// The least that is received where all that is wanted is paid.
    let minimumReceive: UInt256
    /// With nothing gone.
    let fee: UInt256
    /// The most in all outcomes.
    let maximumFee: UInt256
    /// Of the token that is paid with nothing gone: with the fees where they are in it.
    let cost: UInt256
    /// The most of it in all outcomes; at most `maximumPay` and `maximumFee` together.
    let maximumCost: UInt256
    let average: Price
    /// Of all orders that the contract is given.
    let worst: Price
    /// How far the average is from the best price, in hundredths of a percent; nil where there is
    /// nothing to compare with.
    var impactBasisPoints: UInt64?

    /// The route stays within what was confirmed; its orders were chosen by the worst price.
    func keeps(_ confirmed: MarketPlanner.Confirmed) -> Bool {
        maximumPay <= confirmed.pay && minimumReceive >= confirmed.minimumReceive
            && maximumFee <= confirmed.maximumFee && maximumCost <= confirmed.cost
    }

    /// The same without spares: for a call that cannot skip orders, or an account that cannot pay
    /// them.
    ///
    /// The bounds of a total still hold: fewer orders can only make them tighter.
    var withoutSpares: TradeRoute {
        let isTotal = style == .total
        return TradeRoute(
            style: style,
            legs: legs,
            spares: [],
            pay: pay,
            maximumPay: isTotal ? maximumPay : pay,
            receive: receive,
            minimumReceive: isTotal ? minimumReceive : receive,
            fee: fee,
            maximumFee: isTotal ? maximumFee : fee,
            cost: cost,
            maximumCost: isTotal ? maximumCost : cost,
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
        let all = mode == .skipping && style == .total ? legs + spares : legs
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
