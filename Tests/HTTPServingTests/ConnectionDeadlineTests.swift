import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPServing

/// By a clock that the test turns: nothing here takes time.
@Suite("Connections that keep a server waiting")
struct ConnectionDeadlineTests {
    private let channel: EmbeddedChannel
    private let request = HTTPRequest(
        method: .post,
        scheme: "http",
        authority: "127.0.0.1",
        path: "/"
    )

    init() throws {
        channel = EmbeddedChannel(handler: ConnectionDeadlines(ConnectionTimes()))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func pass(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    private func head() throws {
        try channel.writeInbound(HTTPRequestPart.head(request))
    }

    private func end() throws {
        try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    private func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
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
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: " ")))
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
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        pass(59)
        try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: "x")))
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
        try head()
        try answer()
        pass(59)
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: " ")))
        try end()
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }
}
