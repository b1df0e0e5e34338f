import Glibc

/// A temporary DEX_HOME, below TMPDIR.
struct TemporaryHome {
    let path: String

    init() throws(ChildProcessError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // mkdtemp(3) replaces the last six characters.
        var template = Array("\(folder)/dex-bench-\(String(repeating: "X", count: 6))".utf8CString)
        guard let made = mkdtemp(&template) else { throw .failed("mkdtemp", errno) }
        path = String(cString: made)
    }

    /// Removes the folder with its content.
    func remove() throws(ChildProcessError) {
        _ = try ChildProcess.run(["/bin/rm", "-rf", path])
    }
}
