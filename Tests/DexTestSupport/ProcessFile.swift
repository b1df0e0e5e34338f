import Glibc

/// A file of /proc about a process, which has no size and comes in pieces: Foundation takes the
/// first piece for the whole.
package enum ProcessFile {
    /// Why it cannot be read: the number of the error.
    package struct Refused: Error {
        package let code: CInt

        package init(code: CInt) {
            self.code = code
        }
    }

    /// All of it, as text.
    ///
    /// - Parameter process: nil is this one.
    package static func text(_ name: String, of process: CInt? = nil) throws(Refused) -> String {
        let folder = process.map { String($0) } ?? "self"
        let descriptor = open("/proc/\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refused(code: errno) }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Refused(code: errno) }
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += piece.prefix(count)
        }
    }
}
