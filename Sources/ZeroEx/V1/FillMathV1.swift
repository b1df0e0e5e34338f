public import Ethereum

/// The integer arithmetic of the v1 exchange contract, including its overflows.
///
/// Rounding is never in the taker's favour: a fill pays out
/// `floor(filled taker amount x maker amount / taker amount)`.
public enum FillMathV1 {
    /// The contract refuses a fill with a larger rounding error, in millionths.
    private static let allowedPartsPerMillion: UInt256 = 1000

    /// `floor(numerator x target / denominator)`, as in the contract's `getPartialAmount`.
    ///
    /// nil if the contract fails: the product exceeds 256 bits or the denominator is zero.
    ///
    /// Example: `FillMathV1.partialAmount(numerator: 1, denominator: 3, target: 100)` is
    /// `Optional(33)`.
    public static func partialAmount(
        numerator: UInt256,
        denominator: UInt256,
        target: UInt256
    ) -> UInt256? {
        let (product, overflow) = numerator.multipliedReportingOverflow(by: target)
        guard !overflow, denominator != .zero else { return nil }
        guard numerator != denominator else { return target }
        return product.dividedReportingOverflow(by: denominator).partialValue
    }

    /// The result of the contract's `isRoundingError`; nil if it fails with an overflow.
    ///
    /// With `r = numerator x target mod denominator` it is an error if r is not zero and
    /// `floor(r x 1000000 / (numerator x target))` is above 1000, so 1000.9 millionths pass.
    ///
    /// Example: `FillMathV1.isRoundingError(numerator: 3, denominator: 7, target: 10)` is
    /// `Optional(true)`.
    public static func isRoundingError(
        numerator: UInt256,
        denominator: UInt256,
        target: UInt256
    ) -> Bool? {
        // EVM: a modulus of zero returns zero.
        guard denominator != .zero, numerator != denominator else { return false }
        let product = target.multipliedFullWidth(by: numerator)
        let remainder = remainder(of: product, dividingBy: denominator)
        guard remainder != .zero else { return false }
        let (scaled, overflow) = remainder.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow, product.high == .zero else { return nil }
        // The product is not zero here, since the remainder is not.
        return scaled.dividedReportingOverflow(by: product.low).partialValue
            > allowedPartsPerMillion
    }

    /// The smallest accepted fill, in taker token, that pays out at least this much maker token.
    ///
    /// nil if even the whole order does not.
    ///
    /// Example: `FillMathV1.takerAmount(orderMakerAmount: 100, orderTakerAmount: 300, for: 50)` is
    /// `Optional(150)`.
    public static func takerAmount(
        orderMakerAmount: UInt256,
        orderTakerAmount: UInt256,
        for makerAmount: UInt256
    ) -> UInt256? {
        guard makerAmount <= orderMakerAmount else { return nil }
        var wanted = max(makerAmount, 1)
        // For one payout the smallest fill has the smallest error, so only these are candidates.
        // From a payout of 1000 units on every fill passes, which bounds the loop.
        while wanted <= orderMakerAmount {
            guard
                let fill = ceilingDivision(wanted, orderTakerAmount, orderMakerAmount),
                let paid = partialAmount(
                    numerator: fill,
                    denominator: orderTakerAmount,
                    target: orderMakerAmount
                ),
                let isRefused = isRoundingError(
                    numerator: fill,
                    denominator: orderTakerAmount,
                    target: orderMakerAmount
                )
            else { return nil }
            if !isRefused { return fill }
            let (next, overflow) = paid.addingReportingOverflow(1)
            guard !overflow else { return nil }
            wanted = next
        }
        return nil
    }

    /// The largest fill up to a taker amount that the contract accepts; nil if only zero passes.
    ///
    /// Example: `FillMathV1.largestFill(orderMakerAmount: 100, orderTakerAmount: 300, upTo: 50)` is
    /// `Optional(48)`.
    public static func largestFill(
        orderMakerAmount: UInt256,
        orderTakerAmount: UInt256,
        upTo limit: UInt256
    ) -> UInt256? {
        guard orderMakerAmount != .zero, orderTakerAmount != .zero else { return nil }
        var high = min(limit, orderTakerAmount)
        if high.multipliedReportingOverflow(by: orderMakerAmount).overflow {
            high = UInt256.max.dividedReportingOverflow(by: orderMakerAmount).partialValue
        }
        let passes = { (fill: UInt256) in
            isRoundingError(
                numerator: fill,
                denominator: orderTakerAmount,
                target: orderMakerAmount
            ) == false
        }
        while high != .zero {
            if passes(high) { return high }
            guard
                let paid = partialAmount(
                    numerator: high,
                    denominator: orderTakerAmount,
                    target: orderMakerAmount
                ), paid != .zero,
                let low = ceilingDivision(paid, orderTakerAmount, orderMakerAmount), low <= high
            else { return nil }
            if passes(low) { return lastPassing(from: low, below: high, passes) }
            high = low.subtractingReportingOverflow(1).partialValue
        }
        return nil
    }

    /// Binary search: for one payout the error grows with the fill.
    private static func lastPassing(
        from low: UInt256,
        below high: UInt256,
        _ passes: (UInt256) -> Bool
    ) -> UInt256 {
        var (low, high) = (low, high)
        while true {
            let gap = high.subtractingReportingOverflow(low).partialValue
            guard gap > 1 else { return low }
            let middle = low.addingReportingOverflow(gap >> 1).partialValue
            if passes(middle) { low = middle } else { high = middle }
        }
    }

    private static func ceilingDivision(
        _ a: UInt256,
        _ b: UInt256,
        _ divisor: UInt256
    ) -> UInt256? {
        guard let (quotient, remainder) = UInt256.mulDiv(a, b, divisor) else { return nil }
        guard remainder != .zero else { return quotient }
        let (sum, overflow) = quotient.addingReportingOverflow(1)
        return overflow ? nil : sum
    }

    private static func remainder(
        of product: (high: UInt256, low: UInt256),
        dividingBy divisor: UInt256
    ) -> UInt256 {
        guard product.high != .zero else {
            return product.low.remainderReportingOverflow(dividingBy: divisor).partialValue
        }
        // The quotient may exceed 256 bits, the remainder cannot.
        let high = product.high.remainderReportingOverflow(dividingBy: divisor).partialValue
        return divisor.dividingFullWidth((high, product.low)).remainder
    }
}
