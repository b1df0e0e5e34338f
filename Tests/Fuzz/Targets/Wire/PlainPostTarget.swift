import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import HTTPServing

extension FuzzTarget {
    /// Plain posts: what is taken from a connection's bytes before the HTTP parser is, to the byte,
    /// what the parser reads in them.
    static let plainPost = FuzzTarget(
        "plain-post",
        maximumLength: 512,
        seeds: { PlainPostTarget.seeds }
    ) { input in
        try PlainPostTarget.check(input)
    }
}

private enum PlainPostTarget {
    private static let source = DirectSource(
        paths: ["/taken", "/taken/too"],
        mostBytes: 64,
        kept: [.userAgent]
    )

    static var seeds: [[UInt8]] {
        let bodies = ["", "{}", String(repeating: "a", count: 64)]
        let more = ["", "User-Agent: a b\r\n", "Connection: keep-alive\r\nX-A:  b \r\n"]
        return bodies.flatMap { body in
            more.map { more in
                Array(
                    ("POST /taken HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: \(body.utf8.count)"
                        + "\r\n\(more)\r\n\(body)").utf8
                )
            }
        }
    }

    /// The values without the spaces around them, which belong to none.
    private static func values(_ name: String, of head: HTTPRequestHead) -> [String] {
        head.headers[name].map { value in
            var rest = value.utf8[...]
            while rest.first == 0x20 { rest.removeFirst() }
            while rest.last == 0x20 { rest.removeLast() }
            return String(rest) ?? value
        }
    }

    static func check(_ input: [UInt8]) throws {
        guard let head = PlainPostHead(ByteBuffer(bytes: input), source) else { return }
        // What is behind the request may be broken.
        let whole = Array(input.prefix(head.wholeLength))
        let parser = EmbeddedChannel(handler: ByteToMessageHandler(HTTPRequestDecoder()))
        try parser.writeInbound(ByteBuffer(bytes: whole))
        var read: HTTPRequestHead?
        var body: [UInt8] = []
        var ends = 0
        while let part = try parser.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head(let head):
                try require(read == nil, "the parser reads two requests")
                read = head
            case .body(let bytes): body += bytes.readableBytesView
            case .end: ends += 1
            }
        }
        guard let read else { throw Violation("the parser reads no request") }
        try require(read.method == .POST && read.version == .http1_1, "it is another request")
        try requireEqual(read.uri, source.paths[head.path], "the paths differ")
        try requireEqual(
            values("Content-Length", of: read).map { Int($0) },
            [head.bodyLength],
            "the lengths differ"
        )
        try requireEqual(read.headers["Host"].count, 1, "there is not one host")
        for name in ["Transfer-Encoding", "Expect", "Upgrade", "Origin", "Trailer"] {
            try require(read.headers[name].isEmpty, "\(name) was passed over")
        }
        try require(
            values("Connection", of: read).allSatisfy { $0.lowercased() == "keep-alive" },
            "the connection is to end"
        )
        try requireEqual(
            head.headers[values: .userAgent],
            values("User-Agent", of: read),
            "the kept headers differ"
        )
        try requireEqual(body, Array(whole.dropFirst(head.length)), "the bodies differ")
        try requireEqual(ends, whole.count == head.wholeLength ? 1 : 0, "the ends differ")
    }
}
