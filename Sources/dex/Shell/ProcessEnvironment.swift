import Glibc
import PrivateFiles

/// The environment variables; an empty variable counts as unset.
struct ProcessEnvironment: Sendable {
    private let read: @Sendable (String) -> String?

    /// This process's.
    static let process = ProcessEnvironment { name in
        getenv(name).map { String(cString: $0) }
    }

    init(_ read: @escaping @Sendable (String) -> String?) {
        self.read = read
    }

    /// This process's variables for a child, without the secrets.
    static let inherited = all.filter { variable in
        ![
            "DEX_PRIVATE_KEY=", "DEX_WEBHOOK_SECRET=", "DEX_ZEROEX_API_KEY=", "DEX_FORK_URL=",
        ].contains(where: variable.hasPrefix)
    }

    /// This process's variables, for this very program alone.
    static var all: [String] {
        let content = (try? PrivateFiles.read("/proc/self/environ")) ?? []  // no /proc
        return content.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same without these variables.
    func without(_ names: Set<String>) -> ProcessEnvironment {
        ProcessEnvironment { [read] name in names.contains(name) ? nil : read(name) }
    }

    subscript(name: String) -> String? {
        read(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
