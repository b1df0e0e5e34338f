import DexCore

/// Folders, settings and addresses that prevent a command's start.
enum SetupError: ErrorArea {
    /// The text is not shown: even a misspelt URL has its key.
    case badURL(source: String, isFlag: Bool)
    case tooManyRelays(Int)
    /// The command that sets all of it is named once where more is missing.
    case networkLacks(String, network: String, key: String, isAll: Bool)
    /// Fewer different nodes than must agree.
    case tooFewNodes(network: String, quorum: UInt64, nodes: Int)
    case noTokenList(String, network: String)
    case alterableConfig(String, signer: String)
    case alterableAddresses(String)
    case exposedFolder(String, held: String)
    case noHome
    case noCurrentFolder(home: String)
    case notSet(key: String, path: String)
    case nothingToUnset(key: String, path: String)
    /// Its exit code, or nil where it did not start or was killed.
    case editorFailed(String, status: Int32?)
    case changedMeanwhile(path: String)

    var report: ErrorReport {
        switch self {
        case .badURL(let source, let isFlag):
            ErrorReport(
                isFlag ? .usage : .configuration,
                "bad-url",
                "\(source) takes an http:// or https:// URL, and what it was given is none."
            )
        case .tooManyRelays(let count):
            ErrorReport(
                .usage,
                "too-many-relays",
                "\(count) relays are named, and at most \(RelayEndpoint.most) can be merged.",
                hint: "Name fewer: --relay URL, or DEX_RELAY_URL."
            )
        case .networkLacks(let what, let network, let key, let isAll):
            ErrorReport(
                .configuration,
                "no-\(what)",
                "The network \(network) has no \(what).",
                hint: "Give one with --\(key) URL, or keep it: "
                    + "dex config set networks.\(network).\(key) URL"
                    + (isAll ? "\nAll at once: dex init --network \(network)" : "")
            )
        case .tooFewNodes(let network, let quorum, let nodes):
            ErrorReport(
                .configuration,
                "too-few-nodes",
                "\(quorum) nodes of the network \(network) must agree, and "
                    + "\(nodes == 1 ? "only one is" : "only \(nodes) are") given.",
                hint: "Give further ones: --rpc URL for each, or "
                    + "dex config set networks.\(network).rpc URL,URL\n"
                    + "Or require fewer: dex config set networks.\(network).quorum \(nodes)"
            )
        case .noTokenList(let path, let network):
            ErrorReport(
                .configuration,
                "no-token-list",
                "The token list \(path) of the network \(network) does not exist.",
                hint: "Correct it: dex config set networks.\(network).tokens PATH"
            )
        case .alterableConfig(let path, let signer):
            ErrorReport(
                .configuration,
                "alterable-config",
                "Others than you may change \(path), so the command of the signer "
                    + "\(signer) is not run.",
                hint: "Look through it, then: chmod 600 \(PlainText.clean(path, limit: 200))"
            )
        case .alterableAddresses(let path):
            ErrorReport(
                .configuration,
                "alterable-config",
                "Others than you may change \(path), so its names of addresses may not be yours. "
                    + "Nothing was signed or sent.",
                hint: "Look through it, then: chmod 600 \(PlainText.clean(path, limit: 200))"
            )
        case .exposedFolder(let path, let held):
            ErrorReport(
                .configuration,
                "exposed-folder",
                "Others than you may change the folder \(path)\(held): settings, rules and "
                    + "keys there may not be yours. Nothing was signed or sent.",
                hint: "Look through it, then close it: chmod go-w \(path) (it must belong to you)"
            )
        case .noHome:
            ErrorReport(
                .configuration,
                "no-home",
                "There is no folder for settings and data: HOME is not set.",
                hint: "Set DEX_HOME to a folder of your own."
            )
        case .noCurrentFolder(let home):
            ErrorReport(
                .configuration,
                "no-home",
                "DEX_HOME is the relative path \(home), and the current folder is gone.",
                hint: "Set DEX_HOME to a path that starts with /."
            )
        case .notSet(let key, let path):
            ErrorReport(
                .configuration,
                "not-set",
                "\(key) is not set in \(path).",
                hint: "Set it: dex config set \(key) VALUE"
            )
        case .nothingToUnset(let key, let path):
            ErrorReport(
                .configuration,
                "not-set",
                "\(key) is not set in \(path), so there is nothing to remove.",
                hint: "See what is set: dex config show"
            )
        case .editorFailed(let editor, let status):
            ErrorReport(
                .configuration,
                "editor-failed",
                "The editor \(PlainText.clean(editor, limit: 200)) "
                    + (status.map { "ended with exit code \($0)" } ?? "did not run to its end")
                    + ". The settings are unchanged.",
                hint: "Name another one: EDITOR=nano dex config edit"
            )
        case .changedMeanwhile(let path):
            ErrorReport(
                .configuration,
                "config-changed",
                "\(path) was changed by another program during the edit. It keeps that change.",
                hint: "Make yours again: dex config edit"
            )
        }
    }
}
