import HTTPTypes
import NIOCore

/// Takes plain posts out of a connection's bytes, before the HTTP parser, and writes their answers.
///
/// A request that passes the parser, the application and its tasks costs several times what a small
/// post is worth. Bytes are read here only between two requests: while the parser holds no part of
/// one, no earlier one waits for its answer, and the client takes its answers. What `PlainPostHead`
/// does not know goes to the parser unseen, byte for byte.
///
/// While a post waits for its answer, whatever else comes on its connection is held back.
final class PlainPosts: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// What comes behind a post that waits.
    private enum Held {
        case bytes(ByteBuffer)
        case event(Any)
        case error(any Error)
    }

    private let source: DirectSource
    private let answers: DirectAnswers
    private let deadlines: ConnectionDeadlines
    private var peer: String?
    /// The parser holds no part of a request.
    private var isBetween = true
    /// The connection speaks HTTP no longer, or will not for long.
    private var isRetired = false
    /// A post whose body is not whole.
    private var unfinished: (head: PlainPostHead, bytes: ByteBuffer)?
    /// A post was taken and is not answered.
    private var isWaiting = false
    private var held = CircularBuffer<Held>()
    private var isReadHeld = false
    /// The parser got something since the last end of a reading.
    private var hasPassed = true
    /// Brings answers to the event loop; nil once the connection has ended.
    private var reply: (@Sendable (DirectAnswer) -> Void)?

    /// - Parameter answers: sees each request that passed the parser.
    init(_ source: DirectSource, answers: DirectAnswers, deadlines: ConnectionDeadlines) {
        self.source = source
        self.answers = answers
        self.deadlines = deadlines
    }

    /// From now on every byte goes to the parser.
    func retire() {
        isRetired = true
    }

    // MARK: From the client

    func handlerAdded(context: ChannelHandlerContext) {
        let eventLoop = context.eventLoop
        let place = Place(self, context)
        let turn = source.answers.turn(of: eventLoop)
        reply = { answer in turn.add(Settled(place: place, answer: answer), on: eventLoop) }
    }

    /// Where answers go; touched on its event loop alone.
    fileprivate final class Place: Sendable {
        private let content: NIOLoopBound<(PlainPosts, ChannelHandlerContext)>

        init(_ handler: PlainPosts, _ context: ChannelHandlerContext) {
            content = NIOLoopBound((handler, context), eventLoop: context.eventLoop)
        }

        func finish(_ answer: DirectAnswer) {
            let (handler, context) = content.value
            handler.finish(answer, context)
        }
    }

    /// An answer on its way to the connection of its post.
    struct Settled: Sendable {
        fileprivate let place: Place
        fileprivate let answer: DirectAnswer
    }

    /// What brings answers to event loops.
    static func turns() -> LoopTurns<Settled> {
        LoopTurns { all in
            for settled in all { settled.place.finish(settled.answer) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        reply = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        reply = nil
        held.removeAll()
        passUnfinished(context)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if isWaiting { held.append(.bytes(bytes)) } else { read(bytes, context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !isWaiting, hasPassed else { return }
        hasPassed = false
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isWaiting { return held.append(.event(event)) }
        passUnfinished(context)
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isWaiting { return held.append(.error(error)) }
        passUnfinished(context)
        context.fireErrorCaught(error)
    }

    /// Nothing more is read while something is held back.
    func read(context: ChannelHandlerContext) {
        if isWaiting, !held.isEmpty { isReadHeld = true } else { context.read() }
    }

    private func read(_ new: ByteBuffer, _ context: ChannelHandlerContext) {
        var (bytes, begun) = (new, unfinished?.head)
        let isBegun = begun != nil
        if var (_, before) = unfinished {
            unfinished = nil
            before.writeBuffer(&bytes)
            bytes = before
        } else if !isRetired, isBetween, answers.isIdle, context.channel.isWritable {
            begun = PlainPostHead(bytes, source)
        }
        guard let head = begun, let reply else { return pass(bytes, context) }
        let body = bytes.getSlice(at: bytes.readerIndex + head.length, length: head.bodyLength)
        guard let body else {
            unfinished = (head, bytes)
            // The time for a body is for all of it.
            if !isBegun { deadlines.beganBeside() }
            return
        }
        bytes.moveReaderIndex(forwardBy: head.wholeLength)
        if bytes.readableBytes > 0 { held.append(.bytes(bytes)) }
        isWaiting = true
        deadlines.readBeside()
        source.post(
            DirectPost(
                path: head.path,
                headers: head.headers,
                body: body,
                peer: peer(context),
                eventLoop: context.eventLoop,
                answer: reply
            )
        )
    }

    private func passUnfinished(_ context: ChannelHandlerContext) {
        guard let bytes = unfinished?.bytes else { return }
        unfinished = nil
        pass(bytes, context)
    }

    private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        // A request, or its head, ends with an empty line: if these bytes do, and the parser has
        // found the end of a request in them, it keeps none of them.
        let endsALine = bytes.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8)
        let ended = answers.ended
        hasPassed = true
        context.fireChannelRead(wrapInboundOut(bytes))
        isBetween = endsALine && answers.ended != ended
    }

    private func peer(_ context: ChannelHandlerContext) -> String {
        if let peer { return peer }
        let address = context.channel.remoteAddress?.ipAddress ?? "local"
        peer = address
        return address
    }

    // MARK: To the client

    /// Answers the post that waits, then goes on with what came behind it.
    private func finish(_ answer: DirectAnswer, _ context: ChannelHandlerContext) {
        guard isWaiting, reply != nil else { return }
        let taken = context.eventLoop.makePromise(of: Void.self)
        deadlines.answersBeside(taken.futureResult)
        let bytes = answer.bytes(context.channel.allocator)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(bytes)), promise: taken)
        isWaiting = false
        guard !held.isEmpty || isReadHeld else { return }
        while !isWaiting, let next = held.popFirst() {
            switch next {
            case .bytes(let bytes): readAgain(bytes, context)
            case .event(let event): context.fireUserInboundEventTriggered(event)
            case .error(let error): context.fireErrorCaught(error)
            }
        }
        channelReadComplete(context: context)
        if isReadHeld, held.isEmpty {
            isReadHeld = false
            context.read()
        }
    }

    /// Reads what was held back; what is left behind another post goes before all else.
    private func readAgain(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let later = held
        held.removeAll()
        read(bytes, context)
        held.append(contentsOf: later)
    }
}

@available(*, unavailable)
extension PlainPosts: Sendable {}

extension DirectAnswer {
    /// The answer as HTTP/1.1 writes it.
    fileprivate func bytes(_ allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: 256 + body.readableBytes)
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString(String(status.code))
        buffer.writeStaticString(" ")
        buffer.writeString(status.reasonPhrase)
        buffer.writeStaticString("\r\n")
        var hasLength = false
        for field in headers {
            buffer.write(field.name.rawName, field.value)
            if field.name == .contentLength { hasLength = true }
        }
        buffer.write("Date", HTTPDate.current())
        if !hasLength {
            buffer.write("Content-Length", String(body.readableBytes))
        }
        buffer.writeStaticString("\r\n")
        buffer.writeImmutableBuffer(body)
        return buffer
    }
}

extension ByteBuffer {
    /// Writes a header line.
    fileprivate mutating func write(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}
