import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A guard pays from the balance and the allowance that open limit orders rest on.
@Suite("A guard that leaves less than open orders offer says so")
struct GuardOwnOrdersTests: GuardSuite {
    let market: LiveMarket

    init() throws {
        market = try LiveMarket()
    }

    /// Signs and posts a sale far above the book.
    private func rest(_ amount: String) async throws {
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        let limits = LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await limits.plan(
            LimitRequest(side: .sell, pair: "ZRX/WETH", amount: amount, price: "0.05"),
            account: market.trader.address
        )
        #expect(try await limits.execute(planned, signer: market.signer).exit == .done)
    }

    private func warnings() async throws -> [String] {
        try await model().plan(
            GuardRequest(
                side: .sell,
                pair: "ZRX/WETH",
                amount: "100",
                trigger: .below,
                price: "0.01",
                allowsImmediate: true,
                allowsUnfunded: true
            ),
            account: market.trader.address
        ).warnings.filter { $0.contains("open orders") }
    }

    @Test("when it is added, and in its outcome when it fired")
    func balance() async throws {
        market.setBook(bids: [try await bid("11")])
        #expect(try await warnings() == [])
        // Of 10,000 ZRX 9,900 are left: enough for the one, too little for both.
        try await rest("9900")
        #expect(try await warnings() == [])
        try await rest("50")
        let expected =
            "After this the account has 9900 ZRX, and your open orders offer up to 9950 ZRX: they "
            + "may be unfunded. `dex orders --mine` shows them."
        #expect(try await warnings() == ["Once it fires: \(expected)"])

        let made = try await add()
        let low = try await bid("9.95", salt: 5)
        let log = GuardLog()
        _ = try await run(log: log) { [market] number in
            if number == 2 { market.setBook(bids: [low]) }
        }
        #expect(log.fired == [made.id])
        let outcome = try #require(log.outcomes.first)
        #expect(outcome.exit == .done)
        #expect(outcome.warnings.filter { $0.contains("open orders") } == [expected])
    }

    @Test("an allowance that it uses up is named with the command that covers the orders")
    func allowance() async throws {
        let tokens = try market.session().tokens
        let zrx = try tokens.resolve("ZRX")
        func warning(_ allowance: UInt256, _ offered: UInt256) -> String? {
            OpenOrderReads.warning(
                zrx,
                paying: TestMarket.units("100"),
                of: TestMarket.units("10000"),
                allowance: allowance,
                offered: offered,
                tokens: tokens
            )
        }
        #expect(warning(TestMarket.units("150"), TestMarket.units("50")) == nil)
        let short = try #require(warning(TestMarket.units("149"), TestMarket.units("50")))
        #expect(short.hasPrefix("After this the transfer contract may move 49 ZRX, and your open"))
        #expect(short.contains("dex allowance set") && short.hasSuffix(" 50` covers them."))
        #expect(warning(.zero, .zero) == nil)
    }
}
