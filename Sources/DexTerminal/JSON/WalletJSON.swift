package import DexCore
package import StrictJSON

/// The `data` of the wallet commands.
package enum WalletJSON {
    package static func list(_ state: WalletsState) -> JSONValue {
        ["folder": .string(state.folder), "wallets": .array(state.wallets.map(wallet))]
    }

    package static func wallet(_ entry: WalletsState.Entry) -> JSONValue {
        [
            "name": JSONForms.text(entry.name),
            "address": entry.address.map { JSONForms.address($0) } ?? .null,
            "path": .string(entry.path),
            "isOwn": .bool(entry.isOurs),
            "isDefault": .bool(entry.isDefault),
            "derivation": JSONForms.text(entry.derivation),
        ]
    }
}
