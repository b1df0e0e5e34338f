import DexCore
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("What is told of the chain")
struct WatchEventTests {
    let stage: WatchStage
    private var market: TestMarket { stage.market }

    init() throws {
        stage = try WatchStage()
        stage.fund(TestMarket.units("1000"))
    }

    @Test("fills and cancels of own orders and transfers, each once, whoever asks how often")
    func tellsOnce() async throws {
        let order = try await stage.own()
        #expect(try await stage.look().isEmpty)
        stage.mine(
            101,
            transaction: 1,
            [
                market.fillLog(order, taker: stage.other, filling: TestMarket.units("0.5")),
                stage.transfer(from: stage.account, to: stage.other, TestMarket.units("5")),
                stage.transfer(
                    TestMarket.weth,
                    from: stage.other,
                    to: stage.account,
                    TestMarket.units("0.5")
                ),
            ]
        )
        stage.mine(
            102,
            transaction: 2,
            [stage.transfer(from: stage.other, to: stage.account, 7)]
        )
        stage.mine(
            103,
            transaction: 3,
            [
                stage.transfer(from: stage.account, to: stage.other, 8),
                market.cancelLog(order, cancelling: TestMarket.units("0.5")),
            ]
        )

        let reported = try await stage.look()
        #expect(reported.map(\.word) == ["fill", "received", "sent", "cancel"])
        #expect(reported.map { $0.event.place.block.number } == [101, 102, 103, 103])
        #expect(
            reported.map { $0.event.place.time }
                == [101, 102, 103, 103].map { TestMarket.now + $0 }
        )
        let fill = try #require(reported.first)
        #expect(fill.event.orderHash == order.hash)
        #expect(fill.event.transaction == WatchStage.hash(1))
        #expect(fill.event.counterparty == stage.other)
        #expect(fill.event.amount == TestMarket.units("5"))
        #expect(fill.currency.symbol == "ZRX")
        #expect(fill.other?.raw == TestMarket.units("0.5"))
        #expect(reported[1].event.counterparty == stage.other)
        #expect(reported[2].event.counterparty == stage.other)

        // The same blocks are read again with each new one, and all of them from the beginning.
        stage.mine(104)
        #expect(try await stage.look().isEmpty)
        #expect(try await stage.look(from: .block(0)).isEmpty)
        #expect(try await stage.look().isEmpty)
        #expect(Set(stage.sink.notices.map(\.message.id)).count == 4)
    }

    @Test("what is alike in all is told as often as it happened")
    func alike() async throws {
        try await stage.look()
        stage.mine(
            101,
            transaction: 1,
            [
                stage.transfer(from: stage.account, to: stage.other, 8),
                stage.transfer(from: stage.account, to: stage.other, 8),
            ]
        )
        #expect(try await stage.look().map(\.word) == ["sent", "sent"])
        stage.mine(102)
        #expect(try await stage.look().isEmpty)
    }

    @Test("a fill tells of its fee too, and only transfers beyond it are told by themselves")
    func fees() async throws {
        let order = try await stage.own(fees: TestMarket.fees(maker: "2"))
        try await stage.look()
        let half = TestMarket.units("0.5")
        stage.mine(
            101,
            transaction: 1,
            [
                stage.transfer(from: stage.account, to: stage.other, TestMarket.units("5")),
                stage.transfer(
                    TestMarket.weth,
                    from: stage.other,
                    to: stage.account,
                    half
                ),
                stage.transfer(
                    from: stage.account,
                    to: TestMarket.feeRecipient,
                    TestMarket.units("1")
                ),
                market.fillLog(order, taker: stage.other, filling: half),
                // The same amount once more is no part of it.
                stage.transfer(from: stage.account, to: stage.other, TestMarket.units("5")),
            ]
        )
        #expect(try await stage.look().map(\.word) == ["fill", "sent"])
    }

    @Test("nothing, collectibles, unknown tokens and others' affairs are not told")
    func passesOver() async throws {
        let order = try await market.ask(by: market.makers[1], "10", for: "1")
        let unknown = TestMarket.address("0x00000000000000000000000000000000000bad00")
        market.chain.set { chain in chain.onCall = { _, _ in .success([]) } }
        try await stage.look()
        var collectible = stage.transfer(from: stage.other, to: stage.account, 1)
        collectible = Log(
            address: collectible.address,
            topics: collectible.topics + [UInt256(5).word],
            data: []
        )
        let dirty = Log(
            address: TestMarket.zrx,
            topics: [ERC20.transferTopic, UInt256.max.word, stage.account.word],
            data: UInt256(1).bigEndianBytes
        )
        stage.mine(
            101,
            transaction: 1,
            [
                stage.transfer(from: stage.account, to: stage.other, 0), collectible, dirty,
                stage.transfer(unknown, from: stage.account, to: stage.other, 9),
                stage.transfer(from: stage.other, to: market.makers[1].address, 9),
                market.fillLog(order, taker: stage.account, filling: 5),
                stage.transfer(from: stage.account, to: stage.account, 4),
            ]
        )
        let reported = try await stage.look()
        // What goes to ourselves goes out, and is told once.
        #expect(reported.map(\.word) == ["sent"])
        #expect(reported.map(\.event.amount) == [4])

        let all = WatchSettings(tellsAllTokens: true)
        let more = try await stage.look(from: .block(101), all)
        #expect(more.map(\.word) == ["sent"])
        #expect(more.first?.event.amount == 9)
        #expect(more.first?.currency.decimals == nil)
        // What was told stays told, and in the chain, without the flag.
        stage.mine(102)
        #expect(try await stage.look().isEmpty)
    }

    @Test(
        "ether that is wrapped and unwrapped is told, and no transfer from or to nobody beside it"
    )
    func wraps() async throws {
        try await stage.look()
        stage.mine(
            101,
            transaction: 1,
            [
                stage.wrap(ERC20.depositTopic, 5),
                // Some contracts tell it as a transfer, too.
                stage.transfer(TestMarket.weth, from: .zero, to: stage.account, 5),
                // The same once more is something else, and so is somebody else's.
                stage.transfer(TestMarket.weth, from: .zero, to: stage.account, 5),
                stage.wrap(ERC20.depositTopic, of: stage.other, 9),
                stage.wrap(ERC20.depositTopic, 0),
            ]
        )
        stage.mine(
            102,
            transaction: 2,
            [
                stage.wrap(ERC20.withdrawalTopic, 3),
                stage.transfer(TestMarket.weth, from: stage.account, to: .zero, 3),
            ]
        )
        let reported = try await stage.look()
        #expect(reported.map(\.word) == ["wrapped", "received", "unwrapped"])
        #expect(reported.map(\.event.amount) == [5, 5, 3])
        #expect(reported.map(\.event.transaction) == [1, 1, 2].map { WatchStage.hash($0) })
        #expect(reported.allSatisfy { $0.currency.symbol == "WETH" })
        #expect(reported[0].event.counterparty == nil)
        stage.mine(103)
        #expect(try await stage.look().isEmpty)
        for number: UInt64 in 102...104 { stage.mine(number, fork: 1) }
        #expect(try await stage.look().map(\.word) == ["undone unwrapped"])
    }

    @Test("where it begins: behind the latest block, at a block, or where it stopped")
    func starts() async throws {
        stage.mine(
            50,
            transaction: 1,
            [stage.transfer(from: stage.other, to: stage.account, 1)]
        )
        stage.mine(
            90,
            transaction: 2,
            [stage.transfer(from: stage.other, to: stage.account, 2)]
        )
        #expect(try await stage.look().isEmpty)
        #expect(try await stage.look(from: .block(80)).map(\.event.amount) == [2])
        #expect(try await stage.look(from: .block(0)).map(\.event.amount) == [1])
        stage.mine(
            101,
            transaction: 3,
            [stage.transfer(from: stage.other, to: stage.account, 3)]
        )
        #expect(try await stage.look(from: .latest).isEmpty)
        stage.mine(
            102,
            transaction: 4,
            [stage.transfer(from: stage.other, to: stage.account, 4)]
        )
        #expect(try await stage.look().map(\.event.amount) == [4])
        #expect(
            stage.statuses.filter { if case .begun = $0 { true } else { false } } == [
                .begun(next: 101), .begun(next: 80), .begun(next: 0), .begun(next: 102),
                .begun(next: 102),
            ]
        )
        let error = await #expect(throws: DexError.self) {
            try await stage.look(from: .block(104))
        }
        #expect(error?.code == "block-ahead")
        #expect(try await stage.look(from: .block(103)).isEmpty)
    }

    @Test("a look with nothing new is one request, one with a new block six at most")
    func requests() async throws {
        _ = try await stage.own()
        try await stage.look()
        var before = market.chain.rounds.count
        try await stage.look()
        // Another process knows nothing of the orders yet: their two requests and the head.
        #expect(market.chain.rounds.count - before == 3)
        let counts = Recorder()
        let stage = stage
        market.clock.onSleep { number in
            counts.append(stage.market.chain.rounds.count)
            if number == 1 { stage.mine(101) }
            if number == 2 { throw CancellationError() }
        }
        before = market.chain.rounds.count
        try await stage.model().follow(stage.account, from: .journal)
        let rounds = zip(counts.values, [before] + counts.values).map { $0 - $1 }
        #expect(rounds == [3, 1, 6])
    }
}
