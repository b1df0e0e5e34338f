import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization

@testable import HTTPServing

/// A connection without a socket, to a router whose answers the test gives.
struct ServedConnection {
    /// A request that waits for its answer.
    struct Waiting: Sendable {
        let path: String
        let body: String
        let peer: String
        fileprivate let promise: EventLoopPromise<Response>
    }

    /// The requests that wait, in their order.
    private final class Queue: Sendable {
        let waiting = Mutex<[Waiting]>([])
        let failures = Mutex<[BodyFailure]>([])
    }

    struct NothingWaits: Error {}

    let channel = EmbeddedChannel()
    let connections = OpenConnections()
    private let queue = Queue()

    /// - Parameter before: handlers that stand before the one of HTTP.
    init(
        before: [any ChannelHandler] = [],
        lastRead: LastRead? = nil,
        filter: (any RequestFilter)? = nil
    ) throws {
        var router = Router()
        if let filter { router.add(filter) }
        router.get("/page") { _ in Response(type: "text/plain", ByteBuffer(string: "page")) }
        router.get("/large") { _ in
            Response(status: .ok, body: ByteBuffer(repeating: 0x61, count: 1_000))
        }
        router.get("/closing") { _ in Response(status: .ok, headers: [.connection: "close"]) }
        router.get("/cut") { _ in
            var response = Response(status: .ok, body: ByteBuffer(string: "half"))
            response.headers[.contentLength] = "8"
            response.isCutOff = true
            return response
        }
        for path in ["/later", "/later/too"] {
            router.post(path, maximum: 128) { [queue] request, body in
                if case .failure(let failure) = body {
                    queue.failures.withLock { $0.append(failure) }
                }
                let body = try body.get()
                let promise = request.eventLoop.makePromise(of: Response.self)
                let waiting = Waiting(
                    path: request.path,
                    body: String(buffer: body),
                    peer: request.peer,
                    promise: promise
                )
                queue.waiting.withLock { $0.append(waiting) }
                return .later(promise.futureResult)
            }
        }
        router.on(
            .post,
            "/task",
            answer: { [queue] request in
                let promise = request.eventLoop.makePromise(of: Response.self)
                queue.waiting.withLock {
                    $0.append(
                        Waiting(path: request.path, body: "", peer: request.peer, promise: promise)
                    )
                }
                return .later(promise.futureResult)
            }
        )
        let handlers: [any ChannelHandler] =
            before + [
                HTTPConnection(
                    router,
                    ConnectionTimes(),
                    connections,
                    lastRead: lastRead,
                    Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                )
            ]
        try channel.pipeline.syncOperations.addHandlers(handlers)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    }

    /// The same from bytes to bytes.
    static func ofBytes(
        before: [any ChannelHandler] = [],
        filter: (any RequestFilter)? = nil
    ) throws -> ServedConnection {
        let lastRead = LastRead()
        return try ServedConnection(
            before: before + [
                HTTPResponseEncoder(), lastRead, ByteToMessageHandler(HTTPRequestDecoder()),
            ],
            lastRead: lastRead,
            filter: filter
        )
    }

    var waiting: [Waiting] { queue.waiting.withLock { $0 } }
    var failures: [BodyFailure] { queue.failures.withLock { $0 } }

    /// Answers the oldest request that waits.
    func answer(_ response: Response) throws {
        let first = queue.waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let first else { throw NothingWaits() }
        first.promise.succeed(response)
        channel.embeddedEventLoop.run()
    }

    func send(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    /// The bytes that went out, with each date as `now`.
    func written() throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = part { text += String(buffer: bytes) }
        }
        // As long as each date is; which one depends on the clock.
        return text.replacing(/Date: [A-Z][^G]{24} GMT/, with: "Date: now")
    }
}
