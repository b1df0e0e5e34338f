import Glibc

/// Checks which other users can read and change files and folders.
extension PrivateFiles {
    /// Other users may access the file; false if it does not exist.
    package static func isExposed(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// What changes with a file's content or permissions, as the system keeps it.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        /// Seconds and nanoseconds of the last change of content, and of anything.
        let times: [Int]
    }

    /// Two equal identities are those of the same content, unless it changed within the step of the
    /// file system's clock; nil if there is no such file, or it cannot be looked at.
    package static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            size: Int64(status.st_size),
            times: [
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        )
    }

    /// Other users may change the file, or it belongs to another user than root.
    ///
    /// false if it does not exist.
    package static func isAlterable(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & 0o022 != 0 || (status.st_uid != geteuid() && status.st_uid != 0)
    }

    /// The folder through which other users could change the content of `folder`; nil if none.
    ///
    /// It is the folder itself if others may write in it or it belongs to another user, or one
    /// above it in which every user may rename. The folder may be missing. A folder
    /// with the sticky bit, such as `/tmp`, may be above it: there users cannot rename each other's
    /// files.
    package static func alterableFolder(of folder: String) -> String? {
        var path = folder
        if let resolved = realpath(folder, nil) {
            path = String(cString: resolved)
            free(resolved)
        }
        if isAlterable(path) { return path }
        while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = String(path[..<slash])
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & 0o002 != 0,
                status.st_mode & 0o1000 == 0
            {
                return path
            }
        }
        return nil
    }

    /// The first link on the way to a path, its last part included, that leads nowhere; nil if
    /// there is none.
    ///
    /// What is missing behind such a link is not simply missing: the link says that it should be
    /// there, on a disk that is not mounted or under a name that was changed.
    package static func deadLink(on path: String) -> String? {
        var partial = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            partial += "/\(component)"
            var status = stat()
            guard lstat(partial, &status) == 0 else { return nil }
            if status.st_mode & S_IFMT == S_IFLNK, stat(partial, &status) != 0 {
                return path.hasPrefix("/") ? partial : String(partial.dropFirst(2))
            }
        }
        return nil
    }

    /// Whether something is at a path, whatever it is.
    ///
    /// - Parameter action: for the failure: what was to be done with it.
    /// - Throws: `Failure` where that is unknown; with `deadLink` if a link on the way leads nowhere,
    ///   which is no missing file.
    package static func exists(_ path: String, action: String = "read") throws(Failure) -> Bool {
        if access(path, F_OK) == 0 { return true }
        let code = errno
        try refuseDeadLink(on: path, action: action)
        guard code == ENOENT else { throw Failure(path: path, action: action, code: code) }
        return false
    }

    /// - Throws: `Failure` with `deadLink` if there is such a link.
    static func refuseDeadLink(on path: String, action: String) throws(Failure) {
        guard let link = deadLink(on: path) else { return }
        throw Failure(path: link, action: action, code: Failure.deadLink)
    }
}
