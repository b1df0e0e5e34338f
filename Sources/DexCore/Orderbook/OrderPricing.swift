import Ethereum
import ZeroEx

/// What an order is worth to a taker of a pair.
struct OrderPricing: Sendable {
    let base: Address
    let quote: Address
    /// What a fee in a third token is worth; nil where no book tells.
    var feeRate: FeeRate?

    /// Why an order has no price.
    enum Failure: Error, Hashable {
        case wrongTokens
        /// The taker's fee is all that the order pays out, or more.
        case feeTooHigh
        /// Amount and fee together exceed 256 bits.
        case tooLarge
    }

    /// What a taker of the pair does by filling the order: told by its tokens alone, not by the
    /// list in which the relay sent it.
    func side(of order: any SignedOrder) -> TradeSide? {
        switch (order.makerToken, order.takerToken) {
        case (base, quote): .buy
        case (quote, base): .sell
        default: nil
        }
    }

    /// Quote per base after the taker's fee: exactly where it is in base or quote, by the fee rate,
    /// rounded against the taker, where it is in a third token that has one, else without it.
    func price(
        of order: any SignedOrder,
        feeToken: Address?
    ) throws(Failure) -> Price {
        guard let side = side(of: order) else { throw .wrongTokens }
        var (pay, get) = (order.takerAmount, order.makerAmount)
        if order.takerFee != .zero, feeToken == order.takerToken {
            let (sum, overflow) = pay.addingReportingOverflow(order.takerFee)
            guard !overflow else { throw .tooLarge }
            pay = sum
        } else if order.takerFee != .zero, feeToken == order.makerToken {
            guard order.takerFee < get else { throw .feeTooHigh }
            get -= order.takerFee
        } else if order.takerFee != .zero, let feeRate, feeToken == feeRate.token {
            // QUOTE is what a buyer pays and a seller gets.
            guard let value = feeRate.value(of: order.takerFee) else { throw .tooLarge }
            switch side {
            case .buy:
                let (sum, overflow) = pay.addingReportingOverflow(value)
                guard !overflow else { throw .tooLarge }
                pay = sum
            case .sell:
                guard value < get else { throw .feeTooHigh }
                get -= value
            }
        }
        let price =
            side == .buy ? Price(quote: pay, base: get) : Price(quote: get, base: pay)
        guard let price else { throw .wrongTokens }
        return price
    }
}

/// An order with its side and price, before its funding is known.
struct PricedOrder: Sendable {
    let order: any SignedOrder
    let state: OrderState
    let side: TradeSide
    let price: Price

    /// Orders of one side, the best first.
    ///
    /// Their places are sorted: the orders themselves are large.
    static func sorted(_ orders: [PricedOrder]) -> [PricedOrder] {
        orders.withUnsafeBufferPointer { orders in
            var places = Array(orders.indices)
            places.sort { isBetter(orders[$0], orders[$1]) }
            return places.map { orders[$0] }
        }
    }

    /// The better order for a taker first; among equal prices the lower fee, then the earlier
    /// expiry, then the smaller hash, so that the same book is always in the same order.
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

    /// Compares the takers' fees for the same amount; nil where they are equal.
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
