import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What is wrong with a signature is said")
struct SignatureReasonTests {
    private func refused(_ order: any SignedOrder, _ market: LiveMarket) async throws -> DexError? {
        await refusal {
            try await FillModel(
                session: try market.session(),
                journal: market.journal,
                settings: TradeSettings()
            ).plan(
                FillRequest(source: .signed(market.exchangeProtocol.encodeOrder(order).text)),
                account: market.trader.address
            )
        }
    }

    @Test("on v4: its type, v, a high s, r or s out of range, another signer")
    func v4() async throws {
        let market = try LiveMarket(version: .v4)
        let order = try #require(try await market.ask(0, "100", for: "1") as? SignedOrderV4)
        let groupOrder: UInt256 =
            0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE_BAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141
        let (good, kind) = (order.signature, order.signature.type)
        let high = (groupOrder - UInt256(good.s)).word
        let other = try await market.rival.sign(
            digest: SignatureKindV4.ethSign.digest(of: order.hash)
        )
        let cases: [(SignatureV4, String)] = [
            (SignatureV4(type: 0, v: good.v, r: good.r, s: good.s), "is of type 0"),
            (SignatureV4(type: 9, v: good.v, r: good.r, s: good.s), "is of type 9; 2 (EIP712) or"),
            (SignatureV4(type: kind, v: 29, r: good.r, s: good.s), "v is 29; 27 or 28"),
            (
                SignatureV4(type: kind, v: 55 - good.v, r: good.r, s: high),
                "s is in the upper half"
            ),
            (SignatureV4(type: kind, v: good.v, r: .zero, s: good.s), "r is zero"),
            (SignatureV4(type: kind, v: good.v, r: good.r, s: .zero), "s is zero"),
            (
                SignatureV4(type: kind, v: good.v, r: groupOrder.word, s: good.s),
                "r is beyond the group's order"
            ),
            (SignatureV4(other, kind: .ethSign), "was not made by its maker"),
        ]
        for (signature, words) in cases {
            let bad = SignedOrderV4(terms: order.terms, domain: order.domain, signature: signature)
            let error = try await refused(bad, market)
            #expect(error?.code == "bad-signature")
            #expect(error?.exit == .refused)
            #expect(error?.message.contains(words) == true, "\(words): \(error as Any)")
        }
    }

    @Test("on v1: r or s out of range, another signer")
    func v1() async throws {
        let market = try LiveMarket()
        let order = try #require(try await market.ask(0, "100", for: "1") as? SignedOrderV1)
        let zero = try #require(
            Signature(r: .zero, s: order.signature.s, yParity: order.signature.yParity)
        )
        let bad = SignedOrderV1(terms: order.terms, signature: zero)
        let error = try await refused(bad, market)
        #expect(error?.code == "bad-signature")
        #expect(error?.message.contains("r or s is zero or beyond") == true, "\(error as Any)")
        let other = try await market.exchangeProtocol.sign(order.terms, with: market.rival)
        let second = try await refused(other, market)
        #expect(second?.message.contains("was not made by its maker") == true)
    }
}
