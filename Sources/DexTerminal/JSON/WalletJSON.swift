package import DexCore
package import StrictJSON

/// The `data` of the wallet commands.
package enum WalletJSON {
    package static func list(_ state: WalletsState) -> JSONValue {
        [
            "folder": .string(state.folder), "wallets": .array(state.wallets.map(wallet)),
            "signers": .array(state.signers.map(signer)),
        ]
    }

    package static func signer(_ signer: WalletsState.Signer) -> JSONValue {
        [
            "name": .string(signer.name),
            "address": JSONFormat.address(signer.address),
            "kind": .string(signer.kind),
            "isDefault": .bool(signer.isDefault),
        ]
    }

    package static func wallet(_ entry: WalletsState.Entry) -> JSONValue {
        [
            "name": JSONFormat.text(entry.name),
            "address": entry.address.map { JSONFormat.address($0) } ?? .null,
            "path": .string(entry.path),
            "isOwn": .bool(entry.isOurs),
            "isDefault": .bool(entry.isDefault),
            "derivation": JSONFormat.text(entry.derivation),
            "isUnlocked": .bool(entry.isUnlocked),
        ]
    }
}
