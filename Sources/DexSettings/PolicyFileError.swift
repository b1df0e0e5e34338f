package import DexCore

/// A policy.toml with invalid rules; nothing is signed then.
package enum PolicyFileError: ErrorArea {
    case alterable(String)
    case notText(String)
    case malformed(String, line: Int?, what: String, hint: String?)

    package var report: ErrorReport {
        switch self {
        case .alterable(let path):
            ErrorReport(
                .configuration,
                "alterable-policy",
                "Others than you may change \(path), so its rules protect nothing; "
                    + "nothing is signed.",
                hint: "Look through it, then: chmod 600 \(PlainText.clean(path, limit: 200))"
            )
        case .notText(let path):
            ErrorReport(.configuration, "bad-policy", "\(path): it is not UTF-8 text.")
        case .malformed(let path, let line, let what, let hint):
            ErrorReport(
                .configuration,
                "bad-policy",
                "\(path)\(line.map { ":\($0)" } ?? ""): \(what). Nothing is signed.",
                hint: hint
            )
        }
    }
}
