import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServing

/// By a clock that the test turns: nothing here takes time.
@Suite("Connections that keep a server waiting")
struct ConnectionDeadlineTests {
    private let channel: EmbeddedChannel
    private let served: ServedConnection
    private let brake = Brake()

    init() throws {
        served = try ServedConnection(before: [brake])
        channel = served.channel
    }

    private func pass(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    private func head(_ path: String = "/later") throws {
        let headers: HTTPHeaders = ["Host": "127.0.0.1", "Content-Length": "100"]
        try channel.writeInbound(
            HTTPServerRequestPart.head(
                HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: headers)
            )
        )
    }

    private func end() throws {
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
    }

    private func answer() throws {
        try served.answer(Response(status: .ok))
    }

    @Test("one on which no whole head comes is closed after 10 s")
    func noHead() {
        pass(9)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("one whose body trickles is closed 30 s after the head, however often a byte comes")
    func tricklingBody() throws {
        try head()
        for _ in 0..<29 {
            pass(1)
            try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: " ")))
        }
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("a request that is worked on may take as long as it takes")
    func working() throws {
        try head()
        try end()
        pass(100_000)
        #expect(channel.isActive)
        try answer()
        #expect(channel.isActive)
    }

    @Test("an answer that is not taken is given up after 60 s")
    func untakenAnswer() throws {
        try head()
        try end()
        brake.isOn = true
        try answer()
        pass(59)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("between two requests 60 s may pass, again and again")
    func idle() throws {
        for _ in 0..<3 {
            try head()
            try end()
            try answer()
            pass(59)
            #expect(channel.isActive)
        }
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("a body that is still sent behind its answer is waited for no longer than for idleness")
    func bodyBehindAnswer() throws {
        try head("/nothing")
        pass(59)
        try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: " ")))
        try end()
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }
}

/// Holds what is written, as the socket of a reader that takes nothing does.
private final class Brake: ChannelOutboundHandler {
    typealias OutboundIn = HTTPServerResponsePart
    var isOn = false
    private var held: [EventLoopPromise<Void>] = []

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        guard isOn else { return context.write(data, promise: promise) }
        if let promise { held.append(promise) }
    }

    func close(
        context: ChannelHandlerContext,
        mode: CloseMode,
        promise: EventLoopPromise<Void>?
    ) {
        for promise in held { promise.fail(ChannelError.ioOnClosedChannel) }
        held = []
        context.close(mode: mode, promise: promise)
    }
}
