package import DexCore

/// A policy.toml with invalid rules; nothing is signed then.
package enum PolicyFileError: ErrorArea {
    package static func alterable(_ path: String) -> DexError {
        row(
            .configuration("alterable-policy"),
            "Others than you may change \(path), so its rules protect nothing; nothing is signed.",
            hint: "Look through it, then: chmod 600 \(PlainText.clean(path, limit: 200))"
        )
    }

    package static func notText(_ path: String) -> DexError {
        row(.configuration("bad-policy"), "\(path): it is not UTF-8 text.")
    }

    package static func malformed(
        _ path: String,
        line: Int?,
        what: String,
        hint: String?
    ) -> DexError {
        row(
            .configuration("bad-policy"),
            "\(path)\(line.map { ":\($0)" } ?? ""): \(what). Nothing is signed.",
            hint: hint
        )
    }
}
