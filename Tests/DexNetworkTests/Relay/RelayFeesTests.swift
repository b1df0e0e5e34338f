import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexNetwork

@Suite("what a relay wants for an order")
struct RelayFeesTests {
    private let base = FakeRelay.base
    private let zrx = "0xe41d2489571d322189246dafa5ebde1f4699f498"
    private let weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"

    private func address(_ text: String) throws -> Address {
        try Address(lenient: text)
    }

    private func draft() throws -> OrderDraft {
        OrderDraft(
            exchange: try address("0x12459c951127e0c374ff9105dda097662a027093"),
            maker: try address("0x1111111111111111111111111111111111111111"),
            makerToken: try address(zrx),
            takerToken: try address(weth),
            makerAmount: 1000,
            takerAmount: 2000,
            expiry: 1_900_000_000,
            salt: 1
        )
    }

    @Test("fees are asked with the nine members of a draft")
    func fees() async throws {
        let transport = FakeTransport(
            body:
                #"{"feeRecipient":"0xB046140686d052ffF581f63f8136CcE132e857dA","makerFee":"100","takerFee":200}"#
        )
        let fees = try await FakeRelay.client(transport).fees(for: try draft())
        #expect(
            fees
                == OrderFees(
                    recipient: try address("0xb046140686d052fff581f63f8136cce132e857da"),
                    makerFee: 100,
                    takerFee: 200
                )
        )
        let request = transport.requests[0]
        #expect(request.method == .post)
        #expect(request.url == "\(base)/fees")
        #expect(request.headers.contains(HTTPHeader("Content-Type", "application/json")))
        #expect(try JSONParser.parse(request.body).objectValue?.members.count == 9)
    }

    @Test(
        "no recipient of fees, however it is written, is the zero address",
        arguments: ["null", #""""#, #""0x""#]
    )
    func noRecipient(text: String) async throws {
        let transport = FakeTransport(
            body: #"{"feeRecipient":\#(text),"makerFee":"0","takerFee":"0.00"}"#
        )
        #expect(try await FakeRelay.client(transport).fees(for: try draft()) == .none)
    }

    @Test(
        "fees that cannot be read are nonsense",
        arguments: [
            ("[]", "the fees are not an object"),
            ("{}", "the fees have no makerFee"),
            (#"{"makerFee":"1"}"#, "the fees have no takerFee"),
            (
                #"{"makerFee":"1e-3","takerFee":"1"}"#,
                "the fees' makerFee is not a whole number of at most 256 bits"
            ),
            (
                #"{"makerFee":"1","takerFee":0.5}"#,
                "the fees' takerFee is not a whole number of at most 256 bits"
            ),
            (
                #"{"makerFee":"","takerFee":"1"}"#,
                "the fees' makerFee is not a whole number of at most 256 bits"
            ),
            (
                #"{"feeRecipient":"0x1","makerFee":"1","takerFee":"1"}"#,
                "the fees' feeRecipient is not an address"
            ),
            (
                #"{"feeRecipient":7,"makerFee":"1","takerFee":"1"}"#,
                "the fees' feeRecipient is not an address"
            ),
        ]
    )
    func badFees(body: String, reason: String) async throws {
        await #expect(throws: RelayError.nonsense(reason)) {
            try await FakeRelay.client(FakeTransport(body: body)).fees(for: try draft())
        }
    }
}
