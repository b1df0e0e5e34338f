import DexTestSupport
import Ethereum
import NetworkTestSupport
import Testing
import ZeroEx

@testable import DexNetwork

/// Both clients over real sockets, against servers that misbehave in every way that we know.
@Suite("clients against hostile servers")
struct HostileClientTests {
    /// What a server does to a request.
    enum Behaviour: String, CaseIterable, Sendable {
        case silent, closes, cutOff, trickles, html, wrongJSON, deepJSON, hugeNumber, escapes
        case gigabyte, gzipBomb, redirect, rateLimit, unavailable, binary

        private static let bomb = GzipBomb.zeros(10 << 20)

        func serve(_ connection: ScriptedConnection) {
            guard connection.readRequest() != nil else { return }
            switch self {
            case .silent: connection.waitForClose()
            case .closes: break
            case .cutOff:
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n[{\"id\":0")
            case .trickles:
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n[")
                connection.waitForClose()
            case .html: answer(connection, "<html><body>Log in to the hotel</body></html>")
            case .wrongJSON: answer(connection, "{\"id\":0,\"result\":0x12}")
            case .deepJSON: answer(connection, String(repeating: "[", count: 10_000))
            case .hugeNumber:
                let digits = String(repeating: "9", count: 1_000_000)
                answer(connection, #"{"id":0,"result":\#(digits),"records":[\#(digits)]}"#)
            case .escapes:
                answer(
                    connection,
                    #"{"id":0,"error":{"code":1,"message":"\u001b[2J\u0007"},"reason":"\u001b[2J"}"#
                )
            case .gigabyte:
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")
                let piece = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
                for _ in 0..<1024 where !connection.write(piece) { return }
            case .gzipBomb:
                var answer = ScriptedAnswer(headers: ["Content-Encoding: gzip"])
                answer.body = Self.bomb
                connection.write(answer.bytes)
            case .redirect:
                let headers = ["Location: http://elsewhere.invalid/secret"]
                connection.write(ScriptedAnswer("307 Moved", headers: headers).bytes)
            case .rateLimit:
                let headers = ["Retry-After: 99999999999"]
                connection.write(ScriptedAnswer("429 Slow", headers: headers).bytes)
            case .unavailable: connection.write(ScriptedAnswer("503 Unavailable").bytes)
            case .binary:
                var answer = ScriptedAnswer()
                answer.body = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 151) }
                connection.write(answer.bytes)
            }
        }

        private func answer(_ connection: ScriptedConnection, _ body: String) {
            connection.write(ScriptedAnswer(body: body).bytes)
        }
    }

    /// Only servers that say nothing are given little time: the others' tests may run slowly.
    private func transport(for behaviour: Behaviour) -> CurlTransport {
        var options = CurlTransport.Options.patient(maximumBody: 2 << 20)
        if behaviour == .silent || behaviour == .trickles { options.timeout = 300 }
        return CurlTransport(options: options)
    }

    private func isReported(_ description: String) -> Bool {
        !description.contains("secret") && description.count < 400
    }

    @Test("a node", arguments: Behaviour.allCases)
    func node(behaviour: Behaviour) async throws {
        let server = try ScriptedServer { behaviour.serve($0) }
        let client = JSONRPCChainClient(
            urls: [server.url + "/secret"],
            transport: transport(for: behaviour),
            clock: FakeClock().clock
        )
        do throws(ChainError) {
            let number = try await client.read(.chainID)
            Issue.record("\(behaviour) gave \(number)")
        } catch {
            #expect(isReported(error.description), "\(error)")
            switch behaviour {
            case .html, .wrongJSON, .deepJSON, .hugeNumber, .binary:
                guard case .nonsense = error else {
                    Issue.record("\(behaviour): \(error)")
                    return
                }
            case .escapes: #expect(error == .rpc(code: 1, message: "\u{1B}[2J\u{7}"))
            case .rateLimit:
                #expect(error == .rateLimited(url: server.url, retryAfter: 99_999_999_999))
            case .redirect, .unavailable:
                guard case .badStatus(server.url, _, _) = error else {
                    Issue.record("\(behaviour): \(error)")
                    return
                }
            default:
                guard case .unreachable(server.url, _) = error else {
                    Issue.record("\(behaviour): \(error)")
                    return
                }
            }
        }
    }

    @Test("a relay of API v0", arguments: Behaviour.allCases)
    func relayV0(behaviour: Behaviour) async throws {
        let server = try ScriptedServer { behaviour.serve($0) }
        let client = RelayClientV0(
            baseURL: server.url + "/secret/v0",
            exchangeProtocol: ZeroExV1(),
            transport: transport(for: behaviour),
            clock: FakeClock().clock
        )
        await check(client, server, behaviour)
    }

    @Test("a relay of API v4", arguments: Behaviour.allCases)
    func relayV4(behaviour: Behaviour) async throws {
        let server = try ScriptedServer { behaviour.serve($0) }
        let client = RelayClientV4(
            baseURL: server.url + "/secret/orderbook/v1",
            exchangeProtocol: FakeRelayV4.zeroEx,
            transport: transport(for: behaviour),
            clock: FakeClock().clock
        )
        await check(client, server, behaviour)
    }

    @Test("a swap API", arguments: Behaviour.allCases)
    func swap(behaviour: Behaviour) async throws {
        let server = try ScriptedServer { behaviour.serve($0) }
        let client = try FakeSwap.client(
            transport(for: behaviour),
            api: server.url + "/secret",
            clock: FakeClock()
        )
        do throws(LiquidityError) {
            let chains = try await client.chains()
            Issue.record("\(behaviour) gave \(chains)")
        } catch {
            #expect(isReported("\(error)"), "\(error)")
            switch behaviour {
            case .html, .wrongJSON, .deepJSON, .hugeNumber, .binary, .escapes, .gigabyte, .gzipBomb:
                guard case .nonsense = error else {
                    Issue.record("\(behaviour): \(error)")
                    return
                }
            case .rateLimit:
                #expect(error == .rateLimited(url: server.url, retryAfter: 99_999_999_999))
            default:
                guard case .unreachable(server.url, _) = error else {
                    Issue.record("\(behaviour): \(error)")
                    return
                }
            }
        }
    }

    private func check(
        _ client: any RelayClient,
        _ server: ScriptedServer,
        _ behaviour: Behaviour
    ) async {
        do throws(RelayError) {
            let book = try await client.orderbook(base: .zero, quote: .zero)
            Issue.record("\(behaviour) gave \(book.bids.orders.count) bids")
        } catch {
            #expect(isReported(error.description), "\(error)")
            switch behaviour {
            case .html, .wrongJSON, .deepJSON, .hugeNumber, .binary, .escapes, .gigabyte, .gzipBomb:
                guard case .nonsense = error else {
                    Issue.record("\(behaviour): \(error)")
                    return
                }
            case .rateLimit:
                #expect(error == .rateLimited(url: server.url, retryAfter: 99_999_999_999))
            case .redirect, .unavailable:
                guard case .badStatus(server.url, _, _) = error else {
                    Issue.record("\(behaviour): \(error)")
                    return
                }
            default:
                guard case .unreachable(server.url, _) = error else {
                    Issue.record("\(behaviour): \(error)")
                    return
                }
            }
        }
    }

    @Test("a read that is cancelled closes all its connections")
    func cancelled() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (closes, closed) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            arrived.yield()
            connection.waitForClose()
            closed.yield()
        }
        let client = JSONRPCChainClient(
            urls: [server.url],
            transport: CurlTransport(options: .patient()),
            limits: BatchLimits(items: 10, concurrency: 4),
            clock: FakeClock().clock
        )
        let task = Task { () -> ChainError? in
            do throws(ChainError) {
                _ = try await client.read((0..<100).map(ChainRead.numbered))
                return nil
            } catch {
                return error
            }
        }
        var count = 0
        while count < 4 {
            _ = try await arrivals.next("request \(count + 1)")
            count += 1
        }
        task.cancel()
        #expect(
            await task.value
                == .unreachable(url: server.url, reason: "the request was cancelled")
        )
        while count > 0 {
            _ = try await closes.next("the end of connection \(count)")
            count -= 1
        }
        #expect(server.accepted == 4)
    }

    @Test("20,000 questions travel over few kept connections and come back in order")
    func large() async throws {
        let server = try ScriptedServer.answering { request in
            let body = FakeNode.body(HTTPRequest(.post, url: "", body: request.body), FakeNode.echo)
            return ScriptedAnswer(body: body)
        }
        let client = JSONRPCChainClient(
            urls: [server.url],
            transport: CurlTransport(options: .patient())
        )
        let answers = try await client.read((0..<20_000).map(ChainRead.numbered))
        let isRight = answers.enumerated().allSatisfy { number, answer in
            answer == .success(.bytes(UInt256(UInt64(number)).bigEndianBytes))
        }
        #expect(isRight)
        #expect(server.accepted <= BatchLimits().concurrency)
    }
}
