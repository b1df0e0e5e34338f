import HTTPTypes
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import HTTPServing

@Suite("Routes, filters and targets of requests")
struct RouterTests {
    /// Writes its name into answers, so that the order of filters shows.
    private struct Mark: RequestFilter {
        let name: String

        func receive(_ request: Request, next: @escaping Responder) -> Reception {
            next(request).map { result in
                var response =
                    switch result {
                    case .success(let response): response
                    case .failure(let error as any AnswerableError): error.response
                    case .failure(let error): throw error
                    }
                response.headers[.server] = (response.headers[.server] ?? "") + name
                return response
            }
        }
    }

    private static func request(
        _ target: String,
        _ method: HTTPRequest.Method = .get
    ) -> Request {
        Request(
            HTTPRequest(method: method, scheme: "http", authority: "a", path: target),
            eventLoop: MultiThreadedEventLoopGroup.singleton.any()
        )
    }

    private static func text(_ text: String) -> Response {
        Response(type: "text/plain", ByteBuffer(string: text))
    }

    @Test(
        "a path finds its route, whatever slashes it has; the query and the host count for nothing",
        arguments: [
            ("/", "root"), ("", "root"), ("/a", "a"), ("/a/", "a"), ("//a", "a"), ("/a?b=/c", "a"),
            ("http://host/a?b", "a"), ("http://host", "root"), ("http://host?q", "root"),
            ("/a/b", "a/b"), ("/a/x", "a/{name} x"), ("/a/x/b", "404"), ("/A", "404"),
            ("/a/%62", "a/{name} %62"), ("*", "404"), ("/a/..", "a/{name} .."),
        ]
    )
    func paths(target: String, answer: String) async throws {
        var router = Router()
        router.get("/") { _ in Self.text("root") }
        router.get("a") { _ in Self.text("a") }
        router.get("a/b") { _ in Self.text("a/b") }
        router.get("/a/{name}") { Self.text("a/{name} \($0.parameters["name"] ?? "")") }
        let response = try await router.respond(to: Self.request(target))
        #expect(
            (response.status == .notFound ? "404" : String(buffer: response.body)) == answer
        )
    }

    @Test("a route has its methods alone, and others are found by method too")
    func methods() async throws {
        var router = Router()
        router.post("a", maximum: 3) { _, body in .now(Self.text(String(buffer: try body.get()))) }
        router.get("b") { _ in Self.text("read") }
        router.on(.put, "a", answer: { _ in .now(Self.text("put")) })
        router.on(.delete, "a/{name}", answer: { _ in .now(Self.text("delete")) })
        func answer(_ path: String, _ method: HTTPRequest.Method) async throws -> Response {
            let body = ByteBuffer(string: path == "/long" ? "four" : "abc")
            return try await router.respond(
                to: Self.request(path == "/long" ? "/a" : path, method),
                body: body
            )
        }
        #expect(try await answer("/a", .post).body == ByteBuffer(string: "abc"))
        #expect(try await answer("/long", .post).status == .contentTooLarge)
        #expect(try await answer("/a", .put).body == ByteBuffer(string: "put"))
        let head = try await answer("/b", .head)
        #expect(head.status == .ok && head.body.readableBytes == 0)
        #expect(head.headers[.contentLength] == "4")
        for (path, method, allowed) in [
            ("/a", .get, "POST, PUT"), ("/a/", .head, "POST, PUT"), ("/b", .post, "GET, HEAD"),
            ("/a/x", .trace, "DELETE"), ("/a/x", .get, "DELETE"),
        ] as [(String, HTTPRequest.Method, String)] {
            let refused = try await answer(path, method)
            #expect(refused.status == .methodNotAllowed, "\(method) \(path)")
            #expect(refused.headers[.allow] == allowed, "\(method) \(path)")
        }
        #expect(try await answer("/c", .put).status == .notFound)
        let brew = try #require(HTTPRequest.Method("BREW"))
        for path in ["/a", "/b", "/c"] {
            #expect(try await answer(path, brew).status == .notImplemented)
        }
    }

    @Test("where a server answers every path, what it does not take is refused by method")
    func otherwise() async throws {
        var router = Router()
        router.post("a", maximum: 3) { _, body in .now(Self.text(String(buffer: try body.get()))) }
        router.otherwise([.get]) { _ in .now(Self.text("any")) }
        for (path, method, status) in [
            ("/a", .get, 200), ("/x", .head, 200), ("/x", .post, 405), ("/a", .put, 405),
        ] as [(String, HTTPRequest.Method, Int)] {
            let answer = try await router.respond(to: Self.request(path, method))
            #expect(answer.status.code == status, "\(method) \(path)")
            let allowed = path == "/a" ? "GET, HEAD, POST" : "GET, HEAD"
            #expect(answer.headers[.allow] == (status == 405 ? allowed : nil))
        }
    }

    @Test(
        "a filter stands before what is added behind it, the first outermost, and before no route"
    )
    func filters() async throws {
        var router = Router()
        router.get("free") { _ in Self.text("") }
        router.add(Mark(name: "1"))
        router.with(Mark(name: "g")) { $0.get("group") { _ in Self.text("") } }
        router.add(Mark(name: "2"))
        router.get("both") { request in
            #expect(request.route == "/both")
            return Self.text("")
        }
        for (path, marks) in [
            ("/free", nil), ("/group", "g1"), ("/both", "21"), ("/nothing", "21"),
        ] {
            let response = try await router.respond(to: Self.request(path))
            #expect(response.headers[.server] == marks, "\(path)")
        }
    }

    @Test("the values of a query are without escapes, and broken ones stay as they are")
    func query() {
        let items = Self.request("/a?a=b%20c&d&=e&f=%zz&g=%FF&h=%E2%82%AC&i=j=k&a=2#x").queryItems
        #expect(
            items.map { "\($0.name):\($0.value)" } == [
                "a:b c", "d:", ":e", "f:%zz", "g:%FF", "h:\u{20AC}", "i:j=k", "a:2",
            ]
        )
        #expect(Self.request("/a?a=1&a=2").queryItem("a") == "1")
        #expect(Self.request("/a").query == nil)
    }

    @Test("an answer is changed the same, however it comes about")
    func answers() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: Response.self)
        promise.succeed(Self.text("x"))
        let answers: [Answer] = [
            .now(Self.text("x")), .task { Self.text("x") }, .later(promise.futureResult),
        ]
        for answer in answers {
            let changed = answer.map { result in
                var response = try result.get()
                response.body = ByteBuffer(string: "longer")
                return response
            }
            let response = try await changed.response()
            #expect(response.headers[.contentLength] == "6")
        }
        for answer in [Answer.failed(HTTPError(.conflict)), .task { throw HTTPError(.conflict) }] {
            let changed = answer.map { result in
                guard case .failure(let error as HTTPError) = result else {
                    return try result.get()
                }
                return error.response
            }
            #expect(try await changed.response().status == .conflict)
        }
    }
}
