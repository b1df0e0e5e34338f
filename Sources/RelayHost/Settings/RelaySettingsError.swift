package import DexCore

/// A relay.toml that cannot be used.
package enum RelaySettingsError: ErrorArea {
    case missing(path: String)
    case exists(path: String)
    case alterable(path: String)
    case malformed(path: String, line: Int?, what: String, hint: String?)
    case layout(path: String, key: String)
    case carriesAny(path: String)
    case alreadyCarried(pair: String, path: String)
    case notCarried(token: String, path: String)
    case moderationBusy(path: String)
    case clientExists(name: String)
    case noClient(name: String)
    case tooManyClients(most: Int)
    case backupExists(path: String)
    case storeIsNoFile(place: String)
    case exposedPassword(path: String)
    case noPassword(path: String)

    package var report: ErrorReport {
        switch self {
        case .missing(let path):
            ErrorReport(
                .configuration,
                "no-relay-settings",
                "There is no \(path).",
                hint: "Write one: dex relay init --config \(shown(path))"
            )
        case .exists(let path):
            ErrorReport(
                .configuration,
                "relay-settings-exist",
                "\(path) exists already, and it was not changed.",
                hint: "Change it in an editor, or write it anew: dex relay init --force"
            )
        case .alterable(let path):
            ErrorReport(
                .configuration,
                "alterable-relay-settings",
                "Others than you may change \(path), which can name a program that the relay runs.",
                hint: "Look through it, then: chmod go-w \(shown(path))"
            )
        case .malformed(let path, let line, let what, let hint):
            ErrorReport(
                .configuration,
                "bad-relay-settings",
                "\(path)\(line.map { ":\($0)" } ?? ""): \(what).",
                hint: hint
            )
        case .layout(let path, let key):
            ErrorReport(
                .configuration,
                "relay-settings-layout",
                "\(path) is laid out in a way that dex cannot change without losing something.",
                hint: "Change \(key) by hand in an editor."
            )
        case .carriesAny(let path):
            ErrorReport(
                .usage,
                "carries-any",
                "\(path) has pairs = \"any\": every token is carried already.",
                hint: "To carry only some, write them: pairs = [\"ZRX/WETH\"]"
            )
        case .alreadyCarried(let pair, let path):
            ErrorReport(.usage, "pair-carried", "\(path) has the pair \(pair) already.")
        case .notCarried(let token, let path):
            ErrorReport(.usage, "token-not-carried", "\(path) has no pair with \(token).")
        case .moderationBusy(let path):
            ErrorReport(
                .configuration,
                "moderation-busy",
                "Another command writes \(path) now, so nothing was changed.",
                hint: "Run the same command again.",
                retryable: true
            )
        case .clientExists(let name):
            ErrorReport(
                .usage,
                "client-exists",
                "There is a client named \(shown(name)), and its key was not changed.",
                hint: "For a new key, remove it first: dex relay key remove \(shown(name))"
            )
        case .noClient(let name):
            ErrorReport(
                .usage,
                "no-client",
                "There is no client named \(shown(name)).",
                hint: "See them all: dex relay key list"
            )
        case .tooManyClients(let most):
            ErrorReport(
                .usage,
                "too-many-clients",
                "A relay has at most \(most) clients with keys.",
                hint: "Remove one: dex relay key remove NAME"
            )
        case .backupExists(let path):
            ErrorReport(
                .usage,
                "backup-exists",
                "\(path) exists already, and it was not changed.",
                hint: "Name a file that does not exist yet."
            )
        case .storeIsNoFile(let place):
            ErrorReport(
                .usage,
                "store-is-no-file",
                "The relay's store is \(place), and dex relay backup copies a SQLite file.",
                hint: "Use pg_dump --schema dex_relay"
            )
        case .exposedPassword(let path):
            ErrorReport(
                .configuration,
                "exposed-password",
                "Others than you can read the password in \(path).",
                hint: "Close it: chmod 600 \(shown(path))"
            )
        case .noPassword(let path):
            ErrorReport(
                .configuration,
                "no-password",
                "There is no password in \(path): one line of text is expected.",
                hint: "Write it there, and close it: chmod 600 \(shown(path))"
            )
        }
    }

    private func shown(_ path: String) -> String { PlainText.clean(path, limit: 200) }
}
