package import NIOCore
package import NIOWebSocket

/// The server's end of one WebSocket: frames, pings, the closing handshake and the unsent bytes.
///
/// It belongs to its event loop, and is the last in its pipeline.
package final class WebSocketConnection: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = WebSocketFrame
    package typealias OutboundOut = ByteBuffer

    private enum State {
        case open
        /// The server's Close frame is sent, the client's is awaited.
        case closing
        /// Nothing more is read.
        case failed
        case ended
    }

    private let limits: WebSocketLimits
    private let times: WebSocketTimes
    private let makeSession: @Sendable (WebSocketConnection) -> any WebSocketSession
    private var session: (any WebSocketSession)?
    private var context: ChannelHandlerContext?
    private var reader: WebSocketMessageReader
    private var state = State.open
    private var timer: Scheduled<Void>?
    private var awaitsPong = false
    /// The last written buffer, which goes out with the next flush and tells when all is sent.
    private var last: ByteBuffer?
    /// Bytes since the last flush, and flushed ones that the socket has not taken.
    private var queued = 0
    private var unsent = 0

    package init(
        limits: WebSocketLimits,
        times: WebSocketTimes,
        makeSession: @escaping @Sendable (WebSocketConnection) -> any WebSocketSession
    ) {
        self.limits = limits
        self.times = times
        self.makeSession = makeSession
        reader = WebSocketMessageReader(maximumBytes: limits.maximumMessageBytes)
    }

    package var isOpen: Bool { state == .open && context != nil }

    /// The event loop; nil after the end.
    package var eventLoop: (any EventLoop)? { context?.eventLoop }

    // MARK: Sending

    /// Writes a text message whose bytes are two buffers; `flush` sends it.
    package func queue(_ start: ByteBuffer, _ rest: ByteBuffer) {
        guard isOpen else { return }
        let length = start.readableBytes + rest.readableBytes
        var head = ByteBuffer()
        head.reserveCapacity(10 + start.readableBytes)
        head.writeFrameHead(.text, length: length)
        head.writeImmutableBuffer(start)
        write(head)
        write(rest)
    }

    package func queue(_ text: ByteBuffer) {
        queue(ByteBuffer(), text)
    }

    /// Sends what was written; a client that leaves too much of it is closed with 1013.
    package func flush() {
        push()
        if unsent > limits.maximumUnsentBytes {
            close(.tryAgainLater, "more than \(limits.maximumUnsentBytes) bytes are not read")
        }
    }

    /// Closes the connection in an orderly way; the client has some seconds to agree.
    package func close(_ code: WebSocketCloseCode, _ reason: String) {
        guard isOpen else { return }
        state = .closing
        sendClose(code, reason)
        cut(in: times.closing)
        end(.server(code))
    }

    private func write(_ buffer: ByteBuffer) {
        if let last { context?.write(wrapOutboundOut(last), promise: nil) }
        last = buffer
        queued += buffer.readableBytes
    }

    private func push() {
        guard let context, let last else { return }
        self.last = nil
        let bytes = queued
        queued = 0
        unsent += bytes
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in unsent -= bytes }
        context.writeAndFlush(wrapOutboundOut(last), promise: written)
    }

    private func sendControl(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
        var frame = ByteBuffer()
        frame.writeFrameHead(opcode, length: data.readableBytes)
        frame.writeImmutableBuffer(data)
        write(frame)
        push()
    }

    private func sendClose(_ code: WebSocketCloseCode?, _ reason: String) {
        var data = ByteBuffer()
        if let code {
            data.writeInteger(code.number)
            // A control frame has at most 125 bytes; our reasons are short ASCII.
            data.writeBytes(reason.utf8.prefix(123))
        }
        sendControl(.connectionClose, data)
    }

    // MARK: Reading

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state == .open || state == .closing else { return }
        do throws(WebSocketViolation) {
            switch try reader.read(unwrapInboundIn(data)) {
            case .nothing: break
            case .text(let message): if state == .open { session?.received(message) }
            case .ping(let data):
                guard state == .open else { break }
                sendControl(.pong, data)
                flush()
            case .pong: awaitsPong = false
            case .close(let code): agree(to: code)
            }
        } catch {
            fail(error)
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? NIOWebSocketError else {
            if state != .failed { cut() }
            return
        }
        switch error {
        case .invalidFrameLength:
            let maximum = limits.maximumMessageBytes
            fail(WebSocketViolation(.messageTooBig, "a frame has more than \(maximum) bytes"))
        case .fragmentedControlFrame, .multiByteControlFrameLength:
            fail(WebSocketViolation(.protocolError, "a control frame is fragmented or too long"))
        }
    }

    /// Answers the client's Close frame and ends the connection.
    private func agree(to code: WebSocketCloseCode?) {
        guard state == .open else { return cut() }
        state = .failed
        sendClose(code, "")
        end(.client(code))
        finish()
    }

    /// Says what the client did wrong, and reads no more.
    private func fail(_ violation: WebSocketViolation) {
        let wasOpen = state == .open
        guard wasOpen || state == .closing else { return }
        state = .failed
        guard wasOpen else { return cut() }
        sendClose(violation.code, violation.reason)
        end(.server(violation.code))
        finish()
    }

    /// Ends the own direction after all that was written, then waits for the client's end.
    ///
    /// Closing both directions at once would take the Close frame back from a client that is
    /// still sending.
    private func finish() {
        cut(in: times.closing)
        context?.close(mode: .output, promise: nil)
    }

    // MARK: Life

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        session = makeSession(self)
        schedulePing()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        finished()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        finished()
        context.fireChannelInactive()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: close(.goingAway, "the server stops")
        // The client's end without a Close frame, or after ours.
        case ChannelEvent.inputClosed: cut()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    private func schedulePing() {
        schedule(in: times.ping) { [self] in
            guard !awaitsPong else { return close(.policyViolation, "a ping was not answered") }
            awaitsPong = true
            sendControl(.ping, ByteBuffer())
            flush()
            if isOpen { schedulePing() }
        }
    }

    private func cut(in time: TimeAmount) {
        schedule(in: time) { [self] in cut() }
    }

    private func schedule(in time: TimeAmount, _ work: @escaping () -> Void) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: time, work)
    }

    private func cut() {
        context?.close(promise: nil)
    }

    private func end(_ end: WebSocketEnd) {
        session?.ended(end)
        session = nil
    }

    private func finished() {
        state = .ended
        timer?.cancel()
        timer = nil
        last = nil
        end(.lost)
        context = nil
    }
}

@available(*, unavailable)
extension WebSocketConnection: Sendable {}

extension ByteBuffer {
    /// The head of a whole, unmasked frame.
    fileprivate mutating func writeFrameHead(_ opcode: WebSocketOpcode, length: Int) {
        writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
        switch length {
        case ...125: writeInteger(UInt8(length))
        case ...0xFFFF:
            writeInteger(UInt8(126))
            writeInteger(UInt16(length))
        default:
            writeInteger(UInt8(127))
            writeInteger(UInt64(length))
        }
    }
}
