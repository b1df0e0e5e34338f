/// Reads and writes the frames of one WebSocket, the client's side; no I/O.
///
/// Source: RFC 6455, sections 5 to 7. It is ours, and not NIOWebSocket's codec: that one is a
/// channel handler, and a program that only reads would start an event loop for it.
struct WebSocketFrames: Sendable {
    private enum Opcode: UInt8 {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        var isControl: Bool { rawValue >= 0x8 }
    }

    private struct Frame {
        let opcode: Opcode
        let isLast: Bool
        let payload: ArraySlice<UInt8>
    }

    private let limits: WebSocketLimits
    /// Four unpredictable bytes for each frame.
    private let mask: @Sendable () -> UInt32
    private var buffer: [UInt8] = []
    private var start = 0
    /// The fragments of a message whose last one has not come.
    private var message: [UInt8]?
    private var fragments = 0
    /// Bytes to be sent.
    private(set) var outgoing: [UInt8] = []
    private var sentClose = false

    init(limits: WebSocketLimits, mask: @escaping @Sendable () -> UInt32) {
        self.limits = limits
        self.mask = mask
    }

    // MARK: Receiving

    /// Takes received bytes.
    ///
    /// Pings are answered in `outgoing`, and so is a close or a broken rule.
    ///
    /// - Parameter message: gets each message that the bytes complete, also those before an error.
    /// - Throws: `WebSocketError`: the connection must end after `outgoing` is sent.
    mutating func receive(
        _ bytes: some Collection<UInt8>,
        _ message: (String) -> Void
    ) throws(WebSocketError) {
        buffer.append(contentsOf: bytes)
        do throws(WebSocketError) {
            while let frame = try next() {
                if let text = try take(frame) { message(text) }
            }
        } catch {
            close(Self.code(for: error))
            throw error
        }
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
    }

    /// The next whole frame; nil if more bytes are needed.
    private mutating func next() throws(WebSocketError) -> Frame? {
        let bytes = buffer[start...]
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        guard first & 0x70 == 0 else { throw .violation("reserved bits are set") }
        guard let opcode = Opcode(rawValue: first & 0x0F) else {
            throw .violation("a frame has an unknown opcode")
        }
        guard second & 0x80 == 0 else { throw .violation("a server's frame is masked") }
        var length = UInt64(second & 0x7F)
        var header = 2
        if length > 125 {
            guard !opcode.isControl else { throw .violation("a control frame is too long") }
            let count = length == 126 ? 2 : 8
            let digits = bytes.dropFirst(2).prefix(count)
            guard digits.count == count else { return nil }
            length = digits.reduce(0) { $0 << 8 | UInt64($1) }
            header += count
            guard length > (count == 2 ? 125 : 0xFFFF) else {
                throw .violation("a length is not in its shortest form")
            }
        }
        let isLast = first & 0x80 != 0
        guard isLast || !opcode.isControl else { throw .violation("a control frame is in parts") }
        let held = opcode.isControl ? 0 : UInt64(message?.count ?? 0)
        guard length <= UInt64(limits.message), held + length <= UInt64(limits.message) else {
            throw .tooLarge(bytes: limits.message)
        }
        let payload = bytes.dropFirst(header).prefix(Int(length))
        guard payload.count == Int(length) else { return nil }
        start = payload.endIndex
        return Frame(opcode: opcode, isLast: isLast, payload: payload)
    }

    /// The message that a frame completes.
    private mutating func take(_ frame: Frame) throws(WebSocketError) -> String? {
        switch frame.opcode {
        case .ping:
            guard !sentClose else { return nil }
            write(.pong, Array(frame.payload))
            guard outgoing.count <= limits.unsent else { throw .unread }
            return nil
        case .pong: return nil
        case .close: throw try closure(frame.payload)
        case .binary: throw .violation("it sends bytes where text is expected")
        case .text:
            guard message == nil else { throw .violation("a message begins within another") }
            guard !frame.isLast else { return try Self.text(frame.payload) }
            message = Array(frame.payload)
            fragments = 1
            return nil
        case .continuation:
            guard message != nil else { throw .violation("a part belongs to no message") }
            fragments += 1
            guard fragments <= limits.fragments else {
                throw .violation("a message has more than \(limits.fragments) parts")
            }
            message?.append(contentsOf: frame.payload)
            guard frame.isLast, let whole = message else { return nil }
            message = nil
            return try Self.text(whole[...])
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(WebSocketError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .violation("a text is not UTF-8")
        }
        return text
    }

    /// The server's close frame as the end.
    private func closure(_ payload: ArraySlice<UInt8>) throws(WebSocketError) -> WebSocketError {
        guard !payload.isEmpty else { return .closed(code: nil, reason: "") }
        guard payload.count >= 2 else { throw .violation("a close code is cut") }
        let code = payload.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        guard
            [1000, 1001, 1002, 1003].contains(code) || (1007...1014).contains(code)
                || (3000...4999).contains(code)
        else { throw .violation("it closed with the invalid code \(code)") }
        return .closed(code: code, reason: try Self.text(payload.dropFirst(2)))
    }

    /// The code that tells the server why we end.
    private static func code(for error: WebSocketError) -> UInt16 {
        switch error {
        case .closed(let code, _): code ?? 1000
        case .tooLarge: 1009
        case .violation("a text is not UTF-8"): 1007
        case .violation("it sends bytes where text is expected"): 1003
        case .violation: 1002
        default: 1000
        }
    }

    // MARK: Sending

    /// Adds a text to `outgoing`.
    mutating func send(_ text: String) {
        write(.text, Array(text.utf8))
    }

    mutating func ping() {
        write(.ping, [])
    }

    /// Adds a close frame; nothing follows it.
    mutating func close(_ code: UInt16) {
        guard !sentClose else { return }
        write(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])
        sentClose = true
    }

    /// Forgets bytes that were sent.
    mutating func sent(_ count: Int) {
        outgoing.removeFirst(min(count, outgoing.count))
    }

    private mutating func write(_ opcode: Opcode, _ payload: [UInt8]) {
        guard !sentClose else { return }
        outgoing.append(0x80 | opcode.rawValue)
        switch payload.count {
        case ...125: outgoing.append(0x80 | UInt8(payload.count))
        case ...0xFFFF:
            outgoing.append(0x80 | 126)
            outgoing += [UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            outgoing.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                outgoing.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        let key = mask()
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: key >> UInt32($0)) }
        outgoing += bytes
        for (index, byte) in payload.enumerated() { outgoing.append(byte ^ bytes[index & 3]) }
    }
}
