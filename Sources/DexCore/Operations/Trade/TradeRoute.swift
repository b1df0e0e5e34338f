import Ethereum
import ZeroEx

/// Which orders a trade takes, how much of each, and what follows for the totals: all the choices,
/// before gas and approvals.
struct TradeRoute: Sendable {
    /// The form of the contract call.
    enum Style: Hashable, Sendable {
        /// One order, by at most its own amount.
        case single
        /// A total that moves on from orders that are gone to the ones behind them.
        case total
        /// Each order by its own amount; backups are not passed on, they would be filled in addition.
        case batch
    }

    /// One order of the route; amounts in base units.
    struct Leg: Sendable {
        let order: any SignedOrder
        let price: Price
        /// Taker token, so what we pay; of a backup what it could take.
        let pay: UInt256
        /// Maker token, rounded down.
        let receive: UInt256
        /// In the fee token.
        let fee: UInt256
        /// What may come to be filled of it: what the contract lets us, whether the maker has the
        /// funds or not; where the call caps each order, what the maker's funds allow.
        let remaining: UInt256
    }

    /// The worst of all outcomes; base units.
    struct Bounds: Sendable {
        let minimumReceive: UInt256
        let maximumFee: UInt256
        let maximumCost: UInt256
    }

    let style: Style
    let legs: [Leg]
    let backups: [Leg]
    /// What is paid with nothing gone.
    let pay: UInt256
    /// The most that is paid, in all outcomes: more only where backups step in that cost more.
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
    /// The bounds where no backup stands by; nil where they are what is done with nothing gone.
    var alone: Bounds?
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

    /// Orders may step in for others, so that more is paid or less received than with nothing gone.
    var mayStepIn: Bool {
        !backups.isEmpty || maximumPay > pay || minimumReceive < receive
    }

    /// The same without backups: for a call that cannot skip orders, or an account that cannot pay
    /// them.
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
