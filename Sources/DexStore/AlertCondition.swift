package import Ethereum

/// The condition of an alert, by the addresses of its tokens.
package enum AlertCondition: Hashable, Sendable {
    /// A price of the pair's verified book, in QUOTE per BASE as typed: `0.00074`.
    case price(BookPrice, PairAddresses, Comparison, String)
    /// The best ask over the best bid, in hundredths of a percent of the mid.
    case spread(PairAddresses, Comparison, UInt64)
    /// The account's balance of a token in human units as typed; nil is ether.
    case balance(Address?, Comparison, String)
    /// Something happens to an order of the account's; nil is one of any pair.
    case order(OrderChange, PairAddresses?)

    package enum BookPrice: String, CaseIterable, Sendable {
        /// Halfway between bid and ask.
        case mid
        /// The best price that others pay.
        case bid
        /// The best price at which others sell.
        case ask
    }

    package enum OrderChange: String, CaseIterable, Sendable {
        /// It was filled, in part or whole.
        case fill
        /// It cannot be filled: the balance or allowance is too low.
        case unfunded
        /// It expires soon.
        case expiring
    }

    package enum Comparison: String, CaseIterable, Sendable {
        case less = "<"
        case atMost = "<="
        case more = ">"
        case atLeast = ">="

        package func holds<Value: Comparable>(_ value: Value, _ limit: Value) -> Bool {
            switch self {
            case .less: value < limit
            case .atMost: !(limit < value)
            case .more: limit < value
            case .atLeast: !(value < limit)
            }
        }
    }

    /// The pair of its book or its orders; nil if it has none.
    package var pair: PairAddresses? {
        switch self {
        case .price(_, let pair, _, _), .spread(let pair, _, _): pair
        case .order(_, let pair): pair
        case .balance: nil
        }
    }

    /// It is about an account, not about a book that is the same for everyone.
    package var isOfAccount: Bool {
        switch self {
        case .price, .spread: false
        case .balance, .order: true
        }
    }
}
