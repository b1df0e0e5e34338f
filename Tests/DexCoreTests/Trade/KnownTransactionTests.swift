import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// The same payment with the same nonce is the same transaction, whose old receipt is no new payment.
@Suite("What a node knew before it was sent is not this command's")
struct KnownTransactionTests {
    private func send(
        _ market: LiveMarket,
        _ journal: Journal,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        var settings = TradeSettings()
        // The same price each time: so the same bytes.
        settings.fees.maxFee = Wei(60_000_000_000)
        change(&settings)
        let model = TransferModel(
            session: try market.session(),
            journal: journal,
            settings: settings
        )
        let planned = try await model.plan(
            .send(asset: "ZRX", amount: "7", to: market.rival.address.checksummed),
            account: market.trader.address
        )
        return try await model.execute(planned, signer: market.signer)
    }

    /// The same tips whenever they are asked for.
    private static let tips = FeeHistory(
        oldestBlock: 0,
        baseFeePerGas: Array(repeating: Wei(1_000_000_000), count: 11),
        rewards: Array(repeating: Array(repeating: Wei(1_000_000_000), count: 3), count: 10)
    )

    /// The node's answers, where tips stay the same, and some are others.
    private func answer(
        _ market: LiveMarket,
        _ change: @escaping @Sendable ([ChainRead], ChainRead) -> ChainAnswer? = { _, _ in nil }
    ) {
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .feeHistory = read { return .success(.feeHistory(Self.tips)) }
                return change(reads, read).map { .success($0) } ?? answer
            }
        }
    }

    /// The node counts no transaction of the account.
    private func forget(
        _ market: LiveMarket,
        _ isForgotten: @escaping @Sendable (ChainRead) -> Bool
    ) {
        answer(market) { isForgotten($1) ? .number(0) : nil }
    }

    @Test("a pending count that is behind, in a fresh home: exit 4, and nothing is sent")
    func countsBehind() async throws {
        let market = try LiveMarket()
        answer(market)
        #expect(try await send(market, market.journal).exit == .done)
        let sent = market.node.sent.count
        forget(market) { if case .transactionCount = $0 { true } else { false } }
        let home = TemporaryJournal()
        let error = await refusal { try await send(market, home.journal) }
        #expect(error?.code == "known-transaction" && error?.exit == .unreachable)
        let old = try #require(try market.journaled().first?.hash)
        #expect(error?.message.contains("\(old) is in block 1") == true)
        #expect(market.node.sent.count == sent)
        // Nothing of it is left: neither bytes nor a nonce.
        #expect(try home.journal.unfinished(chainID: 1337).transactions.isEmpty)
        #expect(try home.journal.unfinished(chainID: 1337).reservations.isEmpty)
        market.node.onRead(nil)
        #expect(try await send(market, home.journal).exit == .done)
        #expect(
            try await market.balance(TestMarket.zrx, of: market.rival.address)
                == TestMarket.units("100014")
        )
    }

    @Test("a pool's count behind the chain's: the higher one counts")
    func poolBehind() async throws {
        let market = try LiveMarket()
        answer(market)
        #expect(try await send(market, market.journal).exit == .done)
        forget(market) { if case .transactionCount(_, .pending) = $0 { true } else { false } }
        let home = TemporaryJournal()
        let outcome = try await send(market, home.journal)
        #expect(outcome.exit == .done)
        let nonces = try home.journal.transactions(
            chainID: 1337,
            sender: market.trader.address,
            limit: 9
        ).map(\.nonce)
        #expect(nonces == [1])
    }

    @Test("the same payment still in a pool is not sent as a new one")
    func inPool() async throws {
        let market = try LiveMarket(mining: .manual)
        answer(market)
        #expect(try await send(market, market.journal).exit == .notMinedYet)
        forget(market) { if case .transactionCount = $0 { true } else { false } }
        let home = TemporaryJournal()
        let error = await refusal { try await send(market, home.journal) }
        #expect(error?.code == "known-transaction")
        #expect(error?.message.contains("waits in a pool") == true)
        #expect(market.node.sent.count == 1)
    }

    /// A server that lags behind the first payment, whatever it is asked.
    private func lag(_ market: LiveMarket, _ old: TransactionHash, counts: UInt64 = 0) async throws
    {
        let genesis = try await market.chain.read(.block(.number(0)))
        answer(market) { _, read in
            switch read {
            case .transactionCount: .number(counts)
            case .blockNumber: .number(0)
            case .block(.latest): .block(genesis)
            case .receipt(old): .receipt(nil)
            case .transaction(old): .transaction(nil)
            default: nil
            }
        }
    }

    /// Transfers of a home that knows nothing, at the price of gas of the first payment.
    private func model(_ session: Session, _ home: TemporaryJournal) -> TransferModel {
        var settings = TradeSettings()
        settings.fees.maxFee = Wei(60_000_000_000)
        return TransferModel(session: session, journal: home.journal, settings: settings)
    }

    /// The first payment once more.
    private func planned(
        _ market: LiveMarket,
        _ model: TransferModel
    ) async throws -> Plan<TransferPlan> {
        try await model.plan(
            .send(asset: "ZRX", amount: "7", to: market.rival.address.checksummed),
            account: market.trader.address
        )
    }

    @Test("a server alone that lags beyond what is fresh: the old state stops it, exit 6")
    func aloneAndOld() async throws {
        let market = try LiveMarket()
        answer(market)
        #expect(try await send(market, market.journal).exit == .done)
        let old = try #require(try market.journaled().first?.hash)
        let sent = market.node.sent.count
        try await lag(market, old)
        let behind = try await market.node.read(.block(.latest))
        var session = try market.session()
        for (age, isOld) in [(61, true), (60, false)] as [(UInt64, Bool)] {
            let now = (behind?.timestamp ?? 0) + age
            session.environment.now = { now }
            session.chain = FreshChainClient(
                market.node,
                nodes: nil,
                chainID: 1337,
                rule: FreshnessRule(limit: 60),
                now: { now },
                elapsed: { now * 1_000 },
                memory: session.freshness
            )
            let home = TemporaryJournal()
            let model = model(session, home)
            let planned = try await self.planned(market, model)
            guard isOld else {
                // Fresh, and behind all the same: the node that it is sent to has it already.
                #expect(planned.content.account == market.trader.address)
                continue
            }
            let error = await refusal { try await model.execute(planned, signer: market.signer) }
            #expect(error?.code == "stale-chain" && error?.exit == .refused)
            #expect(market.node.sent.count == sent)
            #expect(try home.journal.unfinished(chainID: 1337).reservations.isEmpty)
        }
    }

    @Test("another node that counts the nonce as used stops it before it is sent")
    func otherNodeCounts() async throws {
        let market = try LiveMarket()
        answer(market)
        #expect(try await send(market, market.journal).exit == .done)
        let old = try #require(try market.journaled().first?.hash)
        let sent = market.node.sent.count
        try await lag(market, old)
        var session = try market.session()
        let other = SandboxProbe(CountingClient(market.node, count: 1))
        session.probes = [SandboxProbe(market.node), other]
        let sleep = session.environment.sleep
        session.environment.sleep = { milliseconds in
            // The time for the other node's answer is not over before that comes.
            guard milliseconds == FirstBroadcast.patience else {
                return try await sleep(milliseconds)
            }
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in stream {}
            continuation.finish()
            throw CancellationError()
        }
        let home = TemporaryJournal()
        let model = model(session, home)
        let planned = try await planned(market, model)
        let error = await refusal { try await model.execute(planned, signer: market.signer) }
        #expect(error?.code == "node-behind" && error?.retryable == true)
        #expect(market.node.sent.count == sent)
        #expect(try home.journal.unfinished(chainID: 1337).reservations.isEmpty)
    }

    @Test("what the journal has as finished is not sent again, whatever the nodes say")
    func journalHasIt() async throws {
        let market = try LiveMarket()
        answer(market)
        #expect(try await send(market, market.journal).exit == .done)
        let old = try #require(try market.journaled().first)
        try await lag(market, old.hash)
        let first = FirstBroadcast(session: try market.session(), journal: market.journal)
        let error = await refusal {
            try await first.check(
                old.hash,
                of: market.trader.address,
                nonce: old.nonce,
                after: nil
            )
        }
        #expect(error?.code == "known-transaction")
    }

    @Test("a receipt from long before the first broadcast is not reported as this command's")
    func oldReceipt() async throws {
        let market = try LiveMarket()
        answer(market)
        #expect(try await send(market, market.journal).exit == .done)
        for _ in 0..<20 { try await market.chain.mine() }
        let old = try #require(try market.journaled().first?.hash)
        let home = TemporaryJournal()
        // The check before the broadcast is answered by a server that does not know it.
        answer(market) { reads, read in
            let isCheck = reads.count == 4 && reads.contains(.receipt(old))
            return switch read {
            case .transactionCount: .number(0)
            case .receipt where isCheck: .receipt(nil)
            case .transaction where isCheck: .transaction(nil)
            default: nil
            }
        }
        let error = await refusal { try await send(market, home.journal) }
        #expect(error?.code == "known-transaction" && error?.exit == .unreachable)
        #expect(error?.sent.map(\.hash) == [old])
        // A repeat asks what it did.
        #expect(
            await refusal { try await send(market, home.journal) }?.code == "unacknowledged-send"
        )
    }
}

/// A node that counts so many transactions of every account.
private struct CountingClient: ChainClient {
    private let chain: any ChainClient
    private let count: UInt64

    init(_ chain: any ChainClient, count: UInt64) {
        self.chain = chain
        self.count = count
    }

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let answers = try await chain.read(reads)
        return zip(reads, answers).map { read, answer in
            if case .transactionCount = read { .success(.number(count)) } else { answer }
        }
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await chain.send(raw: raw)
    }
}
