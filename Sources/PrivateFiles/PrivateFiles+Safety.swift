import Glibc

/// Who beside the owner can read and change files and folders.
extension PrivateFiles {
    /// Somebody beside the owner may read the file; false where there is none.
    package static func isExposed(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Somebody beside the owner and the system's administrator may change the file, or it belongs
    /// to somebody else; false where there is none.
    package static func isAlterable(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & 0o022 != 0 || (status.st_uid != geteuid() && status.st_uid != 0)
    }

    /// The folder through which others could change what is in `folder`: itself where others may
    /// write in it or it belongs to another user, or one above it in which everybody may rename;
    /// nil where there is none, also where the folder is not there yet.
    ///
    /// A folder with the sticky bit, such as `/tmp`, may be above it: there nobody renames what
    /// belongs to another.
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
