import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// What a screen says: amounts by name, and sentences.
private struct Said {
    /// nil: the screen says that it is unknown.
    var amounts: [String: UInt256?] = [:]
    /// Warnings, and orders that are left out with a reason.
    var sentences: [String] = []
}

/// The read of one contract or account fails, and all others answer.
@Suite("Each read of a screen failing alone: never a zero, never an all-clear")
struct ScreenReadsTests {
    private static let failures: [Result<ChainAnswer, ChainError>] = [
        .failure(.reverted(data: [], message: "execution reverted")),
        .failure(.reverted(data: [], message: "out of gas")),
        .success(.bytes([])),
        .success(.bytes([0, 0, 0])),
    ]

    private let market: LiveMarket
    private let session: Session
    private var owner: Address { market.trader.address }

    init() throws {
        market = try LiveMarket(
            LiveMarket.Holdings(allowances: [TestMarket.zrx: .max, TestMarket.weth: 9])
        )
        session = try market.session()
    }

    /// Runs the screen once whole, and then once for each of its reads and each way to fail.
    private func check(
        fewest: Int,
        _ name: String,
        _ screen: () async throws -> Said
    ) async throws {
        market.node.forgetRounds()
        let whole = try await screen()
        #expect(!whole.amounts.isEmpty, "\(name)")
        let reads = Set(market.node.rounds.flatMap(\.self))
        #expect(reads.count >= fewest, "\(name): \(reads.count) reads")
        for read in reads {
            // Another method's answer is never one of bytes: that is a fault of the node.
            for failure in Self.failures where failure.isFailure || read.isCall {
                market.node.onRead { asked, answers throws(ChainError) in
                    zip(asked, answers).map { $0 == read ? failure : $1 }
                }
                defer { market.node.onRead(nil) }
                let story = "\(name): \(read) fails with \(failure)"
                let said: Said
                do {
                    said = try await screen()
                } catch {
                    // It shows nothing, and says why.
                    continue
                }
                for (key, amount) in whole.amounts {
                    guard let now = said.amounts[key] else {
                        #expect(said.sentences != whole.sentences, "\(story): no \(key)")
                        continue
                    }
                    #expect(now == nil || now == amount, "\(story): \(key)")
                }
                let isSame = whole.amounts.allSatisfy { said.amounts[$0.key] == .some($0.value) }
                #expect(isSame || said.sentences != whole.sentences, "\(story): nothing says so")
            }
        }
    }

    @Test("the balances of an account, and what they are worth")
    func balances() async throws {
        market.relay.set { $0.pairs = .success([]) }
        try await check(fewest: 8, "balance") {
            let state = try await BalanceModel(session: session).load(owner: owner, unit: .ether)
            var said = Said(sentences: state.warnings)
            for row in state.rows {
                said.amounts["\(row.token.address)"] = .some(row.balance)
                said.amounts["\(row.token.address) allowance"] = .some(row.allowance)
            }
            said.amounts["total"] = .some(state.marketValue?.total)
            return said
        }
    }

    @Test("the allowances of an account")
    func allowances() async throws {
        try await check(fewest: 4, "allowance list") {
            let state = try await AllowancesModel(session: session).load(owner: owner)
            var said = Said(sentences: state.warnings)
            for row in state.rows {
                said.amounts["\(row.token.address)"] = .some(row.balance)
                said.amounts["\(row.token.address) allowance"] = .some(row.allowance)
            }
            return said
        }
    }

    @Test("a book: an order is as it was, unknown, or left out with a reason")
    func book() async throws {
        market.setBook(
            bids: [try await market.bid(3, "100", for: "0.03")],
            asks: [
                try await market.ask(0, "100", for: "0.04"),
                try await market.ask(1, "50", for: "0.021"),
            ]
        )
        try await check(fewest: 4, "orderbook") {
            let state = try await OrderbookModel(session: session).load(pairText: "ZRX/WETH")
            var said = Said(sentences: state.warnings + state.dropped.map { "\($0)" })
            for row in state.bids + state.asks {
                said.amounts["\(row.orderHash)"] = .some(row.fillable)
                said.sentences += row.flags.map { "\(row.orderHash) \($0)" }
            }
            return said
        }
    }
}

extension ChainRead {
    fileprivate var isCall: Bool {
        if case .call = self { true } else { false }
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
