import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("relays of API v4 that fail or refuse")
struct RelayV4FailureTests {
    private let clock = FakeClock()

    private func failure(_ status: Int, _ body: String) async -> (RelayError?, requests: Int) {
        let transport = FakeTransport { _, _ in .success(HTTPResponse(status, body)) }
        let client = FakeRelayV4.client(transport, clock: clock)
        do throws(RelayError) {
            _ = try await client.orderbook(base: .zero, quote: .zero)
            return (nil, transport.requests.count)
        } catch {
            return (error, transport.requests.count)
        }
    }

    @Test("a refusal brings the relay's reasons, and a description where there is no reason")
    func refusal() async {
        let (error, requests) = await failure(
            400,
            """
            {"code":100,"reason":"Validation Failed","validationErrors":[
            {"field":"baseToken","code":1000,"reason":"should have required property 'baseToken'"},
            {"field":"quoteToken","code":1001,"description":"should match pattern"}]}
            """
        )
        #expect(
            error
                == .refused(
                    status: 400,
                    code: 100,
                    reason: "Validation Failed",
                    fields: [
                        .init(
                            field: "baseToken",
                            code: 1000,
                            reason: "should have required property 'baseToken'"
                        ),
                        .init(field: "quoteToken", code: 1001, reason: "should match pattern"),
                    ]
                )
        )
        #expect(requests == 1)
    }

    @Test("the HTTP status decides where a body has a reason only")
    func statusFirst() async {
        #expect(
            await failure(429, #"{"reason":"Throttled"}"#).0
                == .rateLimited(url: FakeRelay.shown, retryAfter: nil)
        )
        #expect(
            await failure(501, #"{"reason":"Not Implemented"}"#)
                == (.refused(status: 501, code: nil, reason: "Not Implemented", fields: []), 1)
        )
        #expect(
            await failure(500, #"{"reason":"database down"}"#)
                == (
                    .badStatus(
                        url: FakeRelay.shown,
                        reason: "it answered with HTTP 500 (\"database down\")"
                    ), 3
                )
        )
        #expect(
            await failure(404, #"{"reason":"Not Found"}"#)
                == (.refused(status: 404, code: nil, reason: "Not Found", fields: []), 1)
        )
        #expect(
            await failure(404, "<!DOCTYPE html>")
                == (
                    .badStatus(
                        url: FakeRelay.shown,
                        reason: "it answered with HTTP 404; check the path in its address",
                        isPermanent: true
                    ), 1
                )
        )
    }

    @Test("posted orders are sent once; where their fate is unclear the error says how to find out")
    func unclearPost() async throws {
        let order = FakeRelayV4.signed(1)
        let transport = FakeTransport { _, _ in .failure(.cutOff) }
        let client = FakeRelayV4.client(transport)
        let reason = HTTPError.cutOff.reason
        await #expect(
            throws: RelayError.unreachable(
                url: FakeRelay.shown,
                reason: "\(reason); the order may have been posted all the same; "
                    + "`dex order \(order.hash.hex)` tells"
            )
        ) { try await client.post(order) }
        await #expect(
            throws: RelayError.unreachable(
                url: FakeRelay.shown,
                reason: "\(reason); some of the orders may have been posted all the same; "
                    + "`dex orders` shows which"
            )
        ) { try await client.post([order]) }
        #expect(transport.requests.count == 2)
    }

    @Test("a refused post says which member is wrong")
    func refusedPost() async throws {
        let transport = FakeTransport { _, _ in
            .success(
                HTTPResponse(
                    400,
                    #"{"code":100,"reason":"Validation Failed","validationErrors":"#
                        + #"[{"field":"signature","code":1005,"reason":"INVALID"}]}"#
                )
            )
        }
        await #expect(
            throws: RelayError.refused(
                status: 400,
                code: 100,
                reason: "Validation Failed",
                fields: [.init(field: "signature", code: 1005, reason: "INVALID")]
            )
        ) { try await FakeRelayV4.client(transport).post(FakeRelayV4.signed(1)) }
    }
}
