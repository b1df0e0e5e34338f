package import Ethereum

/// The keys of `dex balance`, whose first row is always ether.
package enum BalanceSort: String, ListSort {
    /// By symbol.
    case token
    /// The most valuable first, what has no price last.
    case value

    /// A token, and its value in base units of one unit; nil without a price.
    package typealias Row = (token: Token, value: UInt256?)

    package func precedes(_ first: Row, _ second: Row) -> Bool {
        switch self {
        case .token:
            ListComparison.tokens(first.token, second.token)
        case .value: ListComparison.precedes(first.value, second.value, by: >)
        }
    }
}

/// The keys of `dex allowance list`.
package enum AllowanceSort: String, ListSort {
    /// By symbol.
    case token
    /// The largest in human units first, after those that could not be read.
    case allowance

    /// A token, and base units of it; nil if they could not be read.
    package typealias Row = (token: Token, allowance: UInt256?)

    package func precedes(_ first: Row, _ second: Row) -> Bool {
        switch self {
        case .token: ListComparison.tokens(first.token, second.token)
        case .allowance: Self.whole(first) > Self.whole(second)
        }
    }

    /// In units of 10^-18, so that tokens of other decimals compare; saturates.
    private static func whole(_ row: Row) -> UInt256 {
        guard let allowance = row.allowance else { return .max }
        let scale = PriceBounds.powerOfTen(UInt(row.token.decimals ?? 0)) ?? .max
        return UInt256.mulDiv(
            allowance,
            PriceBounds.powerOfTen(18) ?? .max,
            max(1, scale)
        )?.quotient ?? .max
    }
}
