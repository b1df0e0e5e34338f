import NIOCore
import NIOWebSocket

/// Joins a client's frames to messages and checks them by RFC 6455.
struct WebSocketMessageReader {
    /// What a frame brings.
    enum Event: Equatable {
        /// A part of a message, or an answer to nothing.
        case nothing
        /// A whole message of valid UTF-8.
        case text(ByteBuffer)
        case ping(ByteBuffer)
        case pong
        /// nil: the frame has no code.
        case close(WebSocketCloseCode?)
    }

    /// The maximum size of a message in bytes, all of its fragments together.
    let maximumBytes: Int
    /// The fragments of an unfinished message.
    private var fragments: ByteBuffer?

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    mutating func read(_ frame: WebSocketFrame) throws(WebSocketViolation) -> Event {
        guard frame.maskKey != nil else {
            throw .init(.protocolError, "a frame of a client has to be masked")
        }
        guard frame.reservedBits.isEmpty else {
            throw .init(.protocolError, "a reserved bit is set without an extension")
        }
        switch frame.opcode {
        case .text:
            guard fragments == nil else {
                throw .init(.protocolError, "a message begins inside another one")
            }
            return try join(frame)
        case .continuation:
            guard fragments != nil else {
                throw .init(.protocolError, "there is no message to continue")
            }
            return try join(frame)
        case .binary: throw .init(.unsupportedData, "only text is read")
        case .ping: return .ping(frame.unmaskedData)
        case .pong: return .pong
        case .connectionClose: return .close(try Self.closeCode(in: frame.unmaskedData))
        default: throw .init(.protocolError, "an unknown opcode")
        }
    }

    private mutating func join(_ frame: WebSocketFrame) throws(WebSocketViolation) -> Event {
        var message = fragments ?? ByteBuffer()
        guard message.readableBytes + frame.length <= maximumBytes else {
            throw .init(.messageTooBig, "a message has more than \(maximumBytes) bytes")
        }
        if fragments == nil, frame.fin {
            message = frame.unmaskedData
        } else {
            var part = frame.unmaskedData
            fragments = nil
            message.writeBuffer(&part)
        }
        guard frame.fin else {
            fragments = message
            return .nothing
        }
        fragments = nil
        guard Self.isUTF8(message) else { throw .init(.invalidPayload, "text has to be UTF-8") }
        return .text(message)
    }

    private static func closeCode(
        in data: ByteBuffer
    ) throws(WebSocketViolation) -> WebSocketCloseCode? {
        var data = data
        guard data.readableBytes > 0 else { return nil }
        guard let number = data.readInteger(as: UInt16.self) else {
            throw .init(.protocolError, "half a close code")
        }
        let code = WebSocketCloseCode(number)
        guard code.isSendable else { throw .init(.protocolError, "an invalid close code") }
        guard isUTF8(data) else { throw .init(.invalidPayload, "a reason has to be UTF-8") }
        return code
    }

    private static func isUTF8(_ buffer: ByteBuffer) -> Bool {
        String(validating: buffer.readableBytesView, as: UTF8.self) != nil
    }
}
