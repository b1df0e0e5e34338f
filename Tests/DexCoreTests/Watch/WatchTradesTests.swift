import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A transaction that took one token and brought another is told as one trade")
struct WatchTradesTests {
    private let stage: WatchStage
    private static let unlisted = TestMarket.address("0x00000000000000000000000000000000000000a1")
    private static let spam = TestMarket.address("0x00000000000000000000000000000000000000a2")

    init() throws {
        stage = try WatchStage()
        // Unlisted tokens tell nothing of themselves.
        stage.market.chain.set { chain in chain.onCall = { _, _ in .success([]) } }
    }

    private var account: Address { stage.account }
    private var other: Address { stage.other }

    private func out(_ amount: UInt256, _ token: Address = TestMarket.weth) -> Log {
        stage.transfer(token, from: account, to: other, amount)
    }

    private func back(_ amount: UInt256, _ token: Address = TestMarket.zrx) -> Log {
        stage.transfer(token, from: other, to: account, amount)
    }

    private func word(_ notice: WatchNotice) -> String {
        let event = notice.event
        return "\(notice.word) \(event.amount)" + (event.otherAmount.map { " for \($0)" } ?? "")
    }

    @Test("a swap is one event, whatever parts it moved, and once")
    func swap() async throws {
        try await stage.look()
        // Two routes and a refund.
        stage.mine(
            101,
            transaction: 1,
            [out(60), out(40), back(700), back(10, TestMarket.weth), back(5)]
        )
        stage.mine(102, transaction: 2, [out(3)])
        let reported = try await stage.look()
        #expect(reported.map(word) == ["trade 90 for 705", "sent 3"])
        let trade = try #require(reported.first)
        #expect(trade.currency.symbol == "WETH" && trade.other?.token.symbol == "ZRX")
        #expect(trade.event.counterparty == other && trade.event.orderHash == nil)
        #expect(trade.event.place.logIndex == 0 && trade.event.place.time == TestMarket.now + 101)
        stage.mine(103)
        #expect(try await stage.look().isEmpty)
        #expect(try await stage.look(from: .block(0)).isEmpty)
    }

    @Test("a fill that the account took on the book is a trade, too")
    func takenFill() async throws {
        let market = stage.market
        try await stage.look()
        let order = try await market.ask(by: market.makers[0], "10", for: "1")
        stage.mine(
            101,
            transaction: 1,
            [
                market.fillLog(order, taker: account, filling: TestMarket.units("0.5")),
                back(TestMarket.units("5")),
                out(TestMarket.units("0.5")),
            ]
        )
        #expect(try await stage.look().map(\.word) == ["trade"])
    }

    @Test("ether that paid for a token is a trade; ether beside two tokens is none")
    func ether() async throws {
        let ether = try EtherStage()
        let stage = ether.stage
        try await stage.look()
        ether.mine(
            101,
            [ether.outgoing(1, 5, to: ether.other)],
            logs: [stage.transfer(from: ether.other, to: ether.account, 700)]
        )
        ether.mine(
            102,
            [ether.outgoing(2, 6, to: ether.other)],
            logs: [
                stage.transfer(from: ether.other, to: ether.account, 8),
                stage.transfer(TestMarket.weth, from: ether.account, to: ether.other, 9),
            ]
        )
        let reported = try await stage.look()
        #expect(reported.map(word) == ["trade 5 for 700", "sent 6", "received 8", "sent 9"])
        #expect(reported.first?.currency == .coin(.ether) && reported.first?.event.token == nil)
        #expect(reported.first?.event.place.logIndex == 0)
        ether.mine(103)
        #expect(try await stage.look().isEmpty)
        #expect(try await stage.look(from: .block(0)).isEmpty)
    }

    @Test("a trade stays one where the node tells the ether of its block no more")
    func etherNoLongerReported() async throws {
        let ether = try EtherStage()
        let stage = ether.stage
        try await stage.look()
        ether.mine(
            101,
            [ether.outgoing(1, 5, to: ether.other)],
            logs: [stage.transfer(from: ether.other, to: ether.account, 700)]
        )
        #expect(try await stage.look().map(word) == ["trade 5 for 700"])
        stage.market.chain.set { chain in
            chain.holdings = { _, _ in .failure(.rpc(code: -32_000, message: "missing trie node")) }
        }
        ether.mine(102)
        #expect(try await stage.look().isEmpty)
    }

    @Test(
        "what anybody can log makes no trade, and hides none",
        arguments: [
            // A token of the attacker's own that "paid".
            ([(true, unlisted, 900), (false, TestMarket.zrx, 1)], ["received 1"]),
            // Spam beside a real trade.
            (
                [(true, TestMarket.weth, 3), (false, TestMarket.zrx, 4), (false, spam, 5)],
                ["trade 3 for 4"]
            ),
            // What was bought need not be known, if nothing else came.
            ([(true, TestMarket.weth, 3), (false, unlisted, 5)], ["trade 3 for 5"]),
            ([(true, TestMarket.weth, 3), (false, unlisted, 5), (false, spam, 6)], ["sent 3"]),
            // A payment to oneself.
            ([(true, TestMarket.weth, 3), (true, TestMarket.zrx, 2)], ["sent 3", "sent 2"]),
        ] as [([(Bool, Address, UInt64)], [String])]
    )
    func forged(_ moves: [(isSent: Bool, token: Address, amount: UInt64)], _ expected: [String])
        async throws
    {
        try await stage.look()
        stage.mine(
            101,
            transaction: 1,
            moves.map { move in
                move.isSent
                    ? out(UInt256(move.amount), move.token) : back(UInt256(move.amount), move.token)
            }
        )
        #expect(try await stage.look().map(word) == expected)
    }

    @Test("sums beyond any amount make no trade and stop nothing")
    func overflow() async throws {
        try await stage.look()
        stage.mine(101, transaction: 1, [out(.max), out(.max), back(1)])
        #expect(try await stage.look().map(\.word) == ["sent", "sent", "received"])
    }

    @Test("what came to oneself from oneself is no part of a trade")
    func toOneself() async throws {
        try await stage.look()
        stage.mine(
            101,
            transaction: 1,
            [stage.transfer(from: account, to: account, 5), back(2, TestMarket.weth)]
        )
        #expect(try await stage.look().map(word) == ["sent 5", "received 2"])
    }

    @Test("a reorganization takes the trade back as one, and brings it again as one")
    func reorganized() async throws {
        try await stage.look()
        let logs = [out(3), back(4)]
        stage.mine(101, transaction: 1, logs)
        #expect(try await stage.look().map(\.word) == ["trade"])
        stage.mine(101, fork: 1)
        #expect(try await stage.look().map(\.word) == ["undone trade"])
        stage.mine(102, fork: 1, transaction: 1, logs)
        #expect(try await stage.look().map(\.word) == ["restored trade"])
        // Elsewhere it brought less: another trade.
        stage.cut(above: 101)
        stage.mine(102, fork: 2, transaction: 1, [out(3), back(2)])
        #expect(Set(try await stage.look().map(word)) == ["undone trade 3 for 4", "trade 3 for 2"])
    }

    @Test("what an earlier version noted as parts stays parts, and what is a trade stays one")
    func noted() async throws {
        try await stage.look()
        // Noted while the paid token was not believed.
        stage.mine(101, transaction: 1, [out(3, Self.unlisted), back(4)])
        #expect(try await stage.look().map(word) == ["received 4"])
        var all = WatchSettings()
        all.tellsAllTokens = true
        stage.mine(102, transaction: 2, [out(5, Self.unlisted), back(6)])
        #expect(try await stage.look(all).map(word) == ["sent 3", "trade 5 for 6"])
        stage.mine(103)
        #expect(try await stage.look().isEmpty)
        #expect(try await stage.look(all).isEmpty)
    }

    @Test("who asks for what is sent or received gets trades, and who asks for fills does not")
    func kinds() async throws {
        for (index, kind) in [WatchEvent.Kind.trade, .sent, .received, .fill].enumerated() {
            var settings = WatchSettings()
            settings.kinds = [kind]
            try await stage.look(settings)
            let number = 101 + UInt64(index)
            stage.mine(number, transaction: number, [out(3), back(4)])
            #expect(try await stage.look(settings).map(\.word) == (kind == .fill ? [] : ["trade"]))
        }
    }
}
