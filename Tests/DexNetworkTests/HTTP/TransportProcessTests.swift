import DexTestSupport
import Foundation
import NetworkTestSupport
import Testing

@testable import DexNetwork

/// What needs a process of its own: its environment, and its end.
@Suite("the libcurl transport and its process")
struct TransportProcessTests {
    @Test("the environment's proxy is used, but not for this machine")
    func proxy() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer.answering { request in
                ScriptedAnswer(body: request.target)
            }
            for name in ["no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"] { unsetenv(name) }
            setenv("http_proxy", proxy.url, 1)
            let transport = CurlTransport(options: .patient())
            let far = try await transport.send(
                HTTPRequest(.get, url: "http://node.invalid/path")
            )
            #expect(String(decoding: far.body, as: UTF8.self) == "http://node.invalid/path")
            let near = try await transport.send(HTTPRequest(.get, url: proxy.url + "/path"))
            #expect(String(decoding: near.body, as: UTF8.self) == "/path")
        }
    }

    @Test("hosts in no_proxy are asked directly")
    func noProxy() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer.answering { _ in ScriptedAnswer(body: "proxied") }
            setenv("http_proxy", proxy.url, 1)
            setenv("no_proxy", "node.invalid", 1)
            await #expect(throws: HTTPError.unknownHost("node.invalid")) {
                try await CurlTransport(options: .patient()).send(
                    HTTPRequest(.get, url: "http://node.invalid/path")
                )
            }
        }
    }

    @Test("a proxy that is down is told as such")
    func proxyDown() async {
        await #expect(processExitsWith: .success) {
            unsetenv("no_proxy")
            unsetenv("NO_PROXY")
            setenv("http_proxy", "http://proxy.invalid:3128", 1)
            await #expect(throws: HTTPError.noConnection(host: "its proxy")) {
                try await CurlTransport(options: .patient()).send(
                    HTTPRequest(.get, url: "http://node.invalid/path")
                )
            }
        }
    }

    @Test("a proxy that takes no connections is named in the server's place")
    func proxyGone() async {
        await #expect(processExitsWith: .success) {
            let port = try ScriptedServer.closedPort()
            for name in ["no_proxy", "NO_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy"] {
                unsetenv(name)
            }
            setenv("http_proxy", "trader:secret@127.0.0.1:\(port)/", 1)
            setenv("ALL_PROXY", "http://127.0.0.1:\(port)", 1)
            for url in ["http://node.invalid/path", "https://node.invalid:\(port)/path"] {
                await #expect(
                    throws: HTTPError.noConnection(host: "its proxy, 127.0.0.1:\(port)")
                ) {
                    try await CurlTransport(options: .patient()).send(HTTPRequest(.get, url: url))
                }
            }
        }
    }

    @Test("a server that takes no connections is named, whatever proxy there is for others")
    func serverGone() async {
        await #expect(processExitsWith: .success) {
            let port = try ScriptedServer.closedPort()
            let proxy = try ScriptedServer.answering { _ in ScriptedAnswer(body: "proxied") }
            setenv("http_proxy", proxy.url, 1)
            await #expect(throws: HTTPError.noConnection(host: "127.0.0.1:\(port)")) {
                try await CurlTransport(options: .patient()).send(
                    HTTPRequest(.get, url: "http://127.0.0.1:\(port)/path")
                )
            }
        }
    }

    @Test("a proxy that refuses is told as such, not as a connection that was cut")
    func proxyRefuses() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { connection in
                _ = connection.readRequest()
                connection.write(
                    "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
                )
            }
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
            setenv("https_proxy", proxy.url, 1)
            await #expect(throws: HTTPError.refusedByProxy(status: 407)) {
                try await CurlTransport(options: .patient()).send(
                    HTTPRequest(.get, url: "https://node.invalid/path")
                )
            }
        }
    }

    @Test("a process ends while a transfer is under way")
    func exitInFlight() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try ScriptedServer { connection in
                _ = connection.readRequest()
                exit(7)
            }
            _ = try await CurlTransport(options: .patient()).send(
                HTTPRequest(.get, url: server.url)
            )
        }
    }

    @Test("a server that closes early raises no signal")
    func noSignal() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer { connection in
                connection.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
            }
            signal(SIGPIPE, SIG_DFL)
            let body = [UInt8](repeating: 0, count: 20 << 20)
            for _ in 0..<5 {
                let response = try? await CurlTransport(options: .patient()).send(
                    HTTPRequest(.post, url: server.url, body: body)
                )
                #expect(response == nil || response?.status == 413)
            }
        }
    }
}
