import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Tokens whose queries cost more gas than the exchange gives them")
struct HeavyTokenTests {
    /// A market where makers sell a token for WETH, 100 each at these totals.
    private func market(
        _ token: Address,
        _ totals: [String],
        mining: ChainConfiguration.Mining = .instant
    ) async throws -> (LiveMarket, pair: String, asks: [any SignedOrder]) {
        let market = try LiveMarket(mining: mining)
        var asks: [any SignedOrder] = []
        for (maker, total) in totals.enumerated() {
            asks.append(
                try await market.order(
                    by: market.makers[maker],
                    give: (token, "100"),
                    get: (TestMarket.weth, total)
                )
            )
        }
        market.setBook(asks: asks)
        return (market, "\(token.checksummed)/WETH", asks)
    }

    private func sent(_ market: LiveMarket) throws -> [Transaction] {
        try market.node.sent.map {
            try SignedTransaction(raw: $0, recoverer: Secp256k1()).transaction
        }
    }

    /// Round trips for a list alone; beside a simulation it is asked for anyway.
    private func listReads(_ market: LiveMarket) -> Int {
        market.node.rounds.count { round in
            if case .accessList = round.first, round.count == 1 { true } else { false }
        }
    }

    @Test("where an access list helps, a type-2 transaction with it skips gone orders")
    func listHelps() async throws {
        let (market, pair, _) = try await market(LiveMarket.heavy, ["1", "1.001"])
        let plan = try await market.plan(.buy, "10", pair: pair)
        // 3 as every plan, one for the name of an unlisted token, and only one for the list.
        #expect(market.node.rounds.count == 5)
        #expect(listReads(market) == 1)
        #expect(plan.content.skipsGoneOrders)
        #expect(plan.content.legs.map(\.isBackup) == [false, true])
        #expect(
            plan.content.steps.map(\.summary) == [
                "fill 1 order and 1 as backup, with an access list"
            ]
        )
        #expect(plan.content.warnings.contains { $0.contains("an access list of") })
        // The best order's maker is broke in the very last moment; the backup steps in.
        market.node.onSend { _, _ in
            try await market.drain(market.makers[0], LiveMarket.heavy)
            return .pass
        }
        market.node.forgetRounds()
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.transactions.map(\.stage) == [.confirmed])
        #expect(outcome.legs.map(\.status) == [.skipped, .filled])
        #expect(outcome.paid == TestMarket.units("0.1"))
        let transaction = try #require(sent(market).first)
        guard case .dynamic = transaction.fee else {
            Issue.record("it is \(transaction.fee)")
            return
        }
        let list = transaction.accessList
        #expect(
            Set(list.map(\.address)).isDisjoint(
                with: [market.trader.address, TestMarket.exchange]
            )
        )
        let heavy = list.first { $0.address == LiveMarket.heavy }
        #expect(
            Set([UInt256(8).word, UInt256(9).word]).isSubset(of: Set(heavy?.storageKeys ?? []))
        )
    }

    @Test("where it does not help, the throwing call is used, without backups")
    func listUseless() async throws {
        let (market, pair, _) = try await market(LiveMarket.stubborn, ["1", "1.001"])
        let plan = try await market.plan(.buy, "10", pair: pair)
        #expect(market.node.rounds.count == 5)
        #expect(!plan.content.skipsGoneOrders)
        #expect(plan.content.legs.count == 1)
        #expect(plan.content.warnings.contains { $0.contains("with an access list as well") })
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("10"))
        #expect(try sent(market).map(\.accessList) == [[]])
    }

    @Test(
        "a node that makes no access list fails nothing: the throwing call is used",
        arguments: [
            ChainError.rpc(code: -32_601, message: "the method does not exist"),
            .nonsense("the access list is not a list"),
        ]
    )
    func unsupported(error: ChainError) async throws {
        let (market, pair, _) = try await market(LiveMarket.heavy, ["1", "1.001"])
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .accessList = read { .failure(error) } else { answer }
            }
        }
        let plan = try await market.plan(.buy, "10", pair: pair)
        #expect(!plan.content.skipsGoneOrders)
        #expect(plan.content.legs.count == 1)
        #expect(plan.content.warnings.contains { $0.contains("the node makes no access list") })
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(try sent(market).map(\.accessList) == [[]])
    }

    @Test("no round trip is for a list where the plain call works, or the chain has no base fee")
    func notAsked() async throws {
        let light = try LiveMarket()
        light.setBook(asks: [try await light.ask(0, "100", for: "1")])
        _ = try await light.plan(.buy, "10")
        #expect(listReads(light) == 0)

        let (market, pair, _) = try await market(LiveMarket.heavy, ["1"])
        market.node.onRead { reads, answers throws(ChainError) in
            answers.map { answer in
                guard case .success(.block(let block?)) = answer else { return answer }
                let old = Block(
                    number: block.number,
                    hash: block.hash,
                    parentHash: block.parentHash,
                    timestamp: block.timestamp,
                    baseFeePerGas: nil,
                    gasLimit: block.gasLimit,
                    gasUsed: block.gasUsed
                )
                return .success(.block(old))
            }
        }
        let plan = try await market.plan(.buy, "10", pair: pair)
        #expect(listReads(market) == 0)
        #expect(!plan.content.skipsGoneOrders)
    }

    @Test("a list that no longer helps when it comes to signing gives way to the throwing call")
    func noLongerHelps() async throws {
        let (market, pair, _) = try await market(LiveMarket.heavy, ["1", "1.001"])
        let plan = try await market.plan(.buy, "10", pair: pair)
        #expect(plan.content.skipsGoneOrders)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .call(let call, _) = read, !call.accessList.isEmpty {
                    .failure(.reverted(data: [], message: "execution reverted"))
                } else {
                    answer
                }
            }
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("10"))
        #expect(try sent(market).map(\.accessList) == [[]])
    }

    @Test("backups that the list does not cover are left out, since they would fail the call")
    func uncoveredBackups() async throws {
        let (market, pair, asks) = try await market(LiveMarket.heavy, ["1", "1.001"])
        let plan = try await market.plan(.buy, "10", pair: pair)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                // The call with the backups first is the only one that is not estimated.
                guard case .call(let call, _) = read, !call.accessList.isEmpty,
                    !reads.contains(.estimateGas(call))
                else { return answer }
                return .failure(.rpc(code: -32_000, message: "invalid opcode: INVALID"))
            }
        }
        let outcome = try await market.model().execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.legs.map(\.status) == [.filled, .untouched])
        let transaction = try #require(sent(market).first)
        #expect(!transaction.accessList.isEmpty)
        let backup = try #require(asks.last)
        let maker = backup.maker.bytes
        #expect(!transaction.data.contains(maker))
    }

    @Test("of a node's list only what can make a query cheaper is announced, within bounds")
    func helpful() throws {
        let token = LiveMarket.heavy
        let account = TestMarket.address("0x3333333333333333333333333333333333333333")
        let one = UInt256(1).word
        let two = UInt256(2).word
        let entries = [
            AccessListEntry(address: account, storageKeys: []),
            AccessListEntry(address: TestMarket.exchange, storageKeys: [one]),
            AccessListEntry(
                address: TestMarket.address("0x0000000000000000000000000000000000000001"),
                storageKeys: []
            ),
            AccessListEntry(
                address: TestMarket.address("0x0000000000000000000000000000000000000100"),
                storageKeys: [one]
            ),
            AccessListEntry(address: token, storageKeys: [two, one]),
            AccessListEntry(address: token, storageKeys: [one]),
        ]
        func helpful(_ entries: [AccessListEntry], orders: Int) -> [AccessListEntry]? {
            AccessListing.helpful(
                entries,
                account: account,
                exchange: TestMarket.exchange,
                orders: orders
            )
        }
        #expect(
            helpful(entries, orders: 1)
                == [AccessListEntry(address: token, storageKeys: [one, two])]
        )
        #expect(helpful(Array(entries.prefix(4)), orders: 1) == nil)
        let slots = (0..<96).map { UInt256(UInt64($0)).word }
        let long = [AccessListEntry(address: token, storageKeys: slots)]
        #expect(helpful(long, orders: 1) == nil)
        #expect(helpful(long, orders: 2)?.first?.storageKeys.count == 96)
    }
}
