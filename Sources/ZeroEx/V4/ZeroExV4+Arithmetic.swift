public import Ethereum

extension ZeroExV4 {

    /// Rounded down; nil if a number exceeds 128 bits.
    public func makerAmount(
        of order: any SignedOrder,
        filling takerAmount: UInt256
    ) -> UInt256? {
        part(takerAmount, of: order, target: order.makerAmount)
    }

    /// Rounded up; nil if even the whole order does not pay out this much.
    public func takerAmount(of order: any SignedOrder, for makerAmount: UInt256) -> UInt256? {
        guard let wanted = makerAmount.uint128, let makerWhole = order.makerAmount.uint128,
            let takerWhole = order.takerAmount.uint128
        else { return nil }
        return FillMathV4.takerAmount(
            orderMakerAmount: makerWhole,
            orderTakerAmount: takerWhole,
            for: wanted
        ).map { UInt256($0) }
    }

    /// Rounded down, on top of the fill; 2^256 - 1 if a number exceeds 128 bits, so no account can
    /// pay it.
    public func takerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256 {
        guard order.takerFee != .zero else { return .zero }
        return part(takerAmount, of: order, target: order.takerFee) ?? .max
    }

    /// Zero: v4 has no maker fees.
    public func makerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256 {
        .zero
    }

    /// v4 has no rounding bound, but a fill that rounds to zero moves nothing, although it
    /// succeeds.
    public func hasRoundingError(
        _ order: any SignedOrder,
        filling takerAmount: UInt256
    ) -> Bool {
        guard takerAmount != .zero else { return false }
        return makerAmount(of: order, filling: takerAmount).map { $0 == .zero } ?? true
    }

    /// At most the order's amount, and only fills that pay out at least one base unit.
    public func largestFill(
        of order: any SignedOrder,
        upTo takerAmount: UInt256
    ) -> UInt256? {
        let amount = min(takerAmount, order.takerAmount)
        return amount == .zero || hasRoundingError(order, filling: amount) ? nil : amount
    }

    private func part(
        _ takerAmount: UInt256,
        of order: any SignedOrder,
        target: UInt256
    ) -> UInt256? {
        guard let filled = takerAmount.uint128, let whole = order.takerAmount.uint128,
            let target = target.uint128
        else { return nil }
        return FillMathV4.partialAmount(part: filled, of: whole, target: target)
            .map { UInt256($0) }
    }
}
