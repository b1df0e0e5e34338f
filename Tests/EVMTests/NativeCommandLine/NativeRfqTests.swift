import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import ZeroEx

/// RFQ orders, which are handed over in a file and filled by `fillRfqOrder` of the genuine contract.
@Suite("RFQ orders of v4 from a file, on an EVM", .serialized)
struct NativeRfqTests {
    private let zrx = EVMToken.zrx
    private let weth = EVMToken.weth

    /// Bob sells 100 ZRX for 0.1 WETH to whoever sends a transaction as the origin.
    private func quote(
        _ stage: EVMStage,
        for origin: Party,
        signedBy signer: Party = .bob
    ) async throws -> SignedRfqOrderV4 {
        let terms = RfqOrderV4(
            makerToken: zrx.address,
            takerToken: weth.address,
            makerAmount: try #require(zrx.raw("100").uint128),
            takerAmount: try #require(weth.raw("0.1").uint128),
            maker: try Party.bob.address,
            txOrigin: try origin.address,
            expiry: Scene.now + 86_400,
            salt: 7
        )
        let domain = ExchangeDomainV4(
            chainID: try #require(stage.exchange as? ZeroExV4).domain.chainID,
            exchange: stage.contracts.exchange
        )
        let kind = SignatureKindV4.ethSign
        let made = try await signer.signer.sign(digest: kind.digest(of: terms.hash(in: domain)))
        return SignedRfqOrderV4(
            terms: terms,
            domain: domain,
            signature: SignatureV4(made, kind: kind)
        )
    }

    @Test("its origin fills it, in parts; the contract, status and history say so")
    func filled() async throws {
        var scene = Scene.aliceApproved(weth)
        scene.venue = .v4()
        try await EVMStage.run(scene) { stage in
            let json = try await quote(stage, for: .alice).json.text
            let before = try stage.ledger()
            let part = try await stage.dex(.alice, "fill - 40", input: json)
            #expect(part.transactions == ["fill mined"])
            #expect(try stage.function(part) == "fillRfqOrder")
            #expect(try part.raw("outcome.received") == zrx("40"))
            #expect(try part.raw("outcome.paid") == weth("0.04"))
            let rest = try await stage.dex(.alice, "fill -", input: json)
            #expect(try rest.raw("outcome.received") == zrx("60"))
            try stage.expect(
                [
                    "alice ZRX": zrx("100"), "alice WETH": weth("-0.1"),
                    "alice WETH allowance": weth("-0.1"),
                    "bob ZRX": zrx("-100"), "bob WETH": weth("0.1"),
                    "bob ZRX allowance": zrx("-100"),
                ],
                since: before,
                by: part,
                rest
            )
            let status = try await stage.dex(
                nil,
                arguments: ["status", rest.text("transactions.0.hash")]
            )
            #expect(try status.data.list("fills").count == 1)
            let history = try await stage.dex(.alice, "history list")
            #expect(try history.data.list("trades").count == 2)
            _ = try await stage.dex(.alice, "fill -", input: json, exit: 6, code: "order-filled")
        }
    }

    @Test("another account, and a quote of another signer, are refused before anything is signed")
    func refused() async throws {
        var scene = Scene.aliceApproved(weth)
        scene.venue = .v4()
        try await EVMStage.run(scene) { stage in
            let before = try stage.ledger()
            for (quote, code) in [
                (try await quote(stage, for: .dave), "order-other-taker"),
                (try await quote(stage, for: .alice, signedBy: .carol), "bad-signature"),
            ] {
                _ = try await stage.dex(
                    .alice,
                    "fill -",
                    input: quote.json.text,
                    exit: 6,
                    code: code
                )
            }
            try stage.expect([:], since: before)
        }
    }
}
