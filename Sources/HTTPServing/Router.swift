package import HTTPTypes
package import NIOCore

/// The routes of a server: a table of methods and paths.
///
/// A segment in braces, `/order/{hash}`, stands for any one segment. Slashes that are doubled, or at
/// the end, count for nothing.
package struct Router: Sendable {
    private struct Route: Sendable {
        let pattern: String
        let segments: [Substring]
        var responders: [HTTPRequest.Method: Responder] = [:]
    }

    /// Routes without a parameter by their paths.
    private var plain: [String: Route] = [:]
    private var patterns: [Route] = []
    /// Answers what no route has, by method.
    private var others: [HTTPRequest.Method: Responder] = [:]
    private var filters: [any RequestFilter] = []
    private var fallback: Responder = Router.refuse

    package init() {}

    // MARK: Making

    /// Puts a filter before all routes that are added from here on, and before paths without one.
    package mutating func add(_ filter: any RequestFilter) {
        filters.append(filter)
        fallback = filtered(Self.refuse)
    }

    /// Puts a filter before some routes alone.
    package mutating func with(_ filter: any RequestFilter, _ routes: (inout Router) -> Void) {
        filters.append(filter)
        routes(&self)
        filters.removeLast()
    }

    /// A route for anything, its body included.
    package mutating func on(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ responder: @escaping Responder
    ) {
        let segments = path.split(separator: "/")
        let pattern = "/" + segments.joined(separator: "/")
        let responder = filtered(responder)
        guard segments.contains(where: Self.isParameter) else {
            plain[pattern, default: Route(pattern: pattern, segments: segments)]
                .responders[method] = responder
            return
        }
        let known = patterns.firstIndex { $0.pattern == pattern }
        if known == nil { patterns.append(Route(pattern: pattern, segments: segments)) }
        patterns[known ?? patterns.endIndex - 1].responders[method] = responder
    }

    /// A route whose answer needs no body.
    package mutating func on(
        _ method: HTTPRequest.Method,
        _ path: String,
        answer handler: @escaping @Sendable (Request) throws -> Answer
    ) {
        on(method, path) { request in .answer(.result { try handler(request) }) }
    }

    /// A route whose answer is there at once.
    package mutating func get(
        _ path: String,
        _ handler: @escaping @Sendable (Request) throws -> Response
    ) {
        on(.get, path, answer: { .now(try handler($0)) })
    }

    /// A route that takes bodies.
    ///
    /// - Parameter maximum: the bytes of a body.
    package mutating func post(
        _ path: String,
        maximum: Int,
        _ handler:
            @escaping @Sendable (Request, Result<ByteBuffer, BodyFailure>) throws -> Answer
    ) {
        on(.post, path) { request in
            .body(maximum: maximum) { body in .result { try handler(request, body) } }
        }
    }

    /// Answers every request of these methods that no route has.
    package mutating func otherwise(
        _ methods: [HTTPRequest.Method],
        _ handler: @escaping @Sendable (Request) throws -> Answer
    ) {
        let responder = filtered { request in .answer(.result { try handler(request) }) }
        for method in methods { others[method] = responder }
    }

    private func filtered(_ responder: @escaping Responder) -> Responder {
        filters.reversed().reduce(responder) { next, filter in
            { filter.receive($0, next: next) }
        }
    }

    private static func isParameter(_ segment: Substring) -> Bool {
        segment.hasPrefix("{") && segment.hasSuffix("}")
    }

    // MARK: Serving

    /// What becomes of a request.
    ///
    /// HEAD is GET without the body of its answer.
    package func receive(_ request: Request) -> Reception {
        let reception = reception(of: request)
        return request.method == .head
            ? reception.map { try $0.get().withoutBody } : reception
    }

    private func reception(of request: Request) -> Reception {
        var request = request
        if let responder = plain[request.path]?.responders.responder(for: request.method) {
            request.route = request.path
            return responder(request)
        }
        let segments = request.path.split(separator: "/")
        let path = "/" + segments.joined(separator: "/")
        var allowed = Set(others.keys)
        if let route = plain[path] {
            if let responder = route.responders.responder(for: request.method) {
                request.route = route.pattern
                return responder(request)
            }
            allowed.formUnion(route.responders.keys)
        }
        for route in patterns {
            guard let parameters = Self.parameters(of: segments, in: route.segments) else {
                continue
            }
            guard let responder = route.responders.responder(for: request.method) else {
                allowed.formUnion(route.responders.keys)
                continue
            }
            request.route = route.pattern
            request.parameters = parameters
            return responder(request)
        }
        if let responder = others.responder(for: request.method) { return responder(request) }
        if allowed.contains(.get) { allowed.insert(.head) }
        request.allowed = allowed.sorted { $0.rawValue < $1.rawValue }
        return fallback(request)
    }

    /// What no route answers: a method that HTTP does not define, one that the path has not, and a
    /// path that is none.
    ///
    /// Source: RFC 9110, sections 9.1, 15.5.5, 15.5.6 and 15.6.2.
    private static let refuse: Responder = { request in
        guard RequestRules.methods.contains(request.method) else {
            return .failed(HTTPError(.notImplemented))
        }
        return .failed(
            request.allowed.isEmpty
                ? HTTPError(.notFound) : MethodNotAllowed(allowed: request.allowed)
        )
    }

    private static func parameters(
        of segments: [Substring],
        in pattern: [Substring]
    ) -> [String: String]? {
        guard segments.count == pattern.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, part) in zip(segments, pattern) {
            if isParameter(part) {
                parameters[String(part.dropFirst().dropLast())] = String(segment)
            } else if segment != part {
                return nil
            }
        }
        return parameters
    }

    /// The answer to a request within the process.
    ///
    /// - Throws: what no filter made an answer of.
    package func respond(
        to request: Request,
        body: ByteBuffer = ByteBuffer()
    ) async throws -> Response {
        do {
            return try await receive(request).answer(to: body).response()
        } catch let error as any AnswerableError {
            return error.response
        }
    }
}

extension [HTTPRequest.Method: Responder] {
    /// Whatever answers GET answers HEAD.
    fileprivate func responder(for method: HTTPRequest.Method) -> Responder? {
        self[method] ?? (method == .head ? self[.get] : nil)
    }
}
