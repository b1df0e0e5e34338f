package import Ethereum

/// The coin of a chain, or a token on it.
package enum Asset: Hashable, Sendable {
    case ether
    case token(Address)

    /// In logs and for an agent: `ETH` for the coin of any chain, or the token's address.
    ///
    /// A screen shows the coin by its symbol (`Policy.name`).
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
