import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

/// What a node may tell wrongly of a transaction of ours while a command is repeated.
///
/// Each of these let a repeated purchase buy a second time, or was told to the user as something
/// that had not happened, before the life of a transaction was one state machine.
@Suite("No node's false or failed answer makes a repeated command trade twice")
struct NeverTwiceTests {
    /// A purchase that was mined after its command had ended.
    private func minedFill() async throws -> (LiveMarket, TransactionHash) {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let outcome = try await market.trade(.buy, "10")
        let hash = try #require(outcome.transactions.last?.hash)
        try await market.chain.mine()
        return (market, hash)
    }

    private static func isAboutTransaction(_ read: ChainRead) -> Bool {
        if case .transaction = read { true } else { read.isReceipt }
    }

    @Test("a failed question for the receipt stops everything, and is not taken for a no")
    func failedAnswer() async throws {
        let (market, _) = try await minedFill()
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                Self.isAboutTransaction(read)
                    ? .failure(.rpc(code: -32_000, message: "the header is not found")) : answer
            }
        }
        for _ in 0..<3 {
            let error = await refusal { try await market.trade(.buy, "10") }
            #expect(error?.exit == .unreachable)
        }
        #expect(market.node.sent.count == 1)
        #expect(try market.journaled().map(\.stage) == [.broadcast])
        market.node.onRead(nil)
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill")
        #expect(market.node.sent.count == 1)
    }

    @Test("a node that counts a block before it serves its receipts is asked again, a while later")
    func lateReceipts() async throws {
        let (market, _) = try await minedFill()
        let plan = try await market.plan(.buy, "10")
        let looks = Counter()
        market.node.onRead { reads, answers throws(ChainError) in
            // The first look only.
            guard reads.contains(where: \.isReceipt), looks.next() == 0 else { return answers }
            return zip(reads, answers).map { read, answer in
                switch read {
                case .receipt: .success(.receipt(nil))
                case .transaction: .success(.transaction(nil))
                default: answer
                }
            }
        }
        let sleeps = market.clock.sleeps.count
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        #expect(error?.code == "unacknowledged-fill")
        #expect(market.clock.sleeps.dropFirst(sleeps) == [250])
        #expect(market.node.sent.count == 1)
    }

    @Test("what really was replaced is told so deep in the chain, and then holds nothing up")
    func replaced() async throws {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        try await market.send(
            from: market.trader,
            to: TestMarket.zrx,
            ERC20.transfer(to: market.rival.address, amount: 1),
            tip: 50_000_000_000,
            nonce: 0
        )
        try await market.chain.mine()
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "pending-transaction")
        for _ in 0..<12 { try await market.chain.mine() }
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        #expect(try market.journaled().map(\.stage) == [.replaced, .broadcast])
        #expect(try market.journaled().map(\.nonce) == [0, 1])
    }

    @Test("a receipt in a block that the chain does not have is not believed")
    func orphanedReceipt() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0), mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        try await market.chain.mine()
        let plan = try await market.plan(.buy, "10")
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard read.isReceipt, case .success(.receipt(let receipt?)) = answer else {
                    return answer
                }
                return .success(
                    .receipt(
                        TransactionReceipt(
                            transactionHash: receipt.transactionHash,
                            blockNumber: receipt.blockNumber,
                            blockHash: BlockHash(UInt256(99).word),
                            from: receipt.from,
                            to: receipt.to,
                            succeeded: true,
                            gasUsed: receipt.gasUsed,
                            effectiveGasPrice: receipt.effectiveGasPrice,
                            logs: receipt.logs
                        )
                    )
                )
            }
        }
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        #expect(error?.code == "pending-transaction")
        #expect(market.node.sent.count == 1)
        #expect(try market.journaled().map(\.stage) == [.broadcast])
    }

    @Test(
        "a receipt with more gas than the transaction can use is nonsense, and stops everything",
        arguments: [UInt64.max, UInt64(Int64.max), 30_000_000],
        [false, true]
    )
    func impossibleGas(gas: UInt64, needsApproval: Bool) async throws {
        let market = try LiveMarket(
            LiveMarket.Holdings(allowance: needsApproval ? 0 : .max)
        )
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard read.isReceipt, case .success(.receipt(let receipt?)) = answer else {
                    return answer
                }
                return .success(.receipt(receipt.with(gasUsed: gas)))
            }
        }
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        let hash = try #require(try market.journaled().first?.hash)
        for _ in 0..<2 {
            let error = await refusal { try await market.trade(.buy, "10") }
            #expect(error?.exit == .unreachable && error?.code == "node-nonsense")
        }
        let status = StatusModel(session: try market.session(), journal: market.journal)
        let reported = await refusal { try await status.load(hash.word) }
        #expect(reported?.exit == .unreachable && reported?.code == "node-nonsense")
        #expect(market.node.sent.count == 1)
        market.node.onRead(nil)
        if needsApproval {
            #expect(try await market.trade(.buy, "10").exit == .done)
        } else {
            #expect(
                await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill"
            )
        }
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("10010")
        )
    }

    @Test("a mined purchase that a reorganization put back into the pool stops a repeat")
    func backInPool() async throws {
        let (market, hash) = try await minedFill()
        let status = StatusModel(session: try market.session(), journal: market.journal)
        _ = try await status.load(hash.word)
        #expect(try market.journaled().map(\.stage) == [.mined])
        _ = try await market.chain.reorganize(blocks: 1, transactions: .pool)

        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "pending-transaction")
        #expect(error?.message.contains("a reorganization put it back into the pool") == true)
        #expect(market.node.sent.count == 1)
        #expect(try market.journaled().map(\.stage) == [.broadcast])
        #expect(try market.journaled().map(\.reorgedFromBlock) == [1])
        // Mined again it is an earlier fill as any other, which somebody has to look at.
        try await market.chain.mine()
        #expect(await refusal { try await market.trade(.buy, "10") }?.code == "unacknowledged-fill")
        #expect(market.node.sent.count == 1)
    }

    @Test("a count that is older than the block of a mined purchase undoes nothing")
    func staleCount() async throws {
        let (market, hash) = try await minedFill()
        let status = StatusModel(session: try market.session(), journal: market.journal)
        _ = try await status.load(hash.word)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .transactionCount(_, .latest) = read {
                    .success(.number(0))
                } else {
                    answer
                }
            }
        }
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        #expect(try market.journaled().map(\.stage) == [.mined, .broadcast])
    }

    @Test("the status of a mined transaction on a node that is behind is neither lost nor replaced")
    func behind() async throws {
        let (market, hash) = try await minedFill()
        let status = StatusModel(session: try market.session(), journal: market.journal)
        _ = try await status.load(hash.word)
        for count: UInt64 in [0, 1] {
            market.node.onRead { reads, answers throws(ChainError) in
                zip(reads, answers).map { read, answer in
                    switch (read, answer) {
                    case (.receipt, _): .success(.receipt(nil))
                    case (.transaction, _): .success(.transaction(nil))
                    case (.transactionCount(_, .latest), _): .success(.number(count))
                    case (.blockNumber, _): .success(.number(0))
                    case (.block(.latest), _):
                        .success(.block(TestMarket.block(0, timestamp: TestMarket.now)))
                    default: answer
                    }
                }
            }
            guard case .transaction(let seen) = try await status.load(hash.word) else {
                Issue.record("it is no transaction")
                return
            }
            #expect(seen.stage == .pooled)
            #expect(seen.exit == .notMinedYet)
            #expect(seen.notes.count == 1)
            #expect(seen.notes.first?.contains("the node is behind") == true)
            #expect(try market.journaled().map(\.stage) == [.mined])
        }
    }
}
