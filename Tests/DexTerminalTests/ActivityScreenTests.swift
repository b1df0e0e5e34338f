import DexStore
import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexTerminal

@Suite("The activity of an account on screen, in JSON and in CSV")
struct ActivityScreenTests {
    private static func row(
        _ kind: ActivityRecord.Kind,
        _ amount: UInt256?,
        _ currency: Currency,
        stage: TransactionStage = .mined,
        other: (Token, UInt256)? = nil,
        name: String? = nil,
        function: String? = nil,
        gas: UInt64? = nil,
        transaction: UInt64? = 1,
        block: UInt64? = 21_345_678
    ) -> ActivityState.Row {
        ActivityState.Row(
            kind: kind,
            isOwn: gas != nil,
            stage: stage,
            currency: currency,
            amount: amount,
            other: other?.0,
            otherAmount: other?.1,
            counterparty: Fixtures.address(5),
            counterpartyName: name,
            function: function,
            gas: gas.map { Wei(UInt256($0)) },
            orderHash: nil,
            transaction: transaction.map { Fixtures.hash($0) },
            block: block,
            time: Fixtures.now,
            cursor: nil
        )
    }

    private static let zrx = Currency.token(Fixtures.zrx)

    static let state = ActivityState(
        coin: .ether,
        account: Fixtures.address(77),
        block: 21_345_680,
        since: Fixtures.now - 86_400,
        rows: [
            row(
                .sent,
                Fixtures.milli(1_500),
                .coin(.ether),
                stage: .pooled,
                transaction: 9,
                block: nil
            ),
            row(
                .trade,
                Fixtures.milli(75),
                .token(Fixtures.weth),
                other: (Fixtures.zrx, Fixtures.milli(100_000)),
                gas: 56_387_700_000_000
            ),
            row(.received, Fixtures.milli(5_250), zrx, name: "=led\u{1B}[31mger", transaction: 2),
            row(.sent, 7, .coin(.ether), transaction: 2),
            row(.approved, .max, zrx, gas: 27_216_900_000_000, transaction: 3),
            row(.received, 77, .token(.unknown(Fixtures.address(8))), transaction: 4),
            row(.received, Fixtures.milli(2), .coin(.ether), transaction: nil),
            row(
                .call,
                nil,
                .coin(.ether),
                stage: .reverted,
                function: "0x01020304",
                gas: 21_000_000_000_000,
                transaction: 6
            ),
            row(.cancel, nil, .coin(.ether), gas: 46_040_000_000_000, transaction: 7),
        ],
        hidden: 3,
        firstKnown: 21_000_000,
        etherFrom: 21_345_600,
        next: nil,
        warnings: ["The node \u{1B}[31mforgot."]
    )

    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("activity", { ActivityView(state).lines($0) }),
        (
            "activity-empty",
            {
                ActivityView(
                    ActivityState(
                        coin: .ether,
                        account: Fixtures.address(77),
                        block: nil,
                        since: Fixtures.now,
                        rows: [],
                        hidden: 1,
                        firstKnown: nil,
                        etherFrom: nil,
                        next: nil,
                        warnings: []
                    )
                ).lines($0)
            }
        ),
    ]

    @Test("each row has its keys; what is unknown is null")
    func json() throws {
        let json = ActivityJSON.activity(Self.state)
        let rows = try #require(json["activity"]?.arrayValue)
        #expect(json["hidden"] == 3 && json["next"] == .null)
        #expect(json["firstKnownBlock"] == 21_000_000 && json["etherFromBlock"] == 21_345_600)
        #expect(rows.map { $0["status"] }.prefix(2) == ["pooled", "ok"])
        #expect(rows[1]["receives"]?["value"] == "100" && rows[1]["gasCost"]?["symbol"] == "ETH")
        #expect(rows[2]["counterpartyName"] == "=ledger")
        #expect(rows[5]["amount"]?["value"] == .null && rows[5]["amount"]?["raw"] == "77")
        #expect(rows[6]["transaction"] == .null)
        #expect(rows[7]["status"] == "reverted" && rows[7]["amount"] == .null)
    }

    @Test("CSV guards what a spreadsheet would take for a formula")
    func csv() throws {
        let csv = ActivityJSON.activity.table(Self.state)
        #expect(csv.lines.count == 10)
        #expect(csv.lines[3].contains(",'=ledger,"))
        #expect(csv.lines[8].contains("reverted"))
    }

    @Test("a number stands only beside a row with a transaction, and counts those alone")
    func numbers() throws {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now).numberingRows
        let lines = ActivityView(Self.state).lines(screen)
        #expect(lines.contains { $0.hasPrefix("8 ") && $0.contains("cancel") })
        #expect(!lines.contains { $0.hasPrefix("9  2") })
    }
}
