import CCurl

/// Loads libcurl when the first request needs it, so that commands without one start without it.
enum CurlLibrary {
    /// What is wrong with the usual library, in the dynamic linker's words; nil where nothing is.
    private static let problem = attempt(DEX_CURL_LIBRARY)

    /// The usual library is there: no function of it may be called otherwise.
    static var isLoaded: Bool {
        problem == nil
    }

    /// Loads the library, if it is not loaded yet.
    ///
    /// - Throws: `HTTPError.noLibrary`.
    static func load(_ name: String) throws(HTTPError) {
        if let problem = name == DEX_CURL_LIBRARY ? problem : attempt(name) {
            throw .noLibrary(problem)
        }
    }

    private static func attempt(_ name: String) -> String? {
        var problem: UnsafePointer<CChar>?
        guard !dex_curl_load(name, &problem) else { return nil }
        return problem.map { String(cString: $0) } ?? "the dynamic linker gave no reason"
    }
}
