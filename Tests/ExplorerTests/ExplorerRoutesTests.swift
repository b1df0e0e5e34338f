import DexCore
import DexSandbox
import Ethereum
import Explorer
import HTTPServing
import HTTPTypes
import NIOCore
import NIOPosix
import SandboxHost
import Testing

@Suite("The explorer's answers to HTTP requests")
struct ExplorerRoutesTests {
    @Test("a page is one document under a policy that allows only its own style and script")
    func document() async throws {
        let answer = try await answer("/")
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        let policy = try #require(answer.headers[.contentSecurityPolicy])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
        for part in ["connect-src 'self'", "frame-ancestors 'none'", "form-action 'self'"] {
            #expect(policy.contains(part), "\(part)")
        }
        for part in ["unsafe", "http", "*"] { #expect(!policy.contains(part), "\(part)") }
        // Nothing in it is loaded from elsewhere, and nothing has a style or script of its own.
        for part in [" src=", "@import", "url(", "<iframe", "style=\"", "onclick", "javascript:"] {
            #expect(!answer.text.contains(part), "\(part)")
        }
        #expect(answer.text.ranges(of: "<script>").count == 1)
        #expect(answer.text.ranges(of: "<style>").count == 1)
        #expect(answer.text.ranges(of: "<link ").count == 1)
        #expect(answer.text.contains("<link rel=\"icon\" href=\"data:"))
    }

    @Test("HEAD has the headers alone")
    func head() async throws {
        let answer = try await answer("/block/0", method: .head)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
        #expect(answer.text.isEmpty)
    }

    @Test("the latest block's hash")
    func latest() async throws {
        let stage = try await ExplorerStage()
        let hash = try await stage.client.read(.latestBlock).hash
        let answer = try await answer("/head", of: stage)
        #expect(answer.status == .ok)
        #expect(answer.text == hash.hex)
        #expect(try await self.answer("/", of: stage).text.contains("data-head=\"\(hash.hex)\""))
    }

    @Test(
        "no other method reaches a page, and none changes the chain",
        arguments: [.post, .put, .delete, .patch, .options, .trace] as [HTTPRequest.Method]
    )
    func methods(_ method: HTTPRequest.Method) async throws {
        let stage = try await ExplorerStage()
        let before = try await stage.client.read(.latestBlock)
        for path in ["/", "/head", "/block/0", "/search?q=1", "/nothing"] {
            let answer = try await answer(path, method: method, of: stage)
            #expect(answer.status == .methodNotAllowed, "\(path)")
            #expect(answer.headers[.allow] == "GET, HEAD", "\(path)")
        }
        #expect(try await stage.client.read(.latestBlock).hash == before.hash)
    }

    @Test(
        "a path of dots, encoded or too long is not found, and nothing of it is markup",
        arguments: [
            "/../etc/passwd", "/..%2F..%2Fetc%2Fpasswd", "/block/%2e%2e/x", "/tx/%00", "/%FF%FE",
            "/%3Cscript%3Ealert(1)%3C/script%3E", "/block/<script>", "/address/0x<script>",
            "/market/%3Cscript%3E-WETH", "/block/18446744073709551616", "/block/-0", "/block/0x",
            "/order/0x", "//evil.example", "/" + String(repeating: "a", count: 60_000),
            "/block/" + String(repeating: "9", count: 60_000),
            "/market/" + String(repeating: "-", count: 999),
        ]
    )
    func paths(_ path: String) async throws {
        let answer = try await answer(path)
        #expect(answer.status == .notFound)
        #expect(answer.text.ranges(of: "<script>").count == 1)
        // A message that quotes it is cut.
        #expect(answer.text.utf8.count < 60_000)
    }

    @Test("a query with too large, negative and many values is answered like one without them")
    func queries() async throws {
        let stage = try await ExplorerStage()
        let long = String(repeating: "q=x&", count: 10_000)
        let address = stage.accounts.traders[0].address.checksummed
        for path in [
            "/?to=99999999999999999999", "/?to=-1", "/?to=", "/?to", "/?\(long)", "/?to=0&to=x",
            "/block/0?from=9223372036854775808", "/block/0?from=-9223372036854775808",
            "/block/0?from=9223372036854775807", "/address/\(address)?to=18446744073709551615",
            "/market/ZRX-WETH?interval=0", "/market/ZRX-WETH?interval=18446744073709551615",
        ] {
            #expect(try await answer(path, of: stage).status == .ok, "\(path.prefix(60))")
        }
    }

    @Test("a search that finds nothing shows what was typed as text, in its field too")
    func search() async throws {
        let answer = try await answer(
            "/search?q=%22%3E%3C/title%3E%3Cscript%3Ealert(1)%3C/script%3E"
        )
        #expect(answer.status == .notFound)
        #expect(answer.text.ranges(of: "<script>").count == 1)
        #expect(answer.text.contains("value=\"&quot;&gt;&lt;/title&gt;&lt;script&gt;"))
        let long = try await self.answer(
            "/search?q=" + String(repeating: "%E2%80%AE%00x", count: 5_000)
        )
        #expect(long.status == .notFound)
        #expect(!long.text.contains("\u{202E}") && !long.text.contains("\u{0}"))
    }

    @Test("a search leads within the explorer alone")
    func redirect() async throws {
        let answer = try await answer("/search?q=%200%20")
        #expect(answer.status == .seeOther)
        #expect(answer.headers[.location] == "/block/0")
        for text in [
            "//evil.example", "/%5Cevil.example", "http://evil.example", "1%0d%0aX-Y:%20z",
        ] {
            #expect(try await self.answer("/search?q=\(text)").status == .notFound, "\(text)")
        }
    }

    @Test(
        "a token's hostile name is text in the whole document: its title, its links, its pictures"
    )
    func hostileNames() async throws {
        let stage = try await ExplorerStage()
        let data = ERC20.transfer(to: stage.accounts.traders[1].address, amount: 5)
        let hash = try await stage.send(to: ExplorerStage.hostile, data: data)
        let token = ExplorerStage.hostile.checksummed
        for path in [
            "/", "/block/1", "/tx/\(hash.hex)", "/address/\(token)",
            "/address/\(stage.accounts.traders[0].address.checksummed)",
            "/market/\(token)-\(SandboxTokens.weth.address.checksummed)",
        ] {
            let text = try await answer(path, of: stage).text
            #expect(text.ranges(of: "<script>").count == 1, "\(path)")
            #expect(
                text.ranges(of: "</title>").count == 1 + text.ranges(of: "<svg ").count,
                "\(path)"
            )
            #expect(!text.contains("\u{202E}") && !text.contains("\u{1B}"), "\(path)")
            #expect(text.utf8.count < 1_000_000, "\(path)")
        }
    }

    // MARK: Requests

    private struct Answer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let text: String
    }

    /// The answer to one request, within the process.
    private func answer(
        _ path: String,
        method: HTTPRequest.Method = .get,
        of stage: ExplorerStage? = nil
    ) async throws -> Answer {
        let explorer =
            if let stage { stage.explorer } else { try await ExplorerStage().explorer }
        let response = await ExplorerRoutes(explorer).respond(
            to: Request(
                HTTPRequest(
                    method: method,
                    scheme: "http",
                    authority: "127.0.0.1",
                    path: path
                ),
                eventLoop: MultiThreadedEventLoopGroup.singleton.any()
            )
        )
        return Answer(
            status: response.status,
            headers: response.headers,
            text: String(buffer: response.body)
        )
    }
}
