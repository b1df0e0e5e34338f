import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import HTTPServing

/// By a clock that the test turns: nothing here takes time.
@Suite("The time limits of a WebSocket")
struct WebSocketTimeTests {
    private let channel = EmbeddedChannel()
    private let ends = WebSocketFixture.Ends()
    private let brake = Brake()

    init() throws {
        let connection = WebSocketConnection(
            limits: WebSocketLimits(maximumMessageBytes: 1_000, maximumUnsentBytes: 1_000),
            times: WebSocketTimes()
        ) { [ends] in EchoSession($0, ends) }
        try channel.pipeline.syncOperations.addHandlers([brake, connection])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func pass(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    private func receive(_ opcode: WebSocketOpcode, _ data: ByteBuffer = ByteBuffer()) throws {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: [0, 0, 0, 0], data: data)
        try channel.writeInbound(frame)
    }

    /// The bytes that went out since the last call.
    private func sent() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
            bytes += buffer.readableBytesView
        }
        return bytes
    }

    @Test("a ping goes out every 15 s, and a client that answers stays")
    func pings() throws {
        for _ in 0..<10 {
            pass(14)
            #expect(try sent() == [])
            pass(1)
            #expect(try sent() == [0x89, 0])
            try receive(.pong)
        }
        #expect(channel.isActive)
        #expect(ends.all == [])
    }

    @Test("a client that answers no ping is closed with the next, and cut 5 s later")
    func deaf() throws {
        pass(15)
        #expect(try sent() == [0x89, 0])
        // Messages are no answer: a client that cannot read may well write.
        try receive(.text, ByteBuffer(string: "a"))
        pass(14)
        #expect(ends.all == [])
        pass(1)
        #expect(ends.all == [.server(.policyViolation)])
        #expect(try sent().starts(with: [0x81, 1, 0x61, 0x88]))
        pass(4)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test("a reader that takes nothing is closed with 1013, and cut if it does not take that")
    func stuck() throws {
        brake.isOn = true
        for index in 0..<11 {
            #expect(ends.all == [], "\(index)")
            try receive(.text, ByteBuffer(repeating: 0x61, count: 96))
        }
        #expect(ends.all == [.server(.tryAgainLater)])
        // Nothing more is read of it.
        try receive(.text, ByteBuffer(string: "a"))
        pass(4)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
        #expect(try sent() == [])
    }

    @Test("a flood of pings from a client that reads no pong ends like any other slow reader")
    func pingFlood() throws {
        brake.isOn = true
        for _ in 0..<10 { try receive(.ping, ByteBuffer(repeating: 0, count: 100)) }
        #expect(ends.all == [.server(.tryAgainLater)])
    }

    @Test("what the client sends after the server's Close frame is dropped, but for its own")
    func closingQuietly() throws {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(ends.all == [.server(.goingAway)])
        #expect(try sent().prefix(4) == [0x88, 18, 3, 233])
        try receive(.text, ByteBuffer(string: "a"))
        #expect(try sent() == [])
        #expect(channel.isActive)
        try receive(.connectionClose)
        #expect(!channel.isActive)
        #expect(ends.all.count == 1)
    }
}

/// Holds what is written, as the socket of a reader that takes nothing does.
private final class Brake: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    var isOn = false

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

    private var held: [EventLoopPromise<Void>] = []
}
