package import Ethereum

/// Ether or a token.
package enum Asset: Hashable, Sendable {
    case ether
    case token(Address)

    /// `ETH`, or the token's address.
    package var text: String {
        switch self {
        case .ether: "ETH"
        case .token(let address): address.checksummed
        }
    }
}
