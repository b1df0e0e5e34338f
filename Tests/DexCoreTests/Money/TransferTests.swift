import DexSandbox
import DexSigning
import DexStore
import EVM
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Sends, wraps and unwraps: what really arrived")
struct TransferTests {
    @Test("a token arrives to the base unit, and the journal has it")
    func token() async throws {
        let market = try LiveMarket()
        let before = try await market.balance(TestMarket.zrx, of: market.rival.address)
        let outcome = try await market.transfer(market.send("5.000000000000000001", "ZRX"))
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("5.000000000000000001"))
        #expect(outcome.warnings.isEmpty)
        let after = try await market.balance(TestMarket.zrx, of: market.rival.address)
        #expect(after - before == outcome.received)
        #expect(try market.journaled().map(\.purpose) == ["send"])
        #expect(try market.journaled().map(\.stage) == [.mined])
    }

    @Test("ether arrives, and the sender pays no more than the total")
    func ether() async throws {
        let market = try LiveMarket()
        let before = try await market.ether(of: market.trader.address)
        let there = try await market.ether(of: market.rival.address)
        let plan = try await market.plan(market.send("2.5", "ETH"))
        let outcome = try await market.transfers().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        let arrived = try await market.ether(of: market.rival.address) - there
        #expect(arrived == TestMarket.units("2.5"))
        let paid = before - (try await market.ether(of: market.trader.address))
        #expect(paid <= plan.content.total.rawValue)
        #expect(paid == arrived + (outcome.transactions.last?.cost?.rawValue ?? 0))
    }

    /// `CALLER SELFDESTRUCT`: what comes goes back to who sent it.
    private static let returning: [UInt8] = [
        0x61, 0x33, 0xFF, 0x60, 0x00, 0x52, 0x60, 0x02, 0x60, 0x1E, 0xF3,
    ]

    @Test("ether that the recipient's code sends back has not arrived: exit 14")
    func returned() async throws {
        let market = try LiveMarket()
        let maker = market.rival
        let nonce = try await market.chain.read(.transactionCount(maker.address, .latest))
        try await market.send(from: maker, to: nil, Self.returning)
        let contract = Message.contract(of: maker.address, nonce: nonce)
        let plan = try await market.plan(market.send("2.5", "ETH", to: contract))
        #expect(plan.content.runsCode)
        #expect(plan.content.warnings.first?.hasPrefix("The recipient is a contract") == true)
        let outcome = try await market.transfers().execute(plan, signer: market.signer)
        #expect(outcome.received == 0 && outcome.exit == .filledLess)
        #expect(
            outcome.warnings == [
                "Of 2.5 ETH only 0 ETH stayed with the recipient: its code sent the rest back."
            ]
        )
        #expect(try await market.ether(of: contract) == 0)
        // Wrapped ether's contract keeps what comes.
        let kept = try await market.transfer(market.send("1", "ETH", to: TestMarket.weth))
        #expect(kept.received == TestMarket.units("1") && kept.exit == .done)
        // Where the balances are not to be had, nothing is claimed, and nothing has to be repeated.
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .balance(_, .number) = read else { return answer }
                return .failure(.rpc(code: -32_000, message: "missing trie node"))
            }
        }
        let unknown = try await market.transfer(market.send("1", "ETH", to: contract))
        #expect(unknown.received == nil && unknown.exit == .done)
        #expect(unknown.warnings.first?.contains("is unknown") == true)
    }

    @Test("code that came to the recipient after the plan is looked for where it was mined")
    func codeOfItsBlock() async throws {
        let market = try LiveMarket()
        let maker = market.rival
        let nonce = try await market.chain.read(.transactionCount(maker.address, .latest))
        let contract = Message.contract(of: maker.address, nonce: nonce)
        let model = try market.transfers { $0.fees.gasLimit = 100_000 }
        let plan = try await model.plan(
            market.send("2.5", "ETH", to: contract),
            account: market.trader.address
        )
        #expect(!plan.content.runsCode)
        market.node.onSend { _, _ in
            try await market.send(from: maker, to: nil, Self.returning)
            return .pass
        }
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.received == 0 && outcome.exit == .filledLess)
        #expect(try await market.ether(of: contract) == 0)
    }

    @Test("ether is wrapped and unwrapped one to one")
    func wrapping() async throws {
        let market = try LiveMarket()
        let wrapped = try await market.transfer(.wrap("1.25"))
        #expect(wrapped.exit == .done)
        #expect(wrapped.received == TestMarket.units("1.25"))
        #expect(wrapped.transactions.map(\.purpose) == [.wrap])
        #expect(
            try await market.balance(TestMarket.weth, of: market.trader.address)
                == TestMarket.units("101.25")
        )
        let unwrapped = try await market.transfer(.unwrap("101.25"))
        #expect(unwrapped.exit == .done)
        #expect(unwrapped.transactions.map(\.purpose) == [.unwrap])
        #expect(try await market.balance(TestMarket.weth, of: market.trader.address) == 0)
        #expect(try market.journaled().map(\.purpose) == ["wrap", "unwrap"])
    }

    @Test("a token that returns nothing is sent as well as one that returns true")
    func silentReturn() async throws {
        let market = try LiveMarket()
        let outcome = try await market.transfer(
            market.send("7", LiveMarket.usdt.checksummed)
        )
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("7"))
    }

    @Test("a transfer that answers false when it is mined is told as one that moved nothing")
    func answersFalse() async throws {
        let market = try LiveMarket()
        try await market.letRivalMove(TestMarket.zrx)
        market.node.onSend { _, _ in
            try await market.rob(TestMarket.zrx)
            return .pass
        }
        let outcome = try await market.transfer(market.send("5", "ZRX"))
        #expect(outcome.transactions.map(\.stage) == [.confirmed], "ZRX answers false, no revert")
        #expect(outcome.exit == .filledLess)
        #expect(outcome.received == 0)
        #expect(outcome.warnings.contains { $0.contains("emitted no event") })
        #expect(outcome.warnings.contains { $0 == "Of 5 ZRX only 0 ZRX arrived." })
    }

    @Test("a transfer that is mined and reverts is exit 11")
    func reverts() async throws {
        let market = try LiveMarket()
        try await market.letRivalMove(TestMarket.weth)
        market.node.onSend { _, _ in
            try await market.rob(TestMarket.weth)
            return .pass
        }
        let outcome = try await market.transfer(market.send("5", "WETH"))
        #expect(outcome.transactions.map(\.stage) == [.reverted])
        #expect(outcome.exit == .reverted)
        #expect(outcome.received == 0)
        #expect(
            outcome.warnings == [
                "The transfer was mined and reverted: nothing was moved. The contract's reason: "
                    + "\"execution reverted\"."
            ]
        )
        #expect(try market.journaled().last?.stage == .reverted)
    }

    @Test("what a token keeps of a transfer is told, exit 14")
    func keepsPart() async throws {
        let market = try LiveMarket()
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                guard case .receipt = read, case .success(.receipt(let receipt?)) = answer else {
                    return answer
                }
                return .success(.receipt(Self.halved(receipt)))
            }
        }
        let outcome = try await market.transfer(market.send("6", "ZRX"))
        #expect(outcome.exit == .filledLess)
        #expect(outcome.received == TestMarket.units("3"))
        #expect(
            outcome.warnings.last == "Of 6 ZRX only 3 ZRX arrived: the token kept the rest."
        )
    }

    /// The same receipt with half of the amount in its events.
    private static func halved(_ receipt: TransactionReceipt) -> TransactionReceipt {
        receipt.with(
            logs: receipt.logs.map { log in
                Log(
                    address: log.address,
                    topics: log.topics,
                    data: ((UInt256(bigEndian: log.data) ?? 0) / 2).bigEndianBytes
                )
            }
        )
    }

    @Test("events of other tokens and for other accounts do not count")
    func foreignEvents() async throws {
        let market = try LiveMarket()
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                guard case .receipt = read, case .success(.receipt(let receipt?)) = answer else {
                    return answer
                }
                let logs = receipt.logs.flatMap { log -> [Log] in
                    let elsewhere = Log(
                        address: TestMarket.usdc,
                        topics: log.topics,
                        data: log.data
                    )
                    let backwards = Log(
                        address: log.address,
                        topics: [log.topics[0], log.topics[2], log.topics[1]],
                        data: log.data
                    )
                    return [elsewhere, backwards]
                }
                return .success(
                    .receipt(
                        TransactionReceipt(
                            transactionHash: receipt.transactionHash,
                            blockNumber: receipt.blockNumber,
                            blockHash: receipt.blockHash,
                            from: receipt.from,
                            to: receipt.to,
                            succeeded: true,
                            gasUsed: receipt.gasUsed,
                            effectiveGasPrice: nil,
                            logs: logs
                        )
                    )
                )
            }
        }
        let outcome = try await market.transfer(market.send("5", "ZRX"))
        // The balances tell that it arrived all the same.
        #expect(outcome.exit == .done)
        #expect(outcome.warnings.contains { $0.contains("emitted no event for it") })
    }

    @Test("ether that went away before signing stops it, and nothing is sent")
    func robbedBefore() async throws {
        let market = try LiveMarket()
        let plan = try await market.plan(market.send("9.9", "ETH"))
        try await market.transferAway("5")
        let sent = market.node.sent.count
        let error = await refusal {
            try await market.transfers().execute(plan, signer: market.signer)
        }
        #expect(error?.exit == .simulationFailed || error?.code == "insufficient-ether")
        #expect(market.node.sent.count == sent)
    }

    @Test("a key of another account signs nothing")
    func wrongKey() async throws {
        let market = try LiveMarket()
        let plan = try await market.plan(market.send("1", "ZRX"))
        let error = await refusal {
            try await market.transfers()
                .execute(plan, signer: market.authorized(LocalKey(market.rival)))
        }
        #expect(error?.code == "wrong-account")
        #expect(error?.exit == .wallet)
        #expect(market.node.sent.isEmpty)
    }

    @Test("a script that repeats a send until it succeeds sends once")
    func blindScript() async throws {
        let market = try LiveMarket(mining: .manual)
        let request = market.send("5", "ZRX")
        let first = try await market.transfer(request)
        #expect(first.exit == .notMinedYet)
        #expect(first.warnings.first?.hasPrefix("The transfer is not mined yet") == true)
        let pending = await refusal { try await market.transfer(request) }
        #expect(pending?.code == "pending-transaction")
        #expect(pending?.exit == .notMinedYet)
        let planned = try await market.plan(request).content
        #expect(planned.warnings.contains { $0.hasPrefix("PENDING: ") })
        try await market.chain.mine()
        for _ in 0..<2 {
            let unseen = await refusal { try await market.transfer(request) }
            #expect(unseen?.code == "unacknowledged-send")
            #expect(unseen?.exit == .refused)
        }
        #expect(market.node.sent.count == 1)
        // A purchase is another thing, and may go on beside a send that was mined.
        #expect(try await market.plan(.wrap("1")).content.warnings.isEmpty)
        let hash = try #require(first.transactions.last?.hash)
        _ = try await StatusModel(session: try market.session(), journal: market.journal)
            .load(hash.word)
        #expect(try market.journaled().map(\.stage) == [.mined])
        let again = try await market.transfer(request)
        #expect(again.exit == .notMinedYet)
        #expect(market.node.sent.count == 2)
    }
}

extension LiveMarket {
    /// Sends ether of the trader straight to the chain.
    fileprivate func transferAway(_ amount: String) async throws {
        let client = chain
        let nonce = try await client.read(.transactionCount(trader.address, .pending))
        let transaction = Transaction(
            chainID: 1337,
            nonce: nonce,
            fee: .dynamic(
                maxFeePerGas: Wei(55_000_000_000),
                maxPriorityFeePerGas: Wei(5_000_000_000)
            ),
            gasLimit: 21_000,
            to: rival.address,
            value: Wei(TestMarket.units(amount)),
            data: []
        )
        _ = try await client.send(raw: trader.sign(transaction, chainID: 1337).raw)
    }
}
