import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Approval events that a node leaves out, or does not give at once")
struct ApprovalLogsTests {
    private let market: LiveMarket
    private var owner: Address { market.trader.address }
    private var spender: Address { market.rival.address }

    init() throws {
        market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
    }

    private func list(from block: UInt64? = nil) async throws -> AllowancesState {
        try await AllowancesModel(
            session: try market.session(),
            journal: market.journal,
            known: KnownAddresses(),
            firstBlock: block
        ).load(owner: owner)
    }

    /// The steps of `allowance revoke --all`.
    private func steps() async throws -> Int {
        let model = RevocationModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        return try await model.plan(
            RevocationRequest(.all, known: KnownAddresses()),
            account: owner
        ).content.steps.count
    }

    /// The node returns no logs.
    private func hideLogs() {
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                if case .logs = read { .success(.logs([])) } else { answer }
            }
        }
    }

    private func approveRival() async throws {
        let data = ERC20.approve(spender: spender, amount: 9)
        try await market.send(from: market.trader, to: TestMarket.zrx, data)
        // The journal keeps what is so old.
        for _ in 0...Reorganization.depth { try await market.chain.mine() }
    }

    @Test("an answer without old approvals hides none from the next one", arguments: [nil, 0])
    func shortLogs(block: UInt64?) async throws {
        try await approveRival()
        hideLogs()
        #expect(try await list(from: block).others.isEmpty)
        market.node.onRead(nil)
        #expect(try await list(from: block).others.map(\.spender) == [spender])
        #expect(try await steps() == 1)
        // Nor those that the node gave before.
        hideLogs()
        for block in [nil, 0, nil] as [UInt64?] {
            #expect(try await list(from: block).others.map(\.spender) == [spender])
        }
        #expect(try await steps() == 1)
    }

    @Test("what was read piece by piece serves where a node gives no more than a part")
    func refusedAtOnce() async throws {
        try await approveRival()
        #expect(try await list(from: 0).others.count == 1)
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                guard case .logs(let filter) = read, filter.fromBlock == .number(0) else {
                    return answer
                }
                return .failure(.rpc(code: -32_005, message: "block range is too wide"))
            }
        }
        let state = try await list()
        #expect(state.others.map(\.spender) == [spender] && state.warnings.isEmpty)
    }

    @Test("a failure that is no refusal of a range does not send the user to pieces")
    func failure() async throws {
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                guard case .logs = read else { return answer }
                return .failure(.unreachable(url: "http://n", reason: "gone"))
            }
        }
        let warning = try #require(try await list().warnings.first)
        #expect(warning.hasPrefix("Not all Approval events could be read"))
        #expect(!warning.contains("--from-block"))
    }
}
