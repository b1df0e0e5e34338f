import Glibc

/// The few file operations of the command line, on system calls: Foundation costs start-up time.
enum FileSystem {
    /// A file that could not be read or written.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let action: String
        let code: Int32

        var description: String {
            "\(path) cannot be \(action): \(String(cString: strerror(code)))."
        }
    }

    static func currentFolder() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else { return nil }
        return buffer.withUnsafeBufferPointer { pointer in
            pointer.baseAddress.map { String(cString: $0) }
        }
    }

    /// The bytes of a file; nil where there is none.
    ///
    /// A path of `-` is standard input.
    ///
    /// - Throws: `Failure`, also for more than `limit` bytes.
    static func read(_ path: String, limit: Int = 16 << 20) throws(Failure) -> [UInt8]? {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Failure(path: path, action: "read", code: errno)
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return content }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(path: path, action: "read", code: errno)
            }
            content.append(contentsOf: chunk.prefix(count))
            if content.count > limit { throw Failure(path: path, action: "read", code: EFBIG) }
        }
    }

    /// Replaces a file as a whole or not at all, readable by its owner only.
    ///
    /// - Throws: `Failure`; the old file is then as it was.
    static func replace(_ path: String, with content: [UInt8]) throws(Failure) {
        // Settings that are kept elsewhere through a link stay there.
        var target = path
        if let resolved = realpath(path, nil) {
            target = String(cString: resolved)
            free(resolved)
        }
        let temporary = "\(target).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(path: temporary, action: "written", code: errno)
        }
        var isKept = false
        defer { if !isKept { unlink(temporary) } }
        let problem = write(content, to: descriptor)
        let closed = close(descriptor)
        if let problem { throw Failure(path: temporary, action: "written", code: problem) }
        guard closed == 0, rename(temporary, target) == 0 else {
            throw Failure(path: target, action: "written", code: errno)
        }
        isKept = true
    }

    /// Writes and syncs; the error number where that failed.
    private static func write(_ content: [UInt8], to descriptor: Int32) -> Int32? {
        var written = 0
        while written < content.count {
            let count = content[written...].withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            written += count
        }
        return fsync(descriptor) == 0 ? nil : errno
    }

    /// Makes a folder and those above it, for its owner only.
    ///
    /// - Throws: `Failure`.
    static func makeFolder(_ path: String) throws(Failure) {
        var partial = path.hasPrefix("/") ? "" : "."
        for component in path.split(separator: "/") {
            partial += "/\(component)"
            if mkdir(partial, 0o700) != 0, errno != EEXIST {
                // A folder above that exists may not be writable: only a missing one counts.
                let code = errno
                if access(partial, F_OK) != 0 {
                    throw Failure(path: partial, action: "made", code: code)
                }
            }
        }
    }
}
