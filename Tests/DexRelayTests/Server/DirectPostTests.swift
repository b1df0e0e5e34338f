import DexTestSupport
import Ethereum
import EthereumWallet
import HTTPTypes
import Logging
import NIOCore
import NIOPosix
import StrictJSON
import Synchronization
import Testing
import ZeroEx

@testable import DexRelay
@testable import HTTPServing

/// Posts that are taken on their connections' event loops, against the routes' answers.
@Suite("Posts on event loops")
struct DirectPostTests {
    /// Two relays that know the same: one answers directly, the other by its routes.
    private struct Pair {
        let direct: RelayFixture
        let routed: RelayFixture

        init(
            policy: (any OrderPolicy)? = nil,
            configure: @escaping (inout RelayConfiguration) -> Void = { _ in }
        ) throws {
            direct = try RelayFixture(policy: policy, configure: configure)
            routed = try RelayFixture(policy: policy, configure: configure)
        }

        /// Both answers, which are equal but for the names of requests.
        @discardableResult
        func post(
            _ body: [UInt8],
            _ headers: HTTPFields = [:],
            peer: String = "203.0.113.9"
        ) async throws -> Answer {
            let name = try #require(HTTPField.Name("X-Request-Id"))
            var headers = headers
            headers[name] = headers[name] ?? "mine"
            let answer = try await direct.server.direct("/v0/order", body, headers, peer: peer)
            let routed = try await routed.server.answer(
                "/v0/order",
                headers,
                method: .post,
                body: body,
                client: peer
            )
            #expect(answer.status == routed.status)
            #expect(answer.headers == routed.headers)
            #expect(answer.body == routed.body)
            return answer
        }
    }

    @Test("good and known orders: status, headers, bytes, and the book, are those of the routes")
    func good() async throws {
        let pair = try Pair()
        let orders = try await pair.direct.orders(3)
        for order in orders + orders {
            #expect(try await pair.post(pair.direct.json(order)).status == 201)
        }
        let body = pair.direct.json(orders[0]) { $0["makerTokenAmount"] = "1000.00" }
        #expect(try await pair.post(body).status == 201)
        for fixture in [pair.direct, pair.routed] {
            #expect(fixture.server.intake.book.read { $0.shown.count } == 3)
            #expect(fixture.server.intake.statistics.posts == ["added": 3, "known": 4])
            #expect(try await fixture.store.open(.v1).count == 3)
        }
    }

    @Test("refusals are those of the routes, byte for byte")
    func refused() async throws {
        let pair = try Pair { $0.maximumOrdersOfMaker = 2 }
        let fixture = pair.direct
        let order = try await fixture.order()
        let forged = try await ZeroExV1().sign(fixture.draft(), with: fixture.other)
        let bodies: [[UInt8]] = [
            [], Array("{".utf8), Array("[]".utf8), Array("null".utf8), Array("\u{1}".utf8),
            Array(String(repeating: "[", count: 9_000).utf8),
            Array("{\"a\":1,\"a\":2}".utf8), [0xFF, 0xFE],
            fixture.json(order) { $0["maker"] = nil },
            fixture.json(order) { $0["maker"] = "0x12" },
            fixture.json(order) { $0["salt"] = .string(String(repeating: "1", count: 500)) },
            fixture.json(order) { $0["salt"] = "2" },
            fixture.json(order) { $0["ecSignature"] = ["v": 27] },
            fixture.json(order) { $0["makerFee"] = "7" },
            fixture.json(try await fixture.order { $0.makerToken = RelayFixture.proxy }),
            fixture.json(try await fixture.order { $0.exchange = RelayFixture.proxy }),
            fixture.json(try await fixture.order { $0.makerAmount = 0 }),
            fixture.json(try await fixture.order { $0.expiry = 1 }),
            fixture.json(forged),
        ]
        for body in bodies {
            let answer = try await pair.post(body)
            #expect(answer.status == 400)
        }
        for fixture in [pair.direct, pair.routed] {
            #expect(fixture.chain.batches.isEmpty)
            fixture.chain.fund(fixture.maker.address, RelayFixture.zrx, 999)
        }
        #expect(try await pair.post(fixture.json(order)).status == 400)
        for fixture in [pair.direct, pair.routed] {
            fixture.chain.fund(fixture.maker.address, RelayFixture.zrx, 1 << 100)
        }
        let orders = try await fixture.orders(3)
        for order in orders[..<2] { try await pair.post(fixture.json(order)) }
        #expect(try await pair.post(fixture.json(orders[2])).status == 429)
        #expect(
            pair.direct.server.intake.statistics.posts == pair.routed.server.intake.statistics.posts
        )
    }

    @Test("a closed relay, limits of an address, a node that fails: as by the routes")
    func unavailable() async throws {
        let closed = try Pair { $0.acceptsOrders = false }
        let order = closed.direct.json(try await closed.direct.order())
        #expect(try await closed.post(order).status == 400)

        let slow = try Pair {
            $0.limits.postsPerSecond = 1
            $0.limits.postBurst = 1
        }
        #expect(try await slow.post(order).status == 201)
        let limited = try await slow.post(order)
        #expect(limited.status == 429)
        #expect(limited.headers["retry-after"] == "1")
        #expect(try await slow.post(order, peer: "203.0.113.10").status == 201)

        let counted = try Pair { $0.requestsPerHour = 2 }
        for left in ["1", "0"] {
            let answer = try await counted.post(order)
            #expect(answer.headers["x-ratelimit-remaining"] == left)
        }
        #expect(try await counted.post(order).status == 429)

        let blind = try Pair()
        for fixture in [blind.direct, blind.routed] {
            fixture.chain.set { $0.failure = .unreachable(url: "http://node", reason: "down") }
        }
        let answer = try await blind.post(order)
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "2")
    }

    @Test("the policy hears of the same client, and decides the same")
    func policy() async throws {
        let clients = Collected<String>()
        let pair = try Pair(
            policy: TestPolicy { question in
                clients.append(question.client)
                return question.entry.order.salt == 2 ? .reject(reason: "no") : .accept
            }
        ) {
            $0.limits.trustedProxies = [AddressRange("203.0.113.0/24")].compactMap { $0 }
        }
        let orders = try await pair.direct.orders(2)
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let headers: HTTPFields = [forwarded: "198.51.100.1, 198.51.100.7"]
        #expect(try await pair.post(pair.direct.json(orders[0]), headers).status == 201)
        #expect(try await pair.post(pair.direct.json(orders[1]), headers).status == 400)
        #expect(clients.values == Array(repeating: "198.51.100.7", count: 4))
    }

    @Test("orders of v4 are answered below both of its bases")
    func v4() async throws {
        let direct = try RelayFixtureV4()
        let routed = try RelayFixtureV4()
        for (salt, path) in ["/sra/v4/order", "/orderbook/v1/order"].enumerated() {
            let order = try await direct.order { $0.salt = UInt256(UInt64(salt)) }
            for body in [
                direct.json(order), direct.json(order), direct.json(order) { $0["maker"] = nil },
                direct.json(order) { $0["expiry"] = "1" }, Array("x".utf8),
            ] {
                let name = try #require(HTTPField.Name("X-Request-Id"))
                let answer = try await direct.server.direct(path, body, [name: "mine"])
                let other = try await routed.server.answer(
                    path,
                    [name: "mine"],
                    method: .post,
                    body: body
                )
                #expect(answer.status == other.status)
                #expect(answer.headers == other.headers)
                #expect(answer.body == other.body)
            }
        }
        #expect(try direct.market.intake.book.read { $0.shown.count } == 2)
    }

    @Test("a post counts among the requests, by its route, and is named where it is not")
    func counts() async throws {
        let fixture = try RelayFixture()
        let body = fixture.json(try await fixture.order())
        for _ in 0..<2 {
            let answer = try await fixture.server.direct("/v0/order", body)
            #expect(answer.headers["x-request-id"]?.utf8.count == 16)
        }
        _ = try await fixture.server.direct("/v0/order", Array("{".utf8))
        let metrics = try await fixture.server.answer("/metrics", client: "127.0.0.1").text
        for line in [
            #"dex_relay_requests_total{route="/v0/order",method="POST",status="201"} 2"#,
            #"dex_relay_requests_total{route="/v0/order",method="POST",status="400"} 1"#,
        ] {
            #expect(metrics.contains(line), "\(metrics)")
        }
    }

    @Test("what an event loop reads in one turn is one read of the chain and one commit")
    func together() async throws {
        let fixture = try RelayFixture()
        let orders = try await fixture.orders(40)
        let answers = Collected<Int>()
        let source = fixture.server.direct()
        let path = try #require(source.paths.firstIndex(of: "/v0/order"))
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        try await eventLoop.submit {
            for order in orders {
                source.post(
                    DirectPost(
                        path: path,
                        headers: [:],
                        body: ByteBuffer(bytes: fixture.json(order)),
                        peer: "203.0.113.9",
                        eventLoop: eventLoop,
                        answer: { answers.append($0.status.code) }
                    )
                )
            }
        }.get()
        try await until("40 answers") { answers.values.count >= 40 }
        #expect(answers.values == Array(repeating: 201, count: 40))
        #expect(fixture.chain.batches.count == 1)
        #expect(fixture.store.statistics.commits.count == 1)
    }

    // MARK: Over sockets

    /// The lines of the answer to a post, sorted, but for its date.
    private func lines(_ port: Int, _ body: [UInt8], _ header: String) async throws -> [Substring] {
        let head =
            "POST /v0/order HTTP/1.1\r\nHost: relay.test\r\nX-Request-Id: mine\r\n"
            + "Content-Length: \(body.count)\r\n\(header)\r\n\r\n"
        // A second request ends the connection.
        let end = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let bytes = Array(head.utf8) + body + Array(end.utf8)
        let text = String(decoding: try await Socket.answers(port: port, bytes), as: UTF8.self)
        let second = try #require(text.firstRange(of: "HTTP/1.1 200 OK\r\n"))
        return text[..<second.lowerBound].split(separator: "\r\n")
            .filter { !$0.hasPrefix("Date: ") }.sorted()
    }

    @Test("over a socket the answer has the same bytes by either way")
    func sockets() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        let bodies = [
            fixture.json(order), Array("{".utf8), fixture.json(order) { $0["maker"] = "0x12" },
        ]
        try await fixture.live { port in
            for body in bodies {
                let direct = try await lines(port, body, "X-Other: a")
                // A tab leads it to the parser.
                let routed = try await lines(port, body, "X-Other: a\tb")
                #expect(direct == routed)
                #expect(direct.contains("X-Request-Id: mine"))
            }
            #expect(fixture.server.intake.statistics.posts == ["added": 1, "known": 1])
        }
    }
}

extension RelayServer {
    /// The answer to a post on an event loop.
    fileprivate func direct(
        _ path: String,
        _ body: [UInt8],
        _ headers: HTTPFields = [:],
        peer: String = "203.0.113.9"
    ) async throws -> Answer {
        let source = direct()
        guard let index = source.paths.firstIndex(of: path) else {
            throw Unexpected("\(path) takes no orders")
        }
        let kept = HTTPFields(headers.filter { source.kept.contains($0.name) })
        let answer = await withCheckedContinuation { continuation in
            source.post(
                DirectPost(
                    path: index,
                    headers: kept,
                    body: ByteBuffer(bytes: body),
                    peer: peer,
                    eventLoop: MultiThreadedEventLoopGroup.singleton.any(),
                    answer: { continuation.resume(returning: $0) }
                )
            )
        }
        return Answer(answer)
    }
}
