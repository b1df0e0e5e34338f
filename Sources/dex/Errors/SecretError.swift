import DexCore
import PrivateFiles

/// A missing, exposed or useless secret.
enum SecretError: ErrorArea {
    static func exposed(_ path: String, source: String) -> DexError {
        row(
            .wallet("exposed-file"),
            "Others than you may read \(path), which \(source) names.",
            hint: "Close it first: chmod 600 \(PlainText.clean(path, limit: 200))"
        )
    }

    static func unreadable(_ error: PrivateFiles.Failure, source: String) -> DexError {
        row(
            // A link that leads nowhere is a setting that is wrong.
            error.code == PrivateFiles.Failure.deadLink
                ? .configuration("file") : .wallet("file"),
            error.description,
            hint: "Correct \(source)."
        )
    }

    static func missing(_ path: String, source: String) -> DexError {
        row(
            .wallet("file"),
            "The file \(path), which \(source) names, does not exist.",
            hint: "Correct \(source)."
        )
    }

    static func noTerminal(instead: String) -> DexError {
        row(
            .wallet("no-terminal"),
            "There is no terminal to ask for a secret on.",
            hint: instead
        )
    }

    static let otherPassword = row(
        .usage("password-mismatch"),
        "The two passwords differ; nothing was written."
    )

    static let noTerminalToConfirm = row(
        .wallet("no-terminal"),
        "This takes a confirmation that is typed on a terminal.",
        hint: "Run it on a terminal; no option stands in for that."
    )

    static func exposedWallet(message: String, path: String) -> DexError {
        row(
            .wallet("exposed-file"),
            message,
            hint:
                "Somebody may have a copy and try passwords on it. Close it: chmod 600 \(path)"
        )
    }

    static let emptyPassword = row(
        .usage("empty-password"),
        "A password of no characters protects nothing; nothing was written."
    )

    static func weakPassword(count: Int) -> DexError {
        row(
            .usage("weak-password"),
            "A password of \(count) character\(count == 1 ? "" : "s") is soon "
                + "guessed by anyone who gets the file; \(PasswordRule.fewestCharacters) are the least. "
                + "Nothing was written.",
            hint: "Choose a longer one, or add --allow-weak-password."
        )
    }
}
