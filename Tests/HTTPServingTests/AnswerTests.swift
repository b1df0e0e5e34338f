import HTTPTypes
import NIOCore
import NIOPosix
import Testing

@testable import HTTPServing

@Suite("Answers on their way out: tags, compression, other origins")
struct AnswerTests {
    private static let long = String(repeating: "{\"a\":1},", count: 400)

    private func answer(
        _ path: String,
        _ headers: HTTPFields = [:],
        method: HTTPRequest.Method = .get,
        isPublic: Bool = false
    ) async throws -> (head: HTTPResponse, body: ByteBuffer) {
        var router = Router()
        router.add(AnswerEncoding())
        if isPublic { router.add(CrossOriginAccess(exposed: ["ETag", "Link"])) }
        router.get("long") { _ in Self.plain(Self.long) }
        router.get("short") { _ in Self.plain("short") }
        router.get("empty") { _ in Response(status: .ok) }
        router.get("tagged") { _ in
            Response(
                status: .ok,
                headers: [.eTag: "\"mine\"", .cacheControl: "max-age=3"],
                body: ByteBuffer(string: Self.long)
            )
        }
        router.get("fault") { _ in
            Response(status: .badRequest, body: ByteBuffer(string: Self.long))
        }
        router.on(.post, "long", answer: { _ in .now(Self.plain(Self.long)) })
        let request = Request(
            HTTPRequest(
                method: method,
                scheme: "http",
                authority: "relay.test",
                path: path,
                headerFields: headers
            ),
            eventLoop: MultiThreadedEventLoopGroup.singleton.any()
        )
        let response = try await router.respond(to: request)
        return (
            HTTPResponse(status: response.status, headerFields: response.headers), response.body
        )
    }

    private static func plain(_ text: String) -> Response {
        Response(type: "text/plain", ByteBuffer(string: text))
    }

    @Test("a long answer is compressed for a client that accepts it, under a tag of its own")
    func compressed() async throws {
        let plain = try await answer("/long")
        let packed = try await answer("/long", [.acceptEncoding: "gzip"])
        #expect(plain.head.headerFields[.contentEncoding] == nil)
        #expect(plain.body == ByteBuffer(string: Self.long))
        #expect(packed.head.headerFields[.contentEncoding] == "gzip")
        #expect(packed.head.headerFields[.contentLength] == "\(packed.body.readableBytes)")
        #expect(packed.body == Gzip.compress(ByteBuffer(string: Self.long)))
        for answer in [plain, packed] {
            #expect(answer.head.headerFields[.vary] == "Accept-Encoding")
            #expect(answer.head.headerFields[.cacheControl] == "no-cache")
        }
        let tag = try #require(plain.head.headerFields[.eTag])
        #expect(packed.head.headerFields[.eTag] == tag.dropLast() + "-gzip\"")
    }

    @Test("a short answer, a fault, a post and an empty answer are sent as they are")
    func untouched() async throws {
        let accept: HTTPFields = [.acceptEncoding: "gzip"]
        for (path, method) in [
            ("/short", HTTPRequest.Method.get), ("/fault", .get), ("/long", .post),
            ("/empty", .get),
        ] {
            let answer = try await answer(path, accept, method: method)
            #expect(answer.head.headerFields[.contentEncoding] == nil, "\(path)")
        }
        #expect(try await answer("/short", accept).head.headerFields[.eTag] != nil)
        #expect(try await answer("/fault", accept).head.headerFields[.eTag] == nil)
    }

    @Test("a client that has the answer gets 304 without a body, whatever form it has")
    func notModified() async throws {
        let tag = try #require(try await answer("/long").head.headerFields[.eTag])
        for known in [tag, "W/" + tag, tag.dropLast() + "-gzip\"", "*", "\"x\", \(tag)"] {
            let answer = try await answer(
                "/long",
                [.ifNoneMatch: String(known), .acceptEncoding: "gzip"]
            )
            #expect(answer.head.status == .notModified)
            #expect(answer.body.readableBytes == 0)
            #expect(answer.head.headerFields[.eTag] == tag)
            #expect(answer.head.headerFields[.contentLength] == nil)
            #expect(answer.head.headerFields[.contentType] == nil)
            #expect(answer.head.headerFields[.vary] == "Accept-Encoding")
        }
        let changed = try await answer("/long", [.ifNoneMatch: "\"other\""])
        #expect(changed.head.status == .ok)
        #expect(changed.body.readableBytes == Self.long.utf8.count)
    }

    @Test("a tag and a cache rule that the handler set are kept")
    func ownTag() async throws {
        let answer = try await answer("/tagged")
        #expect(answer.head.headerFields[.eTag] == "\"mine\"")
        #expect(answer.head.headerFields[.cacheControl] == "max-age=3")
        let again = try await self.answer("/tagged", [.ifNoneMatch: "\"mine\""])
        #expect(again.head.status == .notModified)
    }

    @Test("compressed answers are kept once each, and never beyond two generations")
    func cache() throws {
        let answers = CompressedAnswers(maximumBytes: 1_000)
        var generator = SystemRandomNumberGenerator()
        for number in 0..<200 {
            let body = ByteBuffer(
                bytes: (0..<300).map { _ in UInt8.random(in: 0...255, using: &generator) }
            )
            let tag = try #require(EntityTag("\(number)"))
            let first = try #require(answers.compressed(body, tag))
            // The same tag is the same answer: what is packed under it is not packed again.
            #expect(answers.compressed(ByteBuffer(string: "other"), tag) == first)
            #expect(answers.bytes <= 2_000)
        }
        let large = ByteBuffer(bytes: (0..<5_000).map { _ in UInt8.random(in: 0...255) })
        let tag = try #require(EntityTag("large"))
        #expect(answers.compressed(large, tag) != nil)
        #expect(answers.bytes <= 2_000)
    }

    // MARK: Other origins

    private static let page: HTTPFields = [.origin: "https://page.example"]

    @Test("a page of another origin may read a public server, and which headers it may read")
    func publicRead() async throws {
        let answer = try await answer("/long", Self.page, isPublic: true)
        #expect(answer.head.headerFields[.accessControlAllowOrigin] == "*")
        #expect(answer.head.headerFields[.accessControlExposeHeaders] == "ETag, Link")
        #expect(answer.head.headerFields[.accessControlAllowCredentials] == nil)
        let direct = try await self.answer("/long", isPublic: true)
        #expect(direct.head.headerFields[.accessControlAllowOrigin] == nil)
    }

    @Test("a preflight request is granted for any path, without asking the handlers")
    func preflight() async throws {
        var headers = Self.page
        headers[.accessControlRequestMethod] = "POST"
        for path in ["/long", "/nothing"] {
            let answer = try await answer(path, headers, method: .options, isPublic: true)
            #expect(answer.head.status == .noContent)
            #expect(answer.head.headerFields[.accessControlAllowOrigin] == "*")
            #expect(answer.head.headerFields[.accessControlAllowMethods] == "GET, HEAD, POST")
            let allowed = answer.head.headerFields[.accessControlAllowHeaders] ?? ""
            for name in ["Content-Type", "Authorization", "0x-api-key"] {
                #expect(allowed.contains(name))
            }
            #expect(answer.head.headerFields[.accessControlMaxAge] == "7200")
        }
        await #expect(throws: HTTPError.self) {
            try await withFault("/long", headers: Self.page, method: .options)
        }
    }

    @Test("a server that is not public grants nothing")
    func privateServer() async throws {
        let answer = try await answer("/long", Self.page)
        #expect(answer.head.headerFields[.accessControlAllowOrigin] == nil)
    }

    /// OPTIONS without the preflight's header is an ordinary request, and no route takes it.
    private func withFault(
        _ path: String,
        headers: HTTPFields,
        method: HTTPRequest.Method
    ) async throws {
        let answer = try await answer(path, headers, method: method, isPublic: true)
        if answer.head.status == .methodNotAllowed { throw HTTPError(.methodNotAllowed) }
    }
}
