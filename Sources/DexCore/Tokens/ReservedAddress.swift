package import Ethereum
import ZeroEx

/// An address that no account and no contract has.
package enum ReservedAddress: Hashable, Sendable, CaseIterable {
    /// 0xEeee…EEeE, which other programs write for the chain's own coin.
    case coin
    /// The address that stands for nothing: anybody as an order's taker, nobody as its fee recipient.
    case zero

    /// The kind of an address; nil for one that somebody can have.
    package init?(_ address: Address) {
        switch address {
        case Token.nativeCoinAddress: self = .coin
        case .zero: self = .zero
        default: return nil
        }
    }

    var address: Address {
        switch self {
        case .coin: Token.nativeCoinAddress
        case .zero: .zero
        }
    }

    /// The phrase behind "is" in a message.
    package var meaning: String {
        switch self {
        case .coin: "what other programs write for the coin of a chain"
        case .zero: "the zero address"
        }
    }
}

extension Address {
    /// The address of an account or a contract, as users type it in commands and files.
    ///
    /// Example: `try Address(party: "0xd8da6bf26964af9d7eed9e03e53415d37aa96045")`.
    ///
    /// - Throws: `DexError`, exit 2, `bad-address`, also for one that nobody can have.
    package init(party text: String) throws(DexError) {
        self = try reported(AddressError.self, try Address(text))
        if let reserved = ReservedAddress(self) {
            throw InputError.reservedAddress(reserved)
        }
    }

    /// The address of a user's text; nil where `init(party:)` throws.
    package init?(ifParty text: String) {
        guard let address = Address(ifValid: text), ReservedAddress(address) == nil else {
            return nil
        }
        self = address
    }
}
