import Dispatch
import Glibc
import Synchronization

/// A WebSocket client that sends whatever bytes a test wants, right or wrong.
///
/// It is made from RFC 6455, with none of the server's code. Its reads wait on a thread of their
/// own, and look thousands of times before they fail: a loaded machine is no failure.
package final class FrameClient: Sendable {
    /// A frame of the server, in the RFC's words.
    package struct Frame: Hashable, Sendable {
        package let isFinal: Bool
        package let opcode: UInt8
        package let payload: [UInt8]

        package var text: String { String(decoding: payload, as: UTF8.self) }

        /// The code of a Close frame; nil if there is none.
        package var closeCode: Int? {
            guard opcode == 8, payload.count >= 2 else { return nil }
            return Int(payload[0]) << 8 | Int(payload[1])
        }
    }

    /// What the server did instead of what the test expects.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The head of an HTTP answer.
    package struct Head: Sendable {
        package let status: Int
        /// Names in lower case.
        package let headers: [String: String]
    }

    /// How often a read looks for bytes: five minutes on a quiet machine.
    private static let looks = 3_000

    private let descriptor: Int32
    /// Bytes that were received and not yet read.
    private let received = Mutex<[UInt8]>([])

    /// Connects to a port of this machine.
    ///
    /// - Parameter receiveBuffer: the kernel's buffer in bytes; nil for its own choice.
    package init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // Of one look.
        var limit = timeval(tv_sec: 0, tv_usec: 100_000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        if var receiveBuffer {
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, size)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(description: "no connection: \(errno)") }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Connects and upgrades.
    package static func open(
        port: Int,
        path: String,
        headers: [String] = [],
        receiveBuffer: Int32? = nil
    ) async throws -> FrameClient {
        let client = try FrameClient(port: port, receiveBuffer: receiveBuffer)
        try await client.send(request(path, headers: headers))
        let head = try await client.head()
        guard head.status == 101 else { throw Failure(description: "status \(head.status)") }
        return client
    }

    /// The RFC's example of a key; its answer is `s3pPLMBiTxaQ9kYGzzhZRbK+xOo=`.
    package static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    /// A request to upgrade.
    ///
    /// - Parameter without: a standard header that is left out, such as `Host`.
    package static func request(
        _ path: String,
        headers: [String] = [],
        without: String? = nil
    ) -> [UInt8] {
        let standard = [
            "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
        ]
        let lines = standard.filter { line in without.map { !line.hasPrefix("\($0):") } ?? true }
        let text = (["GET \(path) HTTP/1.1"] + lines + headers).joined(separator: "\r\n")
        return Array("\(text)\r\n\r\n".utf8)
    }

    /// A client's frame.
    ///
    /// - Parameters:
    ///   - flags: the first byte beside the opcode: 0x80 is the end of a message.
    ///   - length: what the frame says of its length; nil for the truth.
    package static func frame(
        _ opcode: UInt8,
        _ payload: [UInt8] = [],
        flags: UInt8 = 0x80,
        isMasked: Bool = true,
        length: UInt64? = nil
    ) -> [UInt8] {
        let length = length ?? UInt64(payload.count)
        let bit: UInt8 = isMasked ? 0x80 : 0
        var bytes = [flags | opcode]
        if length < 126 {
            bytes.append(bit | UInt8(length))
        } else if length < 65_536 {
            bytes += [bit | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
        } else {
            bytes.append(bit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: length >> UInt64(shift)))
            }
        }
        guard isMasked else { return bytes + payload }
        let mask: [UInt8] = [0x12, 0x34, 0xAB, 0xCD]
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    package static func text(_ text: String) -> [UInt8] {
        frame(1, Array(text.utf8))
    }

    package static func close(_ code: UInt16) -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)])
    }

    // MARK: Talking

    package func send(_ bytes: [UInt8]) async throws {
        try await blocking { [self] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                // A server that has had enough may have closed already.
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// Ends the own direction, as a process that ends does.
    package func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next frame that is no ping, which is answered; nil at the end of the connection.
    package func frame() async throws -> Frame? {
        while let frame = try await nextFrame() {
            guard frame.opcode == 9 else { return frame }
            try await send(Self.frame(10, frame.payload))
        }
        return nil
    }

    private func nextFrame() async throws -> Frame? {
        try await blocking { [self] in
            guard let start = try take(2) else { return nil }
            var length = Int(start[1] & 0x7F)
            if length == 126 || length == 127 {
                let more = try take(length == 126 ? 2 : 8) ?? []
                length = more.reduce(0) { $0 << 8 | Int($1) }
            }
            guard start[1] & 0x80 == 0 else { throw Failure(description: "a masked frame") }
            guard let payload = try take(length) else {
                throw Failure(description: "the connection ends in a frame")
            }
            return Frame(isFinal: start[0] & 0x80 != 0, opcode: start[0] & 0x7F, payload: payload)
        }
    }

    /// The next text message.
    package func message() async throws -> String {
        guard let frame = try await frame() else {
            throw Failure(description: "the connection ended")
        }
        guard frame.opcode == 1, frame.isFinal else {
            throw Failure(description: "opcode \(frame.opcode), \(frame.payload)")
        }
        return frame.text
    }

    /// The codes of the frames until the connection ends, and the last Close code.
    package func closeCode() async throws -> Int? {
        var code: Int?
        while let frame = try await frame() {
            if frame.opcode == 8 { code = frame.closeCode }
        }
        return code
    }

    /// The head of an HTTP answer.
    package func head() async throws -> Head {
        try await blocking { [self] in
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
                guard let byte = try take(1) else {
                    throw Failure(description: "no HTTP answer in \(bytes.count) bytes")
                }
                bytes += byte
            }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
            let words = lines.first?.split(separator: " ") ?? []
            guard words.count > 1, let status = Int(words[1]) else {
                throw Failure(description: "no status line")
            }
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
            }
            return Head(status: status, headers: headers)
        }
    }

    /// So many bytes of an HTTP body.
    package func body(_ count: Int) async throws -> String {
        try await blocking { [self] in
            String(decoding: try take(count) ?? [], as: UTF8.self)
        }
    }

    /// Everything until the connection ends.
    package func rest() async throws -> [UInt8] {
        try await blocking { [self] in
            while try receive() {}
            return received.withLock { bytes in
                defer { bytes = [] }
                return bytes
            }
        }
    }

    /// Exactly so many bytes; nil if the connection ends before the first.
    private func take(_ count: Int) throws -> [UInt8]? {
        while received.withLock({ $0.count < count }) {
            guard try receive() else {
                if received.withLock({ $0.isEmpty }) { return nil }
                throw Failure(description: "the connection ends too early")
            }
        }
        return received.withLock { bytes in
            defer { bytes.removeFirst(count) }
            return Array(bytes.prefix(count))
        }
    }

    /// Waits for more bytes; false at the end.
    private func receive() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<Self.looks {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            // A reset is an end too.
            guard count > 0 else { return false }
            received.withLock { $0.append(contentsOf: chunk.prefix(count)) }
            return true
        }
        let known = received.withLock { $0.count }
        throw Failure(
            description:
                "waited for the server's next byte behind \(known), in vain: \(Self.looks) looks"
        )
    }

    private func blocking<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.start { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}

/// Threads for waiting: those of a pool could all be taken by clients that wait for each other.
private enum Thread {
    static func start(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "FrameClient").async(execute: work)
    }
}
