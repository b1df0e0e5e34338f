import Glibc

/// A lock on a file that one process has at a time; the system lets go of it when the process
/// ends, however it ends.
package final class ExclusiveLock: Sendable {
    private let descriptor: Int32

    /// Makes the file, for its owner only, where it is missing; nil where another process has it.
    ///
    /// - Throws: `PrivateFiles.Failure`.
    package init?(_ path: String) throws(PrivateFiles.Failure) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw PrivateFiles.Failure(path: path, action: "opened", code: errno)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw PrivateFiles.Failure(path: path, action: "locked", code: code)
        }
    }

    deinit {
        close(descriptor)
    }
}
