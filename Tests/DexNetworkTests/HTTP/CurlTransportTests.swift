import DexTestSupport
import Foundation
import NetworkTestSupport
import Synchronization
import Testing

@testable import DexNetwork

@Suite("the libcurl transport")
struct CurlTransportTests {
    private func get(
        _ server: ScriptedServer,
        path: String = "/",
        options: CurlTransport.Options = .patient()
    ) async throws(HTTPError) -> HTTPResponse {
        let transport = CurlTransport(options: options)
        return try await transport.send(HTTPRequest(.get, url: server.url + path))
    }

    @Test("a GET brings status, headers and body")
    func get() async throws {
        let server = try ScriptedServer.answering { request in
            ScriptedAnswer(
                "404 Not Found",
                headers: ["X-Method: \(request.method)", "x-target:\(request.target)  "],
                body: "nothing here"
            )
        }
        let response = try await get(server, path: "/a/b?c=d")
        #expect(response.status == 404)
        #expect(!response.isSuccess)
        #expect(response.values(of: "x-method") == ["GET"])
        #expect(response.values(of: "X-Target") == ["/a/b?c=d"])
        #expect(String(decoding: response.body, as: UTF8.self) == "nothing here")
    }

    @Test("a machine without libcurl is told so, and a file that is no libcurl too")
    func missingLibrary() async throws {
        let server = try ScriptedServer.answering { _ in ScriptedAnswer(body: "never asked") }
        for library in ["libcurl-of-nobody.so.4", "/dev/null"] {
            let options = CurlTransport.Options(library: library)
            do throws(HTTPError) {
                _ = try await get(server, options: options)
                Issue.record("a request went out through \(library)")
            } catch {
                guard case .noLibrary(let problem) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(problem.contains(library))
            }
        }
    }

    @Test("a process that sends nothing does not load libcurl")
    func lazy() async {
        await #expect(processExitsWith: .success) {
            func isLoaded() -> Bool {
                dlopen(CurlTransport.Options().library, RTLD_NOW | RTLD_NOLOAD) != nil
            }
            let transport = CurlTransport(options: .patient())
            #expect(!isLoaded())
            _ = try? await transport.send(HTTPRequest(.get, url: "http://127.0.0.1:1"))
            #expect(isLoaded())
        }
    }

    @Test(
        "--timeout is the time of an answer, also of one that stalls, and no less than 20 s for that",
        arguments: [
            (5, 5_000, 5_000, 20), (30, 30_000, 10_000, 30), (600, 600_000, 10_000, 600),
            (Int.max, Int.max, 10_000, Int.max),
        ]
    )
    func allowed(seconds: Int, timeout: Int, connect: Int, stall: Int) {
        var options = CurlTransport.Options()
        options.allow(seconds: seconds)
        #expect(options.timeout == timeout)
        #expect(options.connectTimeout == connect)
        #expect(options.stallTimeout == stall)
    }

    @Test("a POST sends its body and headers, without waiting for 100 Continue")
    func post() async throws {
        let server = try ScriptedServer.answering { request in
            ScriptedAnswer(
                headers: [
                    "X-Type: \(request.header("content-type") ?? "-")",
                    "X-Expect: \(request.header("expect") ?? "none")",
                    "X-Encodings: \(request.header("accept-encoding") ?? "none")",
                ],
                body: "\(request.method) \(request.body.count) \(request.body.last ?? 0)"
            )
        }
        let transport = CurlTransport(options: .patient())
        let body = [UInt8](repeating: 7, count: 3_000_000)
        let response = try await transport.send(
            HTTPRequest(
                .post,
                url: server.url,
                headers: [HTTPHeader("Content-Type", "application/json")],
                body: body
            )
        )
        #expect(String(decoding: response.body, as: UTF8.self) == "POST 3000000 7")
        #expect(response.values(of: "x-type") == ["application/json"])
        #expect(response.values(of: "x-expect") == ["none"])
        #expect(response.values(of: "x-encodings").first?.contains("gzip") == true)
    }

    @Test("an empty POST is sent as such")
    func emptyPost() async throws {
        let server = try ScriptedServer.answering { request in
            ScriptedAnswer(body: "\(request.method) \(request.header("content-length") ?? "-")")
        }
        let response = try await CurlTransport(options: .patient()).send(
            HTTPRequest(.post, url: server.url)
        )
        #expect(String(decoding: response.body, as: UTF8.self) == "POST 0")
    }

    @Test("a header whose value holds a line break is not sent")
    func headerInjection() async throws {
        let server = try ScriptedServer.answering { request in
            ScriptedAnswer(body: request.lines.joined(separator: "|"))
        }
        let response = try await CurlTransport(options: .patient()).send(
            HTTPRequest(.get, url: server.url, headers: [HTTPHeader("A", "b\r\nEvil: yes")])
        )
        #expect(!String(decoding: response.body, as: UTF8.self).contains("Evil"))
    }

    @Test("requests one after another share a connection")
    func reuse() async throws {
        let server = try ScriptedServer.answering { _ in ScriptedAnswer(body: "ok") }
        let transport = CurlTransport(options: .patient())
        for _ in 0..<20 {
            _ = try await transport.send(HTTPRequest(.get, url: server.url))
        }
        #expect(server.accepted == 1)
    }

    @Test("a request that must not be repeated travels over a fresh connection")
    func freshConnection() async throws {
        let server = try ScriptedServer.answering { _ in ScriptedAnswer(body: "ok") }
        let transport = CurlTransport(options: .patient())
        _ = try await transport.send(HTTPRequest(.get, url: server.url))
        _ = try await transport.send(HTTPRequest(.post, url: server.url, mayRepeat: false))
        #expect(server.accepted == 2)
    }

    @Test("a kept connection that died is not used to send a POST twice")
    func noSilentRepeat() async throws {
        let posts = Mutex(0)
        let server = try ScriptedServer { connection in
            while let request = connection.readRequest() {
                if request.method == "POST" {
                    posts.withLock { $0 += 1 }
                    return
                }
                connection.write(ScriptedAnswer(body: "ok").bytes)
            }
        }
        let transport = CurlTransport(options: .patient())
        _ = try await transport.send(HTTPRequest(.get, url: server.url))
        await #expect(throws: HTTPError.cutOff) {
            try await transport.send(
                HTTPRequest(.post, url: server.url, body: [1], mayRepeat: false)
            )
        }
        #expect(posts.withLock { $0 } == 1)
    }

    @Test("many transfers travel at once, over at most the given number of connections")
    func parallel() async throws {
        let inFlight = Mutex((now: 0, maximum: 0))
        let gate = Gate(opensAt: 4)
        let server = try ScriptedServer.answering { _ in
            inFlight.withLock { counts in
                counts.now += 1
                counts.maximum = max(counts.maximum, counts.now)
            }
            gate.wait()
            inFlight.withLock { $0.now -= 1 }
            return ScriptedAnswer(body: "ok")
        }
        let transport = CurlTransport(options: CurlTransport.Options.patient(connectionsPerHost: 4))
        let url = server.url
        let done = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let response = try? await transport.send(HTTPRequest(.get, url: url))
                    return response?.status == 200
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(done == 40)
        #expect(server.accepted == 4)
        #expect(inFlight.withLock { $0.maximum } == 4)
    }

    @Test("a redirect is an answer and is not followed")
    func redirect() async throws {
        let server = try ScriptedServer.answering { request in
            request.target == "/"
                ? ScriptedAnswer("302 Found", headers: ["Location: /elsewhere"])
                : ScriptedAnswer(body: "followed")
        }
        let response = try await get(server)
        #expect(response.status == 302)
        #expect(response.values(of: "location") == ["/elsewhere"])
        #expect(response.body.isEmpty)
    }

    @Test("headers of an interim answer are not mixed with the last one's")
    func interim() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 103 Early Hints\r\nLink: <x>; rel=\"next\"\r\n\r\n")
            connection.write(ScriptedAnswer(headers: ["A: b"], body: "ok").bytes)
        }
        let response = try await get(server)
        #expect(response.status == 200)
        #expect(response.values(of: "link").isEmpty)
        #expect(response.values(of: "a") == ["b"])
    }

    @Test("compressed answers are decompressed")
    func gzip() async throws {
        let server = try ScriptedServer.answering { _ in
            var answer = ScriptedAnswer(headers: ["Content-Encoding: gzip"])
            // `printf hello | gzip -n`
            answer.body = [
                0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0,
                0x86, 0xA6, 0x10, 0x36, 0x05, 0, 0, 0,
            ]
            return answer
        }
        #expect(String(decoding: try await get(server).body, as: UTF8.self) == "hello")
    }

    @Test("one transport outlives a cancelled request and works on")
    func worksOnAfterCancel() async throws {
        let server = try ScriptedServer { connection in
            while let request = connection.readRequest() {
                if request.target == "/hang" {
                    connection.waitForClose()
                    return
                }
                connection.write(ScriptedAnswer(body: "ok").bytes)
            }
        }
        let transport = CurlTransport(options: .patient())
        let url = server.url
        let hanging = Task { () -> HTTPError? in
            do throws(HTTPError) {
                _ = try await transport.send(HTTPRequest(.get, url: url + "/hang"))
                return nil
            } catch {
                return error
            }
        }
        hanging.cancel()
        #expect(await hanging.value == .cancelled)
        let response = try await transport.send(HTTPRequest(.get, url: url))
        #expect(response.status == 200)
    }

    @Test("cancelling a running request closes its connection at once")
    func cancelClosesConnection() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (closes, closed) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            arrived.yield()
            connection.waitForClose()
            closed.yield()
        }
        // Longer than anybody waits: it is not the time that ends it.
        let transport = CurlTransport(options: CurlTransport.Options(timeout: 86_400_000))
        let url = server.url
        let task = Task { () -> HTTPError? in
            do throws(HTTPError) {
                _ = try await transport.send(HTTPRequest(.get, url: url))
                return nil
            } catch {
                return error
            }
        }
        _ = try await arrivals.next("the request")
        task.cancel()
        #expect(await task.value == .cancelled)
        _ = try await closes.next("the end of the connection")
    }

    @Test("a transport that is let go ends what is under way")
    func letGo() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (closes, closed) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(ScriptedAnswer(body: "ok").bytes)
            arrived.yield()
            connection.waitForClose()
            closed.yield()
        }
        do {
            let transport = CurlTransport(options: .patient())
            _ = try await transport.send(HTTPRequest(.get, url: server.url))
        }
        _ = try await arrivals.next("the request")
        // The kept connection is closed by the thread that ends.
        _ = try await closes.next("the end of the connection")
    }
}
