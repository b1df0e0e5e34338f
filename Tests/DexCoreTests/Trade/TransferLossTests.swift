import DexCore
import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Tokens that keep a part of each transfer: what arrived is told, not what was sent")
struct TransferLossTests {
    /// A market with one order, 100 ZRX for 1 WETH.
    private func market() async throws -> LiveMarket {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        return market
    }

    /// Changes the events in every receipt on its way.
    private func changeLogs(_ market: LiveMarket, _ change: @escaping @Sendable (Log) -> [Log]) {
        market.node.onRead { _, answers throws(ChainError) in
            answers.map { answer in
                guard case .success(.receipt(let receipt?)) = answer else { return answer }
                return .success(.receipt(receipt.with(logs: receipt.logs.flatMap(change))))
            }
        }
    }

    /// Changes what the bought token's own events say.
    private func changeTransfers(
        _ market: LiveMarket,
        _ change: @escaping @Sendable (Log) -> [Log]
    ) {
        changeLogs(market) { log in
            let isTransfer =
                log.address == TestMarket.zrx && log.topics.first == ERC20.transferTopic
            return isTransfer ? change(log) : [log]
        }
    }

    private func transfer(like log: Log, _ amount: UInt256, to: Address? = nil) -> Log {
        var topics = log.topics
        if let to { topics[2] = to.word }
        return Log(address: log.address, topics: topics, data: amount.bigEndianBytes)
    }

    @Test("a fee of the token lessens what was received, the price, and the exit code")
    func fee() async throws {
        let market = try await market()
        changeTransfers(market) { log in
            [
                transfer(like: log, TestMarket.units("9.5")),
                transfer(like: log, TestMarket.units("0.5"), to: TestMarket.zrx),
            ]
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == TestMarket.units("9.5"))
        #expect(outcome.paid == TestMarket.units("0.1"))
        #expect(outcome.legs.map(\.received) == [TestMarket.units("10")])
        let price = Price(quote: TestMarket.units("0.1"), base: TestMarket.units("9.5"))
        #expect(outcome.effectivePrice == price)
        #expect(outcome.exit == .filledLess)
        #expect(
            outcome.warnings == [
                "Of what the orders paid out 0.5 ZRX did not arrive: the token keeps a part of "
                    + "each transfer.",
                "Received 9.5 ZRX of 10 expected. That is below the confirmed minimum of 10 ZRX.",
            ]
        )
    }

    @Test("the history books what arrived, as the outcome said, and reads the same again")
    func history() async throws {
        let market = try LiveMarket()
        market.setBook(
            asks: [
                try await market.ask(0, "6", for: "0.06"),
                try await market.ask(1, "6", for: "0.06"),
            ]
        )
        changeTransfers(market) { log in
            let amount = UInt256(bigEndian: log.data) ?? 0
            return [
                transfer(like: log, amount - amount / 20),
                transfer(like: log, amount / 20, to: TestMarket.zrx),
            ]
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == TestMarket.units("9.5"))
        let account = market.trader.address
        let session = try market.session()
        for _ in 0..<2 {
            let state = try await HistoryModel(session: session, journal: market.journal)
                .load(account)
            #expect(state.rows.map(\.base).reduce(.zero, +) == TestMarket.units("9.5"))
            #expect(state.positions.map(\.bought) == [TestMarket.units("9.5")])
            #expect(state.positions.map(\.cost) == [TestMarket.units("0.1")])
        }
        let rebuilt = try await TradeSync(session: session, journal: market.journal)
            .rebuild(account, from: 0)
        #expect(rebuilt.after == 2 && rebuilt.added == 0 && rebuilt.removed == 0)
    }

    @Test("a transfer in parts is the sum of its parts")
    func parts() async throws {
        let market = try await market()
        changeTransfers(market) { log in
            [
                transfer(like: log, TestMarket.units("4")),
                transfer(like: log, TestMarket.units("6")),
            ]
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == TestMarket.units("10"))
        #expect(outcome.exit == .done)
        #expect(outcome.warnings.isEmpty)
    }

    @Test("of a token that logs no standard transfers the balance is read")
    func silent() async throws {
        let forms: [@Sendable (Log) -> [Log]] = [
            { _ in [] },
            // The amount as an index, and the addresses among the data.
            { log in
                let amount = UInt256(bigEndian: log.data)?.word
                return [Log(address: log.address, topics: log.topics + [amount ?? .zero], data: [])]
            },
            { log in
                let words = log.topics.dropFirst().map { UInt256($0).bigEndianBytes }
                let data = words.joined() + log.data
                return [Log(address: log.address, topics: [log.topics[0]], data: data)]
            },
            { log in [Log(address: log.address, topics: log.topics, data: log.data + [0])] },
            // Another contract's word does not count.
            { log in [Log(address: TestMarket.weth, topics: log.topics, data: log.data)] },
        ]
        for form in forms {
            let market = try await market()
            changeTransfers(market, form)
            let outcome = try await market.trade(.buy, "10")
            #expect(outcome.received == TestMarket.units("10"))
            #expect(outcome.exit == .done)
        }
    }

    /// The trader's ZRX balance in a block is smaller by so much than it grew to.
    private func keep(_ market: LiveMarket, _ kept: UInt256, events: Bool) {
        let trader = market.trader.address
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch (read, answer) {
                case (.call(let call, .number), .success(.bytes(let bytes))):
                    guard call.to == TestMarket.zrx, call.data == ERC20.balanceOf(trader),
                        let balance = UInt256(bigEndian: bytes),
                        balance > TestMarket.units("10000")
                    else { return answer }
                    return .success(.bytes((balance - kept).bigEndianBytes))
                case (_, .success(.receipt(let receipt?))) where !events:
                    let logs = receipt.logs.filter { $0.address != TestMarket.zrx }
                    return .success(.receipt(receipt.with(logs: logs)))
                default: return answer
                }
            }
        }
    }

    @Test("a token that keeps a part without any event of it: exit 14", arguments: [false, true])
    func silentFee(events: Bool) async throws {
        let market = try await market()
        keep(market, TestMarket.units("0.1"), events: events)
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == TestMarket.units("9.9"))
        #expect(outcome.exit == .filledLess)
        #expect(outcome.warnings.contains { $0.contains("0.1 ZRX did not arrive") })
        // Its status says the same.
        let hash = try #require(outcome.transactions.last?.hash)
        let status = StatusModel(session: try market.session(), journal: market.journal)
        guard case .transaction(let seen) = try await status.load(hash.word) else {
            Issue.record("it is no transaction")
            return
        }
        #expect(seen.exit == .filledLess)
    }

    @Test("what a recipient got of a send is what its balance grew by, whatever events say")
    func silentFeeOfSend() async throws {
        let market = try await market()
        let rival = market.rival.address
        let before = try await market.balance(TestMarket.zrx, of: rival)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .call(let call, .number) = read, call.to == TestMarket.zrx,
                    call.data == ERC20.balanceOf(rival), case .success(.bytes(let bytes)) = answer,
                    let balance = UInt256(bigEndian: bytes), balance > before
                else { return answer }
                return .success(.bytes((balance - TestMarket.units("1")).bigEndianBytes))
            }
        }
        let outcome = try await market.transfer(market.send("5", "ZRX"))
        #expect(outcome.received == TestMarket.units("4"))
        #expect(outcome.exit == .filledLess)
    }

    @Test("what others move in the same block is neither a fee nor an arrival")
    func othersInTheBlock() async throws {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        for sender in [market.rival, market.makers[0]] {
            market.node.onSend { _, raw in
                _ = try await market.chain.send(raw: raw)
                try await market.send(
                    from: sender,
                    to: TestMarket.zrx,
                    ERC20.transfer(to: market.trader.address, amount: TestMarket.units("3"))
                )
                try await market.chain.mine()
                return .lose(.rpc(code: -32_000, message: "already known"))
            }
            let outcome = try await market.trade(.buy, "10")
            #expect(outcome.received == TestMarket.units("10"))
            #expect(outcome.exit == .done)
        }
    }

    @Test("without events and without balances it is unknown what arrived, and not done")
    func unknown() async throws {
        let market = try await market()
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                switch (read, answer) {
                // The plan still had its balances.
                case (.call(_, .number), _) where !market.node.sent.isEmpty:
                    return .failure(.rpc(code: -32_000, message: "missing trie node"))
                case (_, .success(.receipt(let receipt?))):
                    let logs = receipt.logs.filter { $0.address != TestMarket.zrx }
                    return .success(.receipt(receipt.with(logs: logs)))
                default: return answer
                }
            }
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == nil && outcome.effectivePrice == nil)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.warnings.contains { $0.contains("is unknown") })
    }

    @Test("a token that boasts makes no more of it than the exchange says, however it adds up")
    func boasting() async throws {
        let market = try await market()
        changeTransfers(market) { log in
            [transfer(like: log, .max), transfer(like: log, .max), log]
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == TestMarket.units("10"))
        #expect(outcome.exit == .done)
    }

    @Test("transfers to others alone mean that nothing arrived, and there is no price then")
    func nothingArrived() async throws {
        let market = try await market()
        let rival = market.rival.address
        changeTransfers(market) { log in
            [transfer(like: log, TestMarket.units("10"), to: rival)]
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.received == .zero)
        #expect(outcome.paid == TestMarket.units("0.1"))
        #expect(outcome.effectivePrice == nil)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.warnings.contains { $0.contains("10 ZRX did not arrive") })
    }
}
