import DexTestSupport
import Ethereum
import EthereumWallet
import HTTPServing
import HTTPTypes
import NIOCore
import NIOPosix
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

/// Posts of orders: from a request to its answer, without a task.
@Suite("Posts on event loops")
struct LoopPostTests {
    private func post(
        _ fixture: RelayFixture,
        _ body: [UInt8],
        _ headers: HTTPFields = [:],
        peer: String = "203.0.113.9"
    ) async throws -> Answer {
        try await fixture.server.answer(
            "/v0/order",
            headers,
            method: .post,
            body: body,
            client: peer
        )
    }

    @Test("good and known orders are accepted, and counted apart")
    func good() async throws {
        let fixture = try RelayFixture()
        let orders = try await fixture.orders(3)
        for order in orders + orders {
            let answer = try await post(fixture, fixture.json(order))
            #expect(answer.status == 201)
            #expect(answer.headers["content-length"] == "0")
        }
        let body = fixture.json(orders[0]) { $0["makerTokenAmount"] = "1000.00" }
        #expect(try await post(fixture, body).status == 201)
        #expect(fixture.server.intake.book.read { $0.shown.count } == 3)
        #expect(fixture.server.intake.statistics.posts == ["added": 3, "known": 4])
        #expect(try await fixture.store.open(.v1).count == 3)
    }

    @Test("what is refused for its text or its terms asks nothing of the chain")
    func refused() async throws {
        let fixture = try RelayFixture { $0.maximumOrdersOfMaker = 2 }
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
        for body in bodies { #expect(try await post(fixture, body).status == 400) }
        #expect(fixture.chain.batches.isEmpty)
        fixture.chain.fund(fixture.maker.address, RelayFixture.zrx, 999)
        #expect(try await post(fixture, fixture.json(order)).status == 400)
        fixture.chain.fund(fixture.maker.address, RelayFixture.zrx, 1 << 100)
        let orders = try await fixture.orders(3)
        for order in orders[..<2] { _ = try await post(fixture, fixture.json(order)) }
        #expect(try await post(fixture, fixture.json(orders[2])).status == 429)
    }

    @Test("a closed relay, limits of an address, a node that fails")
    func unavailable() async throws {
        let closed = try RelayFixture { $0.acceptsOrders = false }
        let order = closed.json(try await closed.order())
        #expect(try await post(closed, order).status == 400)

        let slow = try RelayFixture {
            $0.limits.postsPerSecond = 1
            $0.limits.postBurst = 1
        }
        #expect(try await post(slow, order).status == 201)
        let limited = try await post(slow, order)
        #expect(limited.status == 429)
        #expect(limited.headers["retry-after"] == "1")
        #expect(try await post(slow, order, peer: "203.0.113.10").status == 201)

        let counted = try RelayFixture { $0.requestsPerHour = 2 }
        for left in ["1", "0"] {
            let answer = try await post(counted, order)
            #expect(answer.headers["x-ratelimit-remaining"] == left)
        }
        #expect(try await post(counted, order).status == 429)

        let blind = try RelayFixture()
        blind.chain.set { $0.failure = .unreachable(url: "http://node", reason: "down") }
        let answer = try await post(blind, order)
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] == "2")
    }

    @Test("the policy hears of the client behind a trusted proxy")
    func policy() async throws {
        let clients = Collected<String>()
        let fixture = try RelayFixture(
            policy: TestPolicy { question in
                clients.append(question.client)
                return question.entry.order.salt == 2 ? .reject(reason: "no") : .accept
            }
        ) {
            $0.limits.trustedProxies = [AddressRange("203.0.113.0/24")].compactMap { $0 }
        }
        let orders = try await fixture.orders(2)
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let headers: HTTPFields = [forwarded: "198.51.100.1, 198.51.100.7"]
        #expect(try await post(fixture, fixture.json(orders[0]), headers).status == 201)
        #expect(try await post(fixture, fixture.json(orders[1]), headers).status == 400)
        #expect(clients.values == Array(repeating: "198.51.100.7", count: 2))
    }

    @Test("orders of v4 are answered below both of its bases")
    func v4() async throws {
        let fixture = try RelayFixtureV4()
        for (salt, path) in ["/sra/v4/order", "/orderbook/v1/order"].enumerated() {
            let order = try await fixture.order { $0.salt = UInt256(UInt64(salt)) }
            for (body, status) in [
                (fixture.json(order), 200), (fixture.json(order), 200),
                (fixture.json(order) { $0["maker"] = nil }, 400),
                (fixture.json(order) { $0["expiry"] = "1" }, 400), (Array("x".utf8), 400),
            ] {
                let answer = try await fixture.server.answer(path, method: .post, body: body)
                #expect(answer.status == status)
            }
        }
        #expect(try fixture.market.intake.book.read { $0.shown.count } == 2)
    }

    @Test("a post counts among the requests, by its route, and is named where it is not")
    func counts() async throws {
        let fixture = try RelayFixture()
        let body = fixture.json(try await fixture.order())
        for _ in 0..<2 {
            let answer = try await post(fixture, body)
            #expect(answer.headers["x-request-id"]?.utf8.count == 16)
        }
        let name = try #require(HTTPField.Name("X-Request-Id"))
        let answer = try await post(fixture, Array("{".utf8), [name: "mine"])
        #expect(answer.headers["x-request-id"] == "mine")
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
        let bodies = try await fixture.orders(40).map { ByteBuffer(bytes: fixture.json($0)) }
        let router = fixture.server.router()
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/v0/order")
        let answers = try await eventLoop.submit {
            bodies.map {
                router.receive(Request(head, eventLoop: eventLoop)).answer(to: $0)
            }
        }.get()
        for answer in answers { #expect(try await answer.response().status == .created) }
        #expect(fixture.chain.batches.count == 1)
        #expect(fixture.store.statistics.commits.count == 1)
    }

    @Test("over a socket, posts that come one behind the other are answered in their order")
    func sockets() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        let bodies = [
            fixture.json(order), Array("{".utf8), fixture.json(order),
            fixture.json(order) { $0["maker"] = "0x12" },
        ]
        try await fixture.live { port in
            var bytes: [UInt8] = []
            for (index, body) in bodies.enumerated() {
                let end = index == bodies.count - 1 ? "Connection: close\r\n" : ""
                let head =
                    "POST /v0/order HTTP/1.1\r\nHost: relay.test\r\nX-Request-Id: \(index)\r\n"
                    + "Content-Length: \(body.count)\r\n\(end)\r\n"
                bytes += Array(head.utf8) + body
            }
            let answers = try await Socket.answers(port: port, bytes)
            let text = String(decoding: answers, as: UTF8.self)
            #expect(
                text.matches(of: /HTTP\/1.1 ([0-9]+)/).map(\.output.1) == [
                    "201", "400", "201", "400",
                ]
            )
            #expect(
                text.matches(of: /X-Request-Id: ([0-9])/).map(\.output.1) == ["0", "1", "2", "3"]
            )
            #expect(fixture.server.intake.statistics.posts == ["added": 1, "known": 1])
        }
    }
}
