import DexCore

/// Folders, settings and addresses that prevent a command's start.
enum SetupError: ErrorArea {
    /// The text is not shown: even a misspelt URL has its key.
    static func badURL(source: String, isFlag: Bool) -> DexError {
        row(
            isFlag ? .usage("bad-url") : .configuration("bad-url"),
            "\(source) takes an http:// or https:// URL, and what it was given is none."
        )
    }

    static func tooManyRelays(_ count: Int) -> DexError {
        row(
            .usage("too-many-relays"),
            "\(count) relays are named, and at most \(RelayEndpoint.maximum) can be merged.",
            hint: "Name fewer: --relay URL, or DEX_RELAY_URL."
        )
    }

    /// The command that sets all of it is named once where more is missing.
    static func networkLacks(
        _ what: String,
        network: String,
        key: String,
        isAll: Bool
    ) -> DexError {
        row(
            .configuration("no-KEY", what),
            "The network \(network) has no \(what).",
            hint: "Give one with --\(key) URL, or keep it: "
                + "dex config set networks.\(network).\(key) URL"
                + (isAll ? "\nAll at once: dex init --network \(network)" : "")
        )
    }

    /// Fewer different nodes than must agree.
    static func tooFewNodes(network: String, quorum: UInt64, nodes: Int) -> DexError {
        row(
            .configuration("too-few-nodes"),
            "\(quorum) nodes of the network \(network) must agree, and "
                + "\(nodes == 1 ? "only one is" : "only \(nodes) are") given.",
            hint: "Give further ones: --rpc URL for each, or "
                + "dex config set networks.\(network).rpc URL,URL\n"
                + "Or require fewer: dex config set networks.\(network).quorum \(nodes)"
        )
    }

    static func noTokenList(_ path: String, network: String) -> DexError {
        row(
            .configuration("no-token-list"),
            "The token list \(path) of the network \(network) does not exist.",
            hint: "Correct it: dex config set networks.\(network).tokens PATH"
        )
    }

    static func alterableConfig(_ path: String, signer: String) -> DexError {
        row(
            .configuration("alterable-config"),
            "Others than you may change \(path), so the command of the signer "
                + "\(signer) is not run.",
            hint: "Look through it, then: chmod 600 \(PlainText.clean(path, limit: 200))"
        )
    }

    static func alterableAddresses(_ path: String) -> DexError {
        row(
            .configuration("alterable-config"),
            "Others than you may change \(path), so its names of addresses may not be yours. "
                + "Nothing was signed or sent.",
            hint: "Look through it, then: chmod 600 \(PlainText.clean(path, limit: 200))"
        )
    }

    static func exposedFolder(_ path: String, held: String) -> DexError {
        row(
            .configuration("exposed-folder"),
            "Others than you may change the folder \(path)\(held): settings, rules and "
                + "keys there may not be yours. Nothing was signed or sent.",
            hint: "Look through it, then close it: chmod go-w \(path) (it must belong to you)"
        )
    }

    static let noHome = row(
        .configuration("no-home"),
        "There is no folder for settings and data: HOME is not set.",
        hint: "Set DEX_HOME to a folder of your own."
    )

    static func noCurrentFolder(home: String) -> DexError {
        row(
            .configuration("no-home"),
            "DEX_HOME is the relative path \(home), and the current folder is gone.",
            hint: "Set DEX_HOME to a path that starts with /."
        )
    }

    static func notSet(key: String, path: String) -> DexError {
        row(
            .configuration("not-set"),
            "\(key) is not set in \(path).",
            hint: "Set it: dex config set \(key) VALUE"
        )
    }

    static func nothingToUnset(key: String, path: String) -> DexError {
        row(
            .configuration("not-set"),
            "\(key) is not set in \(path), so there is nothing to remove.",
            hint: "See what is set: dex config show"
        )
    }

    /// Its exit code, or nil where it did not start or was killed.
    static func editorFailed(_ editor: String, status: Int32?) -> DexError {
        row(
            .configuration("editor-failed"),
            "The editor \(PlainText.clean(editor, limit: 200)) "
                + (status.map { "ended with exit code \($0)" } ?? "did not run to its end")
                + ". The settings are unchanged.",
            hint: "Name another one: EDITOR=nano dex config edit"
        )
    }

    static func changedMeanwhile(path: String) -> DexError {
        row(
            .configuration("config-changed"),
            "\(path) was changed by another program during the edit. It keeps that change.",
            hint: "Make yours again: dex config edit"
        )
    }
}
