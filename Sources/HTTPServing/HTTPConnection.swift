import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1

/// One connection of HTTP/1.1: reads requests, hands them to the router and writes their answers in
/// order.
///
/// One request is worked on at a time. What comes behind it is held back, and while something is,
/// nothing more is read; the same if the client does not take its answers.
final class HTTPConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// A request on its way to an answer.
    private struct Exchange {
        let isHead: Bool
        /// The connection ends with the answer.
        var isLast: Bool
    }

    private enum State {
        /// Between two requests.
        case idle
        /// The body is read.
        case reading(Exchange, maximum: Int, (Result<ByteBuffer, BodyFailure>) -> Answer)
        /// The body counts for nothing; the request is answered behind it.
        case awaiting(Exchange, Answer)
        /// The request is answered, and its body still comes.
        case skipping
        /// The answer is awaited.
        case working(Exchange)
        /// The last answer is written, or the connection is broken: nothing more is read.
        case ended
    }

    private let router: Router
    private let times: ConnectionTimes
    private let connections: OpenConnections
    private let logger: Logger
    private let lastRead: LastRead?
    private var context: ChannelHandlerContext?
    private var deadlines: ConnectionDeadlines?
    private var peer: String?
    private var state = State.idle
    /// What was read of the body, apart from the state so that it is never copied.
    private var body = ByteBuffer()
    /// What comes behind a request that is worked on.
    private var held = CircularBuffer<HTTPServerRequestPart>()
    private var isReadHeld = false
    private var isProceeding = false
    /// The task of the request that is worked on.
    private var task: (cancel: () -> Void, endsWithClient: Bool)?
    /// The connection ends with the request that is under way.
    private var isStopping = false
    /// Nothing waits for the client any more.
    private var isCut = false
    /// The client sends no more.
    private var isInputClosed = false
    /// What answers a client that has broken the rules of HTTP, behind its earlier requests.
    private var broken: Response?

    /// - Parameter lastRead: stands before the parser.
    init(
        _ router: Router,
        _ times: ConnectionTimes,
        _ connections: OpenConnections,
        lastRead: LastRead? = nil,
        _ logger: Logger
    ) {
        self.router = router
        self.times = times
        self.connections = connections
        self.lastRead = lastRead
        self.logger = logger
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isStopping = connections.isStopping
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard deadlines == nil else { return }
        if isStopping { return context.close(promise: nil) }
        deadlines = ConnectionDeadlines(times, context.eventLoop) { [weak self] in
            self?.context?.close(promise: nil)
        }
    }

    private func end() {
        guard context != nil else { return }
        context = nil
        deadlines?.end()
        held.removeAll()
        isInputClosed = true
        if task?.endsWithClient == true { task?.cancel() }
        // Whoever counts requests hears of each that it is over; nobody reads the answer.
        switch state {
        case .reading(_, _, let handler): begin(handler(.failure(.cutShort)))
        case .awaiting(_, let answer): begin(answer)
        default: break
        }
        if case .working = state { return }
        state = .ended
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            isStopping = true
            switch state {
            case .reading, .awaiting, .working: break
            case _ where deadlines?.hasUntaken == true: state = .ended
            default: context.close(promise: nil)
            }
        case is OpenConnections.CutEvent:
            // Its task is cancelled with all others.
            isCut = true
            if case .working = state { break }
            context.close(promise: nil)
        case ChannelEvent.inputClosed:
            isInputClosed = true
            if task?.endsWithClient == true { task?.cancel() }
            proceed()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
        let isUnknownMethod = error == .invalidMethod && lastRead?.isRequest == true
        broken = Response(status: isUnknownMethod ? .notImplemented : .badRequest)
        proceed()
    }

    // MARK: From the client

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        held.append(unwrapInboundIn(data))
        proceed()
    }

    func read(context: ChannelHandlerContext) {
        if held.isEmpty { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        proceed()
        context.fireChannelWritabilityChanged()
    }

    /// Takes what is held back, as far as it goes now.
    private func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        defer { isProceeding = false }
        while !isHolding, let part = held.popFirst() { take(part) }
        guard held.isEmpty, let context else { return }
        if broken != nil || isInputClosed { conclude(context) }
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    private var isHolding: Bool {
        switch state {
        case .working: true
        case .idle: context?.channel.isWritable != true
        default: false
        }
    }

    /// Nothing more comes of the client.
    private func conclude(_ context: ChannelHandlerContext) {
        switch (state, broken) {
        case (.idle, let broken?):
            deadlines?.requestBegan()
            write(broken, Exchange(isHead: false, isLast: true), context)
        case (.reading(var exchange, _, let handler), _):
            exchange.isLast = true
            start(handler(.failure(.cutShort)), exchange)
        case (.working, _): break
        // What still comes behind the last answer is no answer's end.
        case (.ended, _) where !isInputClosed: break
        case _ where deadlines?.hasUntaken == true: state = .ended
        default: context.close(promise: nil)
        }
    }

    private func take(_ part: HTTPServerRequestPart) {
        switch (part, state) {
        case (.head(let head), .idle): take(head)
        case (.body(let bytes), .reading(let exchange, let maximum, let handler)):
            guard bytes.readableBytes <= maximum - body.readableBytes else {
                return start(
                    handler(.failure(.tooLong(maximum: maximum))),
                    exchange,
                    behindBody: false
                )
            }
            if body.readableBytes == 0 {
                body = bytes
            } else {
                body.writeImmutableBuffer(bytes)
            }
        case (.end, .reading(let exchange, _, let handler)):
            deadlines?.requestEnded()
            let whole = body
            body = ByteBuffer()
            start(handler(.success(whole)), exchange)
        case (.end, .awaiting(let exchange, let answer)):
            deadlines?.requestEnded()
            start(answer, exchange)
        case (.end, .skipping):
            deadlines?.requestEnded()
            state = .idle
        default: break
        }
    }

    private func take(_ head: HTTPRequestHead) {
        guard let context else { return }
        deadlines?.requestBegan()
        // A client of HTTP/1.0 would wait for the end of the connection.
        var exchange = Exchange(
            isHead: head.method == .HEAD,
            isLast: !head.isKeepAlive || head.version.isOld
        )
        if let refusal = RequestRules.refusal(head) {
            exchange.isLast = true
            return write(refusal.response, exchange, context)
        }
        guard let method = Self.method(head.method) else {
            exchange.isLast = true
            return write(Response(status: .badRequest), exchange, context)
        }
        let request = Request(head, method, peer: peer(context), channel: context.channel)
        let length = head.headers.first(name: "content-length").flatMap { Int($0) }
        let hasBody = head.headers.contains(name: "transfer-encoding") || (length ?? 0) > 0
        // Whoever asks whether to send the body, and is answered first, may leave it out.
        let asks = hasBody && Self.asksToContinue(head)
        switch router.receive(request) {
        case .answer(let answer):
            guard hasBody, case .settled = answer else {
                if asks { proceedWithBody(context) }
                state = .awaiting(exchange, answer)
                return
            }
            exchange.isLast = exchange.isLast || asks
            start(answer, exchange, behindBody: false)
        case .body(let maximum, let handler):
            if let length, length > maximum {
                exchange.isLast = exchange.isLast || asks
                return start(
                    handler(.failure(.tooLong(maximum: maximum))),
                    exchange,
                    behindBody: false
                )
            }
            if asks { proceedWithBody(context) }
            body = ByteBuffer()
            state = .reading(exchange, maximum: maximum, handler)
        }
    }

    private static func method(_ method: HTTPMethod) -> HTTPRequest.Method? {
        switch method {
        case .GET: .get
        case .HEAD: .head
        case .POST: .post
        default: HTTPRequest.Method(method.rawValue)
        }
    }

    /// Tells a client that waits with the body of its request to send it.
    private func proceedWithBody(_ context: ChannelHandlerContext) {
        let go = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
    }

    private static func asksToContinue(_ head: HTTPRequestHead) -> Bool {
        head.version == .http1_1
            && head.headers.contains(name: "expect")
    }

    private func peer(_ context: ChannelHandlerContext) -> String {
        if let peer { return peer }
        let address = context.channel.remoteAddress?.ipAddress ?? "local"
        peer = address
        return address
    }

    // MARK: To the client

    /// - Parameter behindBody: the request was read whole.
    private func start(_ answer: Answer, _ exchange: Exchange, behindBody: Bool = true) {
        if case .settled(let result) = answer, let context {
            return write(response(result), exchange, context, behindBody: behindBody)
        }
        state = .working(exchange)
        begin(answer)
    }

    /// Lets an answer come about; `finish` gets it.
    private func begin(_ answer: Answer) {
        switch answer {
        case .settled(let result): finish(result)
        case .task(let endsWithClient, let work):
            guard let eventLoop = deadlines?.eventLoop else { return }
            let place = NIOLoopBound(self, eventLoop: eventLoop)
            let number = connections.taskBegan()
            let task = Task { [connections] in
                let result: Result<Response, any Error>
                do {
                    result = .success(try await work())
                } catch {
                    result = .failure(error)
                }
                eventLoop.execute {
                    place.value.finish(result)
                    connections.taskEnded(number)
                }
            }
            connections.task(number) { task.cancel() }
            self.task = ({ task.cancel() }, endsWithClient)
            if endsWithClient, isInputClosed { task.cancel() }
        case .later(let future, let change):
            guard let eventLoop = deadlines?.eventLoop else { return }
            let place = NIOLoopBound(self, eventLoop: eventLoop)
            future.hop(to: eventLoop).whenComplete { result in
                place.value.finish(Result { try change(result) })
            }
        }
    }

    private func finish(_ result: Result<Response, any Error>) {
        task = nil
        guard case .working(let exchange) = state else { return }
        guard let context else {
            state = .ended
            return
        }
        write(response(result), exchange, context)
        proceed()
    }

    private func response(_ result: Result<Response, any Error>) -> Response {
        switch result {
        case .success(let response): return response
        case .failure(let error as any AnswerableError): return error.response
        case .failure(let error):
            logger.debug("A request failed: \(error)")
            return Response(status: .internalServerError)
        }
    }

    private func write(
        _ response: Response,
        _ exchange: Exchange,
        _ context: ChannelHandlerContext,
        behindBody: Bool = true
    ) {
        let isLast =
            exchange.isLast || isStopping || isInputClosed && held.isEmpty
            || response.isCutOff || response.headers[.connection] == "close"
        var fields: [(String, String)] = []
        fields.reserveCapacity(response.headers.count + 2)
        for field in response.headers where field.name != .connection {
            fields.append((field.name.rawName, field.value))
        }
        fields.append(("Date", HTTPDate.current()))
        if isLast { fields.append(("Connection", "close")) }
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(
                statusCode: response.status.code,
                reasonPhrase: response.status.reasonPhrase
            ),
            headers: HTTPHeaders(fields)
        )
        state = isLast ? .ended : behindBody ? .idle : .skipping
        deadlines?.answerBegan()
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !exchange.isHead, response.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
        }
        let taken = context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.assumeIsolated().whenComplete { [self] _ in
            deadlines?.answerTaken()
            guard case .ended = state, deadlines?.hasUntaken != true else { return }
            leave(isCutOff: response.isCutOff)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: taken)
        if isCut { context.close(promise: nil) }
    }

    /// Ends the own direction, then waits for the client's end.
    ///
    /// Closing both directions at once would take the answer back from a client that is still
    /// sending.
    private func leave(isCutOff: Bool) {
        guard let context else { return }
        if isCutOff || isInputClosed || isStopping {
            context.close(promise: nil)
        } else {
            context.close(mode: .output, promise: nil)
        }
    }
}

@available(*, unavailable)
extension HTTPConnection: Sendable {}
