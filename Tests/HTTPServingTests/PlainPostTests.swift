import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Synchronization
import Testing

@testable import HTTPServing

/// Posts that are read from a connection's bytes, beside an application behind the HTTP parser.
@Suite("Posts in the plainest form")
struct PlainPostTests {
    private let channel = EmbeddedChannel()
    private let posts = TakenPosts()
    private let plain: PlainPosts
    private let heard = HeardEvents()
    private let reads = CountedReads()

    init() throws {
        let taken = posts
        let source = DirectSource(
            get: { request, _ in
                guard request.path == "/ready" else { return nil }
                return DirectAnswer(status: .ok, headers: [:], body: ByteBuffer(string: "page"))
            },
            paths: ["/taken", "/taken/too"],
            mostBytes: 64,
            kept: [try #require(HTTPField.Name("X-Kept"))],
            post: { taken.add($0) }
        )
        let answers = DirectAnswers(source)
        let deadlines = ConnectionDeadlines(ConnectionTimes())
        plain = PlainPosts(source, answers: answers, deadlines: deadlines)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(reads)
        try pipeline.addHandler(plain)
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(deadlines)
        try pipeline.addHandler(answers)
        try pipeline.addHandler(heard)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    }

    private static func request(
        _ body: String,
        path: String = "/taken",
        length: String? = nil,
        more: String = ""
    ) -> String {
        "POST \(path) HTTP/1.1\r\nHost: relay.test\r\nContent-Length: "
            + "\(length ?? String(body.utf8.count))\r\n\(more)\r\n\(body)"
    }

    private static let page = "GET /ready HTTP/1.1\r\nHost: relay.test\r\n\r\n"
    private static let other = "GET /other HTTP/1.1\r\nHost: relay.test\r\n\r\n"

    private func send(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    /// What the application got: methods and paths of heads, texts of bodies, "end".
    private func passed() throws -> [String] {
        var parts: [String] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            switch part {
            case .head(let head): parts.append("\(head.method) \(head.path ?? "")")
            case .body(let bytes): parts.append(String(buffer: bytes))
            case .end: parts.append("end")
            }
        }
        return parts
    }

    /// The bytes that went out, with each date as `now`.
    private func written() throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = part { text += String(buffer: bytes) }
        }
        // As long as each date is; which one depends on the clock.
        return text.replacing(/Date: [A-Z][^G]{24} GMT/, with: "Date: now")
    }

    /// The application answers its oldest request.
    private func answer() throws {
        let head = HTTPResponse(status: .notFound, headerFields: [.contentLength: "0"])
        try channel.writeOutbound(HTTPResponsePart.head(head))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    /// Answers the oldest taken post with its body.
    private func answerPost() throws {
        let post = try #require(posts.next())
        post.answer(DirectAnswer(status: .created, headers: [.server: "test"], body: post.body))
        channel.embeddedEventLoop.run()
    }

    /// The answer to a post with this body, as it stands on the wire.
    private func expected(_ body: String) -> String {
        "HTTP/1.1 201 Created\r\nServer: test\r\nDate: now\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test("a plain post is taken whole, and answered when its answer is there")
    func taken() throws {
        try send(Self.request("order", more: "X-Kept: mine\r\nX-Other: no\r\n"))
        let post = try #require(posts.first)
        #expect(post.path == 0)
        #expect(post.peer == "192.0.2.1")
        #expect(post.headers == [try #require(HTTPField.Name("X-Kept")): "mine"])
        #expect(try written() == "")
        try answerPost()
        #expect(try written() == expected("order"))
        try send(Self.request("", path: "/taken/too"))
        #expect(posts.first?.path == 1)
        try answerPost()
        #expect(try written() == expected(""))
        #expect(try passed() == [])
    }

    @Test(
        "a body may come in parts, also one byte at a time",
        arguments: [1, 2, 7, 40]
    )
    func parts(size: Int) throws {
        let request = Array(Self.request("an order in parts").utf8)
        let head = request.count - 17
        try channel.writeInbound(ByteBuffer(bytes: request[..<head]))
        for start in stride(from: head, to: request.count, by: size) {
            #expect(posts.isEmpty)
            let end = min(request.count, start + size)
            try channel.writeInbound(ByteBuffer(bytes: request[start..<end]))
        }
        try answerPost()
        #expect(try written() == expected("an order in parts"))
        #expect(try passed() == [])
    }

    @Test("a head in parts is the parser's, and so is all that follows until a request ends")
    func headInParts() throws {
        let request = Self.request("order")
        try send(String(request.prefix(30)))
        try send(String(request.dropFirst(30)))
        #expect(try passed() == ["POST /taken", "order", "end"])
        try answer()
        _ = try written()
        // The parser may still hold bytes: it is asked until it surely holds none.
        try send(Self.request("two"))
        #expect(try passed() == ["POST /taken", "two", "end"])
        try answer()
        _ = try written()
        try send(Self.page)
        #expect(try written().hasSuffix("\r\n\r\npage"))
        try send(Self.request("three"))
        try answerPost()
        #expect(try written() == expected("three"))
        #expect(try passed() == [])
    }

    @Test("what comes behind a post that waits is held back, and keeps its order")
    func pipelined() throws {
        try send(Self.request("one") + Self.request("two") + Self.page)
        try send(Self.request("three") + Self.other)
        try send(Self.request("four") + Self.page)
        #expect(try passed() == [])
        #expect(posts.count == 1)
        try answerPost()
        #expect(try written() == expected("one"))
        try answerPost()
        let text = try written()
        #expect(text.hasPrefix(expected("two")))
        #expect(text.hasSuffix("\r\n\r\npage"))
        try answerPost()
        #expect(try written() == expected("three"))
        // Behind a request that the application has, everything is the application's.
        #expect(
            try passed() == [
                "GET /other", "end", "POST /taken", "four", "end", "GET /ready", "end",
            ]
        )
        #expect(posts.isEmpty)
        for _ in 0..<3 { try answer() }
        _ = try written()
        try send(Self.request("five"))
        try answerPost()
        #expect(try written() == expected("five"))
    }

    @Test("nothing more is read while something is held back")
    func heldReading() throws {
        try send(Self.request("one"))
        let before = reads.count
        channel.read()
        #expect(reads.count == before + 1)
        try send(Self.page)
        channel.read()
        channel.read()
        #expect(reads.count == before + 1)
        try answerPost()
        #expect(reads.count == before + 2)
        channel.read()
        #expect(reads.count == before + 3)
    }

    @Test("an end of the client's sending, and an error, wait for the answer too")
    func heldEvents() throws {
        try send(Self.request("one"))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.pipeline.fireErrorCaught(Broken())
        #expect(heard.events.isEmpty)
        try answerPost()
        #expect(heard.events == ["inputClosed", "Broken()"])
        #expect(try written() == expected("one"))
    }

    @Test("a body that is cut short is the parser's, with what came of it")
    func cutShort() throws {
        try send(Self.request("half", length: "8"))
        #expect(try passed() == [])
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try passed() == ["POST /taken", "half"])
        #expect(posts.isEmpty)
        // Before the event the parser says what it lacks.
        #expect(heard.events.last == "inputClosed")
    }

    @Test("the answer to a connection that has ended goes nowhere")
    func ended() throws {
        try send(Self.request("one"))
        channel.pipeline.fireChannelInactive()
        try answerPost()
        #expect(try written() == "")
    }

    @Test("a client that does not take its answers is left to the application")
    func slowReader() throws {
        channel.isWritable = false
        try send(Self.request("one"))
        #expect(try passed() == ["POST /taken", "one", "end"])
        #expect(posts.isEmpty)
    }

    @Test("after a WebSocket every byte is the parser's")
    func retired() throws {
        plain.retire()
        try send(Self.request("one"))
        #expect(try passed() == ["POST /taken", "one", "end"])
    }

    @Test(
        "every other form of a post is left to the parser",
        arguments: [
            Self.request("one", path: "/other"), Self.request("one", path: "/taken?a=b"),
            Self.request("one", path: "/taken/"), Self.request("one", path: "/TAKEN"),
            Self.request("one", path: "http://relay.test/taken"),
            Self.request(String(repeating: "x", count: 65)),
            Self.request("one", more: "Connection: close\r\n"),
            Self.request("one", more: "connection: Keep-Alive, x\r\n"),
            Self.request("one", more: "Expect: 100-continue\r\n"),
            Self.request("one", more: "EXPECT: x\r\n"),
            Self.request("one", more: "Origin: https://a.test\r\n"),
            Self.request("one", more: "Trailer: X\r\n"),
            Self.request("one", more: "X: \u{E9}\r\n"), Self.request("one", more: "X: a\tb\r\n"),
            Self.request("one", more: "A.B: c\r\n"),
            Self.request("one", more: "X: \(String(repeating: "y", count: 5_000))\r\n"),
            "POST /taken HTTP/1.0\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1\r\nx\r\n0\r\n\r\n",
            "\r\nPOST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
        ]
    )
    func otherForms(request: String) throws {
        try send(request)
        #expect(posts.isEmpty)
        let parts = try passed()
        #expect(parts.first?.hasPrefix("POST ") == true)
        #expect(parts.last == "end")
    }

    @Test(
        "what is no proper head is left to the parser, whatever it makes of it",
        arguments: [
            "POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
            "POST /taken HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a b\r\nContent-Length: 1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nContent-Length: 1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\n\r\n",
            "POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length: 1\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\nContent-Length : 1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\nContent-Length: 1\r\n\r\nx",
            "POST /taken HTTP/1.1\r\nHost: a\r\nX: a\0b\r\nContent-Length: 1\r\n\r\nx",
            "POST  /taken HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
            "POST /taken HTTP/1.1\nHost: a\nContent-Length: 1\n\nx",
            "POST /taken", "",
        ]
    )
    func noHead(request: String) throws {
        try? send(request)  // the parser's error is passed on, and thrown here
        #expect(posts.isEmpty)
        // After a broken request nothing is taken any more.
        if heard.events.contains(where: { $0.contains("rror") }) {
            try? send(Self.request("one"))
            #expect(posts.isEmpty)
        }
    }

    @Test("of thousands of changed requests, what is taken is what the parser reads")
    func sameAsParser() throws {
        let source = DirectSource(paths: ["/taken", "/taken/too"], mostBytes: 64)
        let original = Array(
            Self.request("order", more: "X-A: b\r\nConnection: keep-alive\r\n").utf8
        )
        let pieces = [
            "\r\n", "\n", " ", ":", "\t", "/too", "Host: a\r\n", "0", "chunked", "\0", "Z",
        ]
        // A linear congruential generator, so that each run is the same.
        var state: UInt64 = 18
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var taken = 0
        for _ in 0..<3_000 {
            var bytes = original
            for _ in 0..<1 + random(2) {
                let place = random(bytes.count)
                switch random(4) {
                case 0: bytes[place] = UInt8(random(256))
                case 1: bytes[place] ^= 0x20
                case 2: bytes.remove(at: place)
                default: bytes.insert(contentsOf: pieces[random(pieces.count)].utf8, at: place)
                }
            }
            guard let head = PlainPostHead(ByteBuffer(bytes: bytes), source) else { continue }
            taken += 1
            let parser = EmbeddedChannel(handler: ByteToMessageHandler(HTTPRequestDecoder()))
            // What is behind the request may be broken.
            let whole = bytes.prefix(head.wholeLength)
            try parser.writeInbound(ByteBuffer(bytes: whole))
            var body: [UInt8] = []
            var isEnded = false
            while let part = try parser.readInbound(as: HTTPServerRequestPart.self) {
                switch part {
                case .head(let read):
                    #expect(read.method == .POST && read.version == .http1_1)
                    #expect(read.uri == source.paths[head.path])
                    #expect(read.headers["Content-Length"].map { Int($0) } == [head.bodyLength])
                    #expect(read.headers["Host"].count == 1)
                    for name in ["Transfer-Encoding", "Expect", "Upgrade", "Origin", "Trailer"] {
                        #expect(read.headers[name].isEmpty)
                    }
                case .body(let bytes): body += bytes.readableBytesView
                case .end: isEnded = true
                }
            }
            #expect(body == Array(whole.dropFirst(head.length)))
            #expect(isEnded == (whole.count == head.wholeLength))
        }
        #expect(taken > 300)
    }

    @Test("bytes after a request to close, or after a broken one, are never read here")
    func ending() throws {
        try send("GET /other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        try answer()
        _ = try written()
        try? send(Self.request("one"))
        #expect(posts.isEmpty)
    }
}

/// The posts that were taken and are not answered.
private final class TakenPosts: Sendable {
    private let posts = Mutex<[DirectPost]>([])

    var isEmpty: Bool { count == 0 }
    var count: Int { posts.withLock(\.count) }
    var first: DirectPost? { posts.withLock(\.first) }

    func add(_ post: DirectPost) {
        posts.withLock { $0.append(post) }
    }

    func next() -> DirectPost? {
        posts.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

private final class CountedReads: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

private final class HeardEvents: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart

    private(set) var events: [String] = []

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        events.append("\(event)")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        events.append("\(error)")
    }
}

private struct Broken: Error {}
