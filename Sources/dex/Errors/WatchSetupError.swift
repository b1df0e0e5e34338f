import DexCore
import Ethereum

/// The reason why `dex watch` has nothing to report to.
enum WatchSetupError: ErrorArea {
    static func badSeconds(_ seconds: UInt64, key: String) -> DexError {
        row(
            .configuration("bad-setting"),
            "watch.\(key) is \(seconds), and 1 to 86400 seconds are possible.",
            hint: "Set it: dex config set watch.\(key) 10"
        )
    }

    static let noSink = row(
        .configuration("no-sink"),
        "No notification would be shown: there is no notify-send.",
        hint: "Install it (on Debian and Ubuntu: apt install libnotify-bin), or add "
            + "--sink terminal."
    )

    static func notSet(_ key: String, example: String) -> DexError {
        row(
            .configuration("no-KEY", key),
            "There is no watch.\(key) in config.toml, so the \(key) cannot be told.",
            hint: "Set it: dex config set watch.\(key) \(example)"
        )
    }

    static func emptySecret(source: String) -> DexError {
        row(
            .configuration("empty-secret"),
            "The first line of the file that \(source) names is empty, and so would sign nothing.",
            hint: "Write a long random text into it, such as that of: openssl rand -hex 32"
        )
    }

    static func alreadyWatching(_ address: Address) -> DexError {
        row(
            .refused("already-watching"),
            "Another `dex watch` follows \(address.checksummed) on this network.",
            hint: "One keeps the position and the sinks; end it first, or look at what it "
                + "reports: dex watch --sink terminal"
        )
    }

    static func sinkFailed(left: [String]) -> DexError {
        row(
            .unreachable("sink-failed"),
            "Not everything could be reported: the \(left.joined(separator: ", ")) did "
                + "not take it.",
            hint: "It is kept, and tried again by the next `dex watch`.",
            retryable: true
        )
    }

    /// A template names what a payload of ids withholds.
    static func withheld(field: String, key: String) -> DexError {
        row(
            .configuration("bad-setting"),
            "watch.\(key) names {\(field)}, which \(Self.payload(of: key)) withholds: it is \"ids\".",
            hint: "Take the field out, or set it: dex config set \(Self.payload(of: key)) whole"
        )
    }

    private static func payload(of template: String) -> String {
        "watch." + template.replacing("_template", with: "_payload")
    }
}
