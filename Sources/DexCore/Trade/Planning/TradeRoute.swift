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
        /// Each order by its own amount.
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
        /// What the contract would let us fill, whether the maker has the funds or not.
        let remaining: UInt256
    }

    let style: Style
    let legs: [Leg]
    let spares: [Leg]
    /// The most that is paid, in all outcomes; with nothing gone exactly this.
    let pay: UInt256
    /// What the legs pay out with nothing gone.
    let receive: UInt256
    /// The least that is received where all of `pay` is paid.
    let minimumReceive: UInt256
    /// With nothing gone.
    let fee: UInt256
    /// The most in all outcomes.
    let maximumFee: UInt256
    let average: Price
    /// Of all orders that the contract is given.
    let worst: Price
    let impactBasisPoints: UInt64

    /// The route stays within what was confirmed; its orders were chosen by the worst price.
    func keeps(_ confirmed: MarketPlanner.Confirmed) -> Bool {
        pay <= confirmed.pay && minimumReceive >= confirmed.minimumReceive
            && maximumFee <= confirmed.maximumFee
    }

    /// The same without spares, for a call that cannot skip orders.
    ///
    /// Its bounds still hold: fewer orders can only make them tighter.
    var withoutSpares: TradeRoute {
        TradeRoute(
            style: style,
            legs: legs,
            spares: [],
            pay: pay,
            receive: receive,
            minimumReceive: minimumReceive,
            fee: fee,
            maximumFee: maximumFee,
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
        let all = mode == .skipping ? legs + spares : legs
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
