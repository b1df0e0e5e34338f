import Ethereum
import ZeroEx

/// The price of an order for a taker of a pair.
struct OrderPricing: Sendable {
    let base: Address
    let quote: Address
    /// The value of a fee in a third token; nil if there is no price.
    var feeRate: FeeRate?

    /// The side of a taker who fills the order.
    ///
    /// It depends on the order's tokens only, not on the list in which the relay sent it.
    func side(of order: any SignedOrder) -> TradeSide? {
        switch (order.makerToken, order.takerToken) {
        case (base, quote): .buy
        case (quote, base): .sell
        default: nil
        }
    }

    /// Quote per base after the taker's fee.
    ///
    /// A fee in base or quote counts exactly. A fee in a third token counts at the fee rate,
    /// rounded against the taker; without a rate it is left out.
    func price(
        of order: any SignedOrder,
        feeToken: Address?
    ) throws(DropReason) -> Price {
        guard let side = side(of: order) else { throw .rejected(.wrongTokens) }
        var (pay, get) = (order.takerAmount, order.makerAmount)
        if order.takerFee != .zero, feeToken == order.takerToken {
            let (sum, overflow) = pay.addingReportingOverflow(order.takerFee)
            guard !overflow else { throw .feeTooLarge }
            pay = sum
        } else if order.takerFee != .zero, feeToken == order.makerToken {
            guard order.takerFee < get else { throw .feeTooHigh }
            get -= order.takerFee
        } else if order.takerFee != .zero, let feeRate, feeToken == feeRate.token {
            // A buyer pays QUOTE and a seller gets it.
            guard let value = feeRate.value(of: order.takerFee) else { throw .feeTooLarge }
            switch side {
            case .buy:
                let (sum, overflow) = pay.addingReportingOverflow(value)
                guard !overflow else { throw .feeTooLarge }
                pay = sum
            case .sell:
                guard value < get else { throw .feeTooHigh }
                get -= value
            }
        }
        let price =
            side == .buy ? Price(quote: pay, base: get) : Price(quote: get, base: pay)
        guard let price else { throw .rejected(.wrongTokens) }
        return price
    }
}

/// An order with its side and price, before its funding is known.
struct PricedOrder: Sendable {
    let order: any SignedOrder
    let state: OrderState
    let side: TradeSide
    let price: Price

    /// Sorts orders of one side, the best first.
    ///
    /// It sorts their indices, since the orders are large.
    static func sorted(_ orders: [PricedOrder]) -> [PricedOrder] {
        orders.withUnsafeBufferPointer { orders in
            var places = Array(orders.indices)
            places.sort { isBetter(orders[$0], orders[$1]) }
            return places.map { orders[$0] }
        }
    }

    /// The place of an order among elements of its side, the best first, or where it would be.
    static func place<Element>(
        of priced: PricedOrder,
        in elements: [Element],
        _ order: (Element) -> PricedOrder
    ) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if isBetter(order(elements[middle]), priced) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The better order for a taker comes first.
    ///
    /// At equal prices the lower fee decides, then the earlier expiry, then the smaller hash, so
    /// the same book always has the same order.
    static func isBetter(_ left: PricedOrder, _ right: PricedOrder) -> Bool {
        if left.price != right.price {
            return left.side == .buy ? left.price < right.price : left.price > right.price
        }
        if let isCheaper = hasLowerFee(left.order, right.order) { return isCheaper }
        if left.order.expiry != right.order.expiry {
            return left.order.expiry < right.order.expiry
        }
        return left.order.hash < right.order.hash
    }

    /// Compares takers' fees for the same amount; nil if equal.
    private static func hasLowerFee(
        _ left: any SignedOrder,
        _ right: any SignedOrder
    ) -> Bool? {
        if left.takerFee == .zero, right.takerFee == .zero { return nil }
        let a = left.takerFee.multipliedFullWidth(by: right.takerAmount)
        let b = right.takerFee.multipliedFullWidth(by: left.takerAmount)
        if (a.high, a.low) == (b.high, b.low) { return nil }
        return (a.high, a.low) < (b.high, b.low)
    }
}
