import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Own orders beside a trade: only what the chain says is open counts")
struct OwnOrderFundingTests {
    /// A market whose trader has an order of 3 WETH for 500 ZRX in the journal.
    private func market(
        version: ProtocolVersion = .v1,
        salt: UInt256 = 1
    ) async throws -> (LiveMarket, any SignedOrder) {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0), version: version)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let own = try await market.order(
            by: market.trader,
            give: (TestMarket.weth, "3"),
            get: (TestMarket.zrx, "500"),
            salt: salt
        )
        try market.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: own.exchange,
                hash: own.hash,
                maker: own.maker,
                wire: market.exchangeProtocol.encodeOrder(own).text,
                created: TestMarket.now
            )
        )
        return (market, own)
    }

    private func approve(_ market: LiveMarket, _ amount: String) async throws {
        let data = ERC20.approve(
            spender: market.exchangeContracts.transferContract,
            amount: TestMarket.units(amount)
        )
        try await market.send(from: market.trader, to: TestMarket.weth, data)
    }

    @Test(
        "an order that was cancelled on chain does not count",
        arguments: [ProtocolVersion.v1, .v4]
    )
    func cancelled(version: ProtocolVersion) async throws {
        let (market, own) = try await market(version: version)
        let before = try await market.plan(.buy, "10").content.warnings
        #expect(before.contains { $0.contains("offer up to 3 WETH") })
        let call = market.exchangeProtocol.cancelCall([own], contracts: market.exchangeContracts)
        try await market.send(from: market.trader, to: call.to, call.data)
        let after = try await market.plan(.buy, "10").content.warnings
        #expect(!after.contains { $0.contains("offer up to") }, "\(after)")
    }

    @Test("an order of a pair that was cancelled by salt does not count")
    func cancelledBySalt() async throws {
        let (market, own) = try await market(version: .v4, salt: 7)
        let call = try #require(
            market.exchangeProtocol.pairCancelCall(
                [
                    PairCancel(
                        maker: own.maker,
                        makerToken: own.makerToken,
                        takerToken: own.takerToken,
                        minimumSalt: 8
                    )
                ],
                contracts: market.exchangeContracts
            )
        )
        try await market.send(from: market.trader, to: call.to, call.data)
        let warnings = try await market.plan(.buy, "10").content.warnings
        #expect(!warnings.contains { $0.contains("offer up to") }, "\(warnings)")
    }

    @Test("of an order that was filled in part the rest counts, and of a filled one nothing")
    func filled() async throws {
        let (market, own) = try await market()
        try await approve(market, "3")
        try await market.take(own, TestMarket.units("400"))
        let rest = try await market.plan(.buy, "100") { $0.allowsUncheckedPrice = true }.content
            .warnings
        #expect(rest.contains { $0.contains("offer up to 0.6 WETH") }, "\(rest)")
        try await market.take(own, TestMarket.units("100"))
        let none = try await market.plan(.buy, "100") { $0.allowsUncheckedPrice = true }.content
            .warnings
        #expect(!none.contains { $0.contains("offer up to") }, "\(none)")
    }

    @Test("the advice is an exact allowance, never an unlimited one")
    func advice() async throws {
        let (market, _) = try await market()
        let warnings = try await market.plan(.buy, "10").content.warnings
        #expect(warnings.contains { $0.contains("dex allowance set WETH 3") }, "\(warnings)")
        #expect(!warnings.contains { $0.lowercased().contains("unlimited") })
    }

    @Test("orders that give another token do not count")
    func otherToken() async throws {
        let (market, _) = try await market()
        market.setBook(bids: [try await market.bid(0, "100", for: "1")])
        let warnings = try await market.plan(.sell, "10").content.warnings
        #expect(!warnings.contains { $0.contains("offer up to") }, "\(warnings)")
    }

    @Test("where own orders stand that the node does not tell is the node's error, exit 4")
    func unread() async throws {
        let (market, _) = try await market()
        // The first batch with an estimate is the one of the approvals; what it asks of the
        // exchange are the states.
        market.node.onRead { reads, answers throws(ChainError) in
            guard reads.contains(where: { if case .estimateGas = $0 { true } else { false } })
            else { return answers }
            return zip(reads, answers).map { read, answer in
                if case .call(let call, _) = read, call.to == TestMarket.exchange {
                    return .failure(.rpc(code: -32_005, message: "limit exceeded"))
                }
                return answer
            }
        }
        let error = await refusal { try await market.plan(.buy, "10") }
        #expect(error?.exit == .unreachable)
    }
}
