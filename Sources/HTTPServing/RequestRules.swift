import HTTPTypes
import NIOCore
import NIOHTTP1

/// What HTTP asks of the head of a request beyond the form that the parser checks.
///
/// Source: RFC 9112, sections 3.2 and 6.1; RFC 9110, sections 7.2, 9.1 and 10.1.1.
enum RequestRules {
    /// Why a request is refused and its connection ended; nil if it is in order.
    static func refusal(_ head: HTTPRequestHead) -> RequestRefusal? {
        let hosts = head.headers["host"]
        let isOld = head.version.isOld
        guard hosts.count == 1 || isOld && hosts.isEmpty else {
            return RequestRefusal(
                status: .badRequest,
                reason: "A request has exactly one Host header"
            )
        }
        guard hosts.allSatisfy(isHost) else {
            return RequestRefusal(
                status: .badRequest,
                reason: "The Host header is a name or an address, and a port if it is not 80"
            )
        }
        let codings = head.headers[canonicalForm: "transfer-encoding"]
        if head.headers.contains(name: "transfer-encoding") {
            // HTTP/1.0 has none: where such a body ends, two servers may see differently.
            guard !isOld, codings.last?.lowercased() == "chunked" else {
                return RequestRefusal(
                    status: .badRequest,
                    reason: "The end of the body is not known: its last coding is not chunked"
                )
            }
            guard codings.count == 1 else {
                return RequestRefusal(
                    status: .notImplemented,
                    reason: "The only transfer coding here is chunked"
                )
            }
        }
        let expectations = head.headers[canonicalForm: "expect"]
        guard isOld || expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
            return RequestRefusal(
                status: .expectationFailed,
                reason: "The only expectation that is met here is 100-continue"
            )
        }
        return nil
    }

    /// A host and its port, as a URI writes them; empty for a target that has none.
    ///
    /// Source: RFC 3986, section 3.2.2.
    private static func isHost(_ value: String) -> Bool {
        var host = value[...]
        if let bracket = host.lastIndex(of: "]") {
            guard host.first == "[" else { return false }
            let inside = host[..<bracket].dropFirst()
            guard inside.utf8.allSatisfy({ isOfName($0) || $0 == UInt8(ascii: ":") }) else {
                return false
            }
            host = host[host.index(after: bracket)...]
            return host.isEmpty || isPort(host)
        }
        if let colon = host.firstIndex(of: ":") {
            guard isPort(host[colon...]) else { return false }
            host = host[..<colon]
        }
        return host.utf8.allSatisfy(isOfName)
    }

    /// A colon and digits, which may be missing.
    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":"
            && text.dropFirst().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=".utf8.contains(byte)
        }
    }

    /// The methods that HTTP defines: any other is not implemented, wherever it is sent.
    ///
    /// Source: RFC 9110, section 9.3; RFC 5789; QUERY is in the draft
    /// draft-ietf-httpbis-safe-method-w-body, and in OpenAPI 3.2.
    static let methods = Set<HTTPRequest.Method>(
        [
            .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch,
            HTTPRequest.Method("QUERY"),
        ].compactMap(\.self)
    )
}

extension HTTPVersion {
    /// Before HTTP/1.1: without Host, without chunks, and a connection ends with its answer.
    var isOld: Bool { (major, minor) < (1, 1) }
}

/// The beginning of what was read last, for an error of the parser, which does not say where it is.
final class LastRead: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let maximum = 64

    private var start = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        start =
            bytes.getSlice(
                at: bytes.readerIndex,
                length: min(Self.maximum, bytes.readableBytes)
            ) ?? ByteBuffer()
        context.fireChannelRead(data)
    }

    /// It begins like a request: a method of whatever name, and a target.
    var isRequest: Bool {
        let bytes = start.readableBytesView
        guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return false }
        let method = bytes[..<space]
        let target = bytes[(space + 1)...].first
        return !method.isEmpty && method.allSatisfy(Self.isOfToken)
            && (target == UInt8(ascii: "/") || target == UInt8(ascii: "*"))
    }

    /// Source: RFC 9110, section 5.6.2.
    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

@available(*, unavailable)
extension LastRead: Sendable {}
