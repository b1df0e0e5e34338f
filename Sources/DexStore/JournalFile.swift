import Glibc

/// The file of a journal, which holds the user's trades: only its owner may read it.
extension Journal {
    /// Creates a missing directory (0700) and an empty file (0600).
    ///
    /// If others can read the file, it removes their access.
    static func prepareFile(_ path: String) throws(JournalError) {
        guard !path.utf8.contains(0) else {
            throw .notWritable(path: path, reason: "the path has a zero byte")
        }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeDirectory(String(path[..<slash]), journal: path)
        }
        // An existing file is not opened: closing it would end every SQLite lock that another
        // journal of this process has on it. Source: fcntl(2), "record locks".
        var status = stat()
        if stat(path, &status) != 0 {
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 || errno == EEXIST else {
                throw .notWritable(path: path, reason: lastReason())
            }
            if descriptor >= 0 { Glibc.close(descriptor) }
            guard stat(path, &status) == 0 else {
                guard errno != ENOENT else {
                    throw .notWritable(path: path, reason: "it is a link that leads nowhere")
                }
                throw .notWritable(path: path, reason: lastReason())
            }
        }
        guard access(path, R_OK | W_OK) == 0 else {
            throw .notWritable(path: path, reason: lastReason())
        }
        if status.st_mode & 0o077 != 0, chmod(path, 0o600) != 0 {
            throw .notWritable(path: path, reason: lastReason())
        }
    }

    private static func makeDirectory(
        _ directory: String,
        journal: String
    ) throws(JournalError) {
        var status = stat()
        if stat(directory, &status) == 0 { return }
        if let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
            try makeDirectory(String(directory[..<slash]), journal: journal)
        }
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw .notWritable(path: journal, reason: lastReason())
        }
    }

    private static func lastReason() -> String {
        String(cString: strerror(errno))
    }
}
