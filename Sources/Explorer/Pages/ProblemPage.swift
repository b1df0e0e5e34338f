import DexCore

/// What is missing, or what went wrong.
enum ProblemPage {
    static func notFound(_ what: String) -> Page {
        Page(
            title: "Not found",
            body: "<h1>Not found</h1><p>\(what)</p><p><a href=\"/\">The newest blocks</a></p>",
            status: .notFound,
            liveness: .fixed
        )
    }

    /// A bad request or a missing thing for the user's own errors, else a node that did not answer.
    static func failure(_ error: DexError) -> Page {
        let status: Page.Status =
            switch error.kind {
            case .usage: .notFound
            default: .unavailable
            }
        return Page(
            title: status == .notFound ? "Not found" : "Not available",
            body: """
                <h1>\(status == .notFound ? "Not found" : "Not available")</h1><p>\(error.message)</p>\
                <p><a href="/">The newest blocks</a></p>
                """,
            status: status,
            liveness: .fixed
        )
    }
}
