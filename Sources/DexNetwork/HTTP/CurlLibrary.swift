import CCurl

/// Loads libcurl for the first request, so that commands without requests start without it.
enum CurlLibrary {
    /// The error of the usual library, in the dynamic linker's words; nil if it is loaded.
    private static let problem = attempt(DEX_CURL_LIBRARY)

    /// The usual library is loaded: only then may its functions be called.
    static var isLoaded: Bool {
        problem == nil
    }

    /// Loads the library if it is not yet loaded.
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
