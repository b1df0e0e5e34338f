import DexTerminal
import Dispatch
import Glibc
import StrictJSON
import Synchronization

/// What the client reads: one message a line on standard output, whole and one after another.
///
/// A client that reads no more stops nothing: once it has gone, or a signal came, what is left is
/// given up.
final class MCPOutput: Sendable {
    private struct State {
        /// Nobody reads any more.
        var isClosed = false
        /// Bytes that are not written yet.
        var waiting = 0
    }

    /// A pipe that has room takes so many bytes at once (POSIX: PIPE_BUF).
    private static let piece = 4_096
    /// Progress is left out while more bytes than this wait for the client.
    private static let maximumWaiting = 256 << 10
    /// Milliseconds between two looks at whether the client is still there.
    private static let patience: Int32 = 200

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "dex.mcp.output")
    private let stop: Int32?

    init(_ interruption: Interruption) {
        stop = interruption.stopDescriptor()
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Writes a message, and returns once the client can read it.
    func send(_ message: JSONValue) async {
        let bytes = line(message)
        await withCheckedContinuation { continuation in
            queue.async {
                self.write(bytes)
                continuation.resume()
            }
        }
    }

    /// Writes a message that may be left out, without a wait.
    func tell(_ message: JSONValue) {
        guard state.withLock({ $0.waiting < Self.maximumWaiting && !$0.isClosed }) else { return }
        let bytes = line(message)
        queue.async { self.write(bytes) }
    }

    private func line(_ message: JSONValue) -> [UInt8] {
        var bytes = message.utf8
        bytes.append(UInt8(ascii: "\n"))
        state.withLock { $0.waiting += bytes.count }
        return bytes
    }

    private func write(_ bytes: [UInt8]) {
        defer { state.withLock { $0.waiting -= bytes.count } }
        guard !isClosed else { return }
        let isWritten = bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                guard hasRoom() else { return false }
                let count = Console.writeSome(
                    UnsafeRawBufferPointer(rebasing: rest.prefix(Self.piece))
                )
                if count < 0 {
                    guard errno == EINTR || errno == EAGAIN else { return false }
                    continue
                }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
            return true
        }
        if !isWritten { state.withLock { $0.isClosed = true } }
    }

    /// Waits until the client reads; false once it has ended its side, or a signal came, and it does
    /// not.
    private func hasRoom() -> Bool {
        while true {
            var places = [
                pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: STDIN_FILENO, events: 0, revents: 0),
            ]
            if let stop { places.append(pollfd(fd: stop, events: Int16(POLLIN), revents: 0)) }
            let found = poll(&places, 1, Self.patience)
            if found > 0 { return Int32(places[0].revents) & (POLLERR | POLLNVAL) == 0 }
            if found < 0, errno != EINTR { return false }
            // Only now, so that the last answers of a client that closed its side are still read.
            guard poll(&places, nfds_t(places.count), 0) >= 0 else { continue }
            if places.dropFirst().contains(where: { $0.revents != 0 }) { return false }
        }
    }
}
