import Foundation
import Synchronization

/// One client's connection.
package final class ScriptedConnection: Sendable {
    private let socket: CInt
    private let rest = Mutex<[UInt8]>([])

    package init(socket: CInt) {
        self.socket = socket
    }

    /// A client's end: connected to a port of 127.0.0.1.
    ///
    /// - Parameter patience: seconds after which a server that says nothing has failed its test.
    /// - Throws: `SocketFailure`.
    package init(toPort port: UInt16, patience: Int = 120) throws {
        socket = Foundation.socket(
            AF_INET,
            CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue),
            0
        )
        guard socket >= 0 else { throw SocketFailure("socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        // A server that never answers shall fail its own test, not hold up all others.
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(
            socket,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(socket, pointer, length) == 0
            }
        }
        let code = isConnected ? 0 : errno == EINTR ? Self.outcome(of: socket) : errno
        guard code == 0 else {
            Foundation.close(socket)
            throw SocketFailure("connect to \(port)", code: code)
        }
    }

    /// How a connection ended that a signal only kept us from waiting for, as connect(2) has it.
    ///
    /// - Returns: the socket's errno; zero where it is connected.
    private static func outcome(of socket: CInt) -> CInt {
        var waited = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        while poll(&waited, 1, -1) < 0 {
            guard errno == EINTR else { return errno }
        }
        var code: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
        return code
    }

    /// Everything up to the other side's end.
    package func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = read(), !more.isEmpty { bytes += more }
        return bytes
    }

    /// Everything up to the next end of a line, which is the last that is read.
    package func readLine() -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.last != UInt8(ascii: "\n"), let more = read(), !more.isEmpty { bytes += more }
        return bytes
    }

    /// The next request with its body; nil when the client has closed.
    package func readRequest() -> ScriptedRequest? {
        rest.withLock { rest in
            while true {
                if let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
                    let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                    let lines = head.components(separatedBy: "\r\n")
                    let length = lines.compactMap { line -> Int? in
                        let parts = line.split(separator: ":", maxSplits: 1)
                        guard parts.count == 2, parts[0].lowercased() == "content-length" else {
                            return nil
                        }
                        return Int(parts[1].trimmingCharacters(in: .whitespaces))
                    }
                    let total = end.upperBound + (length.first ?? 0)
                    if rest.count >= total {
                        let body = Array(rest[end.upperBound..<total])
                        rest.removeFirst(total)
                        return ScriptedRequest(lines: lines, body: body)
                    }
                }
                guard let more = read(), !more.isEmpty else { return nil }
                rest.append(contentsOf: more)
            }
        }
    }

    /// The next bytes, whatever they are; nil when the client has closed.
    package func readSome() -> [UInt8]? {
        let held = rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
        if !held.isEmpty { return held }
        return read().flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Waits until the client closes; whatever it sends before is thrown away.
    package func waitForClose() {
        while let bytes = read(), !bytes.isEmpty {}
    }

    /// Sends bytes; false when the client has closed.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let written = bytes[sent...].withUnsafeBytes { piece in
                Foundation.send(socket, piece.baseAddress, piece.count, CInt(MSG_NOSIGNAL))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            sent += written
        }
        return true
    }

    @discardableResult
    package func write(_ text: String) -> Bool {
        write(Array(text.utf8))
    }

    /// Sends no more; the other side's bytes can still be read.
    package func finishWriting() {
        shutdown(socket, CInt(SHUT_WR))
    }

    package func close() {
        shutdown(socket, CInt(SHUT_RDWR))
        Foundation.close(socket)
    }

    private func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var count = recv(socket, &buffer, buffer.count, 0)
        // A child process that ended interrupts us, and nothing more.
        while count < 0, errno == EINTR { count = recv(socket, &buffer, buffer.count, 0) }
        return count < 0 ? nil : Array(buffer[..<count])
    }
}
