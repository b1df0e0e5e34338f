import Ethereum
import StrictJSON

/// A token of the bundled map or of the user's list, with its flags.
package struct ListedToken: Hashable, Sendable {
    /// A list's remark on a token.
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
    /// The replacement of a superseded contract, if known.
    var replacedBy: Address?
    /// From the user's own list.
    var isUsers = false

    /// A token of Resources/tokens.json: the object for its address.
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
