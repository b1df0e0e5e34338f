import DexStore
import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexTerminal

@Suite("The screen and JSON of a block")
struct BlockScreenTests {
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("block", { BlockView(full).lines($0) }),
        ("block-numbered", { BlockView(full).lines($0.numberingRows) }),
        ("block-empty", { BlockView(state([])).lines($0) }),
    ]

    static let full = state([
        row(1, named: "alice", to: Fixtures.zrx.address, "ZRX", .function("approve"), gas: 46_210),
        row(
            2,
            named: nil,
            to: Fixtures.address(12),
            "exchange",
            .function("batchFillOrKillOrders"),
            succeeded: false,
            gas: 198_765
        ),
        row(3, named: "bob", to: Fixtures.address(13), nil, .payment, ether: 1_500, gas: 21_000),
        row(4, named: nil, to: nil, nil, .creation, gas: 1_234_567),
        // Names and symbols are texts of others.
        row(
            5,
            named: "a-very-long-name-of-a-wallet",
            to: Fixtures.address(14),
            "EVIL\u{1B}[31m\u{202E}<b>",
            .selector([0xDE, 0xAD, 0xBE, 0xEF]),
            succeeded: nil,
            gas: nil
        ),
    ])

    private static let block = Block(
        number: 21_345_678,
        hash: Fixtures.hash(501),
        parentHash: Fixtures.hash(500),
        timestamp: Fixtures.now - 75,
        baseFeePerGas: Wei(12_345_678_901),
        gasLimit: 30_000_000,
        gasUsed: 1_500_542
    )

    private static func state(_ rows: [TransactionRow]) -> BlockState {
        BlockState(
            network: "sandbox",
            block: block,
            latest: 21_345_680,
            count: rows.count,
            rows: rows
        )
    }

    private static func row(
        _ seed: UInt64,
        named: String?,
        to: Address?,
        _ toName: String?,
        _ method: CallMethod,
        ether: UInt64 = 0,
        succeeded: Bool? = true,
        gas: UInt64?
    ) -> TransactionRow {
        TransactionRow(
            hash: Fixtures.hash(600 + seed),
            block: block,
            from: .init(address: Fixtures.address(70 + seed), name: named),
            to: to.map { NamedAddress(address: $0, name: toName) },
            coin: .ether,
            value: Wei(Fixtures.milli(ether)),
            method: method,
            succeeded: succeeded,
            gasUsed: gas
        )
    }

    @Test("JSON has whole hashes, names, and null for what is unknown")
    func json() throws {
        let data = BlockJSON.block(Self.full)
        #expect(data["number"] == .integer(21_345_678))
        #expect(data["baseFeePerGas"] == .string("12345678901"))
        let rows = try #require(data["transactions"]?.arrayValue)
        #expect(rows.count == 5)
        #expect(rows[0]["function"] == .string("approve"))
        #expect(rows[0]["selector"] == .null)
        #expect(rows[1]["status"] == .string("reverted"))
        #expect(rows[2]["coinSent"]?["value"] == .string("1.5"))
        #expect(rows[3]["to"] == .null)
        #expect(rows[4]["selector"] == .string("0xdeadbeef"))
        #expect(rows[4]["status"] == .null)
        #expect(rows[4]["toName"] == .string("EVIL<b>"))
        #expect(rows[4]["gasUsed"] == .null)
    }

    @Test("a time ahead of this machine's clock is said to be so")
    func ahead() {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now - 100)
        #expect(BlockView(Self.full).lines(screen).contains { $0.contains("(in 25 s)") })
    }
}
