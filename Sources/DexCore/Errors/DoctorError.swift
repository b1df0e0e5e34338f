/// A finding of `dex doctor`.
package enum DoctorError: ErrorArea {
    case unhealthy(count: Int, first: String, exit: ExitCode, remedy: String?)

    package var report: ErrorReport {
        switch self {
        case .unhealthy(let count, let first, let exit, let remedy):
            ErrorReport(
                exit,
                "unhealthy",
                count == 1
                    ? "One check failed: \(first)."
                    : "\(count) checks failed, the first of them: \(first).",
                hint: remedy
            )
        }
    }
}
