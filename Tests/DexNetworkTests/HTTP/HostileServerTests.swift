import DexTestSupport
import NetworkTestSupport
import Synchronization
import Testing

@testable import DexNetwork

@Suite("the libcurl transport against servers that misbehave")
struct HostileServerTests {
    private func failure(
        _ url: String,
        options: CurlTransport.Options = .patient()
    ) async -> HTTPError? {
        let transport = CurlTransport(options: options)
        do throws(HTTPError) {
            _ = try await transport.send(HTTPRequest(.get, url: url))
            return nil
        } catch {
            return error
        }
    }

    @Test("nobody listens")
    func down() async throws {
        let port = try ScriptedServer.closedPort()
        #expect(
            await failure("http://127.0.0.1:\(port)/secret")
                == .noConnection(host: "127.0.0.1:\(port)")
        )
    }

    @Test("a host that does not exist")
    func unknownHost() async throws {
        #expect(
            await failure("http://no-such-host.invalid/secret")
                == .unknownHost("no-such-host.invalid")
        )
    }

    @Test(
        "an address that is no http or https URL",
        arguments: [
            "", "127.0.0.1", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://a b/",
            "http://a\nb/", "http://127.0.0.1:99999/",
        ]
    )
    func malformedURL(url: String) async throws {
        #expect(await failure(url) == .malformedURL)
    }

    @Test("a server that takes the request and never answers")
    func silent() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        #expect(
            await failure(server.url, options: CurlTransport.Options(timeout: 150))
                == .timedOut(milliseconds: 150)
        )
    }

    @Test("a server whose answer trickles")
    func trickling() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n1")
            connection.waitForClose()
        }
        #expect(
            await failure(server.url, options: CurlTransport.Options(stallTimeout: 1))
                == .stalled(seconds: 1)
        )
    }

    @Test("a body that is cut off in the middle")
    func cutBody() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        }
        #expect(await failure(server.url) == .cutOff)
    }

    @Test("a chunked body that is cut off in the middle")
    func cutChunk() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf")
        }
        #expect(await failure(server.url) == .cutOff)
    }

    @Test("a connection that is closed without an answer")
    func nothing() async throws {
        let server = try ScriptedServer { connection in _ = connection.readRequest() }
        #expect(await failure(server.url) == .cutOff)
    }

    @Test("what is not HTTP at all")
    func notHTTP() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("SSH-2.0-OpenSSH_9.2\r\n")
        }
        guard case .garbled = await failure(server.url) else {
            Issue.record("expected .garbled")
            return
        }
    }

    @Test("a server without TLS at an https address")
    func noTLS() async throws {
        let server = try ScriptedServer { connection in
            connection.write(ScriptedAnswer("400 Bad Request").bytes)
            connection.waitForClose()
        }
        let error = await failure("https://127.0.0.1:\(server.port)/secret")
        guard case .untrusted(let problem) = error else {
            Issue.record("expected .untrusted, got \(String(describing: error))")
            return
        }
        #expect(!problem.contains("secret"))
    }

    @Test("a TLS handshake that never ends counts as no connection")
    func silentHandshake() async throws {
        let server = try ScriptedServer { connection in connection.waitForClose() }
        let options = CurlTransport.Options(connectTimeout: 150)
        #expect(
            await failure("https://127.0.0.1:\(server.port)/secret", options: options)
                == .connectTimedOut(host: "127.0.0.1:\(server.port)", milliseconds: 150)
        )
    }

    @Test("a certificate file from the environment that does not exist")
    func missingCertificates() async throws {
        let server = try ScriptedServer.answering { _ in ScriptedAnswer() }
        let options = CurlTransport.Options(environment: { name in
            name == "SSL_CERT_FILE" ? "/no/such/file.pem" : nil
        })
        let error = await failure("https://127.0.0.1:\(server.port)/", options: options)
        guard case .untrusted(let problem) = error else {
            Issue.record("expected .untrusted, got \(String(describing: error))")
            return
        }
        #expect(problem.contains("/no/such/file.pem"))
    }

    @Test("a body of 1 GB is given up at the bound")
    func gigabyte() async throws {
        let sent = Mutex(0)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")
            let piece = [UInt8](repeating: 0x20, count: 1 << 20)
            for _ in 0..<1024 {
                guard connection.write(piece) else { break }
                sent.withLock { $0 += 1 }
            }
            ended.yield()
        }
        let options = CurlTransport.Options.patient(maximumBody: 2 << 20)
        #expect(await failure(server.url, options: options) == .tooLarge(bytes: 2 << 20))
        _ = try await ends.next("the end of the answer")
        #expect(sent.withLock { $0 } < 64)
    }

    @Test("a gzip bomb is given up at the bound")
    func bomb() async throws {
        let bomb = GzipBomb.zeros(8 << 20)
        let server = try ScriptedServer.answering { _ in
            var answer = ScriptedAnswer(headers: ["Content-Encoding: gzip"])
            answer.body = bomb
            return answer
        }
        let options = CurlTransport.Options.patient(maximumBody: 1 << 20)
        #expect(await failure(server.url, options: options) == .tooLarge(bytes: 1 << 20))
        // The same stream is sound below the bound.
        let small = try ScriptedServer.answering { _ in
            var answer = ScriptedAnswer(headers: ["Content-Encoding: gzip"])
            answer.body = GzipBomb.zeros(1000).dropLast(8) + [0, 0, 0, 0, 0, 0, 0, 0]
            return answer
        }
        guard case .garbled = await failure(small.url, options: options) else {
            Issue.record("a wrong checksum must be told")
            return
        }
    }

    @Test("compressed bytes that are damaged")
    func damagedGzip() async throws {
        let server = try ScriptedServer.answering { _ in
            ScriptedAnswer(headers: ["Content-Encoding: gzip"], body: "not gzip at all")
        }
        guard case .garbled = await failure(server.url) else {
            Issue.record("expected .garbled")
            return
        }
    }

    @Test("headers without end")
    func endlessHeaders() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n")
            var number = 0
            while connection.write("X-\(number): \(String(repeating: "a", count: 1000))\r\n") {
                number += 1
            }
        }
        #expect(await failure(server.url) == .tooLarge(bytes: 256 << 10))
    }

    @Test("one header line without end")
    func endlessHeaderLine() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nX: ")
            while connection.write(String(repeating: "a", count: 10_000)) {}
        }
        guard case .garbled = await failure(server.url) else {
            Issue.record("expected .garbled")
            return
        }
    }
}
