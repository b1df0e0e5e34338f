public import Ethereum

/// What the fill of an order takes from its maker, and how much of it the maker can pay.
///
/// The contracts check what a fill moves, rounded down, not its share of the order: of 1000 for
/// 3000, a fill of 2900 needs 966. If the maker's fee is in the token that the order gives, both
/// come out of one pool.
public struct OrderFunding: Sendable {
    private let order: any SignedOrder
    private let exchangeProtocol: any ExchangeProtocol
    /// nil if the maker pays no fee.
    private let feeToken: Address?

    /// An amount of a token that the maker needs, in base units.
    public struct Need: Hashable, Sendable {
        public let token: Address
        public let amount: UInt256
        /// It is for the maker's fee only.
        public let isFee: Bool
    }

    public init(
        _ order: any SignedOrder,
        by exchangeProtocol: any ExchangeProtocol,
        contracts: ExchangeContracts
    ) {
        self.order = order
        self.exchangeProtocol = exchangeProtocol
        feeToken =
            order.makerFee == .zero
            ? nil : exchangeProtocol.feeToken(of: order, contracts: contracts)
    }

    /// The need of a whole order with these terms.
    ///
    /// - Parameter feeToken: nil if there is no fee.
    public static func needs(of draft: OrderDraft, feeToken: Address?) -> [Need] {
        needs(
            of: draft.makerToken,
            giving: draft.makerAmount,
            fee: draft.fees.makerFee,
            in: draft.fees.makerFee == .zero ? nil : feeToken
        )
    }

    /// The tokens that the maker needs: the maker token, and the fee token if that is another one.
    public var tokens: [Address] {
        guard let feeToken, feeToken != order.makerToken else { return [order.makerToken] }
        return [order.makerToken, feeToken]
    }

    /// What a fill takes of each of `tokens`.
    ///
    /// - Parameter takerAmount: the fill in base units; at most the order's.
    public func needs(filling takerAmount: UInt256) -> [Need] {
        needs(
            filling: takerAmount,
            giving: exchangeProtocol.makerAmount(of: order, filling: takerAmount)
        )
    }

    /// The same for a fill whose payout is known.
    ///
    /// - Parameter gives: base units of the maker token; nil if the contract's arithmetic overflows.
    public func needs(filling takerAmount: UInt256, giving gives: UInt256?) -> [Need] {
        let fee = feeToken == nil ? 0 : exchangeProtocol.makerFee(of: order, filling: takerAmount)
        // On an overflow in the contract's arithmetic the whole order is the bound.
        return Self.needs(
            of: order.makerToken,
            giving: gives ?? order.makerAmount,
            fee: min(fee, order.makerFee),
            in: feeToken
        )
    }

    /// The maximum taker token, up to what is left of the order, that the maker can pay for.
    ///
    /// nil if the funds of a needed token are unknown.
    ///
    /// - Parameter spendable: what the exchange can move of the maker's token: the lesser of
    ///   balance and allowance.
    public func payable(
        upTo left: UInt256,
        spendable: (Address) -> UInt256?
    ) -> UInt256? {
        payable(upTo: left, needing: needs(filling: left), spendable: spendable)
    }

    /// The same where what that much takes is known.
    ///
    /// - Parameter needs: those of a fill of all that is left.
    public func payable(
        upTo left: UInt256,
        needing needs: [Need],
        spendable: (Address) -> UInt256?
    ) -> UInt256? {
        var maximum = left
        for need in needs {
            guard let pool = spendable(need.token) else { return nil }
            guard pool < need.amount else { continue }
            maximum = min(maximum, share(of: pool, for: need))
        }
        return maximum
    }

    /// `floor(pool * takerAmount / whole)`; above 256 bits there is no limit.
    private func share(of pool: UInt256, for need: Need) -> UInt256 {
        guard !need.isFee else { return share(of: pool, in: order.makerFee) }
        guard feeToken == need.token else { return share(of: pool, in: order.makerAmount) }
        let (sum, overflow) = order.makerAmount.addingReportingOverflow(order.makerFee)
        guard overflow else { return share(of: pool, in: sum) }
        // Both sides halved, the divisor rounded up: never above the exact share.
        return share(of: pool / 2, in: order.makerAmount / 2 + order.makerFee / 2 + 1)
    }

    private func share(of pool: UInt256, in whole: UInt256) -> UInt256 {
        UInt256.mulDiv(pool, order.takerAmount, whole)?.quotient ?? .max
    }

    private static func needs(
        of token: Address,
        giving gives: UInt256,
        fee: UInt256,
        in feeToken: Address?
    ) -> [Need] {
        guard feeToken != token else {
            return [Need(token: token, amount: gives.addingSaturating(fee), isFee: false)]
        }
        let main = Need(token: token, amount: gives, isFee: false)
        guard let feeToken else { return [main] }
        return [main, Need(token: feeToken, amount: fee, isFee: true)]
    }
}
