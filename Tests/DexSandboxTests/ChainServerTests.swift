import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import Glibc
import StrictJSON
import Testing

/// A bare HTTP/1.1 exchange over a socket of its own.
enum RawHTTP {
    struct Answer {
        let status: Int
        let body: [UInt8]
    }

    /// Sends one request and reads until the server closes.
    static func post(
        _ url: String,
        _ body: [UInt8],
        verb: String = "POST",
        headers: [String] = local
    ) async throws -> Answer {
        try await onOwnThread { try exchange(url, body, verb, headers) }
    }

    /// What a program of this machine sends.
    static let local = ["Host: 127.0.0.1", "Content-Type: application/json"]

    private static func exchange(
        _ url: String,
        _ body: [UInt8],
        _ verb: String,
        _ headers: [String]
    ) throws -> Answer {
        guard let colon = url.lastIndex(of: ":"), let port = UInt16(url[url.index(after: colon)...])
        else { throw RawError.url(url) }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw RawError.socket(errno) }
        defer { close(descriptor) }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        target.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard isConnected == 0 else { throw RawError.socket(errno) }
        let head =
            "\(verb) / HTTP/1.1\r\nConnection: close\r\n"
            + headers.map { $0 + "\r\n" }.joined() + "Content-Length: \(body.count)\r\n\r\n"
        let request = Array(head.utf8) + body
        var sent = 0
        while sent < request.count {
            let count = request.withUnsafeBytes { bytes in
                Glibc.send(
                    descriptor,
                    bytes.baseAddress?.advanced(by: sent),
                    request.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard count > 0 else { break }
            sent += count
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received.append(contentsOf: buffer[..<count])
        }
        let text = String(decoding: received, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n"),
            let status = Int(text.split(separator: " ").dropFirst().first ?? "")
        else { throw RawError.answer(text) }
        return Answer(status: status, body: Array(text[end.upperBound...].utf8))
    }

    enum RawError: Error {
        case url(String)
        case socket(Int32)
        case answer(String)
    }
}

@Suite("The chain's server, over real HTTP")
struct ChainServerTests {
    /// Runs a body against a served chain, then stops the server.
    private func serving(
        _ test: TestChain,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let (urls, report) = AsyncStream.makeStream(of: String.self)
        let server = ChainServer(chain: test.chain)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { report.finish() }
                try await server.run { port in
                    report.yield("http://127.0.0.1:\(port)")
                    report.finish()
                }
            }
            for await url in urls { try await body(url) }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test("a request, a batch, an error and a page for people come back over HTTP")
    func requests() async throws {
        let test = try TestChain()
        try await serving(test) { url in
            #expect(url.hasPrefix("http://127.0.0.1:"))
            let one = try await RawHTTP.post(
                url,
                Array(#"{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}"#.utf8)
            )
            #expect(one.status == 200)
            #expect(
                String(decoding: one.body, as: UTF8.self)
                    == #"{"jsonrpc":"2.0","id":1,"result":"0x539"}"#
            )
            let batch = try await RawHTTP.post(
                url,
                Array(
                    #"[{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"},{"jsonrpc":"2.0"}]"#.utf8
                )
            )
            #expect(try JSONParser.parse(batch.body).arrayValue?.count == 2)
            let garbage = try await RawHTTP.post(url, [0xFF, 0x00])
            #expect(garbage.status == 200)
            #expect(try JSONParser.parse(garbage.body)["error"]?["code"] == -32700)
            let page = try await RawHTTP.post(url, [], verb: "GET")
            #expect(page.status == 200)
            let other = try await RawHTTP.post(url, [], verb: "DELETE")
            #expect(other.status == 404 || other.status == 405)
        }
    }

    @Test(
        "what a web page can send is refused and changes nothing",
        arguments: [
            (["Host: 127.0.0.1", "Content-Type: text/plain"], 415),
            (["Host: 127.0.0.1"], 415),
            (["Host: evil.example:8545", "Content-Type: application/json"], 403),
            (RawHTTP.local + ["Origin: http://evil.example"], 403),
            (RawHTTP.local + ["Origin: null"], 403),
        ]
    )
    func webPages(headers: [String], status: Int) async throws {
        let test = try TestChain()
        try await serving(test) { url in
            let mine = Array(#"{"jsonrpc":"2.0","id":1,"method":"evm_mine"}"#.utf8)
            let answer = try await RawHTTP.post(url, mine, headers: headers)
            #expect(answer.status == status)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("jsonrpc"))
            let asked = try await RawHTTP.post(
                url,
                [],
                verb: "OPTIONS",
                headers: RawHTTP.local + [
                    "Origin: http://evil.example", "Access-Control-Request-Method: POST",
                ]
            )
            #expect(asked.status == 403)
        }
        #expect(try await test.client.read(.blockNumber) == 0)
    }

    @Test("a transaction that comes over HTTP is mined and its receipt fetched")
    func transaction() async throws {
        let test = try TestChain()
        let signed = try await test.transaction(from: test.alice, to: test.bob.address, value: 5)
        try await serving(test) { url in
            let send: JSONValue = [
                "jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction",
                "params": [.string(Hex.encode(signed.raw))],
            ]
            let hash = try await JSONParser.parse(RawHTTP.post(url, send.utf8).body)["result"]
            #expect(hash?.stringValue == signed.hash.hex)
            let ask: JSONValue = [
                "jsonrpc": "2.0", "id": 2, "method": "eth_getTransactionReceipt",
                "params": [hash ?? .null],
            ]
            let receipt = try await JSONParser.parse(RawHTTP.post(url, ask.utf8).body)["result"]
            #expect(receipt?["status"] == "0x1")
        }
    }

    @Test("a body beyond 5 MiB is refused with 413, and the server goes on")
    func tooLarge() async throws {
        let test = try TestChain()
        try await serving(test) { url in
            let body = [UInt8](repeating: 0x20, count: ChainServer.maximumBody + 1)
            let answer = try? await RawHTTP.post(url, body)
            #expect(answer == nil || answer?.status == 413)
            let next = try await RawHTTP.post(
                url,
                Array(#"{"jsonrpc":"2.0","id":1,"method":"net_version"}"#.utf8)
            )
            #expect(next.status == 200)
        }
    }

    @Test("timed mining makes blocks while the server runs")
    func timed() async throws {
        let test = try TestChain(mining: .interval(seconds: 1))
        try await serving(test) { _ in
            // The filter's answer changes when the first block is there.
            var newest: UInt64 = 0
            try await until("the first block") {
                newest = try await test.client.read(.blockNumber)
                return newest > 0
            }
            #expect(newest >= 1)
        }
    }

    @Test("two servers on one port: the second fails with an error")
    func portTaken() async throws {
        let test = try TestChain()
        try await serving(test) { url in
            guard let colon = url.lastIndex(of: ":"),
                let port = Int(url[url.index(after: colon)...])
            else { return }
            await #expect(throws: (any Error).self) {
                try await ChainServer(chain: test.chain, port: port).run()
            }
        }
    }
}
