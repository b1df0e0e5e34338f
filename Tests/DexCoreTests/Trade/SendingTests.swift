import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Sending: nothing is lost, nothing is sent twice, only our receipt is believed")
struct SendingTests {
    /// A market with one order to take.
    private func market(
        _ mining: ChainConfiguration.Mining = .instant
    ) async throws -> LiveMarket {
        let market = try LiveMarket(mining: mining)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    @Test("signed bytes are durable in the journal before the first broadcast")
    func journalFirst() async throws {
        let market = try await market()
        market.node.onSend { _, raw in
            let known = try market.journaled()
            #expect(known.map(\.raw) == [raw])
            #expect(known.map(\.stage) == [.signed])
            return .pass
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(market.node.sent.count == 1)
    }

    @Test("a broadcast whose answer is lost is found by its hash and is a success")
    func lostAnswer() async throws {
        let market = try await market()
        market.node.onSend { _, _ in .takeAndFail(.lost) }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(market.node.sent.count == 1)
        #expect(outcome.received == TestMarket.units("10"))
    }

    @Test(
        "\"already known\" and \"nonce too low\" with our hash mined are a success",
        arguments: ["already known", "nonce too low: next nonce 1, tx nonce 0"]
    )
    func alreadyKnown(words: String) async throws {
        let market = try await market()
        market.node.onSend { _, _ in .takeAndFail(.rpc(code: -32_000, message: words)) }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(market.node.sent.count == 1)
    }

    @Test("a broadcast that never arrives is repeated with the same bytes only")
    func sameBytes() async throws {
        let market = try await market()
        market.node.onSend { number, _ in number < 2 ? .lose(.lost) : .pass }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(market.node.sent.count == 3)
        #expect(Set(market.node.sent).count == 1)
        #expect(market.clock.sleeps.prefix(2) == [200, 400])
    }

    @Test("a node that refuses leaves nothing in flight and its nonce free")
    func refused() async throws {
        let market = try await market()
        market.node.onSend { _, _ in
            .lose(.rpc(code: -32_000, message: "intrinsic gas too low\u{1B}[2J"))
        }
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "send-refused")
        #expect(error?.sent == [])
        #expect(error?.message.contains("\u{1B}") == false)
        #expect(try market.journaled().map(\.stage) == [.refused])
        market.node.onSend(nil)
        #expect(try await market.trade(.buy, "10").exit == .done)
        // The very same transaction, for signatures are deterministic.
        #expect(try market.journaled().map(\.nonce) == [0])
        #expect(try market.journaled().map(\.stage) == [.mined])
    }

    @Test("a transaction that is not mined in 180 s exits 12 and stays in the journal")
    func pending() async throws {
        let market = try await market(.manual)
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.transactions.map(\.stage) == [.pooled])
        #expect(market.clock.sleeps.allSatisfy { $0 == 250 })
        #expect(market.clock.sleeps.count == 720)
        #expect(try market.journaled().map(\.stage) == [.broadcast])
    }

    @Test("on a real chain the receipt is polled at half the block time, at most every 4 s")
    func pollingInterval() async throws {
        let market = try await market(.manual)
        let model = try market.model(isSandbox: false)
        let plan = try await market.plan(.buy, "10")
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .notMinedYet)
        #expect(market.clock.sleeps.allSatisfy { $0 == 4_000 })
        #expect(market.clock.sleeps.count == 45)
    }

    @Test("a transaction that the node no longer knows is dropped, exit 13, after the same bytes")
    func dropped() async throws {
        let market = try await market()
        market.node.onSend { _, _ in .lose(.rpc(code: -32_000, message: "already known")) }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .replacedOrDropped)
        #expect(outcome.transactions.map(\.stage) == [.dropped])
        #expect(Set(market.node.sent).count == 1)
        #expect(try market.journaled().map(\.stage) == [.dropped])
    }

    @Test("a transaction whose nonce another one used is replaced, exit 13")
    func replaced() async throws {
        let market = try await market(.manual)
        let plan = try await market.plan(.buy, "10")
        market.node.onSend { _, _ in
            try await market.send(
                from: market.trader,
                to: TestMarket.zrx,
                ERC20.transfer(to: market.rival.address, amount: 1),
                nonce: 0
            )
            for _ in 0...12 { try await market.chain.mine() }
            return .lose(.rpc(code: -32_000, message: "nonce too low"))
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .replacedOrDropped)
        #expect(outcome.transactions.map(\.stage) == [.replaced])
        #expect(outcome.received == 0)
        #expect(try market.journaled().map(\.stage) == [.replaced])
    }

    @Test("another transaction's receipt is never returned as ours")
    func foreignReceipt() async throws {
        let market = try await market(.manual)
        let foreign = TransactionReceipt(
            transactionHash: TransactionHash(UInt256(99).word),
            blockNumber: 0,
            blockHash: BlockHash(UInt256(1).word),
            from: market.trader.address,
            to: TestMarket.exchange,
            succeeded: true,
            gasUsed: 1,
            effectiveGasPrice: nil,
            logs: []
        )
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .receipt = read { .success(.receipt(foreign)) } else { answer }
            }
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.transactions.map(\.stage) == [.pooled])
    }

    @Test("a receipt is final only while its block is canonical")
    func reorganised() async throws {
        let market = try await market()
        let looks = Counter()
        market.node.onRead { reads, answers throws(ChainError) in
            // The receipt once more, with its block.
            let isCheck = reads.contains { read in
                if case .block(.number) = read { true } else { false }
            }
            guard isCheck, reads.contains(where: \.isReceipt), looks.next() < 3 else {
                return answers
            }
            let fork = TestMarket.block(1, timestamp: TestMarket.now, fork: 9)
            return zip(reads, answers).map { read, answer in
                if case .block = read { .success(.block(fork)) } else { answer }
            }
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(looks.count == 4)
    }

    @Test("as many confirmations are waited for as the settings say")
    func confirmations() async throws {
        let market = try await market()
        let looks = Counter()
        market.node.onRead { reads, answers throws(ChainError) in
            // The head beside the receipt, and not that of what is unsettled before.
            guard reads.contains(.blockNumber), reads.contains(where: \.isReceipt) else {
                return answers
            }
            let head = 1 + UInt64(looks.next())
            return zip(reads, answers).map { read, answer in
                read == .blockNumber ? .success(.number(head)) : answer
            }
        }
        let outcome = try await market.trade(.buy, "10") { $0.confirmations = 3 }
        #expect(outcome.exit == .done)
        #expect(looks.count == 3)
    }

    @Test("after a crash between journal and broadcast the same bytes are sent, nothing new")
    func crash() async throws {
        let market = try await market()
        market.node.onSend { _, _ in .lose(.lost) }
        // The process is interrupted while it tries to reach the node.
        market.clock.onSleep { _ in throw CancellationError() }
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.exit == .interrupted)
        let before = try market.journaled()
        #expect(before.map(\.stage) == [.signed])
        #expect(error?.sent.map(\.hash) == [before[0].hash])
        #expect(error?.sent.map(\.stage) == [.pooled])

        market.clock.onSleep { _ in }
        market.node.onSend(nil)
        let sent = market.node.sent.count
        let warned = try await market.plan(.buy, "10").content.warnings
        #expect(warned.contains { $0.contains(before[0].hash.hex) })
        let resumed = await refusal { try await market.trade(.buy, "10") }
        #expect(resumed?.code == "resumed")
        #expect(resumed?.exit == .notMinedYet)
        #expect(market.node.sent.dropFirst(sent) == [before[0].raw])
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("10010")
        )
        // Only a command that is asked for after looking at the first one buys again.
        let unseen = await refusal { try await market.trade(.buy, "10") }
        #expect(unseen?.code == "unacknowledged-fill")
        let status = StatusModel(session: try market.session(), journal: market.journal)
        _ = try await status.load(before[0].hash.word)
        #expect(try await market.trade(.buy, "10").exit == .done)
        #expect(try market.journaled().map(\.stage) == [.mined, .mined])
    }

    @Test("an interrupt while waiting exits 130 and names what is in flight")
    func interrupted() async throws {
        let market = try await market(.manual)
        market.clock.onSleep { _ in throw CancellationError() }
        let error = await refusal { try await market.trade(.buy, "10") }
        let journaled = try market.journaled()
        #expect(error?.exit == .interrupted)
        #expect(journaled.map(\.stage) == [.broadcast])
        #expect(error?.message.contains(journaled[0].hash.hex) == true)
        #expect(error?.sent.map(\.hash) == [journaled[0].hash])
        #expect(error?.sent.map(\.stage) == [.pooled])
        // The next plan tells of it.
        market.clock.onSleep { _ in }
        let plan = try await market.plan(.buy, "10")
        #expect(plan.content.warnings.contains { $0.contains(journaled[0].hash.hex) })
    }

    @Test("a receipt whose events cannot be read is told with its hash, never guessed at")
    func unreadable() async throws {
        let market = try await market()
        market.node.onRead { reads, answers throws(ChainError) in
            answers.map { answer in
                guard case .success(.receipt(let receipt?)) = answer else { return answer }
                let logs = receipt.logs.map { log in
                    Log(address: log.address, topics: log.topics, data: [1, 2, 3])
                }
                return .success(.receipt(receipt.with(logs: logs)))
            }
        }
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.code == "unreadable-receipt")
        #expect(error?.message.contains(try market.journaled()[0].hash.hex) == true)
    }

    @Test("a key of another account signs nothing")
    func wrongAccount() async throws {
        let market = try await market()
        let plan = try await market.plan(.buy, "10")
        let error = await refusal {
            try await market.model().execute(
                plan,
                signer: market.authorized(LocalKey(market.rival))
            )
        }
        #expect(error?.code == "wrong-account")
        #expect(error?.exit == .wallet)
        #expect(market.node.sent.isEmpty)
    }

    @Test("a signer whose signature is not its account's sends nothing and frees the nonce")
    func wrongSignature() async throws {
        let market = try await market()
        let plan = try await market.plan(.buy, "10")
        let liar = LyingSigner(address: market.trader.address, key: market.rival)
        let error = await refusal {
            try await market.model().execute(plan, signer: market.authorized(LocalKey(liar)))
        }
        #expect(error?.code == "wrong-signature")
        #expect(market.node.sent.isEmpty)
        #expect(try await market.trade(.buy, "10").exit == .done)
    }

    @Test("a node of another chain stops everything before anything is signed")
    func wrongChain() async throws {
        let market = try await market()
        let plan = try await market.plan(.buy, "10")
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { $0 == .chainID ? .success(.number(1)) : $1 }
        }
        let planning = await refusal { try await market.plan(.buy, "10") }
        #expect(planning?.code == "wrong-chain")
        let error = await refusal {
            try await market.model().execute(plan, signer: market.signer)
        }
        #expect(error?.code == "wrong-chain")
        #expect(error?.exit == .configuration)
        #expect(try market.journaled().isEmpty)
        #expect(market.node.sent.isEmpty)
    }

    @Test("a sandbox that began anew does not leave the nonce behind")
    func sandboxReset() async throws {
        let first = try await market()
        #expect(try await first.trade(.buy, "10").exit == .done)
        #expect(try await first.trade(.buy, "10").exit == .done)
        let second = try await market()
        let model = MarketOrderModel(
            session: try second.session(),
            journal: first.journal,
            settings: TradeSettings()
        )
        let plan = try await second.plan(.buy, "10")
        #expect(try await model.execute(plan, signer: second.signer).exit == .done)
        #expect(try first.journaled().map(\.stage) == [.forgotten, .mined])
    }

    @Test("a real node that is behind the journal is refused, exit 4")
    func nodeBehind() async throws {
        let first = try await market()
        #expect(try await first.trade(.buy, "10").exit == .done)
        let second = try await market()
        let model = MarketOrderModel(
            session: try second.session(isSandbox: false),
            journal: first.journal,
            settings: TradeSettings()
        )
        let plan = try await second.plan(.buy, "10")
        let error = await refusal { try await model.execute(plan, signer: second.signer) }
        #expect(error?.code == "node-behind")
        #expect(error?.exit == .unreachable)
        #expect(second.node.sent.isEmpty)
    }
}

/// Claims one account and signs with another's key.
private struct LyingSigner: Signer {
    let address: Address
    let key: PrivateKeySigner

    func sign(digest: Bytes32) async throws(SignerError) -> Signature {
        try await key.sign(digest: digest)
    }
}
