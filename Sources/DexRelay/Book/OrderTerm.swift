package import Ethereum
import ZeroEx

/// What a request for a list of orders may name.
package enum OrderTerm: Hashable, Sendable, CaseIterable {
    case hash, maker, taker, makerToken, takerToken, feeRecipient, exchange
    case makerAmount, takerAmount, takerFee, salt
    /// What can still be filled, in taker token base units.
    case remaining
    /// Only v4 orders have one; zero for others.
    case sender, pool
    /// The maker or the taker.
    case trader
    /// The maker's token or the taker's.
    case token

    /// The terms of which one has the value.
    var parts: [OrderTerm] {
        switch self {
        case .trader: [.maker, .taker]
        case .token: [.makerToken, .takerToken]
        default: [self]
        }
    }

    /// An order's value; for a term of two parts the first one's.
    func value(of listing: Listing) -> UInt256 {
        let order = listing.entry.order
        return switch self {
        case .hash: UInt256(order.hash.word)
        case .maker, .trader: UInt256(order.maker.word)
        case .taker: UInt256(order.taker.word)
        case .makerToken, .token: UInt256(order.makerToken.word)
        case .takerToken: UInt256(order.takerToken.word)
        case .feeRecipient: UInt256(order.feeRecipient.word)
        case .exchange: UInt256(order.exchange.word)
        case .makerAmount: order.makerAmount
        case .takerAmount: order.takerAmount
        case .takerFee: order.takerFee
        case .salt: order.salt
        case .remaining: listing.standing.fillable
        case .sender: (order as? SignedOrderV4).map { UInt256($0.terms.sender.word) } ?? .zero
        case .pool: (order as? SignedOrderV4).map { UInt256($0.terms.pool) } ?? .zero
        }
    }
}

/// Which orders of a book a list has, and in which order.
package struct OrderListQuery: Hashable, Sendable {
    private(set) var values: [OrderTerm: UInt256] = [:]

    package init() {}

    package subscript(_ term: OrderTerm) -> UInt256? {
        get { values[term] }
        set { values[term] = newValue }
    }

    /// - Parameter address: nil names nothing.
    package mutating func set(_ term: OrderTerm, _ address: Address?) {
        values[term] = address.map { UInt256($0.word) }
    }

    /// The pair and side that it names; nil if it does not name both tokens.
    var direction: PairDirection? {
        guard let makerToken = values[.makerToken], let takerToken = values[.takerToken] else {
            return nil
        }
        return PairDirection(
            makerToken: Address(truncating: makerToken.word),
            takerToken: Address(truncating: takerToken.word)
        )
    }

    func matches(_ listing: Listing) -> Bool {
        values.allSatisfy { term, value in
            term.parts.contains { $0.value(of: listing) == value }
        }
    }
}
