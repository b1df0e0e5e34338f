package import DexCore
import Ethereum
package import StrictJSON

/// The `data` of commands that change settings.
package enum SettingsJSON {
    /// A token that is added to the user's own list.
    ///
    /// - Parameters:
    ///   - list: the path of the list's file.
    ///   - isNew: the file is made.
    package static func addition(
        _ state: TokenAdditionState,
        list: String,
        isNew: Bool
    ) -> JSONValue {
        [
            "network": .string(state.network),
            "token": JSONFormat.token(state.token),
            "contractSymbol": JSONFormat.text(state.ownSymbol),
            "supply": JSONFormat.amount(state.supply, state.token),
            "balance": state.balance.map { JSONFormat.amount($0, state.token) } ?? .null,
            "block": JSONFormat.integer(state.block),
            "copies": .list(state.copied) { JSONFormat.token($0) },
            "list": .string(list),
            "isNewList": .bool(isNew),
        ]
    }
}
