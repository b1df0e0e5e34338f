import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What was left unfinished is told and brought to its end with what is signed")
struct ResumeTests {
    private func market(_ mining: ChainConfiguration.Mining = .instant) async throws -> LiveMarket {
        let market = try LiveMarket(mining: mining)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    private func model(_ market: LiveMarket) throws -> ResumeModel {
        ResumeModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func owned(_ market: LiveMarket) async throws -> UInt256 {
        try await market.balance(TestMarket.zrx, of: market.trader.address)
    }

    /// A purchase that is signed and that no node ever got.
    private func unsent(_ market: LiveMarket) async throws -> TransactionHash {
        market.node.onSend { _, _ in .lose(.lost) }
        market.clock.onSleep { _ in throw CancellationError() }
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.exit == .interrupted)
        market.clock.onSleep { _ in }
        market.node.onSend(nil)
        return try #require(try market.journaled().last?.hash)
    }

    /// `dex tx list --unsettled`.
    private func listed(_ market: LiveMarket) async throws -> [TransactionHash] {
        try await TransactionsModel(session: try market.session(), journal: market.journal)
            .load(account: nil, limit: 20, onlyUnsettled: true).rows.map(\.hash)
    }

    @Test("nothing unfinished asks nobody anything")
    func nothing() async throws {
        let market = try await market()
        let planned = try await model(market).plan()
        #expect(planned.state.items.isEmpty && planned.actions == 0)
        #expect(planned.state.exit == .done)
        #expect(market.node.rounds.isEmpty)
        #expect(try await model(market).execute(planned).items.isEmpty)
    }

    @Test("what was signed and never sent is sent as it is, and what it did is told")
    func signed() async throws {
        let market = try await market()
        let hash = try await unsent(market)
        let sent = market.node.sent.count
        let planned = try await model(market).plan()
        #expect(planned.actions == 1)
        let item = try #require(planned.state.items.first)
        #expect(item.kind == .transaction && item.hash == hash.word && item.nonce == 0)
        #expect(item.was == .signed && item.status.word == "signed" && item.action == .send)
        #expect(item.purpose == "fill" && item.isInFlight)
        #expect(item.notes.last?.contains("dex tx cancel \(hash)") == true)
        // A plan sends nothing and writes nothing.
        #expect(market.node.sent.count == sent)
        #expect(try market.journaled().map(\.stage) == [.signed])

        let waits = market.clock.waits.count
        let done = try await model(market).execute(planned)
        let end = try #require(done.items.first)
        let shown = market.clock.waits.dropFirst(waits)
        let line = try #require(shown.first ?? nil)
        #expect(line.purpose == "fill" && line.hash == hash && line.step == 1 && line.steps == 1)
        let signed = try #require(try market.journaled()[0].signed(market.session()))
        #expect(line.price == signed.transaction.maximumGasPrice)
        #expect(shown.last == .some(nil))
        #expect(end.done == "sent" && end.status.word == "mined" && !end.isInFlight)
        #expect(end.outcome?.fills.count == 1)
        #expect(done.exit == .done)
        #expect(market.node.sent.dropFirst(sent) == [try market.journaled()[0].raw])
        #expect(try market.journaled().map(\.stage) == [.mined])
        #expect(try await owned(market) == TestMarket.units("10010"))
        #expect(try await model(market).plan().state.items.isEmpty)
        // It was told, so that the next purchase is one more.
        #expect(try await market.trade(.buy, "10").exit == .done)
    }

    @Test("what was mined after its command had ended is told with its fill, without sending")
    func mined() async throws {
        let market = try await market(.manual)
        _ = try await market.trade(.buy, "10")
        try await market.chain.mine()
        let planned = try await model(market).plan()
        #expect(planned.actions == 0)
        #expect(planned.state.items.map(\.status.word) == ["mined"])
        let done = try await model(market).execute(planned)
        #expect(done.items.first?.outcome?.fills.count == 1)
        #expect(done.exit == .done)
        #expect(market.node.sent.count == 1)
        #expect(try market.journaled().map(\.stage) == [.mined])
    }

    @Test("what waits in the pool is told with what can be done about it, exit 12")
    func pooled() async throws {
        let market = try await market(.manual)
        _ = try await market.trade(.buy, "10")
        let planned = try await model(market).plan()
        let item = try #require(planned.state.items.first)
        #expect(item.status.word == "pooled" && item.action == nil && item.isInFlight)
        #expect(item.notes.first?.contains("dex tx speedup") == true)
        let done = try await model(market).execute(planned)
        #expect(done.exit == .notMinedYet)
        #expect(market.node.sent.count == 1)
    }

    @Test("what a reorganization lost is sent again")
    func reorganized() async throws {
        let market = try await market()
        let hash = try #require(try await market.trade(.buy, "10").transactions.last?.hash)
        #expect(try await listed(market).isEmpty)
        _ = try await market.chain.reorganize(blocks: 1, transactions: .gone)
        #expect(try await listed(market) == [hash])
        // The journal takes it for mined until somebody looks.
        let status = StatusModel(session: try market.session(), journal: market.journal)
        _ = try await status.load(hash.word)
        let planned = try await model(market).plan()
        #expect(planned.state.items.map(\.status.word) == ["reorganized"])
        #expect(planned.actions == 1)
        let done = try await model(market).execute(planned)
        #expect(done.items.map(\.status.word) == ["mined"])
        #expect(try await owned(market) == TestMarket.units("10010"))
    }

    @Test("what another transaction with its nonce replaced is told so, and is over")
    func replaced() async throws {
        let market = try await market(.manual)
        _ = try await market.trade(.buy, "10")
        try await market.send(
            from: market.trader,
            to: TestMarket.zrx,
            ERC20.transfer(to: market.rival.address, amount: 1),
            tip: 50_000_000_000,
            nonce: 0
        )
        try await market.chain.mine()
        let undecided = try await model(market).plan().state
        #expect(undecided.items.map(\.status.word) == ["broadcast"])
        #expect(undecided.items.allSatisfy { $0.isInFlight })
        for _ in 0..<12 { try await market.chain.mine() }
        let planned = try await model(market).plan()
        #expect(planned.state.items.map(\.status.word) == ["replaced"])
        #expect(try await model(market).execute(planned).exit == .done)
        #expect(try market.journaled().map(\.stage) == [.replaced])
    }

    @Test("what the node will not have any more is told in its words, and frees its nonce")
    func refused() async throws {
        let market = try await market()
        _ = try await unsent(market)
        let planned = try await model(market).plan()
        market.node.onSend { _, _ in
            .lose(.rpc(code: -32_000, message: "max fee per gas less than block base fee"))
        }
        let done = try await model(market).execute(planned)
        let item = try #require(done.items.first)
        #expect(item.done == "refused" && item.status.word == "refused" && !item.isInFlight)
        #expect(item.notes.first?.contains("max fee per gas less than block base fee") == true)
        #expect(try market.journaled().map(\.stage) == [.refused])
        #expect(try await model(market).plan().state.items.isEmpty)
        #expect(try await listed(market).isEmpty, "nothing is unfinished, so nothing is unsettled")
        market.node.onSend(nil)
        #expect(try await market.trade(.buy, "10").exit == .done)
    }

    @Test(
        "a nonce that was taken and never signed with is freed once nobody can sign any more",
        arguments: [false, true]
    )
    func reservation(isKilled: Bool) async throws {
        let market = try await market()
        var other: Journal? = Journal(path: market.journal.path)
        let intent = try #require(
            try other?.open(
                JournalIntent(
                    chainID: 1337,
                    account: market.trader.address,
                    command: "market-buy",
                    plan: "{}",
                    created: TestMarket.now
                )
            )
        )
        let held = try other?.reserveNonce(
            intent: intent,
            purpose: "fill",
            chainID: 1337,
            sender: market.trader.address,
            pendingCount: 0,
            now: TestMarket.now
        )
        #expect(held?.nonce == 0)
        let early = try await model(market).plan()
        #expect(early.state.items.map(\.kind) == [.reservation])
        #expect(early.state.items.first?.notes.first?.contains("may be signing") == true)
        #expect(try await model(market).execute(early).exit == .notMinedYet)
        #expect(try market.journal.unfinished(chainID: 1337).reservations.count == 1)
        #expect(try market.journal.unfinished(chainID: 1337).intents.count == 1)

        if isKilled {
            other = nil
        } else {
            try await market.clock.environment.sleep((NonceReservation.lease + 1) * 1_000)
        }
        let late = try await model(market).plan()
        #expect(late.state.items.first?.notes == ["Nothing was signed, and its nonce is free."])
        #expect(try await model(market).execute(late).exit == .done)
        #expect(try market.journal.unfinished(chainID: 1337).reservations.isEmpty)
        #expect(market.node.sent.isEmpty)
        // Its command is closed where its process has ended, and else said to be at work.
        let intents = try market.journal.unfinished(chainID: 1337).intents
        #expect(intents.isEmpty == isKilled)
        let again = try await model(market).plan().state
        #expect(
            again.items.flatMap(\.notes) == (isKilled ? [] : ["A dex that runs is at work on it."])
        )
        withExtendedLifetime(other) {}
    }

    @Test(
        "a command that ended without a word is told with what it did not do",
        arguments: [
            ([], "It was confirmed, and nothing was signed."),
            (
                [.approve],
                "It was confirmed, and only its approval was signed: what it was for was not done."
            ), ([.approve, .fill], nil), ([.fill], nil),
        ] as [([TransactionPurpose], String?)]
    )
    func abandoned(purposes: [TransactionPurpose], words: String?) async throws {
        let market = try await market()
        var other: Journal? = Journal(path: market.journal.path)
        let intent = try #require(
            try other?.open(
                JournalIntent(
                    chainID: 1337,
                    account: market.trader.address,
                    command: "market-buy",
                    plan: "{}",
                    created: TestMarket.now
                )
            )
        )
        for (number, purpose) in purposes.enumerated() {
            let reservation = try #require(
                try other?.reserveNonce(
                    intent: intent,
                    purpose: purpose.rawValue,
                    chainID: 1337,
                    sender: market.trader.address,
                    pendingCount: 0,
                    now: TestMarket.now
                )
            )
            let hash = TransactionHash(UInt256(UInt64(number + 1)).word)
            try other?.record(raw: [1], hash: hash, for: reservation, now: TestMarket.now)
            try other?.mark(hash, as: .replaced, now: TestMarket.now)
        }
        other = nil
        let planned = try await model(market).plan()
        #expect(planned.state.items.flatMap(\.notes) == [words].compactMap { $0 })
        #expect(planned.state.items.allSatisfy { $0.purpose == "market-buy" && !$0.isInFlight })
        #expect(try await model(market).execute(planned).exit == .done)
        #expect(try market.journal.unfinished(chainID: 1337).intents.isEmpty)
    }

    @Test("one that waits for a free nonce says for which, and the next transaction takes it")
    func gap() async throws {
        let market = try await market()
        let intent = try market.journal.open(
            JournalIntent(
                chainID: 1337,
                account: market.trader.address,
                command: "send",
                plan: "{}",
                created: TestMarket.now
            )
        )
        let lost = try market.journal.reserveNonce(
            intent: intent,
            purpose: "send",
            chainID: 1337,
            sender: market.trader.address,
            pendingCount: 0,
            now: TestMarket.now
        )
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        #expect(try market.journaled().map(\.nonce) == [1])
        // Somebody may be signing with it now.
        #expect(try await list(market).rows.map(\.waitsFor) == [nil])
        #expect(try await model(market).plan().state.items.allSatisfy { $0.notes.count == 1 })
        try market.journal.release(lost)
        let planned = try await model(market).plan()
        let item = try #require(planned.state.items.first { $0.kind == .transaction })
        let words = "with the nonce 0, which is free"
        #expect(item.notes.contains { $0.contains(words) })
        let rows = try await list(market).rows
        #expect(rows.map { $0.waitsFor?.nonce } == [0] && rows.map(\.stage) == [.pooled])
        // All that would be built on it tells it too, with no request more than without.
        let plan = try await market.plan(.buy, "10")
        #expect(plan.content.warnings.contains { $0.contains("PENDING") && $0.contains(words) })
        let transfer = try await market.plan(market.send("1", "ETH"))
        #expect(transfer.content.warnings.contains { $0.contains(words) })
        let stopped = await refusal { try await market.trade(.buy, "10") }
        #expect(stopped?.code == "pending-transaction" && stopped?.retryable == false)
        #expect(stopped?.message.contains(words) == true)
        #expect(stopped?.hint?.contains("dex tx cancel") == true)
        let next = try await market.trade(.buy, "10") { $0.allowsPending = true }
        #expect(next.exit == .done)
        #expect(Set(try market.journaled().map(\.nonce)) == [0, 1])
        #expect(try await owned(market) == TestMarket.units("10020"))
        #expect(try await list(market).rows.map(\.waitsFor) == [nil, nil])
    }

    private func list(_ market: LiveMarket) async throws -> TransactionsState {
        try await TransactionsModel(session: try market.session(), journal: market.journal)
            .load(account: nil, limit: 20, onlyUnsettled: false)
    }

    @Test("one that is not shown in a short list holds its nonce all the same")
    func shortList() async throws {
        let market = try await market(.manual)
        for _ in 0..<2 {
            #expect(try await market.trade(.buy, "1") { $0.allowsPending = true }.exit != .done)
        }
        let all = try await list(market).rows
        #expect(all.map(\.nonce) == [1, 0] && all.allSatisfy { $0.waitsFor == nil })
        // The pool lost the first one, which the journal still has and would send again.
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch read {
                case .transactionCount: .success(.number(0))
                default: answer
                }
            }
        }
        let short = try await TransactionsModel(
            session: try market.session(),
            journal: market.journal
        ).load(account: nil, limit: 1, onlyUnsettled: false)
        #expect(short.rows.map(\.nonce) == [1] && short.rows.first?.waitsFor == nil)
    }

    @Test("a node that does not answer is no answer: nothing is sent or written")
    func failing() async throws {
        let market = try await market()
        _ = try await unsent(market)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .receipt = read {
                    .failure(.rpc(code: -32_000, message: "busy"))
                } else {
                    answer
                }
            }
        }
        let error = await refusal { try await model(market).plan() }
        #expect(error?.exit == .unreachable)
        #expect(try market.journaled().map(\.stage) == [.signed])
    }

    // MARK: Orders

    /// An order whose posting nobody learnt the end of.
    private func doubtful() async throws -> (LiveMarket, OrderHash) {
        let market = try LiveMarket()
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .failure(.unreachable(url: "http://relay", reason: "cut"))
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        let model = LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(
            LimitRequest(
                side: .buy,
                pair: "ZRX/WETH",
                amount: "100",
                price: "0.0025",
                expiry: .after(86_400),
                posts: true
            ),
            account: market.trader.address
        )
        let hash = plan.content.orderHash
        market.relay.set { $0.orders[hash] = .success(nil) }
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.exit == .unreachable)
        market.relay.set { $0.post = .success(()) }
        return (market, hash)
    }

    @Test("an order whose price crosses the book meanwhile is not posted again")
    func crossing() async throws {
        let (market, hash) = try await doubtful()
        market.setBook(asks: [try await market.ask(0, "1000", for: "1")])
        let planned = try await model(market).plan()
        let item = try #require(planned.state.items.first)
        #expect(item.hash == hash.word && item.action == nil && planned.actions == 0)
        #expect(item.notes.contains { $0.contains("crosses") }, "\(item.notes)")
        _ = try await model(market).execute(planned)
        #expect(market.relay.posted.map(\.hash) == [hash])
        #expect(try market.journal.order(hash)?.isInDoubt == true)
    }

    @Test("an order that the relay does not have is posted again, the same one")
    func posted() async throws {
        let (market, hash) = try await doubtful()
        let planned = try await model(market).plan()
        let item = try #require(planned.state.items.first)
        #expect(item.kind == .order && item.hash == hash.word && item.action == .post)
        #expect(planned.actions == 1)
        let done = try await model(market).execute(planned)
        #expect(done.items.first?.done == "posted" && done.exit == .done)
        #expect(market.relay.posted.map(\.hash) == [hash, hash])
        #expect(try market.journal.order(hash)?.isInDoubt == false)
        #expect(try await model(market).plan().state.items.isEmpty)
    }

    @Test("an order that stands on the relay, or that expired, is told and is in doubt no longer")
    func known() async throws {
        let (market, hash) = try await doubtful()
        let order = try #require(market.relay.posted.first)
        market.relay.set { $0.orders[hash] = .success(order) }
        let planned = try await model(market).plan()
        #expect(planned.actions == 0 && planned.state.items.map(\.status.word) == ["posted"])
        #expect(try await model(market).execute(planned).exit == .done)
        #expect(try market.journal.order(hash)?.isInDoubt == false)
        #expect(market.relay.posted.count == 1)

        let (other, late) = try await doubtful()
        try await other.clock.environment.sleep(90_000_000)
        let expired = try await model(other).plan()
        #expect(expired.actions == 0 && expired.state.items.map(\.status.word) == ["expired"])
        _ = try await model(other).execute(expired)
        #expect(try other.journal.order(late)?.isInDoubt == false)
    }

    @Test("an order that a wrong clock takes for expired stays in doubt")
    func wrongClock() async throws {
        let (market, hash) = try await doubtful()
        try await market.clock.environment.sleep(90_000_000)
        var session = try market.session(isSandbox: false)
        session.network.relay = market.network.relay
        let planned = try await ResumeModel(
            session: session,
            journal: market.journal,
            settings: TradeSettings()
        ).plan()
        #expect(planned.state.items.map(\.status.word) == ["signed"])
        #expect(try market.journal.order(hash)?.isInDoubt == true)
    }

    @Test("a relay that refuses it, or does not tell, is told so")
    func relayFails() async throws {
        let (market, hash) = try await doubtful()
        let planned = try await model(market).plan()
        market.relay.set {
            $0.orders[hash] = .failure(.unreachable(url: "http://relay", reason: "cut"))
        }
        let silent = try await model(market).plan()
        #expect(silent.actions == 0 && silent.state.exit == .notMinedYet)
        #expect(silent.state.items.first?.notes.first?.hasPrefix("The relay does not say") == true)
        market.relay.set { state in
            state.orders[hash] = .success(nil)
            state.post = .failure(.refused(status: 400, code: 101, reason: "no", fields: []))
        }
        let done = try await model(market).execute(planned)
        #expect(done.items.first?.done == "refused" && done.exit == .done)
        #expect(try market.journal.order(hash)?.isInDoubt == false)
    }
}
