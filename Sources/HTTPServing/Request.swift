package import HTTPTypes
package import NIOCore
import NIOHTTP1

/// A request to a server, without its body.
package struct Request: Sendable {
    /// What never changes, so that a copy of the request is cheap.
    private final class Head: Sendable {
        let method: HTTPRequest.Method
        let authority: String?
        let path: String
        let query: String?
        let headers: RequestHeaders
        let peer: String
        let eventLoop: any EventLoop
        let channel: (any Channel)?

        init(
            method: HTTPRequest.Method,
            target: String,
            headers: RequestHeaders,
            authority: String?,
            peer: String,
            eventLoop: any EventLoop,
            channel: (any Channel)?
        ) {
            self.method = method
            self.headers = headers
            self.authority = authority
            self.peer = peer
            self.eventLoop = eventLoop
            self.channel = channel
            (path, query) = Request.parts(of: target)
        }
    }

    private let head: Head
    /// The pattern of its route, such as `/v0/order/{hash}`; nil if it has none.
    package internal(set) var route: String?
    /// The parts of the path that the pattern names.
    package internal(set) var parameters: [String: String] = [:]
    /// The methods that its path has, in their order, if it has not the one of the request.
    package internal(set) var allowed: [HTTPRequest.Method] = []
    /// Its name in answers and logs, once it has one.
    package var id: String?
    /// Whom limits are for: the address without its port, behind trusted proxies the one that they
    /// name.
    package var client: String
    /// The name of the client whose key the request has; nil without one.
    package var holder: String?
    /// Nobody unknown could have chosen `client`.
    package var isClientCertain = false

    /// A request on a connection.
    init(
        _ head: HTTPRequestHead,
        _ method: HTTPRequest.Method,
        peer: String,
        channel: any Channel
    ) {
        let headers = RequestHeaders(head.headers)
        self.head = Head(
            method: method,
            target: head.uri,
            headers: headers,
            authority: headers.first("host"),
            peer: peer,
            eventLoop: channel.eventLoop,
            channel: channel
        )
        client = peer
    }

    /// A request within the process.
    ///
    /// - Parameter eventLoop: on which answers that come later are waited for.
    package init(
        _ request: HTTPRequest,
        peer: String = "local",
        eventLoop: any EventLoop
    ) {
        head = Head(
            method: request.method,
            target: request.path ?? "/",
            headers: RequestHeaders(request.headerFields),
            authority: request.authority,
            peer: peer,
            eventLoop: eventLoop,
            channel: nil
        )
        client = peer
    }

    package var method: HTTPRequest.Method { head.method }
    /// The Host header.
    package var authority: String? { head.authority }
    /// As it was sent, with its escapes.
    package var path: String { head.path }
    /// The part of the target behind `?`; nil if there is none.
    package var query: String? { head.query }
    package var headers: RequestHeaders { head.headers }
    /// The address of the connection's other end, which may be a proxy; `local` without one.
    package var peer: String { head.peer }
    package var eventLoop: any EventLoop { head.eventLoop }
    /// The connection; nil within the process.
    package var channel: (any Channel)? { head.channel }

    /// The parameters of the query in their order, the values without escapes.
    ///
    /// A value with a broken escape stays as it is.
    package var queryItems: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return (String(item), "") }
            return (String(parts[0]), Self.decoded(parts[1]) ?? String(parts[1]))
        }
    }

    /// The first value of a parameter of the query.
    package func queryItem(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    private static func decoded(_ text: Substring) -> String? {
        guard text.contains("%") else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The path and the query of a target: `/a?b`, or `http://host/a?b` as a proxy gets it.
    ///
    /// Source: RFC 9112, section 3.2.
    private static func parts(of target: String) -> (path: String, query: String?) {
        var text = Substring(target)
        if text.utf8.first != UInt8(ascii: "/"), let scheme = text.firstRange(of: "://") {
            text = text[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let path = text.prefix { $0 != "?" }
        var query: String?
        if path.endIndex < text.endIndex {
            query = String(text[path.endIndex...].dropFirst().prefix { $0 != "#" })
        }
        return (path.isEmpty ? "/" : String(path), query)
    }
}

/// The headers of a request, as they were read.
package struct RequestHeaders: Sendable, ExpressibleByDictionaryLiteral {
    private let fields: HTTPHeaders

    init(_ fields: HTTPHeaders) {
        self.fields = fields
    }

    package init(_ fields: HTTPFields) {
        self.fields = HTTPHeaders(fields)
    }

    package init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        fields = HTTPHeaders(elements.map { ($0.0.rawName, $0.1) })
    }

    /// The value of a header, several of one name joined by commas.
    package subscript(name: HTTPField.Name) -> String? {
        guard let first = fields.first(name: name.canonicalName) else { return nil }
        let values = self[values: name]
        return values.count == 1 ? Self.trimmed(first) : values.joined(separator: ", ")
    }

    /// The values of a header, one for each time that it appears.
    package subscript(values name: HTTPField.Name) -> [String] {
        fields[name.canonicalName].map(Self.trimmed)
    }

    func first(_ name: String) -> String? {
        fields.first(name: name).map(Self.trimmed)
    }

    /// The parser leaves spaces behind a value, which belong to none.
    private static func trimmed(_ value: String) -> String {
        func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
        guard isSpace(value.utf8.first) || isSpace(value.utf8.last) else { return value }
        var rest = value.utf8[...]
        while isSpace(rest.first) { rest.removeFirst() }
        while isSpace(rest.last) { rest.removeLast() }
        return String(Substring(rest))
    }
}

extension HTTPHeaders {
    init(_ fields: HTTPFields) {
        self.init(fields.map { ($0.name.rawName, $0.value) })
    }
}
