import Dispatch
import Glibc

/// What the client writes: bytes of standard input, until it ends or a signal comes.
struct MCPInput: Sendable {
    private static let chunk = 64 << 10

    /// Readable from the first signal on.
    private let stop: Int32?
    private let queue = DispatchQueue(label: "dex.mcp.input")

    init(_ interruption: Interruption) {
        stop = interruption.stopDescriptor()
    }

    /// The next bytes, at least one; nil at the end.
    func next() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: read()) }
        }
    }

    private func read() -> [UInt8]? {
        var waiting = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
        if let stop { waiting.append(pollfd(fd: stop, events: Int16(POLLIN), revents: 0)) }
        while true {
            guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 else {
                if errno == EINTR { continue }
                return nil
            }
            if waiting.count > 1, waiting[1].revents != 0 { return nil }
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, size in
                count = Glibc.read(STDIN_FILENO, buffer.baseAddress, Self.chunk)
                size = max(0, count)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return count > 0 ? bytes : nil
        }
    }
}
