import Glibc

/// A pipe that no other child inherits.
struct ChildPipe {
    let reader: Int32
    let writer: Int32

    init?() {
        var ends: (Int32, Int32) = (-1, -1)
        let made = withUnsafeMutablePointer(to: &ends) { pointer in
            pointer.withMemoryRebound(to: Int32.self, capacity: 2) { Glibc.pipe($0) }
        }
        guard made == 0 else { return nil }
        (reader, writer) = ends
        _ = fcntl(reader, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writer, F_SETFD, FD_CLOEXEC)
    }

    /// Writes one byte, so that the reader becomes readable.
    func wake() {
        _ = Glibc.write(writer, "x", 1)
    }

    func close() {
        Glibc.close(reader)
        Glibc.close(writer)
    }
}
