import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// How a read of a contract fails: never as zero.
enum FailedRead: CaseIterable {
    case reverted
    case outOfGas
    case empty
    case short

    var answer: Result<[UInt8], ChainError> {
        switch self {
        case .reverted: .failure(.reverted(data: [], message: "execution reverted"))
        case .outOfGas: .failure(.reverted(data: [], message: "out of gas"))
        case .empty: .success([])
        case .short: .success([0, 0, 0])
        }
    }
}

@Suite("What cannot be read is unknown, not zero")
struct UnreadHoldingsTests {
    private let patient: DoctorPatient
    private var market: TestMarket { patient.market }
    private var owner: Address { market.trader.address }

    init() throws {
        patient = try DoctorPatient()
        for token in try market.session().tokens.search(nil).map(\.address) {
            market.chain.set { $0.code[token] = .success([0x60]) }
        }
        market.fundTrader(zrx: 5, weth: 7, usdc: 0, allowance: 0)
    }

    private func balances(_ unit: BalanceModel.Unit = .none) async throws -> BalanceState {
        try await BalanceModel(session: try market.session()).load(owner: owner, unit: unit)
    }

    private func fail(
        _ token: Address,
        _ failure: FailedRead,
        balance: Bool = true,
        allowance: Bool = false
    ) {
        if balance { market.chain.answer(token, ERC20.balanceOf(owner), with: failure.answer) }
        if allowance {
            let data = ERC20.allowance(owner: owner, spender: TestMarket.proxy)
            market.chain.answer(token, data, with: failure.answer)
        }
    }

    @Test(
        "a balance is a row without an amount, a warning, and in no sum",
        arguments: FailedRead.allCases
    )
    func balance(_ failure: FailedRead) async throws {
        market.relay.set { $0.pairs = .success([]) }
        fail(TestMarket.weth, failure)
        let state = try await balances(.ether)
        let weth = try #require(state.rows.first { $0.token.address == TestMarket.weth })
        #expect(weth.balance == nil && weth.amount == nil && weth.allowance == 0)
        #expect(
            state.warnings
                == ["The balance of WETH could not be read: unknown, not zero, and in no sum."]
        )
        let marketValue = try #require(state.marketValue)
        #expect(marketValue.total == nil && marketValue.known == TestMarket.units("10"))
    }

    @Test("a named token is such a row too", arguments: FailedRead.allCases)
    func named(_ failure: FailedRead) async throws {
        fail(TestMarket.usdc, failure, allowance: true)
        let state = try await BalanceModel(session: try market.session())
            .load(owner: owner, tokens: ["USDC"])
        #expect(state.rows.map(\.balance) == [nil] && state.rows.map(\.allowance) == [nil])
        #expect(state.warnings.count == 2)
    }

    @Test(
        "an allowance is no all-clear, in the list and in the checkup",
        arguments: FailedRead.allCases
    )
    func allowance(_ failure: FailedRead) async throws {
        market.fund(owner, TestMarket.weth, balance: 0, allowance: 0)
        fail(TestMarket.weth, failure, balance: false, allowance: true)
        let state = try await AllowancesModel(session: try market.session()).load(owner: owner)
        #expect(state.rows.map(\.token.symbol) == ["WETH"])
        #expect(state.rows.map(\.allowance) == [nil])
        #expect(
            state.warnings == ["The allowance of WETH could not be read: unknown, not zero."]
        )
        let row = try await patient.rows()[.allowances]
        #expect(row?.mark == .warn)
        #expect(row?.found == "The allowance of WETH could not be read: unknown, not zero.")
        // What is known to be unlimited is still told.
        market.fund(owner, TestMarket.usdc, balance: 1, allowance: .max)
        let both = try await patient.rows()[.allowances]
        #expect(both?.mark == .warn && both?.found.contains("All of the account's USDC") == true)
        #expect(both?.found.contains("WETH could not be read") == true)
    }

    @Test("each call of the screen failing alone changes a row or stops it, and never gives less")
    func eachCallAlone() async throws {
        market.relay.set { $0.pairs = .success([]) }
        market.fund(owner, TestMarket.zrx, balance: 5, allowance: 9)
        let whole = try await balances(.ether)
        let calls = market.chain.rounds.flatMap(\.self).compactMap { read -> FakeChain.CallKey? in
            guard case .call(let request, _) = read else { return nil }
            return FakeChain.CallKey(to: request.to, data: request.data)
        }
        #expect(calls.count > 18)
        for call in Set(calls) {
            for failure in FailedRead.allCases {
                let before = market.chain.known(call)
                market.chain.answer(call.to, call.data, with: failure.answer)
                defer { market.chain.restore(call, before) }
                guard let state = try? await balances(.ether) else { continue }  // it says so
                for row in whole.rows {
                    let same = state.rows.first { $0.token.address == row.token.address }
                    #expect(same != nil, "\(call)")
                    #expect(same?.balance == row.balance || same?.balance == nil, "\(call)")
                    #expect(same?.allowance == row.allowance || same?.allowance == nil, "\(call)")
                }
                #expect(state.rows == whole.rows || !state.warnings.isEmpty, "\(call)")
                #expect(
                    state.rows.allSatisfy { $0.balance != nil } || state.marketValue?.total == nil
                )
            }
        }
    }

    @Test("a found token that does not return its balance is listed as unknown")
    func discovered() async throws {
        let foo = TestMarket.address("0x1111111111111111111111111111111111111111")
        let gone = TestMarket.address("0x2222222222222222222222222222222222222222")
        let logs = [foo, gone].map { token in
            Log(
                address: token,
                topics: [ERC20.transferTopic, TestMarket.weth.word, owner.word],
                data: UInt256(5).bigEndianBytes,
                blockNumber: 7,
                blockHash: TestMarket.blockHash(7),
                transactionHash: TransactionHash(UInt256(7).word),
                logIndex: 1
            )
        }
        market.chain.set { state in
            state.logs = { filter in
                .success(filter.topics.count > 2 ? logs : [])
            }
            state.onCall = { _, _ in .failure(.reverted(data: [], message: "no")) }
            state.code[foo] = .success([1])
            state.code[gone] = .success([])
        }
        let found = try await TokenDiscovery(session: try market.session(), journal: Journal())
            .find(of: owner, from: 0, at: TestMarket.head)
        #expect(found.rows.map(\.token.address) == [foo])
        #expect(found.rows.map(\.balance) == [nil])
        #expect(found.rows[0].marks.contains(.unreadable))
        #expect(found.warnings.count == 1)
    }

    @Test("an alert on an unread balance does not fire and says why")
    func alert() throws {
        let token = try market.zrxWeth().base
        let condition = AlertCondition.balance(token.address, .less, "1")
        let unread = BalanceState.Row(token: token, balance: nil, allowance: 0)
        guard case .unknown(let reason) = AlertCheck.verdict(condition, of: unread) else {
            Issue.record("an unread balance was compared")
            return
        }
        #expect(reason == "The balance of ZRX could not be read.")
    }

    @Test("an own order whose maker's funds are unread is unknown, and no all-clear")
    func order() async throws {
        market.fundTrader(zrx: TestMarket.units("10"), allowance: .max)
        fail(TestMarket.zrx, .reverted)
        let order = try await market.order(
            by: market.trader,
            give: (TestMarket.zrx, TestMarket.units("1")),
            get: (TestMarket.weth, 1)
        )
        let inspection = try await OrderInspector(session: try market.session()).rows(for: [order])
        let row = try #require(inspection.rows.first)
        #expect(row.standing == .unknown && row.flags.contains(.unreadable))
        #expect(row.knownFillable == nil && row.standing.isOpen && !row.standing.isFillable)
    }
}

@Suite("Decimals of the token map that the contract contradicts")
struct ListedDecimalsTests {
    private let market: TestMarket
    private var owner: Address { market.trader.address }

    init() throws {
        market = try TestMarket()
        market.fundTrader(zrx: 5, weth: 7, usdc: 2_000_000, allowance: 0)
    }

    private func balances() async throws -> BalanceState {
        try await BalanceModel(session: try market.session())
            .load(owner: owner, tokens: ["USDC"])
    }

    @Test("a balance is in base units, and marked")
    func contradicted() async throws {
        market.chain.answer(TestMarket.usdc, ERC20.decimals, with: 18)
        let state = try await balances()
        #expect(state.rows.map(\.token.decimals) == [nil])
        #expect(state.rows.map(\.amount?.value) == ["2000000"])
        #expect(
            state.warnings.first?.hasPrefix(
                "USDC has 6 decimals in the token map but 18 on chain: its amounts are in base units."
            ) == true
        )
    }

    @Test("more decimals than any token has are a contradiction too")
    func absurd() async throws {
        market.chain.answer(TestMarket.usdc, ERC20.decimals, with: UInt256(1) << 200)
        #expect(try await balances().rows.map(\.token.decimals) == [nil])
    }

    @Test("decimals that cannot be read are said", arguments: FailedRead.allCases)
    func unread(_ failure: FailedRead) async throws {
        market.chain.answer(TestMarket.usdc, ERC20.decimals, with: failure.answer)
        let state = try await balances()
        #expect(state.rows.map(\.amount?.value) == ["2"])
        #expect(
            state.warnings
                == ["The decimals of USDC could not be read; the token map's, 6, are used."]
        )
    }

    @Test("an order is shown in base units and marked, and not filled")
    func order() async throws {
        let maker = market.makers[0]
        market.fund(maker.address, TestMarket.usdc, balance: .max)
        let order = try await market.order(
            by: maker,
            give: (TestMarket.usdc, 1_000_000),
            get: (TestMarket.weth, 1)
        )
        market.chain.answer(TestMarket.usdc, ERC20.decimals, with: 18)
        let inspection = try await OrderInspector(session: try market.session()).rows(for: [order])
        #expect(inspection.rows.map(\.maker.value) == ["1000000"])
        #expect(inspection.warnings.count == 1)
        #expect(
            await refusal {
                try inspection.checkDecimals(of: order, try market.session().tokens)
            }?.code == "decimals-mismatch"
        )
    }

    @Test("trades, charts and the trend of a pair are refused, as its book is")
    func market() async throws {
        let store = TemporaryJournal()
        market.chain.set { state in
            for number: UInt64 in 0...100 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
        }
        let session = try market.session()
        let trades = TradesModel(session: session, journal: store.journal)
        let chart = ChartModel(session: session, journal: store.journal)
        let trend = TrendModel(session: session, journal: store.journal)
        #expect(try await trades.load(pairText: "WETH/USDC").pair.quote.decimals == 6)
        market.chain.answer(TestMarket.usdc, ERC20.decimals, with: 18)
        #expect(
            await refusal { try await trades.load(pairText: "WETH/USDC") }?.code
                == "decimals-mismatch"
        )
        #expect(
            await refusal { try await chart.load(pairText: "USDC/WETH", interval: 60) }?.code
                == "decimals-mismatch"
        )
        #expect(await trend.load(pairText: "WETH/USDC") == nil)
    }

    @Test("what a list, a call's review and typed data name is in base units")
    func screens() async throws {
        market.chain.answer(TestMarket.usdc, ERC20.decimals, with: 18)
        let session = try market.session()
        let checked = await TokenResolver(session: session)
            .checkedSession(for: [TestMarket.usdc, TestMarket.zrx])
        #expect(checked.session.tokens.known(TestMarket.usdc)?.decimals == nil)
        #expect(checked.session.tokens.known(TestMarket.usdc)?.symbol == "USDC")
        #expect(checked.session.tokens.known(TestMarket.zrx)?.decimals == 18)
        #expect(checked.warnings.count == 1)
        let call = TransactionCall(
            to: TestMarket.usdc,
            value: .zero,
            data: ERC20.transfer(to: owner, amount: 5),
            by: owner,
            session: checked.session
        )
        #expect(call?.tokenAddresses == [TestMarket.usdc])
        guard case .transfer(let amount, _, _)? = call?.action else {
            Issue.record("it is no transfer")
            return
        }
        #expect(amount.token.decimals == nil)
        market.chain.set { $0.onRound = { _, _ in .failure(.lost) } }
        let unread = await TokenResolver(session: session).checkedSession(for: [TestMarket.usdc])
        #expect(unread.session.tokens.known(TestMarket.usdc)?.decimals == 6)
        #expect(unread.warnings.first?.hasPrefix("The decimals of its tokens could not") == true)
    }

    @Test("names that a history shows are checked in one batch")
    func names() async throws {
        market.chain.answer(TestMarket.usdc, ERC20.decimals, with: 18)
        let read = try await TokenResolver(session: try market.session())
            .checkedTokens(at: [TestMarket.usdc, TestMarket.zrx])
        #expect(read.tokens[TestMarket.usdc]?.decimals == nil)
        #expect(read.tokens[TestMarket.zrx]?.decimals == 18)
        #expect(read.warnings.count == 1 && market.chain.rounds.count == 1)
    }
}
