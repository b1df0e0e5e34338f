import DexStore
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

@Suite("Screens and JSON of market orders with a swap venue")
struct SwapScreenTests {
    /// Drawn by `ScreenTests` at 80 columns, and at every other width.
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("swap-plan", { TradePlanView(plan: Fixtures.swapPlan).lines($0) }),
        ("swap-plan-native", { TradePlanView(plan: Fixtures.nativeSwapPlan).lines($0) }),
        ("book-plan-beside-swap", { TradePlanView(plan: Fixtures.bookBesideSwapPlan).lines($0) }),
        ("split-plan", { SplitPlanView(plan: Fixtures.splitPlan).lines($0) }),
        (
            "split-plan-whole",
            {
                let plan = SplitPlan(
                    parts: [Fixtures.swapPlan],
                    alternatives: [],
                    balances: [],
                    origin: nil
                )
                return SplitPlanView(plan: plan).lines($0)
            }
        ),
        ("split-outcome", { SplitOutcomeView(outcome: Fixtures.splitOutcome).lines($0) }),
        (
            "split-outcome-stopped",
            { SplitOutcomeView(outcome: Fixtures.splitOutcomeStopped).lines($0) }
        ),
        ("swap-outcome", { TradeOutcomeView(outcome: Fixtures.swapOutcome).lines($0) }),
        (
            "pool-outcome",
            { TradeOutcomeView(outcome: Fixtures.outcome(.success(Fixtures.alone))).lines($0) }
        ),
        (
            "pool-outcome-sandwich",
            { TradeOutcomeView(outcome: Fixtures.outcome(.success(Fixtures.sandwich))).lines($0) }
        ),
        ("swap-outcome-less", { TradeOutcomeView(outcome: Fixtures.swapOutcomeLess).lines($0) }),
    ]

    private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") }

    @Test("the plan names the venue, its quote, its sources and the venue that is not used")
    func plan() {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let swap = text(TradePlanView(plan: Fixtures.swapPlan).lines(screen))
        #expect(swap.contains("0x Swap, quote of block 21345677, 3 s old"))
        #expect(swap.contains("(max 3.02492005)"))
        #expect(swap.contains("book: It costs 1.18 % more."))
        #expect(swap.contains("3.75 ZRX (zeroEx)"))
        let sources = swap.split(separator: "\n").map(String.init)
        let large = sources.firstIndex { $0.hasPrefix("Uniswap_V3") && $0.hasSuffix("79.50%") }
        let small = sources.firstIndex { $0.hasPrefix("\"Curve") && $0.hasSuffix("20.50%") }
        #expect(large != nil && small != nil)
        if let large, let small { #expect(large < small) }
        #expect(!swap.contains("ORDER"))
        let book = text(TradePlanView(plan: Fixtures.bookBesideSwapPlan).lines(screen))
        #expect(book.contains("the relay's book"))
        #expect(book.contains("swap: It costs 1.49 % more."))
        #expect(book.contains("ORDER"))
        // A plan of one venue shows none.
        let alone = text(TradePlanView(plan: Fixtures.buyPlan).lines(screen))
        #expect(!alone.contains("NOT USED") && !alone.contains("venue"))
    }

    @Test("an unknown impact is named, and a venue without a price says why")
    func unknown() {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let lines = text(TradePlanView(plan: Fixtures.nativeSwapPlan).lines(screen))
        #expect(lines.contains("unknown: there is nothing to compare with"))
        #expect(lines.contains("book            -      -    -"))
        #expect(lines.contains("book: No answer from the relay"))
        #expect(lines.contains("Sell 1 ETH for ~830 ZRX (>= 821.782)"))
        #expect(!lines.contains("SOURCE"))
    }

    @Test("the outcome is the chain's: what arrived, and that nothing did")
    func outcome() {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let done = text(TradeOutcomeView(outcome: Fixtures.swapOutcome).lines(screen))
        #expect(done.contains("Bought 2500 ZRX for 3.001 WETH"))
        #expect(done.contains("3.001 WETH (expected 2.995 WETH)"))
        #expect(done.contains("swap mined, block 21345679"))
        let less = text(TradeOutcomeView(outcome: Fixtures.swapOutcomeLess).lines(screen))
        #expect(less.contains("Mined, but nothing was"))
        #expect(less.contains("nothing of it arrived"))
    }

    @Test("plan.venue, plan.alternatives and plan.quote are as docs/output.md says")
    func json() throws {
        let data = TradeJSON.outcome(Fixtures.swapOutcome)
        let plan = try #require(data["plan"])
        #expect(plan["venue"] == "swap")
        #expect(plan["orders"]?.arrayValue?.isEmpty == true)
        let other = try #require(plan["alternatives"]?.arrayValue?.first)
        #expect(other["venue"] == "book")
        #expect(other["average"] == "0.001212")
        #expect(other["worst"] == "0.00122")
        #expect(other["gasUnits"] == 295_000)
        #expect(other["reason"] == "It costs 1.18 % more.")
        let quote = try #require(plan["venueQuote"])
        #expect(quote["venue"] == "0x Swap")
        #expect(quote["zid"] == "0x111111111111111111111111")
        #expect(quote["block"] == 21_345_677)
        #expect(quote["age"] == 3)
        let sources = try #require(quote["sources"]?.arrayValue)
        #expect(sources.count == 2)
        #expect(sources[1]["name"] == "Uniswap_V3")
        #expect(sources[1]["sharePercent"] == "79.50")
        let fees = try #require(quote["includedFees"]?.arrayValue)
        #expect(fees[0]["kind"] == "zeroEx")
        #expect(fees[0]["address"] == .string(Fixtures.zrx.address.checksummed))
        #expect(fees[0]["raw"] == .string(Fixtures.milli(3_750).description))
        #expect(fees[1]["address"] == .null)
        // No text of a venue has an escape sequence.
        #expect(
            !data.text.unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0 == "\u{202E}"
            }
        )
        let transactions = try #require(data["transactions"]?.arrayValue)
        #expect(transactions.map { $0["purpose"] } == ["approve", "swap"])
    }

    @Test("what was lost to the quote, and who was before it, as docs/output.md says")
    func loss() throws {
        let none = try #require(TradeJSON.outcome(Fixtures.swapOutcome)["outcome"])
        let loss = try #require(none["quoteLoss"])
        #expect(loss["amount"]?["value"] == "0.006")
        #expect(loss["percent"] == "0.21")
        #expect(none["frontRunning"] == .null)
        let nothing = try #require(TradeJSON.outcome(Fixtures.swapOutcomeLess)["outcome"])
        #expect(nothing["quoteLoss"] == .null)
        let ahead = try reported(.success(Fixtures.ahead))
        #expect(ahead["status"] == "ahead")
        #expect(ahead["ahead"]?.arrayValue?.count == 2)
        #expect(ahead["lost"]?["value"] == "0.004")
        #expect(ahead["back"] == .null)
        let sandwich = try reported(.success(Fixtures.sandwich))
        let back: TransactionHash = Fixtures.hash(603)
        #expect(sandwich["status"] == "sandwich")
        #expect(sandwich["back"]?.stringValue == back.hex)
        #expect(sandwich["account"]?.stringValue == Fixtures.address(0xbad).checksummed)
        let unknown = try reported(.failure(ReadError.reorganized))
        #expect(unknown["status"] == "unknown")
        #expect(unknown["reason"]?.stringValue != nil)
        for key in ["ahead", "front", "back", "account", "lost"] {
            #expect(ahead[key] != nil && unknown[key] != nil, "\(key)")
        }
    }

    private func reported(_ found: Result<FrontRunning, DexError>) throws -> JSONValue {
        let outcome = try #require(TradeJSON.outcome(Fixtures.outcome(found))["outcome"])
        return try #require(outcome["frontRunning"])
    }

    @Test("front-running is said in sentences: who, where, what it cost, and what helps")
    func frontRunning() {
        let ahead = Fixtures.outcome(.success(Fixtures.ahead)).warnings
        #expect(
            ahead == [
                "2 trades of others were before it in its block, in its direction: 0.004 WETH more "
                    + "was paid."
            ]
        )
        let sandwich = Fixtures.outcome(.success(Fixtures.sandwich)).warnings
        #expect(sandwich.first?.hasPrefix("FRONT-RUN: 0x") == true)
        #expect(sandwich.first?.contains("0.006 WETH more was paid") == true)
        #expect(sandwich.first?.contains("`private_rpc`") == true)
        #expect(Fixtures.outcome(.success(Fixtures.alone)).warnings.isEmpty)
        let unknown = Fixtures.outcome(.failure(ReadError.reorganized)).warnings
        #expect(unknown.first?.hasPrefix("Whether it was front-run is unknown: ") == true)
    }

    @Test("on the book there is no quote, and a venue without a price has nulls")
    func jsonOfBook() throws {
        let book = try #require(TradeJSON.plan(Fixtures.bookBesideSwapPlan)["plan"])
        #expect(book["venue"] == "book")
        #expect(book["quote"]?["symbol"] == "WETH" && book["venueQuote"]?.isNull == true)
        #expect(book["alternatives"]?.arrayValue?.first?["gasUnits"] == .null)
        let native = try #require(TradeJSON.plan(Fixtures.nativeSwapPlan)["plan"])
        let other = try #require(native["alternatives"]?.arrayValue?.first)
        for key in ["average", "worst", "gasUnits"] { #expect(other[key] == .null) }
        #expect(native["prices"]?["impact"] == .null)
        #expect(native["venueQuote"]?["zid"] == .null)
        #expect(native["venueQuote"]?["block"] == .null)
        #expect(native["pay"]?["max"]?["address"] != nil)
        let alone = try #require(TradeJSON.plan(Fixtures.buyPlan)["plan"])
        #expect(alone["alternatives"]?.arrayValue?.isEmpty == true)
    }
}
