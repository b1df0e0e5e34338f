import Glibc

/// Checks which other users can read and change files and folders.
extension PrivateFiles {
    /// Other users may access the file; false if it does not exist.
    package static func isExposed(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
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
}
