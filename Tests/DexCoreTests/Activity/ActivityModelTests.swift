import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// `dex activity` against a node that reorganizes, prunes and lies.
@Suite("The activity of an account")
struct ActivityModelTests: ActivityScene {
    let ether: EtherStage

    init() throws {
        ether = try EtherStage()
        for number: UInt64 in 0...100 { ether.mine(number) }
    }

    // MARK: Kinds

    @Test("sends, receipts, wraps, approvals, calls and what reverted, with gas once each")
    func kinds() async throws {
        mine(101, [ether.incoming(1, 7), own(2, 5, to: other)])
        mine(102, [own(3, 4, to: TestMarket.weth)], logs: [stage.wrap(ERC20.depositTopic, 4)])
        mine(
            103,
            [own(4, to: TestMarket.zrx)],
            logs: [stage.transfer(from: account, to: other, 9)],
            data: ERC20.transfer(to: other, amount: 9)
        )
        mine(
            104,
            [EtherStage.Payment(number: 5, from: other, to: TestMarket.zrx, value: 0)],
            logs: [stage.transfer(from: other, to: account, 8)]
        )
        mine(
            105,
            [own(6, to: TestMarket.zrx)],
            logs: [approval(TestMarket.zrx, .max)],
            data: ERC20.approve(spender: other, amount: .max)
        )
        var failed = own(7, to: TestMarket.zrx)
        failed.succeeds = false
        mine(106, [failed], data: ERC20.transfer(to: other, amount: 3))
        mine(107, [own(8, to: stranger)], data: [1, 2, 3, 4, 5])
        mine(108, [own(9, to: nil)], data: [1])
        let names = KnownAddresses([
            .init(name: "ledger", address: other, source: .addressBook)
        ])
        let state = try await model(names).load(account, since: TestMarket.now)
        #expect(
            words(state) == [
                "call 0 ETH", "call - ETH", "sent 3 ZRX reverted",
                "approved \(UInt256.max) ZRX", "received 8 ZRX", "sent 9 ZRX", "wrapped 4 WETH",
                "received 7 ETH", "sent 5 ETH",
            ]
        )
        #expect(state.rows[1].function == "0x01020304" && state.rows[1].counterparty == stranger)
        #expect(state.rows[2].counterpartyName == "ledger")
        #expect(
            state.rows.map(\.isOwn) == [true, true, true, true, false, true, true, false, true]
        )
        #expect(state.rows.map { $0.gas != nil } == state.rows.map(\.isOwn))
        #expect(state.rows.last?.gas == Wei(42_000))
        #expect(state.rows.allSatisfy { $0.time == TestMarket.now + ($0.block ?? 0) })
        #expect(state.block == 108 && state.hidden == 0 && state.warnings.isEmpty)
        #expect(state.firstKnown == nil && state.etherFrom == nil)
    }

    @Test("amounts of a token whose contract has other decimals than the map are in base units")
    func otherDecimals() async throws {
        mine(
            101,
            [own(1, to: TestMarket.zrx)],
            logs: [stage.transfer(from: account, to: other, 9)],
            data: ERC20.transfer(to: other, amount: 9)
        )
        stage.market.chain.answer(TestMarket.zrx, ERC20.decimals, with: 6)
        let state = try await load()
        #expect(state.rows.first?.currency.symbol == "ZRX")
        #expect(state.rows.first?.currency.decimals == nil)
        #expect(
            state.warnings.contains { $0.contains("ZRX has 18 decimals in the token map but 6") }
        )
    }

    @Test("a fill is one row for the maker and for the taker, its transfers none; a cancel is one")
    func trades() async throws {
        let sold = try await stage.own()
        let bought = try await stage.market.ask(by: stage.market.makers[0], "100", for: "1")
        let market = stage.market
        mine(
            101,
            [EtherStage.Payment(number: 1, from: other, to: TestMarket.exchange, value: 0)],
            logs: [
                stage.transfer(from: account, to: other, TestMarket.units("5")),
                stage.transfer(TestMarket.weth, from: other, to: account, TestMarket.units("0.5")),
                market.fillLog(sold, taker: other, filling: TestMarket.units("0.5")),
            ]
        )
        mine(
            102,
            [own(2, to: TestMarket.exchange)],
            logs: [
                stage.transfer(from: other, to: account, TestMarket.units("50")),
                stage.transfer(TestMarket.weth, from: account, to: other, TestMarket.units("0.5")),
                market.fillLog(bought, taker: account, filling: TestMarket.units("0.5")),
            ]
        )
        mine(103, [own(3, to: TestMarket.exchange)], logs: [market.cancelLog(sold, cancelling: 7)])
        let state = try await load()
        #expect(state.rows.map(\.kind) == [.cancel, .trade, .trade])
        let (taken, made) = (state.rows[1], state.rows[2])
        #expect(taken.currency.symbol == "WETH" && taken.amount == TestMarket.units("0.5"))
        #expect(taken.other?.symbol == "ZRX" && taken.otherAmount == TestMarket.units("50"))
        #expect(taken.counterparty == other && taken.orderHash == bought.hash && taken.gas != nil)
        #expect(made.currency.symbol == "ZRX" && made.amount == TestMarket.units("5"))
        #expect(made.otherAmount == TestMarket.units("0.5") && made.gas == nil && !made.isOwn)
        #expect(state.rows[0].orderHash == sold.hash && state.rows[0].gas != nil)
    }

    @Test("an allowance that a transfer used up is no new one")
    func usedAllowance() async throws {
        mine(
            101,
            [EtherStage.Payment(number: 1, from: other, to: TestMarket.zrx, value: 0)],
            logs: [
                stage.transfer(from: account, to: other, 9), approval(TestMarket.zrx, 1),
            ]
        )
        #expect(words(try await load()) == ["sent 9 ZRX"])
    }

    // MARK: Deception

    @Test("transfers of nothing and unknown tokens of others are hidden, and counted")
    func hidden() async throws {
        mine(
            101,
            [EtherStage.Payment(number: 1, from: other, to: stranger, value: 0)],
            logs: [
                stage.transfer(from: account, to: other, 0),
                stage.transfer(stranger, from: account, to: other, 5),
                stage.transfer(from: other, to: account, 6),
            ]
        )
        mine(
            102,
            [own(2, to: stranger)],
            logs: [stage.transfer(stranger, from: account, to: other, 3)],
            data: ERC20.transfer(to: other, amount: 3)
        )
        mine(
            103,
            [EtherStage.Payment(number: 3, from: other, to: stranger, value: 0)],
            logs: [approval(stranger, 5)]
        )
        let state = try await load()
        #expect(state.hidden == 3)
        #expect(state.rows.map(\.amount) == [3, 6])
        let all = try await load(showsAll: true)
        #expect(all.rows.count == 5 && all.hidden == 0)
    }

    @Test("a node that answers with other accounts' logs, or other transactions, is not believed")
    func lies() async throws {
        mine(101, [own(1, to: TestMarket.zrx)], logs: [stage.transfer(from: account, to: other, 9)])
        let foreign = stage.transfer(from: other, to: stranger, 9)
        stage.market.chain.set { chain in
            let logs = chain.logs
            chain.logs = { filter in
                (logs?(filter) ?? .success([])).map { found in
                    found
                        + found.map { log in
                            Log(
                                address: foreign.address,
                                topics: foreign.topics,
                                data: foreign.data,
                                blockNumber: log.blockNumber,
                                blockHash: log.blockHash,
                                transactionHash: log.transactionHash,
                                logIndex: 77
                            )
                        }
                }
            }
        }
        #expect(words(try await load()) == ["sent 9 ZRX"])
        stage.market.chain.set { chain in
            let hash = WatchStage.hash(1)
            chain.transactions[hash] = chain.transactions[WatchStage.hash(1)].map { info in
                info.map { info in
                    TransactionInfo(
                        hash: WatchStage.hash(2),
                        from: info.from,
                        to: info.to,
                        nonce: info.nonce,
                        value: info.value,
                        gasLimit: info.gasLimit,
                        data: info.data,
                        blockNumber: info.blockNumber,
                        blockHash: info.blockHash
                    )
                }
            }
        }
        let state = try await load()
        #expect(state.block == nil && state.warnings.first?.contains("makes no sense") == true)
        // What was read before is kept.
        #expect(words(state) == ["sent 9 ZRX"])
    }

    // MARK: Read once

    @Test("blocks are read once, but for the latest; an earlier time reads only what is before")
    func once() async throws {
        for number: UInt64 in 101...600 { ether.mine(number) }
        mine(200, [ether.incoming(1, 7)])
        mine(500, [ether.incoming(2, 8)])
        #expect(words(try await load(since: TestMarket.now + 400)) == ["received 8 ETH"])
        var rounds = stage.market.chain.rounds.count
        mine(601, [ether.incoming(3, 9)])
        #expect(
            words(try await load(since: TestMarket.now + 400)) == [
                "received 9 ETH", "received 8 ETH",
            ]
        )
        #expect(asked(since: rounds) == [589...601])
        rounds = stage.market.chain.rounds.count
        #expect(try await load().rows.count == 3)
        let ranges = asked(since: rounds)
        #expect(ranges.allSatisfy { $0.lowerBound >= 589 || $0.upperBound < 400 })
        // Readable any number of times.
        #expect(try await load().rows.count == 3)
    }

    @Test("a reorganization takes out what it took out of the chain, and reads it again")
    func reorganized() async throws {
        for number: UInt64 in 101...300 { ether.mine(number) }
        mine(120, [ether.incoming(1, 6)])
        mine(299, [ether.incoming(2, 7)])
        mine(300, [own(3, to: TestMarket.zrx)], logs: [stage.transfer(from: account, to: other, 9)])
        #expect(try await load().rows.count == 3)
        ether.forget(from: 299)
        stage.cut(above: 298)
        for number: UInt64 in 299...301 { mine(number, fork: 1, []) }
        mine(302, fork: 1, [ether.incoming(2, 7)])
        let rounds = stage.market.chain.rounds.count
        #expect(words(try await load()) == ["received 7 ETH", "received 6 ETH"])
        // From the anchor on, which is still part of the chain.
        #expect(asked(since: rounds).map(\.lowerBound).min() == 173)
        let place = ActivityPlace(chainID: 1337, account: account)
        #expect(try stage.store.journal.activityRanges(place).count == 1)
    }

    @Test("a node that is behind takes nothing back")
    func behind() async throws {
        var market = stage.market.network
        market.isSandbox = false
        mine(101, [ether.incoming(1, 6)])
        #expect(try await load().rows.count == 1)
        let session = Session(
            network: market,
            exchangeProtocol: stage.market.protocolV1,
            chain: stage.market.chain,
            relay: nil,
            tokens: try TokenMap(chainID: 1337),
            recoverer: try stage.market.session().recoverer,
            environment: stage.market.clock.environment
        )
        stage.cut(above: 95)
        let state = try await ActivityModel(session: session, journal: stage.store.journal)
            .load(account, since: TestMarket.now)
        #expect(state.rows.count == 1 && state.block == 95)
    }

    @Test("a chain that changes while it is read is an error, and nothing of it is kept")
    func changing() async throws {
        mine(101, [ether.incoming(1, 6)])
        let changed = TestMarket.block(101, timestamp: TestMarket.now + 101, fork: 5)
        let isDone = Recorder()
        stage.market.chain.set { chain in
            let logs = chain.logs
            chain.logs = { filter in
                isDone.append(1)
                return logs?(filter) ?? .success([])
            }
        }
        stage.market.chain.set { [market = stage.market] chain in
            chain.onRound = { _, reads in
                if !isDone.values.isEmpty {
                    market.chain.set { $0.blocks[101] = changed }
                }
                return nil
            }
        }
        let state = try await load()
        #expect(state.block == nil && state.rows.isEmpty)
        #expect(state.warnings.first?.contains("changed") == true)
        let place = ActivityPlace(chainID: 1337, account: account)
        #expect(try stage.store.journal.activityRanges(place).isEmpty)
    }

    @Test("a node that lacks a transaction which its block has is asked again, and nothing is kept")
    func missingTransaction() async throws {
        mine(
            101,
            [own(4, to: TestMarket.zrx)],
            logs: [stage.transfer(from: account, to: other, 9)],
            data: ERC20.transfer(to: other, amount: 9)
        )
        let hash = WatchStage.hash(4)
        var (info, receipt): (TransactionInfo?, TransactionReceipt?)
        stage.market.chain.set { chain in
            info = chain.transactions[hash] ?? nil
            receipt = chain.receipts[hash] ?? nil
        }
        for isReceipt in [false, true] {
            stage.market.chain.set { chain in
                chain.transactions[hash] = .some(isReceipt ? info : nil)
                chain.receipts[hash] = .some(isReceipt ? nil : receipt)
            }
            let state = try await load()
            #expect(state.block == nil && state.rows.isEmpty)
            #expect(state.warnings.first?.contains("changed") == true)
            let place = ActivityPlace(chainID: 1337, account: account)
            #expect(try stage.store.journal.activityRanges(place).isEmpty)
        }
        stage.market.chain.set { chain in
            chain.transactions[hash] = info
            chain.receipts[hash] = receipt
        }
        let state = try await load()
        #expect(words(state) == ["sent 9 ZRX"] && state.rows[0].isOwn && state.rows[0].gas != nil)
    }

    @Test("what a chain logs outside of its transactions is told without one")
    func noTransaction() async throws {
        mine(101, [], logs: [stage.transfer(from: other, to: account, 9)])
        stage.market.chain.set { $0.transactions[WatchStage.hash(0)] = .some(nil) }
        let state = try await load()
        #expect(words(state) == ["received 9 ZRX"] && !state.rows[0].isOwn)
    }

    // MARK: Pages

    @Test("pages behind a cursor have each row once, whatever was mined meanwhile")
    func pages() async throws {
        for number: UInt64 in 101...107 { mine(number, [ether.incoming(number, UInt256(number))]) }
        func page(_ before: ActivityCursor?) async throws -> ActivityState {
            var state = try await load(before: before)
            _ = state.select(.init(sort: nil, isReversed: false, limit: 3), isInOrder: true)
            return state
        }
        let first = try await page(nil)
        #expect(first.rows.map(\.block) == [107, 106, 105])
        let text = try #require(first.next).description
        mine(108, [ether.incoming(108, 1)])
        let second = try await page(try ActivityCursor(text))
        #expect(second.rows.map(\.block) == [104, 103, 102])
        let last = try await page(second.next)
        #expect(last.rows.map(\.block) == [101] && last.next == nil)
        var unordered = try await load()
        let left = unordered.select(
            .init(
                sort: SortKey("amount") { ListComparison.precedes($0.amount, $1.amount, by: >) },
                isReversed: false,
                limit: 1
            ),
            isInOrder: false
        )
        #expect(left == 7 && unordered.next == nil && unordered.rows[0].amount == 107)
    }

    @Test(
        "what is no cursor is an error",
        arguments: ["", ".", "1", "1.2.3", "01.8", "g.1", "1.-1", "8000000000000000.0", "+1.1"]
    )
    func badCursors(text: String) {
        let error = #expect(throws: DexError.self) { try ActivityCursor(text) }
        #expect(error?.code == "bad-cursor" && error?.exit == .usage)
    }

    // MARK: The journal

    @Test("an own transaction is there while it waits, and once when it is mined")
    func pending() async throws {
        let market = try LiveMarket(mining: .manual)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        #expect(try await market.trade(.buy, "10").exit == .notMinedYet)
        func load() async throws -> ActivityState {
            try await ActivityModel(session: try market.session(), journal: market.journal)
                .load(market.trader.address, since: 0)
        }
        let waiting = try #require(try await load().rows.first)
        #expect(waiting.kind == .trade && waiting.stage == .pooled && waiting.block == nil)
        #expect(waiting.currency.symbol == "WETH" && waiting.other?.symbol == "ZRX")
        try await market.chain.mine()
        let rows = try await load().rows
        #expect(rows.count == 1 && rows[0].kind == .trade && rows[0].stage == .mined)
        #expect(rows[0].otherAmount == TestMarket.units("10") && rows[0].gas != nil)
    }
}
