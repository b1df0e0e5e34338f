/// A finding of `dex doctor`.
package enum DoctorError: ErrorArea {
    case unhealthy(count: Int, first: String, kind: ErrorKind, remedy: String?)

    package var report: ErrorReport {
        switch self {
        case .unhealthy(let count, let first, let kind, let remedy):
            ErrorReport(
                kind,
                "unhealthy",
                count == 1
                    ? "One check failed: \(first)."
                    : "\(count) checks failed, the first of them: \(first).",
                hint: remedy
            )
        }
    }
}
