package import DexCore

/// A relay.toml that cannot be used.
package enum RelaySettingsError: ErrorArea {
    package static func missing(path: String) -> DexError {
        row(
            .configuration("no-relay-settings"),
            "There is no \(path).",
            hint: "Write one: dex relay init --config \(shown(path))"
        )
    }

    package static func exists(path: String) -> DexError {
        row(
            .configuration("relay-settings-exist"),
            "\(path) exists already, and it was not changed.",
            hint: "Change it in an editor, or write it anew: dex relay init --force"
        )
    }

    package static func alterable(path: String) -> DexError {
        row(
            .configuration("alterable-relay-settings"),
            "Others than you may change \(path), which can name a program that the relay runs.",
            hint: "Look through it, then: chmod go-w \(shown(path))"
        )
    }

    package static func malformed(
        path: String,
        line: Int?,
        what: String,
        hint: String?
    ) -> DexError {
        row(
            .configuration("bad-relay-settings"),
            "\(path)\(line.map { ":\($0)" } ?? ""): \(what).",
            hint: hint
        )
    }

    package static func layout(path: String, key: String) -> DexError {
        row(
            .configuration("relay-settings-layout"),
            "\(path) is laid out in a way that dex cannot change without losing something.",
            hint: "Change \(key) by hand in an editor."
        )
    }

    package static func carriesAny(path: String) -> DexError {
        row(
            .usage("carries-any"),
            "\(path) has pairs = \"any\": every token is carried already.",
            hint: "To carry only some, write them: pairs = [\"ZRX/WETH\"]"
        )
    }

    package static func alreadyCarried(pair: String, path: String) -> DexError {
        row(.usage("pair-carried"), "\(path) has the pair \(pair) already.")
    }

    package static func notCarried(token: String, path: String) -> DexError {
        row(.usage("token-not-carried"), "\(path) has no pair with \(token).")
    }

    package static func moderationBusy(path: String) -> DexError {
        row(
            .configuration("moderation-busy"),
            "Another command writes \(path) now, so nothing was changed.",
            hint: "Run the same command again.",
            retryable: true
        )
    }

    package static func clientExists(name: String) -> DexError {
        row(
            .usage("client-exists"),
            "There is a client named \(shown(name)), and its key was not changed.",
            hint: "For a new key, remove it first: dex relay key remove \(shown(name))"
        )
    }

    package static func noClient(name: String) -> DexError {
        row(
            .usage("no-client"),
            "There is no client named \(shown(name)).",
            hint: "See them all: dex relay key list"
        )
    }

    package static func tooManyClients(maximum: Int) -> DexError {
        row(
            .usage("too-many-clients"),
            "A relay has at most \(maximum) clients with keys.",
            hint: "Remove one: dex relay key remove NAME"
        )
    }

    package static func backupExists(path: String) -> DexError {
        row(
            .usage("backup-exists"),
            "\(path) exists already, and it was not changed.",
            hint: "Name a file that does not exist yet."
        )
    }

    package static func storeIsNoFile(place: String) -> DexError {
        row(
            .usage("store-is-no-file"),
            "The relay's store is \(place), and dex relay backup copies a SQLite file.",
            hint: "Use pg_dump --schema dex_relay"
        )
    }

    package static func exposedPassword(path: String) -> DexError {
        row(
            .configuration("exposed-password"),
            "Others than you can read the password in \(path).",
            hint: "Close it: chmod 600 \(shown(path))"
        )
    }

    package static func noPassword(path: String) -> DexError {
        row(
            .configuration("no-password"),
            "There is no password in \(path): one line of text is expected.",
            hint: "Write it there, and close it: chmod 600 \(shown(path))"
        )
    }

    private static func shown(_ path: String) -> String { PlainText.clean(path, limit: 200) }
}
