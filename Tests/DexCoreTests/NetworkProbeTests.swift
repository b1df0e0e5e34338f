import Ethereum
import Testing
import ZeroEx

@testable import DexCore

@Suite("What a network's node says of it")
struct NetworkProbeTests {
    private static let version: [UInt8] = [0xff, 0xa1, 0xad, 0x74]

    /// A string as contracts return it.
    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let padding = [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
        return UInt256(32).bigEndianBytes + UInt256(UInt64(bytes.count)).bigEndianBytes + bytes
            + padding
    }

    private func market(_ version: Result<[UInt8], ChainError>) throws -> TestMarket {
        let market = try TestMarket()
        market.chain.answer(TestMarket.exchange, Self.version, with: version)
        return market
    }

    private func failure(_ market: TestMarket) async throws -> DexError? {
        let session = try market.session()
        do throws(DexError) {
            _ = try await NetworkProbe(session: session).findings()
            return nil
        } catch {
            return error
        }
    }

    @Test("the block, the contracts and the version, in two rounds")
    func found() async throws {
        let market = try market(.success(Self.text("1.0.0")))
        let found = try await NetworkProbe(session: try market.session()).findings()
        #expect(found.block == TestMarket.head)
        #expect(found.version == "1.0.0")
        #expect(found.contracts.exchange == TestMarket.exchange)
        #expect(found.contracts.transferContract == TestMarket.proxy)
        #expect(found.contracts.feeToken == TestMarket.zrx)
        #expect(found.contracts.protocolFeeMultiplier == 0)
        #expect(market.chain.rounds.count == 2)
    }

    @Test("what names no version, or reverts over it, is no exchange: exit 3")
    func noVersion() async throws {
        let answers: [Result<[UInt8], ChainError>] = [
            .success([]), .success(Self.text("")), .success([1, 2, 3]),
            .failure(.reverted(data: [], message: "no such function")),
        ]
        for answer in answers {
            let error = try await failure(try market(answer))
            #expect(error?.code == "not-an-exchange")
            #expect(error?.exit == .configuration)
        }
    }

    @Test("an exchange that may not move tokens is refused, and a node of another chain")
    func unusable() async throws {
        let market = try market(.success(Self.text("1.0.0")))
        market.setReady(false)
        let closed = try await failure(market)
        #expect(closed?.code == "exchange-not-authorized")
        #expect(closed?.exit == .refused)
        market.chain.set { $0.chainID = 5 }
        let elsewhere = try await failure(market)
        #expect(elsewhere?.code == "wrong-chain")
        #expect(elsewhere?.exit == .configuration)
    }

    @Test("an Exchange Proxy has no version, and is itself whom one approves")
    func exchangeProxy() async throws {
        let market = try LiveMarket(version: .v4)
        let found = try await NetworkProbe(session: try market.session()).findings()
        #expect(found.version == nil)
        #expect(found.contracts == market.exchangeContracts)
        #expect(found.contracts.transferContract == market.network.exchange)
        var session = try market.session()
        session.network.exchange = TestMarket.address("0x00000000000000000000000000000000000000e1")
        session.exchangeProtocol = Protocols.implementation(of: session.network)
        let error = await refusal { try await NetworkProbe(session: session).findings() }
        #expect(error?.code == "not-an-exchange", "there is no contract")
    }
}
