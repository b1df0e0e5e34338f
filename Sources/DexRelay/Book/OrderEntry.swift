package import Ethereum
package import ZeroEx

/// An order in the relay's memory with its wire form.
///
/// A book has many, so what the order itself knows is not kept twice.
package final class OrderEntry: Sendable {
    package let order: any SignedOrder
    /// The body if it is another text than the order writes itself, as from an older store.
    private let otherBody: [UInt8]?
    /// The bytes of the body.
    package let bodySize: Int
    /// Seconds since 1970, at most 2^64 - 1.
    package let expiry: UInt64
    /// A price that is better for a taker never has a larger key; equal keys say nothing.
    let priceKey: UInt64
    private let ranking: OrderRanking

    /// An entry; nil if the order's maker amount is zero, which has no price.
    ///
    /// - Parameter body: what a store has; nil is what the order writes.
    package convenience init?(
        _ order: any SignedOrder,
        body: [UInt8]? = nil,
        ranking: OrderRanking = .price
    ) {
        self.init(order, wireText: order.wireText, body: body, ranking: ranking)
    }

    /// An entry of an order whose text is at hand.
    ///
    /// - Parameters:
    ///   - wireText: what the order writes.
    ///   - body: what a store has; nil is what the order writes.
    init?(
        _ order: any SignedOrder,
        wireText: [UInt8],
        body: [UInt8]? = nil,
        ranking: OrderRanking
    ) {
        guard order.makerAmount != .zero else { return nil }
        self.order = order
        otherBody = body == wireText ? nil : body
        bodySize = (body ?? wireText).count
        self.ranking = ranking
        expiry = UInt64(clamping: order.expiry)
        priceKey = ranking.key(of: order)
    }

    /// The order in the relay's wire form, copied into every answer.
    package var body: [UInt8] { otherBody ?? order.wireText }

    package var hash: OrderHash { order.hash }
    package var maker: Address { order.maker }
    package var taker: Address { order.taker }
    package var feeRecipient: Address { order.feeRecipient }
    package var exchange: Address { order.exchange }

    package var direction: PairDirection {
        PairDirection(makerToken: order.makerToken, takerToken: order.takerToken)
    }

    /// Taker token for the whole order: over the maker amount it is the taker's price.
    private var paid: UInt256 { ranking.paid(for: order) }

    /// Both fees together if the price excludes them; the API defines "total fees" no further.
    private var fees: UInt256 {
        switch ranking {
        case .price: order.makerFee.addingSaturating(order.takerFee)
        case .priceWithTakerFee: .zero
        }
    }

    /// The sort order of a book's side, the best for a taker first.
    ///
    /// It is price, then lower fees, then earlier expiry; the hash makes it total, so that pages
    /// never overlap. It serves both sides: asks ascend and bids descend by quote per base, and in
    /// both cases the taker's price for the maker token ascends.
    package func precedes(_ other: OrderEntry) -> Bool {
        if priceKey != other.priceKey { return priceKey < other.priceKey }
        let this = paid.multipliedFullWidth(by: other.order.makerAmount)
        let that = other.paid.multipliedFullWidth(by: order.makerAmount)
        if this != that { return (this.high, this.low) < (that.high, that.low) }
        let (fees, others) = (fees, other.fees)
        if fees != others { return fees < others }
        if expiry != other.expiry { return expiry < other.expiry }
        return hash < other.hash
    }

    /// This one's price for a taker is better than an order's by more than so many basis points of
    /// its own, exactly.
    func isBetter(
        than order: any SignedOrder,
        byMoreThan basisPoints: UInt32,
        _ ranking: OrderRanking
    ) -> Bool {
        // order / this > 1 + basis points, multiplied out to 576 bits.
        let theirs = WideProduct(
            ranking.paid(for: order),
            self.order.makerAmount,
            times: 10_000
        )
        let maximum = WideProduct(
            paid,
            order.makerAmount,
            times: 10_000 + UInt64(basisPoints)
        )
        return maximum < theirs
    }

    /// The order's price for a taker as a multiple of another one's, nearly.
    package func priceRatio(to other: OrderEntry) -> Double {
        let this = paid.approximation / order.makerAmount.approximation
        let that = other.paid.approximation / other.order.makerAmount.approximation
        return that > 0 ? this / that : 1
    }
}

/// The exact product of two 256-bit numbers and one of 64 bits.
private struct WideProduct: Comparable {
    private let high: UInt256
    private let middle: UInt256
    private let low: UInt256

    init(_ left: UInt256, _ right: UInt256, times factor: UInt64) {
        let product = left.multipliedFullWidth(by: right)
        let lower = product.low.multipliedFullWidth(by: UInt256(factor))
        let upper = product.high.multipliedFullWidth(by: UInt256(factor))
        let (sum, carry) = upper.low.addingReportingOverflow(lower.high)
        low = lower.low
        middle = sum
        // Below 2^64: it has room for the carry.
        high = upper.high.addingSaturating(carry ? 1 : 0)
    }

    static func < (left: WideProduct, right: WideProduct) -> Bool {
        (left.high, left.middle, left.low) < (right.high, right.middle, right.low)
    }
}

extension UInt256 {
    /// The nearest number with 53 significant bits, or one beside it.
    fileprivate var approximation: Double {
        let limbs = word.limbs
        let shift = 18_446_744_073_709_551_616.0
        return ((Double(limbs.0) * shift + Double(limbs.1)) * shift + Double(limbs.2)) * shift
            + Double(limbs.3)
    }
}

/// The first sort key of a side's orders.
package enum OrderRanking: Hashable, Sendable {
    /// The taker's price for the maker token, without fees.
    case price
    /// The price with the taker's fee, for orders whose fee is in taker token.
    case priceWithTakerFee

    /// What a taker of the whole order pays in taker token.
    package func paid(for order: any SignedOrder) -> UInt256 {
        switch self {
        case .price: order.takerAmount
        case .priceWithTakerFee: order.takerAmount.addingSaturating(order.takerFee)
        }
    }

    /// The price to some 55 bits, rounded down.
    ///
    /// Shape: what is left of 64 bits behind the point, and the price in 55 bits above it; above
    /// that, as in a floating-point number, an exponent before the first 55 bits.
    fileprivate func key(of order: any SignedOrder) -> UInt64 {
        let one = UInt256(w0: 0, w1: 1, w2: 0, w3: 0)
        guard let price = UInt256.mulDiv(paid(for: order), one, order.makerAmount)?.quotient else {
            return .max
        }
        let exponent = max(0, 256 - 55 - price.leadingZeroBitCount)
        return UInt64(exponent) << 55 + (price >> exponent).w0
    }
}

/// The state of an order on chain when it was last read.
package struct OrderStanding: Hashable, Sendable {
    /// The maximum fill in taker token base units, if this were the maker's only order.
    package let fillable: UInt256
    /// Some of it was filled before.
    package let isPartlyFilled: Bool

    package init(fillable: UInt256, isPartlyFilled: Bool) {
        self.fillable = fillable
        self.isPartlyFilled = isPartlyFilled
    }

    package init(_ audit: OrderAudit) {
        fillable = audit.fillable
        isPartlyFilled = audit.state.filled > .zero
    }
}

/// The tokens of an order: what the maker gives and what it takes.
package struct PairDirection: Hashable, Sendable {
    package let makerToken: Address
    package let takerToken: Address

    package init(makerToken: Address, takerToken: Address) {
        self.makerToken = makerToken
        self.takerToken = takerToken
    }

    /// The two tokens in a fixed order, for either direction of the pair.
    package var unordered: PairDirection {
        makerToken < takerToken
            ? self : PairDirection(makerToken: takerToken, takerToken: makerToken)
    }
}
