import DexCore
import Ethereum

/// Why `dex watch` has nothing to report to.
enum WatchSetupError: ErrorArea {
    case badSeconds(UInt64, key: String)
    case noSink
    case notSet(String, example: String)
    case emptySecret(source: String)
    case alreadyWatching(Address)
    case sinkFailed(left: [String])
    /// A template names what a payload of ids withholds.
    case withheld(field: String, key: String)

    var report: ErrorReport {
        switch self {
        case .badSeconds(let seconds, let key):
            ErrorReport(
                .configuration,
                "bad-setting",
                "watch.\(key) is \(seconds), and 1 to 86400 seconds are possible.",
                hint: "Set it: dex config set watch.\(key) 10"
            )
        case .noSink:
            ErrorReport(
                .configuration,
                "no-sink",
                "No notification would be shown: there is no notify-send.",
                hint: "Install it (on Debian and Ubuntu: apt install libnotify-bin), or add "
                    + "--sink terminal."
            )
        case .notSet(let key, let example):
            ErrorReport(
                .configuration,
                "no-\(key)",
                "There is no watch.\(key) in config.toml, so the \(key) cannot be told.",
                hint: "Set it: dex config set watch.\(key) \(example)"
            )
        case .emptySecret(let source):
            ErrorReport(
                .configuration,
                "empty-secret",
                "The first line of the file that \(source) names is empty, and so "
                    + "would sign nothing.",
                hint: "Write a long random text into it, such as that of: openssl rand -hex 32"
            )
        case .alreadyWatching(let address):
            ErrorReport(
                .refused,
                "already-watching",
                "Another `dex watch` follows \(address.checksummed) on this network.",
                hint: "One keeps the position and the sinks; end it first, or look at what it "
                    + "reports: dex watch --sink terminal"
            )
        case .withheld(let field, let key):
            ErrorReport(
                .configuration,
                "bad-setting",
                "watch.\(key) names {\(field)}, which \(Self.payload(of: key)) withholds: it is \"ids\".",
                hint: "Take the field out, or set it: dex config set \(Self.payload(of: key)) whole"
            )
        case .sinkFailed(let left):
            ErrorReport(
                .unreachable,
                "sink-failed",
                "Not everything could be reported: the \(left.joined(separator: ", ")) did "
                    + "not take it.",
                hint: "It is kept, and tried again by the next `dex watch`.",
                retryable: true
            )
        }
    }

    private static func payload(of template: String) -> String {
        "watch." + template.replacing("_template", with: "_payload")
    }
}
