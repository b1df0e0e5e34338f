import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore

/// A market, a node and a journal in which all is well, for a checkup of them.
struct DoctorPatient {
    let market: TestMarket
    let store = TemporaryJournal()

    init() throws {
        market = try TestMarket()
        let pair = RelayTokenPair(
            tokenA: .init(token: TestMarket.zrx, minimum: 5, maximum: nil, precision: nil),
            tokenB: .init(token: TestMarket.weth, minimum: nil, maximum: nil, precision: nil)
        )
        market.relay.set { state in
            state.pairs = .success([pair])
            state.fees = .success(.none)
        }
        market.fundTrader(zrx: 5)
        let trader = market.trader.address
        market.chain.set { $0.code[trader] = .success([]) }
        for token in try market.session().tokens.search(nil).map(\.address)
        where ![TestMarket.zrx, TestMarket.weth, TestMarket.usdc].contains(token) {
            market.fund(trader, token, balance: 0, allowance: 0)
        }
    }

    /// The first row of each check.
    func rows(
        _ probes: [FakeProbe] = [FakeProbe()],
        withRelay: Bool = true,
        withAccount: Bool = true,
        journal: Journal? = nil
    ) async throws -> [DoctorState.Check: DoctorState.Row] {
        let rows = await DoctorModel(
            session: try market.session(withRelay: withRelay),
            nodes: .success(probes),
            account: withAccount ? market.trader.address : nil,
            journal: journal ?? store.journal,
            settings: TradeSettings()
        ).rows()
        for row in rows {
            #expect(row.found.hasSuffix("."), "\(row)")
            #expect([.ok, .skipped].contains(row.mark) || row.remedy != nil, "\(row)")
        }
        return Dictionary(rows.map { ($0.check, $0) }) { first, _ in first }
    }
}
