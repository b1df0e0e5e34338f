import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("what a list of a relay may take")
struct RelayBudgetTests {
    private func client(
        _ transport: any HTTPTransport,
        _ limits: AnswerLimits = AnswerLimits(),
        clock: FakeClock = FakeClock()
    ) -> RelayClientV0 {
        RelayClientV0(
            baseURL: FakeRelay.base,
            exchangeProtocol: ZeroExV1(),
            transport: transport,
            limits: limits,
            clock: clock.clock
        )
    }

    private func failure(_ client: any RelayClient) async -> RelayError? {
        do throws(RelayError) {
            _ = try await client.orders(OrderQuery())
            return nil
        } catch {
            return error
        }
    }

    /// A list without end whose pages are all new.
    private func endless(_ body: @escaping @Sendable (Int) -> String) -> FakeTransport {
        FakeTransport { request, _ in
            .success(
                HTTPResponse(
                    200,
                    body(FakeRelay.page(of: request)),
                    headers: [HTTPHeader("Link", "<\(FakeRelay.base)/x>; rel=next")]
                )
            )
        }
    }

    @Test("pages of which nothing can be read are no progress, and ten of them end the list")
    func unreadablePages() async {
        let page = Array(repeating: "{}", count: 100).joined(separator: ",")
        let transport = endless { _ in "[\(page)]" }
        #expect(
            await failure(client(transport))
                == .nonsense("10 of its pages have no entry that can be read")
        )
        #expect(transport.requests.count <= 10 + RelayPager.maximumAtOnce)
    }

    @Test("a list with less of them is read to its end, with a count and ten examples")
    func someUnreadablePages() async throws {
        // Nine pages of nothing behind one of orders, and then the end.
        let nine = FakeTransport { request, _ in
            let page = FakeRelay.page(of: request)
            guard page > 1 else {
                let first = (0..<100).map(FakeRelay.order).joined(separator: ",")
                return .success(HTTPResponse(200, "[\(first)]"))
            }
            let entries = Array(repeating: "{}", count: page < 11 ? 100 : 0)
            return .success(HTTPResponse(200, "[\(entries.joined(separator: ","))]"))
        }
        let orders = try await client(nine).orders(OrderQuery())
        #expect(orders.orders.count == 100)
        #expect(orders.unreadable.count == 900)
        #expect(orders.unreadable.examples.count == UnreadableOrders.maximumExamples)
    }

    @Test("a page far longer than asked for is refused with both numbers, one of ten times is not")
    func longPages() async throws {
        for (count, isRefused) in [(1_000, false), (1_001, true)] {
            let orders = (0..<count).map(FakeRelay.order).joined(separator: ",")
            let failure = await failure(client(FakeTransport(body: "[\(orders)]")))
            #expect(
                failure
                    == (isRefused
                        ? .nonsense("a page has 1001 entries where 100 were asked for") : nil)
            )
        }
    }

    @Test("the entries of all pages are counted, readable or not")
    func entries() async {
        let page = Array(repeating: "{}", count: 50).joined(separator: ",")
        let transport = endless { "[\(page),\(FakeRelay.order($0))]" }
        #expect(
            await failure(client(transport, AnswerLimits(entries: 1_000)))
                == .nonsense("the list has more than 1000 entries")
        )
        #expect(transport.requests.count <= 20 + RelayPager.maximumAtOnce)
    }

    @Test("the bytes of all pages are counted, those of tries that failed included")
    func bytes() async {
        let transport = endless { page in
            "[\(FakeRelay.order(page))\(String(repeating: " ", count: 10_000))]"
        }
        #expect(
            await failure(client(transport, AnswerLimits(bytes: 100_000)))
                == .nonsense("with all its pages it is larger than 100000 bytes")
        )
        #expect(transport.requests.count <= 10 + RelayPager.maximumAtOnce)
    }

    @Test("the time of all pages is counted, and each request gets no more than is left")
    func time() async {
        let clock = FakeClock()
        let transport = FakeTransport { request, _ in
            clock.pass(6_000)
            let order = FakeRelay.order(FakeRelay.page(of: request))
            return .success(
                HTTPResponse(
                    200,
                    "[\(order)]",
                    headers: [
                        HTTPHeader("Link", "<\(FakeRelay.base)/x>; rel=next"),
                        HTTPHeader("X-RateLimit-Remaining", "0"),
                    ]
                )
            )
        }
        let limits = AnswerLimits(milliseconds: 20_000)
        #expect(
            await failure(client(transport, limits, clock: clock))
                == .unreachable(
                    url: FakeRelay.shown,
                    reason: "its answers together took longer than 20 s"
                )
        )
        #expect(
            transport.requests.map(\.bounds.milliseconds) == [20_000, 14_000, 8_000, 2_000]
        )
    }

    @Test("both lists of a token's orders on v4 share one budget")
    func shared() async {
        let transport = FakeTransport { request, _ in
            let list = FakeRelayV4.slice(200, request).map { FakeRelayV4.record($0) }
            return .success(HTTPResponse(200, FakeRelayV4.envelope(list, total: 200, request)))
        }
        var query = OrderQuery()
        query.token = .zero
        let client = RelayClientV4(
            baseURL: FakeRelay.base,
            exchangeProtocol: FakeRelayV4.zeroEx,
            transport: transport,
            limits: AnswerLimits(entries: 300),
            clock: FakeClock().clock
        )
        do throws(RelayError) {
            _ = try await client.orders(query)
            Issue.record("400 entries were taken where 300 are allowed")
        } catch {
            #expect(error == .nonsense("the list has more than 300 entries"))
        }
    }
}
