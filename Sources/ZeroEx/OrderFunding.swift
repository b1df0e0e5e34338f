public import Ethereum

/// What the fill of an order takes from its maker, and how much of it the maker can pay for.
///
/// The contracts look at what a fill moves, rounded down, and not at its share of the order: of
/// 1000 for 3000, a fill of 2900 needs 966. Where the maker's fee is in the token that the order
/// gives, both come out of one pool.
public struct OrderFunding {
    private let order: any SignedOrder
    private let exchangeProtocol: any ExchangeProtocol
    /// nil where the maker pays no fee.
    private let feeToken: Address?

    /// An amount of a token that the maker needs, in base units.
    public struct Need: Hashable, Sendable {
        public let token: Address
        public let amount: UInt256
        /// It is for the maker's fee alone.
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

    /// What an order with these terms needs as a whole.
    ///
    /// - Parameter feeToken: nil where there is no fee.
    public static func needs(of draft: OrderDraft, feeToken: Address?) -> [Need] {
        needs(
            of: draft.makerToken,
            giving: draft.makerAmount,
            fee: draft.fees.makerFee,
            in: draft.fees.makerFee == .zero ? nil : feeToken
        )
    }

    /// The tokens that it draws on: what it gives, and that of the maker's fee where it is another.
    public var tokens: [Address] {
        guard let feeToken, feeToken != order.makerToken else { return [order.makerToken] }
        return [order.makerToken, feeToken]
    }

    /// What a fill takes of each of `tokens`.
    ///
    /// - Parameter takerAmount: of the fill, in base units; no more than the order's.
    public func needs(filling takerAmount: UInt256) -> [Need] {
        let gives = exchangeProtocol.makerAmount(of: order, filling: takerAmount)
        let fee = feeToken == nil ? 0 : exchangeProtocol.makerFee(of: order, filling: takerAmount)
        // Where the contract's arithmetic overflows the whole order is the bound.
        return Self.needs(
            of: order.makerToken,
            giving: gives ?? order.makerAmount,
            fee: min(fee, order.makerFee),
            in: feeToken
        )
    }

    /// The most taker token, up to what is left of the order, that the maker can pay for; nil where
    /// a token that it needs does not tell.
    ///
    /// - Parameter spendable: what the exchange can move of a token of the maker's: the lesser of
    ///   balance and allowance.
    public func payable(
        upTo left: UInt256,
        spendable: (Address) -> UInt256?
    ) -> UInt256? {
        var most = left
        for need in needs(filling: left) {
            guard let pool = spendable(need.token) else { return nil }
            guard pool < need.amount else { continue }
            most = min(most, share(of: pool, for: need))
        }
        return most
    }

    /// `floor(pool * takerAmount / whole)`; beyond 256 bits it is no limit.
    private func share(of pool: UInt256, for need: Need) -> UInt256 {
        guard !need.isFee else { return share(of: pool, in: order.makerFee) }
        guard feeToken == need.token else { return share(of: pool, in: order.makerAmount) }
        let (sum, overflow) = order.makerAmount.addingReportingOverflow(order.makerFee)
        guard overflow else { return share(of: pool, in: sum) }
        // Both sides halved, the divisor upwards: never more than the exact share.
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
