import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Amounts of the coin have the symbol of their own network")
struct CoinOfNetworkTests {
    private let bnb: CoinSymbol
    private let market: LiveMarket

    init() throws {
        bnb = try #require(CoinSymbol("BNB"))
        market = try LiveMarket()
    }

    private func session(chainID: UInt64 = 1337) throws -> Session {
        var session = try market.session()
        session.network.coin = bnb
        session.network.chainID = chainID
        session.tokens = try TokenMap(chainID: 1337, coin: bnb)
        return session
    }

    @Test("a plan, its outcome, a balance and the history of a network of another coin")
    func models() async throws {
        let session = try session()
        let model = TransferModel(
            session: session,
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            market.send("0.5", "BNB"),
            account: market.trader.address
        )
        #expect(planned.content.paid == .coin(bnb) && planned.content.gas.coin == bnb)
        #expect(planned.content.steps.first?.summary.hasPrefix("send 0.5 BNB to") == true)
        let outcome = try await model.execute(planned, signer: market.signer)
        #expect(outcome.transactions.map(\.coin) == [bnb])
        let hash = try #require(outcome.transactions.first?.hash)
        let context = ReadContext(
            session: session,
            journal: market.journal,
            settings: ReadSettings()
        )
        let balance = try await BalanceModel(context).load(owner: market.trader.address)
        #expect(balance.coin == bnb)
        let history = try await HistoryModel(session: session, journal: market.journal)
            .load(market.trader.address)
        #expect(history.coin == bnb && history.otherGas.map { $0 > .zero } == true)
        guard case .transaction(let status) = try await StatusModel(context).load(hash.word) else {
            Issue.record("no transaction")
            return
        }
        #expect(status.coin == bnb && status.cost != nil)
        let list = try await TransactionsModel(session: session, journal: market.journal)
            .load(account: market.trader.address, limit: 9, onlyUnsettled: false)
        #expect(list.rows.map { $0.subject?.currency } == [.coin(bnb)])
        let activity = try await ActivityModel(session: session, journal: market.journal)
            .load(market.trader.address)
        #expect(activity.coin == bnb && activity.rows.first?.currency == .coin(bnb))
    }

    @Test("the rows of one journal are those of the command's chain, each with its own coin")
    func journal() async throws {
        _ = try await market.transfer(market.send("0.5", "ETH"))
        let elsewhere = try session(chainID: 56)
        let account = market.trader.address
        let other = try await TransactionsModel(session: elsewhere, journal: market.journal)
            .load(account: account, limit: 9, onlyUnsettled: false)
        #expect(other.rows.isEmpty)
        let own = try await TransactionsModel(session: market.session(), journal: market.journal)
            .load(account: account, limit: 9, onlyUnsettled: false)
        #expect(own.rows.map { $0.subject?.currency } == [.coin(.ether)])
        let history = try await HistoryModel(session: elsewhere, journal: market.journal)
            .load(account)
        #expect(history.otherGas == .zero && history.coin == bnb)
    }

    @Test("errors and warnings name it")
    func errors() async throws {
        let model = TransferModel(
            session: try session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let account = market.trader.address
        let tooMuch = await refusal {
            try await model.plan(market.send("999999", "BNB"), account: account)
        }
        #expect(tooMuch?.code == "insufficient-ether")
        #expect(tooMuch?.message.contains("999999 BNB go along") == true)
        #expect(tooMuch?.hint?.contains("send some BNB") == true)
        #expect(tooMuch?.message.contains("ETH") == false)
        let ether = await refusal {
            try await model.plan(market.send("1", "ETH"), account: account)
        }
        #expect(ether?.code == "unknown-token")
        var settings = TradeSettings()
        settings.feeCap = Wei(1)
        let capped = TransferModel(
            session: try session(),
            journal: market.journal,
            settings: settings
        )
        let cap = await refusal {
            try await capped.plan(market.send("1", "ZRX"), account: account)
        }
        #expect(cap?.code == "fee-cap" && cap?.message.contains("0.000000000000000001 BNB") == true)
    }
}
