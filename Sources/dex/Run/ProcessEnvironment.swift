import Glibc

/// The environment variables; a variable that is set to nothing counts as not set.
struct ProcessEnvironment: Sendable {
    private let read: @Sendable (String) -> String?

    /// This process's.
    static let process = ProcessEnvironment { name in
        getenv(name).map { String(cString: $0) }
    }

    init(_ read: @escaping @Sendable (String) -> String?) {
        self.read = read
    }

    subscript(name: String) -> String? {
        read(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
