import Ethereum
import NIOCore
import StrictJSON
import Testing
import ZeroEx

@testable import DexRelay

@Suite("Orders posted in the relay's own form")
struct PostedOrderV0Tests {
    private func posted(_ body: [UInt8]) -> PostedOrderV0? {
        PostedOrderV0(ByteBuffer(bytes: body))
    }

    @Test("what dex sends is read without a tree of values, and kept as it is")
    func own() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        let body = fixture.json(order)
        let posted = try #require(self.posted(body))
        #expect(posted.order.hash == order.hash)
        #expect(posted.order.copyID == order.copyID)
        #expect(posted.order.wireText == body)
        #expect(posted.wireText == body)
        try await fixture.talk(.inProcess) { relay in
            #expect(try await relay.post("/v0/order", body).status == 201)
            let shown = try await relay.get("/v0/order/\(order.hash.hex)")
            #expect(Array(shown.body) == body)
        }
    }

    @Test("any other way to write the same order is left to the schema")
    func other() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order()
        let body = fixture.json(order)
        let texts: [[UInt8]] = [
            [UInt8(ascii: " ")] + body,
            body + [UInt8(ascii: "\n")],
            Array(body.dropLast()),
            fixture.json(order) { $0["makerTokenAmount"] = "1000.00" },
            fixture.json(order) { $0["makerTokenAmount"] = "01000" },
            fixture.json(order) { $0["maker"] = .string(order.maker.checksummed) },
            fixture.json(order) { $0["more"] = "1" },
            fixture.json(order) { $0["taker"] = nil },
            body + [UInt8(ascii: ",")] + body,
            [],
        ]
        for text in texts { #expect(posted(text) == nil) }
    }

    @Test("fees that nobody gets are left to the schema, which names them")
    func unpaidFees() async throws {
        let fixture = try RelayFixture()
        let order = try await fixture.order {
            $0.fees = OrderFees(recipient: .zero, makerFee: 1, takerFee: 0)
        }
        let body = fixture.json(order)
        #expect(posted(body) == nil)
        try await fixture.talk(.inProcess) { relay in
            let answer = try await relay.post("/v0/order", body)
            #expect(answer.status == 400)
            #expect(try answer.faults == ["makerFee 1004"])
        }
    }
}
