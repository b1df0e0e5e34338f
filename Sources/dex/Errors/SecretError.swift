import DexCore
import PrivateFiles

/// A missing, exposed or useless secret.
enum SecretError: ErrorArea {
    case exposed(String, source: String)
    case unreadable(PrivateFiles.Failure, source: String)
    case missing(String, source: String)
    case noTerminal(instead: String)
    case otherPassword
    case noTerminalToConfirm
    case exposedWallet(message: String, path: String)
    case emptyPassword
    case weakPassword(count: Int)

    var report: ErrorReport {
        switch self {
        case .exposed(let path, let source):
            ErrorReport(
                .wallet,
                "exposed-file",
                "Others than you may read \(path), which \(source) names.",
                hint: "Close it first: chmod 600 \(PlainText.clean(path, limit: 200))"
            )
        case .unreadable(let error, let source):
            ErrorReport(
                // A link that leads nowhere is a setting that is wrong.
                error.code == PrivateFiles.Failure.deadLink ? .configuration : .wallet,
                "file",
                error.description,
                hint: "Correct \(source)."
            )
        case .missing(let path, let source):
            ErrorReport(
                .wallet,
                "file",
                "The file \(path), which \(source) names, does not exist.",
                hint: "Correct \(source)."
            )
        case .noTerminal(let instead):
            ErrorReport(
                .wallet,
                "no-terminal",
                "There is no terminal to ask for a secret on.",
                hint: instead
            )
        case .otherPassword:
            ErrorReport(
                .usage,
                "password-mismatch",
                "The two passwords differ; nothing was written."
            )
        case .noTerminalToConfirm:
            ErrorReport(
                .wallet,
                "no-terminal",
                "This takes a confirmation that is typed on a terminal.",
                hint: "Run it on a terminal; no option stands in for that."
            )
        case .exposedWallet(let message, let path):
            ErrorReport(
                .wallet,
                "exposed-file",
                message,
                hint:
                    "Somebody may have a copy and try passwords on it. Close it: chmod 600 \(path)"
            )
        case .emptyPassword:
            ErrorReport(
                .usage,
                "empty-password",
                "A password of no characters protects nothing; nothing was written."
            )
        case .weakPassword(let count):
            ErrorReport(
                .usage,
                "weak-password",
                "A password of \(count) character\(count == 1 ? "" : "s") is soon "
                    + "guessed by anyone who gets the file; \(PasswordRule.fewestCharacters) are the least. "
                    + "Nothing was written.",
                hint: "Choose a longer one, or add --allow-weak-password."
            )
        }
    }
}
