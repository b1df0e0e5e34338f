import Glibc

/// A temporary DEX_HOME.
struct TemporaryHome {
    let path: String

    init() throws(ChildProcessError) {
        var template = Array("/tmp/dex-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw .failed("mkdtemp", errno) }
        path = String(cString: made)
    }

    /// Removes the folder with its content.
    func remove() throws(ChildProcessError) {
        _ = try ChildProcess.run(["/bin/rm", "-rf", path])
    }
}
