import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A read that fails is that read's error, exit 4, and no other state")
struct FailedReadTests {
    /// What nodes and gateways say when they do not answer a single question of a batch.
    static let failures: [ChainError] = [
        .rpc(code: -32_005, message: "limit exceeded"),
        .rpc(code: -32_000, message: "request timed out"),
        .rpc(code: -32_000, message: "execution aborted (timeout = 5s)"),
        .rpc(code: -32_603, message: "Internal error"),
        .rateLimited(url: "http://127.0.0.1:1", retryAfter: 1),
        .lost,
    ]

    /// Lets some reads of every batch fail.
    private func fail(
        _ market: LiveMarket,
        with error: ChainError,
        _ isMeant: @escaping @Sendable (ChainRead) -> Bool
    ) {
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { isMeant($0) ? .failure(error) : $1 }
        }
    }

    private func market(_ holdings: LiveMarket.Holdings = LiveMarket.Holdings()) async throws
        -> LiveMarket
    {
        let market = try LiveMarket(holdings)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func expectUnread(_ market: LiveMarket, _ error: DexError?) {
        #expect(error?.exit == .unreachable, "\(String(describing: error))")
        #expect(market.node.sent.isEmpty)
    }

    private static func isEther(_ read: ChainRead) -> Bool {
        if case .balance = read { true } else { false }
    }

    private static func isCall(_ read: ChainRead, to: Address, _ data: [UInt8]) -> Bool {
        if case .call(let call, _) = read { call.to == to && call.data == data } else { false }
    }

    @Test("the ether before a fill is signed", arguments: failures)
    func etherOfFill(failure: ChainError) async throws {
        let market = try await market()
        let plan = try await market.plan(.buy, "10")
        fail(market, with: failure, Self.isEther)
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        expectUnread(market, error)
    }

    @Test("the ether before an approval is signed", arguments: failures)
    func etherOfApproval(failure: ChainError) async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let plan = try await market.plan(.buy, "10")
        fail(market, with: failure, Self.isEther)
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        expectUnread(market, error)
    }

    @Test("the ether of a plan of one call", arguments: failures)
    func etherOfSend(failure: ChainError) async throws {
        let market = try await market()
        fail(market, with: failure, Self.isEther)
        let error = await refusal { try await market.plan(market.send("1", "ZRX")) }
        expectUnread(market, error)
        #expect(error?.message.contains("does not tell") == false)
    }

    @Test("the account's balance of the token to pay with", arguments: failures)
    func tokenBalance(failure: ChainError) async throws {
        let market = try await market()
        let data = ERC20.balanceOf(market.trader.address)
        fail(market, with: failure) { Self.isCall($0, to: TestMarket.weth, data) }
        expectUnread(market, await refusal { try await market.plan(.buy, "10") })
        let limit = LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let request = LimitRequest(side: .buy, pair: "ZRX/WETH", amount: "1", price: "0.001")
        let account = market.trader.address
        expectUnread(market, await refusal { try await limit.plan(request, account: account) })
        let fill = FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let ask = try await market.ask(0, "100", for: "1")
        let wire = market.exchangeProtocol.encodeOrder(ask).text
        let filling = FillRequest(source: .signed(wire))
        expectUnread(market, await refusal { try await fill.plan(filling, account: account) })
    }

    @Test("the account's allowance", arguments: failures)
    func allowance(failure: ChainError) async throws {
        let market = try await market()
        let data = ERC20.allowance(owner: market.trader.address, spender: TestMarket.proxy)
        fail(market, with: failure) { Self.isCall($0, to: TestMarket.weth, data) }
        expectUnread(market, await refusal { try await market.plan(.buy, "10") })
    }

    @Test("a balance that the token's contract does not tell is not a balance of zero")
    func brokenToken() async throws {
        let market = try await market()
        let data = ERC20.balanceOf(market.trader.address)
        fail(market, with: .reverted(data: [], message: "execution reverted")) {
            Self.isCall($0, to: TestMarket.weth, data)
        }
        let error = await refusal { try await market.plan(.buy, "10") }
        #expect(error?.code == "not-a-token")
    }

    @Test("the simulation of an approval: no reset to zero, no refusal", arguments: failures)
    func approval(failure: ChainError) async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 5))
        let data = ERC20.approve(spender: TestMarket.proxy, amount: TestMarket.units("0.1"))
        fail(market, with: failure) { Self.isCall($0, to: TestMarket.weth, data) }
        expectUnread(market, await refusal { try await market.plan(.buy, "10") })
    }

    @Test("the simulation of the fill is not a revert", arguments: failures)
    func simulation(failure: ChainError) async throws {
        let market = try await market()
        fail(market, with: failure) { read in
            if case .estimateGas = read { true } else { false }
        }
        expectUnread(market, await refusal { try await market.plan(.buy, "10") })
    }

    @Test(
        "the exchange's contracts: no send slips past the check of its recipient",
        arguments: failures
    )
    func recipient(failure: ChainError) async throws {
        let market = try await market()
        fail(market, with: failure) { read in
            if case .call(let call, _) = read { call.to == TestMarket.exchange } else { false }
        }
        let send = TransferRequest.send(
            asset: "ZRX",
            amount: "1",
            to: TestMarket.proxy.checksummed
        )
        let error = await refusal { try await market.plan(send) }
        expectUnread(market, error)
    }

    @Test("the tips of others: no transaction goes out as if nobody paid any", arguments: failures)
    func tips(failure: ChainError) async throws {
        let market = try await market()
        fail(market, with: failure, \.isFeeHistory)
        expectUnread(market, await refusal { try await market.plan(.buy, "10") })
        expectUnread(market, await refusal { try await market.plan(market.send("1", "ZRX")) })
    }

    @Test("a node without a fee history is no failure: its gas price is the least, and it is told")
    func noTips() async throws {
        let market = try await market()
        fail(market, with: .rpc(code: -32_601, message: "no such method"), \.isFeeHistory)
        let plan = try await market.plan(.buy, "10")
        let client = market.chain
        let price = try await client.read(.gasPrice)
        let base = try #require(try await client.read(.latestBlock).baseFeePerGas)
        #expect(plan.content.gas.maxPriorityFeePerGas == price.subtracting(base))
        #expect(plan.content.warnings.contains { $0.contains("eth_gasPrice") })
    }

    @Test("what arrived: a balance that was not read is not a transfer that moved nothing")
    func received() async throws {
        let market = try await market()
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch (read, answer) {
                case (.receipt, .success(.receipt(let receipt?))):
                    .success(.receipt(receipt.with(logs: [])))
                case (.call(let call, .number), _)
                where call.data.starts(with: ERC20.balanceOf(.zero).prefix(4)):
                    .failure(.lost)
                default: answer
                }
            }
        }
        let outcome = try await market.transfer(market.send("5", "ZRX"))
        #expect(outcome.exit == .filledLess)
        #expect(outcome.received == nil)
        #expect(
            outcome.warnings == [
                "The contract emitted no event for it and the balances cannot be read, so it "
                    + "is unknown whether anything arrived."
            ]
        )
    }

    @Test("the code of a contract: no call goes to an account without any", arguments: failures)
    func code(failure: ChainError) async throws {
        let market = try await market()
        fail(market, with: failure) { read in
            if case .code = read { true } else { false }
        }
        let rival = market.rival.address.checksummed
        expectUnread(market, await refusal { try await market.plan(rival, "ping()", []) })
        expectUnread(market, await refusal { try await market.plan(market.send("1", "ZRX")) })
    }
}
