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

    /// Reads `text`; nil for anything else.
    init?(_ text: String) {
        guard text != Self.ether.text else {
            self = .ether
            return
        }
        guard let address = Address(ifValid: text) else { return nil }
        self = .token(address)
    }
}
