import HTTPTypes
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServing

/// From the bytes of a client to those of its answers.
@Suite("A connection of HTTP")
struct HTTPConnectionTests {
    private let served: ServedConnection
    private let reads = CountedReads()

    init() throws {
        served = try ServedConnection.ofBytes(before: [reads])
    }

    private static let page = "GET /page HTTP/1.1\r\nHost: relay.test\r\n\r\n"
    private static let pageAnswer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\nDate: now\r\n\r\npage"

    private static func post(
        _ body: String,
        path: String = "/later",
        length: String? = nil,
        more: String = ""
    ) -> String {
        "POST \(path) HTTP/1.1\r\nHost: relay.test\r\nContent-Length: "
            + "\(length ?? String(body.utf8.count))\r\n\(more)\r\n\(body)"
    }

    /// Answers the oldest request that waits with its own body.
    private func answer() throws {
        let body = served.waiting.first?.body ?? ""
        try served.answer(Response(status: .created, body: ByteBuffer(string: body)))
    }

    private static func created(_ body: String) -> String {
        "HTTP/1.1 201 Created\r\nContent-Length: \(body.utf8.count)\r\nDate: now\r\n\r\n\(body)"
    }

    @Test("an answer that is ready goes out whole, again and again")
    func ready() throws {
        for _ in 0..<3 { try served.send(Self.page) }
        #expect(try served.written() == String(repeating: Self.pageAnswer, count: 3))
    }

    @Test("an answer waits for the end of its request")
    func end() throws {
        try served.send("GET /page HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na")
        // Its body is of no interest, so the answer is there already.
        let early = try served.written()
        #expect(early == Self.pageAnswer)
        try served.send("b" + Self.page)
        #expect(try served.written() == Self.pageAnswer)
        try served.send(String(Self.page.dropLast()))
        #expect(try served.written() == "")
        try served.send("\r\n")
        #expect(try served.written() == Self.pageAnswer)
    }

    @Test("a post is taken whole, in parts of any size, and answered when its answer is there")
    func parts() throws {
        for size in [1, 2, 7, 40, 1_000] {
            let request = Array(Self.post("an order in parts").utf8)
            for start in stride(from: 0, to: request.count, by: size) {
                #expect(served.waiting.isEmpty)
                let end = min(request.count, start + size)
                try served.channel.writeInbound(ByteBuffer(bytes: request[start..<end]))
            }
            #expect(served.waiting.map(\.body) == ["an order in parts"])
            #expect(served.waiting.first?.peer == "192.0.2.1")
            #expect(try served.written() == "")
            try answer()
            #expect(try served.written() == Self.created("an order in parts"))
        }
        try served.send(
            "POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
        )
        try answer()
        #expect(try served.written() == Self.created("onetwo"))
    }

    @Test("what comes behind a request that waits is held back, and keeps its order")
    func pipelined() throws {
        try served.send(Self.post("one") + Self.post("two", path: "/later/too") + Self.page)
        try served.send(Self.post("three") + Self.page)
        #expect(served.waiting.map(\.body) == ["one"])
        try answer()
        #expect(try served.written() == Self.created("one"))
        #expect(served.waiting.map(\.path) == ["/later/too"])
        try answer()
        #expect(try served.written() == Self.created("two") + Self.pageAnswer)
        try answer()
        #expect(try served.written() == Self.created("three") + Self.pageAnswer)
    }

    @Test("nothing more is read while something is held back")
    func heldReading() throws {
        try served.send(Self.post("one"))
        let before = reads.count
        served.channel.read()
        #expect(reads.count == before + 1)
        try served.send(Self.page)
        served.channel.read()
        served.channel.read()
        #expect(reads.count == before + 1)
        try answer()
        #expect(reads.count == before + 2)
        served.channel.read()
        #expect(reads.count == before + 3)
    }

    @Test("a client that does not take its answers gets no more of them, and is read no further")
    func slowReader() throws {
        served.channel.isWritable = false
        try served.send(Self.page + Self.post("one"))
        let before = reads.count
        served.channel.read()
        #expect(reads.count == before)
        #expect(try served.written() == "")
        #expect(served.waiting.isEmpty)
        served.channel.isWritable = true
        served.channel.pipeline.fireChannelWritabilityChanged()
        #expect(try served.written() == Self.pageAnswer)
        #expect(reads.count == before + 1)
        try answer()
        #expect(try served.written() == Self.created("one"))
    }

    @Test("a body beyond the limit is refused as soon as that is known, and the connection goes on")
    func tooLong() throws {
        let long = String(repeating: "x", count: 129)
        try served.send(Self.post("", length: "129"))
        let refusal = "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\nDate: now\r\n\r\n"
        #expect(try served.written() == refusal)
        try served.send(long + Self.page)
        #expect(try served.written() == Self.pageAnswer)
        try served.send(
            "POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n81\r\n"
                + String(repeating: "x", count: 100)
        )
        #expect(try served.written() == "")
        try served.send(String(repeating: "x", count: 29) + "\r\n")
        #expect(try served.written() == refusal)
        try served.send("0\r\n\r\n" + Self.page)
        #expect(try served.written() == Self.pageAnswer)
        #expect(served.failures == [.tooLong(maximum: 128), .tooLong(maximum: 128)])
        try served.send(Self.post(String(long.dropLast())))
        try answer()
        #expect(try served.written().hasSuffix("xxx"))
    }

    @Test("what a filter refuses is answered before the body is read")
    func filtered() throws {
        let served = try ServedConnection.ofBytes(filter: LocalRequestGuard())
        try served.send(
            "POST /later HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 5\r\n"
                + "Content-Type: application/json\r\n\r\n"
        )
        #expect(try served.written().hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        #expect(served.failures.isEmpty)
        try served.send("12345" + Self.page.replacing("relay.test", with: "127.0.0.1"))
        #expect(try served.written() == Self.pageAnswer)
    }

    @Test("a client that asks whether to send a body is told so only if the body is wanted")
    func expectation() throws {
        try served.send(Self.post("", length: "3", more: "Expect: 100-continue\r\n"))
        #expect(try served.written() == "HTTP/1.1 100 Continue\r\n\r\n")
        try served.send("one")
        try answer()
        #expect(try served.written() == Self.created("one"))
        try served.send(Self.post("", length: "900", more: "Expect: 100-continue\r\n"))
        let text = try served.written()
        #expect(text.hasPrefix("HTTP/1.1 413 "))
        // It may leave the body out: what comes next cannot be told apart.
        #expect(text.contains("Connection: close\r\n"))
        try served.send(Self.page)
        #expect(try served.written() == "")
    }

    @Test("a client that waits with its body hears at once that it is read, whoever answers it")
    func expectationOfTask() throws {
        try served.send(
            Self.post("", path: "/task", length: "3", more: "Expect: 100-Continue\r\n")
        )
        #expect(try served.written() == "HTTP/1.1 100 Continue\r\n\r\n")
        try served.send("one")
        try answer()
        #expect(try served.written() == Self.created(""))
        // What HTTP/1.0 does not know, it is not told.
        let old = Self.post("", length: "3", more: "Expect: 100-continue\r\n")
            .replacing("HTTP/1.1", with: "HTTP/1.0")
        try served.send(old)
        #expect(try served.written() == "")
    }

    @Test(
        "a head that HTTP does not allow is refused, and ends the connection",
        arguments: [
            ("GET /page HTTP/1.1\r\n\r\n", 400),
            ("GET /page HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
            ("GET /page HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET /page HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
            ("GET /page HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
            ("GET /page HTTP/1.1\r\nHost: u@a\r\n\r\n", 400),
            ("GET /page HTTP/1.1\r\nHost: a:b\r\n\r\n", 400),
            ("GET /page HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
            ("GET /page HTTP/1.1\r\nHost: \r\n\r\n", 200),
            ("GET /page HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n\r\n", 200),
            ("GET /page HTTP/1.1\r\nHost: a-b.c:\r\n\r\n", 200),
            ("POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
            ("POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", 400),
            (
                "POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n", 400
            ),
            ("POST /later HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("GET /page HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", 417),
            ("PUT /page HTTP/1.1\r\nHost: a\r\n\r\n", 405),
            ("PROPFIND /page HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("BREW /page HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("\u{16}\u{3}\u{1} / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ]
    )
    func rules(request: String, status: Int) throws {
        try? served.send(request)  // the parser's error is thrown here, too
        let text = try served.written()
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(served.waiting.isEmpty)
        // A path that lacks a method is no reason to end.
        let isLast = ![200, 405].contains(status) && !request.hasPrefix("PROPFIND")
        #expect(text.contains("Connection: close\r\n") == isLast)
        if status == 405 { #expect(text.contains("Allow: GET, HEAD\r\n")) }
    }

    @Test("a body in chunks is taken, however its coding is spelt")
    func chunked() throws {
        try served.send(
            "POST /later HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3\r\none\r\n0\r\n\r\n"
        )
        try answer()
        #expect(try served.written() == Self.created("one"))
    }

    @Test("HEAD has the headers of GET and no body, whatever is answered")
    func head() throws {
        let head = Self.page.replacing("GET", with: "HEAD")
        try served.send(head + head.replacing("/page", with: "/nothing") + Self.page)
        let text = try served.written()
        #expect(text.hasPrefix(Self.pageAnswer.dropLast(4) + "HTTP/1.1 404 "))
        #expect(text.hasSuffix(Self.pageAnswer))
    }

    @Test(
        "the connection ends behind the last answer: as the client says, or the handler",
        arguments: [
            "GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "GET /page HTTP/1.1\r\nHost: a\r\nConnection: Close, x\r\n\r\n",
            "GET /page HTTP/1.0\r\nHost: a\r\n\r\n",
            "GET /page HTTP/1.0\r\n\r\n",
            "GET /page HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
            "GET /closing HTTP/1.1\r\nHost: a\r\n\r\n",
        ]
    )
    func last(request: String) throws {
        try served.send(request)
        let text = try served.written()
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("Connection: close\r\n"))
        try? served.send(Self.page)  // the parser may say that nothing follows
        #expect(try served.written() == "")
    }

    @Test("an answer that is cut off ends the connection")
    func cutOff() throws {
        try served.send(Self.page.replacing("/page", with: "/cut"))
        #expect(try served.written().hasSuffix("\r\n\r\nhalf"))
        #expect(!served.channel.isActive)
    }

    @Test("an end of the client's sending waits for the answer, which is the last")
    func halfClosed() throws {
        try served.send(Self.post("one") + Self.page)
        served.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(served.channel.isActive)
        try answer()
        let text = try served.written()
        #expect(text.hasPrefix(Self.created("one")))
        #expect(text.hasSuffix("\r\n\r\npage"))
        #expect(!served.channel.isActive)
    }

    @Test("a body that is cut short is a bad request, and no order")
    func cutShort() throws {
        try served.send(Self.post("half", length: "8"))
        served.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try served.written().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(served.failures == [.cutShort])
        #expect(served.waiting.isEmpty)
        #expect(!served.channel.isActive)
    }

    @Test("the answer to a connection that has ended goes nowhere")
    func ended() throws {
        try served.send(Self.post("one"))
        served.channel.pipeline.fireChannelInactive()
        try answer()
        #expect(try served.written() == "")
        let other = try ServedConnection.ofBytes()
        try other.send(Self.post("half", length: "8"))
        other.channel.pipeline.fireChannelInactive()
        #expect(other.failures == [.cutShort])
    }

    @Test(
        "what is no request is answered with 400 once, behind what was asked before",
        arguments: [
            "POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
            "POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
            "POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx",
            "POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nx",
            "POST /later HTTP/1.1\r\nHost: a\r\nX: a\0b\r\nContent-Length: 1\r\n\r\nx",
            "POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        ]
    )
    func noRequest(text: String) throws {
        try served.send(Self.post("one"))
        try? served.send(text)  // the parser's error is thrown here, too
        #expect(try served.written() == "")
        try answer()
        let answers = try served.written()
        #expect(answers.hasPrefix(Self.created("one") + "HTTP/1.1 400 Bad Request\r\n"))
        #expect(answers.ranges(of: "HTTP/1.1").count == 2)
        #expect(served.waiting.isEmpty)
        try? served.send(Self.page)
        #expect(try served.written() == "")
    }

    @Test("a server that stops ends an idle connection, and another with its answer")
    func stop() throws {
        let event = ChannelShouldQuiesceEvent()
        try served.send(Self.post("one"))
        served.channel.pipeline.fireUserInboundEventTriggered(event)
        #expect(served.channel.isActive)
        try answer()
        #expect(try served.written().contains("Connection: close\r\n"))
        #expect(!served.channel.isActive)
        let idle = try ServedConnection.ofBytes()
        try idle.send(Self.page)
        idle.channel.pipeline.fireUserInboundEventTriggered(event)
        #expect(!idle.channel.isActive)
    }

    @Test("a server that is cut short waits for no client")
    func cut() throws {
        try served.send(Self.post("half", length: "8"))
        served.channel.pipeline.fireUserInboundEventTriggered(OpenConnections.CutEvent())
        #expect(!served.channel.isActive)
        #expect(served.failures == [.cutShort])
    }

    @Test("dates are as HTTP writes them")
    func dates() {
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(1_709_164_799) == "Wed, 28 Feb 2024 23:59:59 GMT")
    }
}
