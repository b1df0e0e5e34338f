public import Ethereum

/// The integer arithmetic of the v4 contract.
///
/// Amounts have 128 bits and products 256, so nothing overflows.
public enum FillMathV4 {
    /// `floor(part x target / whole)`.
    ///
    /// nil if the whole is zero or the result exceeds 128 bits, which the contract refuses.
    ///
    /// Example: `FillMathV4.partialAmount(part: 1, of: 3, target: 100)` is `Optional(33)`.
    public static func partialAmount(
        part: UInt128,
        of whole: UInt128,
        target: UInt128
    ) -> UInt128? {
        divide(part, target, whole)?.quotient.uint128
    }

    /// `ceil(part x target / whole)`; nil as in `partialAmount`.
    ///
    /// Example: `FillMathV4.partialAmountRoundedUp(part: 1, of: 3, target: 100)` is `Optional(34)`.
    public static func partialAmountRoundedUp(
        part: UInt128,
        of whole: UInt128,
        target: UInt128
    ) -> UInt128? {
        guard let (quotient, remainder) = divide(part, target, whole) else { return nil }
        // A product of two 128-bit numbers leaves room for one more.
        return (remainder == .zero ? quotient : quotient &+ 1).uint128
    }

    /// The filled part of a requested amount: at most what is left.
    ///
    /// Example: `FillMathV4.takerAmount(asked: 50, orderTakerAmount: 300, filled: 280)` is `20`.
    public static func takerAmount(
        asked: UInt128,
        orderTakerAmount: UInt128,
        filled: UInt128
    ) -> UInt128 {
        let (left, below) = orderTakerAmount.subtractingReportingOverflow(filled)
        return min(asked, below ? 0 : left)
    }

    /// The smallest fill, in taker token, that pays out at least this much maker token.
    ///
    /// nil if even the whole order does not.
    public static func takerAmount(
        orderMakerAmount: UInt128,
        orderTakerAmount: UInt128,
        for makerAmount: UInt128
    ) -> UInt128? {
        guard makerAmount <= orderMakerAmount else { return nil }
        return partialAmountRoundedUp(
            part: makerAmount,
            of: orderMakerAmount,
            target: orderTakerAmount
        )
    }

    /// The contract's `actualFillableTakerTokenAmount` of a fillable order.
    ///
    /// It is what is left, bounded by the maker's funds. It is rounded down to maker token and up
    /// again, so even with all funds it may be below what is left: of 1000 for 3000 with 100 filled
    /// it is 2898, not 2900.
    ///
    /// - Parameter makerFunds: the lesser of the maker's balance and allowance to the exchange.
    public static func fillableTakerAmount(
        orderMakerAmount: UInt128,
        orderTakerAmount: UInt128,
        filled: UInt128,
        makerFunds: UInt256
    ) -> UInt128 {
        let left = takerAmount(
            asked: .max,
            orderTakerAmount: orderTakerAmount,
            filled: filled
        )
        guard
            let payout = partialAmount(
                part: left,
                of: orderTakerAmount,
                target: orderMakerAmount
            ),
            let funded = min(UInt256(payout), makerFunds).uint128
        else { return 0 }
        return partialAmountRoundedUp(
            part: funded,
            of: orderMakerAmount,
            target: orderTakerAmount
        ) ?? 0
    }

    private static func divide(
        _ a: UInt128,
        _ b: UInt128,
        _ divisor: UInt128
    ) -> (quotient: UInt256, remainder: UInt256)? {
        // nil only for a divisor of zero.
        UInt256.mulDiv(UInt256(a), UInt256(b), UInt256(divisor))
    }
}
