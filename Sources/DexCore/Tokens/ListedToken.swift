import Ethereum
import StrictJSON

/// A token of the bundled map or of the user's list, with what is known against it.
package struct ListedToken: Hashable, Sendable {
    /// What a list says of a token beside its metadata.
    enum Flag: String, Sendable {
        /// Replaced by another contract, or out of use.
        case superseded
        case nonTransferable
        case singleSource
        case spam
        case disputedDecimals
    }

    let token: Token
    var flags: Set<Flag> = []
    /// The contract that stands in for a superseded one, where it is known.
    var replacedBy: Address?
    /// From the user's own list.
    var isUsers = false

    /// A token as Resources/tokens.json has it: an object behind its address.
    init?(address: Address, json: JSONValue) {
        guard let symbol = json["symbol"]?.stringValue, let name = json["name"]?.stringValue,
            let decimals = json["decimals"]?.numberText.flatMap({ UInt8($0) })
        else { return nil }
        token = Token(
            address: address,
            symbol: symbol,
            name: name,
            decimals: decimals,
            logoURI: json["logoURI"]?.stringValue
        )
        flags = Set(
            (json["flags"]?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(Flag.init) }
        )
        replacedBy = json["replacedBy"]?.stringValue.flatMap(Address.init(ifHex:))
    }

    /// A token of the user's list.
    init(users token: Token) {
        self.token = token
        isUsers = true
    }
}
