import Ethereum

/// The keys of `dex tokens`.
package enum TokenSort: String, ListSort {
    case symbol
    case name
    case address

    package func precedes(_ first: TokensState.Row, _ second: TokensState.Row) -> Bool {
        let (one, other) = (first.token, second.token)
        return switch self {
        case .symbol: ListComparison.tokens(one, other)
        case .name: (one.name, one.address) < (other.name, other.address)
        case .address: one.address < other.address
        }
    }
}
