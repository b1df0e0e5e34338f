package import DexCore
import Ethereum
import StrictJSON

/// The `data` of `dex init`.
package enum SetupJSON {
    package static let state = Fields<SetupState> {
        Field("network", "The network") { ExactText($0.network.name) }
        Field("path", "Of config.toml") { ExactText($0.file) }
        Field(
            json: "newSettings",
            "Each changed setting as config.toml has it, URLs cut to scheme, host and port",
            .map(.text)
        ) { state in
            var changes = JSONObject()
            for change in state.changes { changes[change.key] = JSONFormat.text(change.value) }
            return .object(changes)
        }
        Field("wallet", "The wallet of the network, or null", nullable: wallet, \.wallet)
        Field("missingParts", "What is missing, and what brings it", list: missing, \.missing)
        Field("next", "The command to type next") { ExactText($0.next) }
        Field("explorer", "The URL of the running sandbox's pages, or null", \.explorer)
        Field("checkup", "As `doctor`; null in a dry run", nullable: DoctorJSON.state, \.checkup)
    }

    private static let wallet = Fields<SetupWallet> {
        Field("name", "Its name", \.name)
        Field("address", "Null if it is not known yet", \.address)
    }

    private static let missing = Fields<SetupState.Missing> {
        Field("what", "What is missing") { ExactText($0.what) }
        Field("command", "What brings it") { ExactText($0.command) }
    }
}
