import Glibc

/// A file of /proc about this process, which has no size and comes in pieces: Foundation takes the
/// first piece for the whole.
enum ProcessFile {
    /// All of it, as text.
    ///
    /// - Throws: `ProcessMemory.Failure`.
    static func text(_ name: String) throws(ProcessMemory.Failure) -> String {
        let descriptor = open("/proc/self/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ProcessMemory.Failure(code: errno) }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ProcessMemory.Failure(code: errno) }
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += piece.prefix(count)
        }
    }
}
