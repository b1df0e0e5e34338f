import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

/// Screens, CSV and JSON of own orders and of the past; `ScreenTests` compares the screens.
@Suite("Own orders and history, shown")
struct HistoryScreenTests {
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("orders-mine", { OwnOrdersView(ownOrders).lines($0) }),
        (
            "why",
            { WhyView(why(.fillable, "dex fill \(Fixtures.hash(31) as OrderHash)")).lines($0) }
        ),
        ("why-not", { WhyView(why(.makerAllowance, "dex allowance set ZRX 7500")).lines($0) }),
        ("history-tags", { HistoryView(tagged).lines($0) }),
        ("history", { HistoryView(history).lines($0) }),
        ("history-unproven", { HistoryView(unproven).lines($0) }),
        ("history-empty", { HistoryView(empty).lines($0) }),
        ("rebuild", { RebuildView(rebuild(added: 2, removed: 1)).lines($0) }),
        ("rebuild-same", { RebuildView(rebuild(added: 0, removed: 0)).lines($0) }),
    ]

    // MARK: States

    private static let ownOrders = OwnOrdersState(
        account: Fixtures.address(77),
        block: 21_345_678,
        timestamp: Fixtures.now,
        rows: [
            OwnOrdersState.Row(
                order: Fixtures.orderRow(),
                signed: Fixtures.now - 500,
                relay: "https://relay.example/v0",
                isInDoubt: false,
                events: [
                    event(.fill(taker: Fixtures.address(78), makerFee: 0), 2_500, 3),
                    event(.cancel, 7_500, 9),
                ]
            ),
            OwnOrdersState.Row(
                order: Fixtures.orderRow(.open),
                signed: nil,
                relay: nil,
                isInDoubt: true,
                events: []
            ),
        ],
        dropped: [.init(orderHash: nil, reason: .malformed(.missing(field: "salt")))],
        warnings: ["Not all fills are shown: \u{1B}[31mthe node\u{7} does not give logs."]
    )

    private static func event(
        _ kind: OwnOrderEvent.Kind,
        _ maker: UInt64,
        _ taker: UInt64
    ) -> OwnOrderEvent {
        OwnOrderEvent(
            kind: kind,
            orderHash: Fixtures.hash(31),
            makerAmount: Fixtures.milli(maker),
            takerAmount: Fixtures.milli(taker),
            transaction: Fixtures.hash(600),
            block: 21_345_600,
            logIndex: 4,
            time: kind == .cancel ? nil : Fixtures.now - 300
        )
    }

    private static func why(_ reason: WhyState.Reason, _ remedy: String?) -> WhyState {
        WhyState(
            row: Fixtures.orderRow(.open),
            block: 21_345_678,
            reason: reason,
            sentence: reason == .fillable
                ? "It can be filled."
                : "Your allowance to the transfer contract is short: 0 ZRX of the 7500 ZRX that "
                    + "are needed.",
            remedy: remedy
        )
    }

    private static func rebuild(added: Int, removed: Int) -> TradeSync.Rebuild {
        TradeSync.Rebuild(
            blocks: 17...21_345_678,
            before: 5,
            after: 5 + added - removed,
            removed: removed,
            added: added
        )
    }

    private static func row(
        _ side: TradeSide,
        role: HistoryState.Role = .taker,
        kind: HistoryState.Kind = .fill,
        _ base: UInt64,
        _ quote: UInt64,
        transaction: UInt64,
        time: UInt64? = Fixtures.now - 400,
        gas: Wei? = Wei(320_000_000_000_000),
        profit: ProfitBook.Profit? = nil,
        token: Token = Fixtures.zrx
    ) -> HistoryState.Row {
        HistoryState.Row(
            kind: kind,
            role: role,
            orderHash: Fixtures.hash(31),
            transaction: Fixtures.hash(transaction),
            block: 21_345_000 + transaction,
            logIndex: 3,
            time: time,
            pair: Pair(base: token, quote: Fixtures.weth),
            side: side,
            base: Fixtures.milli(base),
            quote: Fixtures.milli(quote),
            fee: kind == .fill ? Fixtures.milli(1) : 0,
            feeToken: Fixtures.zrx,
            gas: gas,
            counterparty: kind == .fill ? Fixtures.address(78) : nil,
            price: kind == .fill
                ? Price(quote: Fixtures.milli(quote), base: Fixtures.milli(base)) : nil,
            effectivePrice: kind == .fill
                ? Price(quote: Fixtures.milli(quote) + 9, base: Fixtures.milli(base)) : nil,
            profit: profit
        )
    }

    private static let tagged = {
        var state = history
        state.rows[0].tag = "rebalance \u{1B}[31mweek 48"
        state.rows[2].tag = "=1+1"
        return state
    }()

    private static let unproven = {
        var state = history
        state.rows[0].isUnproven = true
        state.rows[3].isUnproven = true
        state.positions[0].unproven = 2
        return state
    }()

    @Test("what arrived and is only the exchange's word is marked in JSON and CSV")
    func arrivals() {
        let data = HistoryJSON.history(Self.unproven)
        let trades = data["trades"]?.arrayValue ?? []
        #expect(
            trades.map { $0["arrival"]?.stringValue }
                == ["exchange", "balances", "balances", "exchange", nil]
        )
        #expect(data["positions"]?.arrayValue?.first?["unprovenFillCount"] == .integer(UInt64(2)))
        let lines = HistoryJSON.history.table(Self.unproven).lines
        #expect(lines[1].hasSuffix(",exchange\r") && lines[2].hasSuffix(",balances\r"))
        #expect(lines[5].hasSuffix(",\r"))
    }

    @Test("a tag is in JSON and CSV, where a formula is no formula")
    func tags() throws {
        let trades = HistoryJSON.history(Self.tagged)["trades"]?.arrayValue ?? []
        #expect(trades.first?["tag"] == "rebalance week 48")
        #expect(trades[1]["tag"]?.isNull == true)
        let lines = HistoryJSON.history.table(Self.tagged).lines
        #expect(lines.first?.hasSuffix(",quote_address,tag,arrival\r") == true)
        #expect(lines[3].contains(",'=1+1"))
    }

    private static let gain = ProfitBook.Profit(
        average: SignedAmount(Fixtures.milli(360), minus: 0),
        fifo: SignedAmount(Fixtures.milli(480), minus: 0),
        uncovered: 0
    )
    private static let loss = ProfitBook.Profit(
        average: SignedAmount(0, minus: Fixtures.milli(60)),
        fifo: SignedAmount(0, minus: Fixtures.milli(180)),
        uncovered: Fixtures.milli(20_000)
    )

    private static let history = HistoryState(
        account: Fixtures.address(77),
        coin: .ether,
        block: 21_345_678,
        since: nil,
        rows: [
            row(.buy, 100_000, 1_000, transaction: 600),
            row(.buy, 50_000, 800, transaction: 600),
            row(.sell, role: .maker, 120_000, 1_800, transaction: 601, gas: nil, profit: gain),
            row(.sell, 50_000, 500, transaction: 602, time: nil, profit: loss),
            row(.buy, role: .maker, kind: .cancel, 10_000, 100, transaction: 603),
        ],
        positions: [
            HistoryState.Position(
                pair: Fixtures.pair,
                fills: 4,
                bought: Fixtures.milli(150_000),
                cost: Fixtures.milli(1_800),
                sold: Fixtures.milli(170_000),
                proceeds: Fixtures.milli(2_300),
                held: Fixtures.milli(30_000),
                heldAverageCost: Fixtures.milli(360),
                heldFIFOCost: Fixtures.milli(480),
                averageProfit: SignedAmount(Fixtures.milli(300), minus: 0),
                fifoProfit: SignedAmount(0, minus: Fixtures.milli(2)),
                uncovered: Fixtures.milli(20_000),
                fees: [TokenAmount(raw: Fixtures.milli(4), token: Fixtures.zrx)],
                gas: Wei(1_280_000_000_000_000),
                isInEther: true,
                unrealised: unrealised
            )
        ],
        otherGas: Wei(98_765_000_000_000),
        warnings: []
    )

    /// 30 ZRX at 0.014 WETH: above the cost by average, below it by FIFO.
    private static let unrealised: UnrealisedProfit? = {
        var profit = UnrealisedProfit(
            held: Fixtures.milli(30_000),
            averageCost: Fixtures.milli(360),
            fifoCost: Fixtures.milli(480),
            mid: Fixtures.price(14_000)
        )
        // WETH at 2,000 USDC.
        if let price = Price(quote: 2_000_000_000, base: 1_000_000_000_000_000_000) {
            profit?.convert(to: Fixtures.usdc, at: price)
        }
        return profit
    }()

    private static let empty = HistoryState(
        account: Fixtures.address(77),
        coin: .ether,
        block: nil,
        since: Fixtures.now,
        rows: [],
        positions: [],
        otherGas: .zero,
        warnings: ["Only what the journal has is shown; the chain could not be read: no node."]
    )

    // MARK: CSV

    private static func parsed(_ lines: [String]) -> [[String]] {
        lines.map { line in
            var fields = [""]
            var isQuoted = false
            for character in line.unicodeScalars where character != "\r" {
                switch character {
                case "\"": isQuoted.toggle()
                case "," where !isQuoted: fields.append("")
                default: fields[fields.count - 1].unicodeScalars.append(character)
                }
            }
            return fields
        }
    }

    @Test("the CSV has a header, one line for each trade, and every line ends in CR")
    func csv() {
        let lines = HistoryJSON.history.table(Self.history).lines
        #expect(lines.count == 6)
        #expect(lines.allSatisfy { $0.unicodeScalars.last == "\r" })
        let rows = Self.parsed(lines)
        #expect(rows[0] == HistoryJSON.history.listHeader)
        #expect(rows.allSatisfy { $0.count == HistoryJSON.history.listHeader.count })
        func value(_ row: Int, _ name: String) -> String? {
            HistoryJSON.history.listHeader.firstIndex(of: name).map { rows[row][$0] }
        }
        #expect(value(1, "time") == "2026-02-02T02:33:20Z")
        #expect(value(1, "base_amount") == "100")
        #expect(value(1, "quote_amount") == "1")
        #expect(value(1, "price") == "0.01")
        #expect(value(1, "gas_eth") == "0.00032")
        #expect(value(1, "profit_average") == "")
        #expect(value(3, "gas_eth") == "")
        #expect(value(3, "profit_fifo") == "0.48")
        #expect(value(4, "time") == "")
        #expect(value(4, "profit_average") == "-0.06")
        #expect(value(4, "uncovered") == "20")
        #expect(value(5, "kind") == "cancel")
        #expect(value(5, "fee") == "" && value(5, "price") == "")
    }

    @Test("symbols with commas, quotes, formulas and control characters do no harm in CSV")
    func hostileSymbols() {
        for (symbol, field) in [
            ("A,B", "\"A,B\""), ("A\"B", "\"A\"\"B\""), ("=1+1", "'=1+1"), ("@x", "'@x"),
            ("A\r\nB", "A B"), ("=A,\"B\"", "\"'=A,\"\"B\"\"\""),
        ] {
            let token = Fixtures.token(5, symbol, "", 18)
            let state = HistoryState(
                account: Fixtures.address(77),
                coin: .ether,
                block: 1,
                since: nil,
                rows: [Self.row(.buy, 1, 1, transaction: 600, token: token)],
                positions: [],
                otherGas: .zero,
                warnings: []
            )
            let lines = HistoryJSON.history.table(state).lines
            #expect(lines.count == 2)
            #expect(lines[1].contains(",\(field),WETH,"), "\(lines[1])")
            #expect(lines[1].unicodeScalars.filter { $0 == "\r" || $0 == "\n" }.count == 1)
        }
    }

    // MARK: JSON

    @Test("what was sold and not bought here has no profit: no cost, null and empty, never 0")
    func withoutCost() throws {
        var state = Self.history
        let unknown = ProfitBook.Profit(
            average: .zero,
            fifo: .zero,
            uncovered: Fixtures.milli(50_000)
        )
        state.rows = [Self.row(.sell, 50_000, 500, transaction: 602, profit: unknown)]
        let position = state.positions[0]
        state.positions = [
            HistoryState.Position(
                pair: position.pair,
                fills: 1,
                bought: 0,
                cost: 0,
                sold: Fixtures.milli(50_000),
                proceeds: Fixtures.milli(500),
                held: 0,
                heldAverageCost: 0,
                heldFIFOCost: 0,
                averageProfit: .zero,
                fifoProfit: .zero,
                uncovered: Fixtures.milli(50_000),
                fees: [],
                gas: Wei(1),
                isInEther: true,
                unrealised: nil
            )
        ]
        let data = HistoryJSON.history(state)
        let trade = try #require(data["trades"]?.arrayValue?.first)
        #expect(trade["realised"]?["averageProfit"]?.isNull == true)
        #expect(trade["realised"]?["fifoProfit"]?.isNull == true)
        #expect(trade["realised"]?["uncovered"]?["value"] == "50")
        let whole = try #require(data["positions"]?.arrayValue?.first)
        for method in ["byAverageCost", "byFifo"] {
            #expect(whole[method]?["profit"]?.isNull == true)
            #expect(whole[method]?["profitAfterGas"]?.isNull == true)
        }
        #expect(HistoryJSON.history.table(state).lines[1].contains(",,,50,"))
        let screen = Screen(width: 120, style: .plain, now: Fixtures.now)
        #expect(HistoryView(state).lines(screen).filter { $0.contains("no cost") }.count == 3)
    }

    @Test("a loss has its minus sign in raw and value, and what somebody else paid is null")
    func json() throws {
        let data = HistoryJSON.history(Self.history)
        let trades = try #require(data["trades"]?.arrayValue)
        #expect(
            trades.map { $0["kind"]?.stringValue } == ["fill", "fill", "fill", "fill", "cancel"]
        )
        #expect(trades[2]["gasCost"]?.isNull == true)
        #expect(trades[2]["realised"]?["averageProfit"]?["value"] == "0.36")
        #expect(trades[3]["realised"]?["fifoProfit"]?["value"] == "-0.18")
        #expect(trades[3]["realised"]?["fifoProfit"]?["raw"] == "-180000000000000000")
        #expect(trades[0]["realised"]?.isNull == true)
        let position = try #require(data["positions"]?.arrayValue?.first)
        #expect(position["byAverageCost"]?["profit"]?["value"] == "0.3")
        #expect(position["byAverageCost"]?["profitAfterGas"]?["value"] == "0.29872")
        #expect(position["byFifo"]?["profitAfterGas"]?["value"] == "-0.00328")
        let own = try #require(HistoryJSON.ownOrders(Self.ownOrders)["orders"]?.arrayValue?.first)
        let events = try #require(own["events"]?.arrayValue)
        #expect(events.map { $0["kind"]?.stringValue } == ["fill", "cancel"])
        #expect(events[0]["taker"]?.stringValue == Fixtures.address(78).checksummed)
        #expect(events[1]["taker"]?.isNull == true && events[1]["time"]?.isNull == true)
        let why = HistoryJSON.why(Self.why(.makerAllowance, "dex allowance set ZRX 7500"))
        #expect(why["isFillable"] == false)
        #expect(why["reason"] == "maker-allowance")
        #expect(why["remedy"] == "dex allowance set ZRX 7500")
    }
}
