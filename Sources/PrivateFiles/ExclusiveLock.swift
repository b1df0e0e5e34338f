import Glibc

/// A lock on a file that one process holds at a time.
///
/// The system releases it when the process ends, even if it is killed.
package final class ExclusiveLock: Sendable {
    private let descriptor: Int32

    /// Creates a missing file for its owner only; nil if another process holds the lock.
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
        // Closing alone would leave it to a child that is just being started, until that runs.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
