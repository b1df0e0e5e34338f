import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A network whose chain has no 0x exchange: only its swap API trades.
@Suite("Networks without an exchange")
struct NoExchangeTests {
    private let market: TestMarket

    init() throws {
        market = try TestMarket()
    }

    private func session(withRelay: Bool = true) throws -> Session {
        var session = try market.session(withRelay: withRelay)
        session.network.exchange = .zero
        session.network.transferContract = nil
        session.network.swap = SwapSettings(api: "https://swap.example")
        session.network.protocolVersion = .v4
        session.exchangeProtocol = Protocols.implementation(of: session.network)
        return session
    }

    /// A known token's balance, and what the AllowanceHolder may move of it.
    private func fund(_ token: Address, balance: UInt256, allowance: UInt256) {
        let owner = market.trader.address
        let spender = ZeroExSwapContracts.allowanceHolder(chainID: 1337)
        market.chain.answer(token, ERC20.balanceOf(owner), with: balance)
        market.chain.answer(
            token,
            ERC20.allowance(owner: owner, spender: spender),
            with: allowance
        )
        market.confirmDecimals(token)
    }

    private func fundAll() throws {
        market.chain.set { state in
            state.ether[market.trader.address] = Wei(TestMarket.units("2"))
        }
        for token in try session().tokens.search(nil).map(\.address) {
            fund(token, balance: 0, allowance: 0)
        }
        fund(TestMarket.zrx, balance: TestMarket.units("7"), allowance: 5)
    }

    @Test("balances are read all the same, with the allowances of the swap API's contract")
    func balances() async throws {
        try fundAll()
        let owner = market.trader.address
        let state = try await BalanceModel(session: try session()).load(owner: owner)
        #expect(state.ether == Wei(TestMarket.units("2")))
        #expect(state.rows.map(\.token.symbol) == ["ZRX"])
        #expect(state.rows.map(\.allowance) == [5])
        let allowances = try await AllowancesModel(session: try session()).load(owner: owner)
        #expect(allowances.spender == ZeroExSwapContracts.allowanceHolder(chainID: 1337))
        #expect(allowances.rows.map(\.allowance) == [5])
        // Nothing is asked of the zero address.
        for case .call(let call, _) in market.chain.rounds.joined() {
            #expect(call.to != .zero)
        }
    }

    @Test("what needs the exchange says that there is none, and the node answers as it should")
    func missing() async throws {
        let error = await #expect(throws: DexError.self) {
            _ = try await ChainSetup.read(try session())
        }
        #expect(error == NetworkError.noExchange(network: "sandbox"))
        #expect(error?.exit == .configuration && error?.code == "no-exchange")
        let setup = try await ChainSetup.read(try session(), needsExchange: false)
        #expect(setup.block.number == TestMarket.head)
        // An exchange that is named is needed by both.
        let named = try await ChainSetup.read(try market.session(), needsExchange: false)
        #expect(named.contracts == TestMarket.contracts)
    }

    @Test("a checkup finds the account, and that there is no exchange to fail")
    func doctor() async throws {
        try fundAll()
        let rows = await DoctorModel(
            session: try session(withRelay: false),
            nodes: .success([FakeProbe()]),
            account: nil,
            journal: nil,
            settings: TradeSettings()
        ).rows()
        let row = try #require(rows.first { $0.check == .exchange })
        #expect(row == .ok(.exchange, "The network has none; only its swap API trades."))
    }
}
