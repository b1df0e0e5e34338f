package import Ethereum
import ZeroEx

/// The most that a plan may take and the least that it brings, whatever the market does until it is
/// signed.
///
/// A purchase of 500 ZRX for about 0.3753 WETH pays at most 0.3791 WETH and receives at least 500 ZRX.
package struct Limits: Hashable, Sendable {
    /// An amount of a token.
    package struct Amount: Hashable, Sendable {
        package let token: Address
        /// Base units.
        package let raw: UInt256

        package init(token: Address, raw: UInt256) {
            self.token = token
            self.raw = raw
        }
    }

    /// The most that leaves, fees in that token included; nil if nothing does.
    package let pays: Amount?
    /// The least that arrives; nil if nothing does.
    package let receives: Amount?
    /// The most fees beside the gas; nil without any.
    package let fees: Amount?
    /// The most that gas, a rollup and the exchange's own fee may cost.
    package let gas: Wei
    /// When what is signed expires by itself, in seconds since 1970; nil if it does not.
    var validUntil: UInt64?

    init(
        pays: Amount? = nil,
        receives: Amount? = nil,
        fees: Amount? = nil,
        gas: Wei,
        validUntil: UInt64? = nil
    ) {
        self.pays = pays
        self.receives = receives
        self.fees = fees
        self.gas = gas
        self.validUntil = validUntil
    }

    /// Those of calls that pay and receive nothing that is traded.
    ///
    /// - Parameter gas: nil without a transaction.
    init(gas: GasPlan?) { self.init(gas: Self.maximum(gas)) }

    private static func maximum(_ gas: GasPlan?) -> Wei {
        gas.map { $0.maxCost.adding($0.protocolFee) ?? Wei(.max) } ?? .zero
    }

    /// Those of a trade at any venue.
    init(_ plan: TradePlan) {
        self.init(
            pays: Amount(token: plan.payToken.address, raw: plan.maximumCost),
            receives: Amount(token: plan.receiveToken.address, raw: plan.minimumReceive),
            fees: plan.maximumFees.map { Amount(token: $0.token.address, raw: $0.raw) },
            gas: Self.maximum(plan.gas),
            validUntil: plan.validUntil
        )
    }

    /// Those of all parts of a divided trade.
    init(_ plan: SplitPlan) {
        self.init(
            pays: Amount(token: plan.first.payToken.address, raw: plan.maximumCost),
            receives: Amount(token: plan.first.receiveToken.address, raw: plan.minimumReceive),
            fees: plan.parts.lazy.compactMap { Limits($0).fees }.first,
            gas: plan.maximumGas,
            validUntil: plan.parts.compactMap(\.validUntil).min()
        )
    }

    /// Those of a limit order that is filled whole.
    init(_ plan: LimitPlan) {
        let fee = plan.makerFee.flatMap { $0.raw == .zero ? nil : $0 }
        let isOnTop = fee?.token.address == plan.give.token.address
        self.init(
            pays: Amount(
                token: plan.give.token.address,
                raw: plan.give.raw.addingSaturating(isOnTop ? fee?.raw ?? .zero : .zero)
            ),
            receives: Amount(token: plan.get.token.address, raw: plan.get.raw),
            fees: fee.map { Amount(token: $0.token.address, raw: $0.raw) },
            gas: Self.maximum(plan.gas),
            validUntil: plan.expires
        )
    }

    /// Why others are beyond these, as a sentence; nil if they keep them.
    func excess(of new: Limits) -> String? {
        if let reason = Self.above(new.pays, pays, "It would take") { return reason }
        if let minimum = receives {
            guard let now = new.receives, now.token == minimum.token, now.raw >= minimum.raw else {
                return "Less may arrive than its least."
            }
        }
        if let reason = Self.above(new.fees, fees, "Its fees would be") { return reason }
        return new.gas <= gas ? nil : "Its gas may cost more than its most."
    }

    private static func above(_ new: Amount?, _ maximum: Amount?, _ words: String) -> String? {
        guard let new, new.raw > .zero else { return nil }
        guard let maximum, new.token == maximum.token else { return "\(words) another token." }
        return new.raw <= maximum.raw ? nil : "\(words) more than its most."
    }
}
