package import DexCore
package import StrictJSON

/// The `data` of `dex init`.
package enum SetupJSON {
    package static func state(_ state: SetupState) -> JSONValue {
        var changes = JSONObject()
        for change in state.changes { changes[change.key] = JSONFormat.text(change.value) }
        return [
            "network": .string(state.network.name),
            "path": .string(state.file),
            "changes": .object(changes),
            "wallet": state.wallet.map { wallet in
                [
                    "name": JSONFormat.text(wallet.name),
                    "address": wallet.address.map { JSONFormat.address($0) } ?? .null,
                ]
            } ?? .null,
            "missing": .array(
                state.missing.map {
                    ["what": .string($0.what), "command": .string($0.command)]
                }
            ),
            "next": .string(state.next),
            "explorer": JSONFormat.text(state.explorer),
            "checkup": state.checkup.map(DoctorJSON.state) ?? .null,
        ]
    }
}
