import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Allowances: listed, set exactly, taken back")
struct AllowanceTests {
    private func model(
        _ market: LiveMarket,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> AllowanceModel {
        AllowanceModel(
            session: try market.session(),
            journal: market.journal,
            settings: market.settings(change)
        )
    }

    private func plan(
        _ market: LiveMarket,
        _ token: String,
        _ amount: AllowanceRequest.Amount
    ) async throws -> Plan<AllowancePlan> {
        try await model(market).plan(
            AllowanceRequest(token: token, amount: amount),
            account: market.trader.address
        )
    }

    private func set(
        _ market: LiveMarket,
        _ token: String,
        _ amount: AllowanceRequest.Amount
    ) async throws -> AllowanceOutcome {
        try await model(market).execute(
            try await plan(market, token, amount),
            signer: market.signer
        )
    }

    @Test("an allowance is set to exactly what was asked, and read again")
    func exact() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        let planned = try await plan(market, "ZRX", .exactly("12.5"))
        #expect(planned.content.current == 0)
        #expect(planned.content.amount == TestMarket.units("12.5"))
        #expect(planned.content.spender == TestMarket.proxy)
        #expect(planned.content.steps.map(\.purpose) == [.approve])
        #expect(planned.content.warnings.isEmpty)
        #expect(market.node.rounds.count == 2)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.allowance == TestMarket.units("12.5"))
        #expect(outcome.warnings.isEmpty)
        #expect(try await market.allowance(TestMarket.zrx) == TestMarket.units("12.5"))
        #expect(try market.journaled().map(\.purpose) == ["approve"])
    }

    @Test("a lower amount takes the place of a higher one")
    func lower() async throws {
        let market = try LiveMarket()
        let outcome = try await set(market, "ZRX", .exactly("1"))
        #expect(outcome.transactions.map(\.purpose) == [.approve])
        #expect(try await market.allowance(TestMarket.zrx) == TestMarket.units("1"))
    }

    @Test("a token that does not go from one allowance to another is set to zero first")
    func zeroFirst() async throws {
        let market = try LiveMarket(
            LiveMarket.Holdings(allowances: [LiveMarket.usdt: 5])
        )
        let usdt = LiveMarket.usdt.checksummed
        let outcome = try await set(market, usdt, .exactly("3"))
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.purpose) == [.resetAllowance, .approve])
        #expect(try await market.allowance(LiveMarket.usdt) == TestMarket.units("3"))
        #expect(try market.journaled().map(\.nonce) == [0, 1])
        let back = try await set(market, usdt, .exactly("0"))
        #expect(back.exit == .done)
        #expect(back.transactions.map(\.purpose) == [.resetAllowance])
        #expect(try await market.allowance(LiveMarket.usdt) == 0)
    }

    @Test("unlimited is a word of its own, and is warned of")
    func unlimited() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        let planned = try await plan(market, "WETH", .unlimited)
        #expect(planned.content.warnings.first?.hasPrefix("UNLIMITED: ") == true)
        _ = try await model(market).execute(planned, signer: market.signer)
        #expect(try await market.allowance(TestMarket.weth) == .max)
    }

    @Test("an allowance that is as asked already costs nothing")
    func already() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        let planned = try await plan(market, "ZRX", .exactly("0"))
        #expect(planned.content.steps.isEmpty)
        #expect(planned.content.gas == nil)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.allowance == 0)
        #expect(market.node.sent.isEmpty)
        #expect(try market.journaled().isEmpty)
    }

    @Test("an approval that the token refuses is exit 10, one without ether exit 6")
    func refused() async throws {
        let poor = try LiveMarket(LiveMarket.Holdings(ether: "0"))
        #expect(
            await refusal { try await plan(poor, "ZRX", .exactly("1")) }?.code
                == "insufficient-ether"
        )
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                if case .call(let call, _) = read, call.data.starts(with: [0x09, 0x5E]) {
                    .failure(.reverted(data: [], message: "paused"))
                } else {
                    answer
                }
            }
        }
        let error = await refusal { try await plan(market, "ZRX", .exactly("1")) }
        #expect(error?.exit == .simulationFailed)
        #expect(error?.code == "approval-fails")
    }

    @Test("what is no token or no amount is refused before anything else")
    func badInput() async throws {
        let market = try LiveMarket()
        #expect(await refusal { try await plan(market, "NOPE", .unlimited) }?.exit == .usage)
        for text in ["-1", "many", "", "1.0000000000000000001"] {
            let error = await refusal { try await plan(market, "ZRX", .exactly(text)) }
            #expect(error?.code == "bad-amount")
        }
        let stranger = market.makers[0].address.checksummed
        #expect(
            await refusal { try await plan(market, stranger, .unlimited) }?.code == "not-a-token"
        )
    }

    @Test("contracts that change between plan and signature stop it")
    func contractsChanged() async throws {
        let market = try LiveMarket()
        let planned = try await plan(market, "ZRX", .exactly("1"))
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                if case .call(let call, _) = read, call.to == TestMarket.exchange {
                    .success(.bytes(market.rival.address.word.bytes))
                } else {
                    answer
                }
            }
        }
        let error = await refusal {
            try await model(market).execute(planned, signer: market.signer)
        }
        #expect(error?.code == "contracts-changed")
        #expect(market.node.sent.isEmpty)
    }

    @Test("taking back goes on beside what is pending, granting does not")
    func pending() async throws {
        let market = try LiveMarket(mining: .manual)
        let first = try await set(market, "ZRX", .exactly("1"))
        #expect(first.exit == .notMinedYet)
        #expect(first.allowance == nil)
        #expect(first.warnings.first?.hasPrefix("The approval is not mined yet") == true)
        let more = await refusal { try await set(market, "WETH", .exactly("1")) }
        #expect(more?.code == "pending-transaction")
        let back = try await set(market, "WETH", .exactly("0"))
        #expect(back.exit == .notMinedYet)
        #expect(market.node.sent.count == 2)
    }

    @Test("an allowance that is used in the block that set it is told as set")
    func usedAtOnce() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0))
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                if case .call(let call, .number(_)) = read, call.to == TestMarket.zrx {
                    .success(.bytes(UInt256(7).bigEndianBytes))
                } else {
                    answer
                }
            }
        }
        let outcome = try await set(market, "ZRX", .exactly("1"))
        #expect(outcome.exit == .done)
        #expect(outcome.allowance == 7)
        #expect(outcome.warnings == ["It was set as planned, and used in the same block already."])
    }

    @Test("the list has the tokens that may be moved, and those that are named")
    func list() async throws {
        let market = try LiveMarket(
            LiveMarket.Holdings(allowances: [TestMarket.zrx: 0, TestMarket.weth: 9])
        )
        let model = AllowancesModel(session: try market.session())
        let all = try await model.load(owner: market.trader.address)
        #expect(all.spender == TestMarket.proxy)
        #expect(all.rows.map(\.token.symbol) == ["WETH"])
        #expect(all.rows.map(\.allowance) == [9])
        let named = try await model.load(owner: market.trader.address, tokens: ["ZRX"])
        #expect(named.rows.map(\.allowance) == [0])
        #expect(named.rows.map(\.balance) == [TestMarket.units("10000")])
    }
}
