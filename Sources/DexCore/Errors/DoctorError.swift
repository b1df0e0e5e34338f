/// A finding of `dex doctor`.
package enum DoctorError: ErrorArea {
    package static func unhealthy(
        count: Int,
        first: String,
        kind: ErrorKind,
        remedy: String?
    ) -> DexError {
        row(
            ErrorCode(kind, "unhealthy"),
            count == 1
                ? "One check failed: \(first)."
                : "\(count) checks failed, the first of them: \(first).",
            hint: remedy
        )
    }
}
