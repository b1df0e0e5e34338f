import DexTestSupport
import NetworkTestSupport
import Synchronization
import Testing

@testable import DexNetwork

@Suite("a webhook is told, or says why not")
struct WebhookTests {
    private static let body = Array(#"{"a":1}"#.utf8)
    private static let now: UInt64 = 1_800_000_000

    private static func secret(_ text: String) -> Webhook.Secret {
        Array(text.utf8).withUnsafeBytes { Webhook.Secret($0) }
    }

    private func post(
        _ url: String,
        secret: Webhook.Secret? = nil,
        options: CurlTransport.Options = .patient()
    ) async -> Webhook.Outcome {
        await Webhook(url: url, secret: secret, transport: CurlTransport(options: options))
            .post(Self.body, id: "00aa-0", now: Self.now)
    }

    /// What comes of an answer.
    private func outcome(_ answer: ScriptedAnswer) async throws -> Webhook.Outcome {
        let server = try ScriptedServer.answering { _ in answer }
        defer { server.stop() }
        return await post("\(server.url)/hook?key=hidden")
    }

    @Test("the signature is HMAC-SHA256 over time and body, as Python's hmac makes it")
    func signature() {
        #expect(
            Webhook.signature(Self.body, Self.secret("a secret of the tests"), Self.now)
                == "t=1800000000,"
                + "v1=08e2d99b2e5d5c417456105147fb9fcfb19a8c0173f1856159f6dcd7a68af42c"
        )
    }

    @Test("it gets the body as it is, with its id and signature")
    func posts() async throws {
        let seen = Mutex<[ScriptedRequest]>([])
        let server = try ScriptedServer.answering { request in
            seen.withLock { $0.append(request) }
            return ScriptedAnswer("204 No Content")
        }
        defer { server.stop() }
        #expect(await post("\(server.url)/hook", secret: Self.secret("s")) == .accepted)
        #expect(await post("\(server.url)/hook") == .accepted)
        let requests = seen.withLock { $0 }
        #expect(requests.map(\.method) == ["POST", "POST"])
        #expect(requests.map(\.target) == ["/hook", "/hook"])
        #expect(requests.allSatisfy { $0.body == Self.body })
        #expect(requests.allSatisfy { $0.header("content-type") == "application/json" })
        #expect(requests.allSatisfy { $0.header("idempotency-key") == "00aa-0" })
        #expect(
            requests.map { $0.header("x-dex-signature") } == [
                Webhook.signature(Self.body, Self.secret("s"), Self.now), nil,
            ]
        )
    }

    @Test("errors and redirects come later, in the words of the status; what is gone is given up")
    func answers() async throws {
        #expect(
            try await outcome(ScriptedAnswer("500 Oops", body: "\u{1B}[31msecret"))
                == .later("It answered with HTTP 500.", after: nil)
        )
        #expect(
            try await outcome(ScriptedAnswer("503 Busy", headers: ["Retry-After: 7"]))
                == .later("It answered with HTTP 503.", after: 7)
        )
        let redirect = try await outcome(
            ScriptedAnswer("302 Found", headers: ["Location: http://127.0.0.1:9/elsewhere"])
        )
        #expect(
            redirect
                == .later(
                    "It redirects to http://127.0.0.1:9 (HTTP 302); use that address instead.",
                    after: nil
                )
        )
        #expect(
            try await outcome(ScriptedAnswer("401 No"))
                == .later("It refused us with HTTP 401; check the key in its address.", after: nil)
        )
        #expect(
            try await outcome(ScriptedAnswer("410 Gone")) == .refused("It is gone (HTTP 410).")
        )
    }

    @Test("one that is not there, hangs or breaks off is tried later, and its key is not told")
    func hostile() async throws {
        let port = try ScriptedServer.closedPort()
        #expect(
            await post("http://127.0.0.1:\(port)/hook?key=hidden")
                == .later(
                    "It cannot be reached: nothing accepts connections at 127.0.0.1:\(port).",
                    after: nil
                )
        )
        let silent = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        defer { silent.stop() }
        #expect(
            await post(
                "\(silent.url)/hook?key=hidden",
                options: CurlTransport.Options(timeout: 150)
            ) == .later("It cannot be reached: no whole answer came within 0.15 s.", after: nil)
        )
        // Posted once, whatever libcurl would like.
        #expect(silent.accepted == 1)
        let rude = try ScriptedServer { connection in _ = connection.readRequest() }
        defer { rude.stop() }
        #expect(
            await post(rude.url)
                == .later(
                    "It cannot be reached: the connection was cut before the whole answer came.",
                    after: nil
                )
        )
        #expect(rude.accepted == 1)
        let endless = try ScriptedServer.answering { _ in
            ScriptedAnswer(body: String(repeating: "x", count: 4_096))
        }
        defer { endless.stop() }
        let flooded = await post(
            endless.url,
            options: CurlTransport.Options.patient(maximumBody: 1_024)
        )
        #expect(
            flooded
                == .later("It cannot be reached: the answer is larger than 1024 bytes.", after: nil)
        )
    }
}
