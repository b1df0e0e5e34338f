import Ethereum
import StrictJSON
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexStore
@testable import DexTerminal

/// What `dex guard` and `dex alert` show; `ScreenTests` compares the screens.
@Suite("Guards and alerts, shown")
struct GuardScreenTests {
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("guard-plan", { GuardPlanView(plan).lines($0) }),
        ("guard-plan-pools", { GuardPlanView(poolPlan(mean)).lines($0) }),
        ("guard-plan-no-mean", { GuardPlanView(poolPlan(.missing(noOracle))).lines($0) }),
        ("guard-list", { GuardsView(guards).lines($0) }),
        ("guard-list-all", { GuardsView(guards).lines($0.showingAll(true)) }),
        ("guard-list-empty", { GuardsView([]).lines($0) }),
        (
            "guard-run",
            { screen in reports.flatMap { screen.sentences(GuardText.sentence($0)) } }
        ),
        ("alert-list", { AlertsView(alerts).lines($0) }),
        ("alert-list-empty", { AlertsView([]).lines($0) }),
    ]

    private static let pair = PairAddresses(
        base: Fixtures.zrx.address,
        quote: Fixtures.weth.address
    )

    private static func made(
        _ id: Int64,
        _ side: JournalGuard.Side = .sell,
        _ trigger: JournalGuard.Trigger = .below,
        _ state: JournalGuard.State = .waiting,
        isWatched: Bool = false,
        isConfirmed: Bool = true,
        isExpired: Bool = false
    ) -> JournalGuard {
        var made = JournalGuard(
            id: id,
            chainID: 1,
            exchange: Fixtures.address(9),
            account: Fixtures.address(77),
            side: side,
            pair: pair,
            pairName: "ZRX/WETH",
            amount: "100",
            trigger: trigger,
            price: "0.0007",
            slippage: 100,
            limit: side == .sell ? "0.00069306931" : "0.000707",
            created: Fixtures.now,
            state: state,
            isWatched: isWatched
        )
        made.isConfirmed = isConfirmed
        made.isExpired = isExpired
        return made
    }

    private static let guards = [
        made(8, isWatched: true), made(9, .buy, .below), made(10, .sell, .above, .firing),
        made(11, .buy, .above, .interrupted), made(12, .sell, .below, .ended(exit: 0)),
        made(13, .sell, .below, .ended(exit: 14)), made(14, isConfirmed: false),
        made(15, isExpired: true), made(16, .sell, .below, .ended(exit: 0), isExpired: true),
    ]

    private static let limit: Price = {
        guard let price = Price(quote: 69_306_931, base: 100_000_000_000) else {
            preconditionFailure("a base above zero")
        }
        return price
    }()

    private static let plan = GuardPlan(
        guardOrder: made(0),
        pair: Pair(base: Fixtures.zrx, quote: Fixtures.weth),
        amount: Fixtures.milli(100_000),
        limit: limit,
        total: 69_306_931_000_000_000,
        now: Price(quote: 75, base: 100_000),
        block: 21_345_678,
        warnings: ["The account has 5 ZRX, less than the 100 ZRX that it may need."]
    )

    private static let noOracle =
        "The oracle of the pool v3:0.3% does not reach back 5 minutes."

    private static let mean: PoolReading.Mean = {
        guard let pool = PoolID(Fixtures.zrx.address, Fixtures.weth.address, .v3(fee: 500)),
            // 1,323 ZRX for a WETH, the lower address.
            let mean = PoolMean(
                [(pool, 71_880)],
                base: Fixtures.zrx.address,
                pair: Pair(base: Fixtures.zrx, quote: Fixtures.weth)
            )
        else { preconditionFailure("a pool of two tokens") }
        return .known(mean)
    }()

    private static func poolPlan(_ mean: PoolReading.Mean) -> GuardPlan {
        var made = made(0)
        made.isAtPools = true
        return GuardPlan(
            guardOrder: made,
            pair: plan.pair,
            amount: plan.amount,
            limit: limit,
            total: plan.total,
            now: plan.now,
            block: plan.block,
            mean: mean,
            warnings: plan.warnings
        )
    }

    @Test("the JSON of a plan at pools has its venue, and the mean or why there is none")
    func poolPlanJSON() {
        let known = GuardJSON.plan(Self.poolPlan(Self.mean))["plan"]
        #expect(known?["venue"] == "pools")
        #expect(known?["mean"]?["price"]?.stringValue?.hasPrefix("0.00075") == true)
        #expect(known?["mean"]?["poolNames"] == ["v3:0.05%"])
        #expect(known?["mean"]?["seconds"]?.numberText == "300")
        let missing = GuardJSON.plan(Self.poolPlan(.missing(Self.noOracle)))["plan"]
        #expect(missing?["mean"]?["price"]?.isNull == true)
        #expect(missing?["mean"]?["reason"]?.stringValue == Self.noOracle)
        let book = GuardJSON.plan(Self.plan)["plan"]
        #expect(book?["venue"] == "book")
        #expect(book?["mean"]?.isNull == true)
    }

    private static let reports: [GuardReport] = [
        .begun(count: 2), .reached(made(8), block: 21_345_678),
        .reached(made(8), block: 21_345_679, patience: 60),
        .held(made(8), "The book buys only 50 ZRX at 0.00069306931 or better, not 100 ZRX."),
        .failed(made(8), GuardError.isFiring(8), waitsAgain: true),
        .failed(made(8), GuardError.isFiring(8), waitsAgain: false),
        .failing(GuardError.limitOutOfRange), .recovered,
    ]

    private static func alert(
        _ id: Int64,
        _ condition: AlertCondition,
        _ text: String,
        isOnce: Bool = false,
        isArmed: Bool = true,
        turn: UInt64 = 0
    ) -> JournalAlert {
        JournalAlert(
            id: id,
            chainID: 1,
            exchange: Fixtures.address(9),
            account: nil,
            condition: condition,
            text: text,
            isOnce: isOnce,
            created: Fixtures.now,
            isArmed: isArmed,
            turn: turn
        )
    }

    private static let alerts = [
        alert(1, .price(.mid, pair, .less, "0.00074"), "ZRX/WETH < 0.00074"),
        alert(
            2,
            .spread(pair, .more, 200),
            "ZRX/WETH spread > 2%",
            isArmed: false,
            turn: 3
        ),
        alert(
            13,
            .balance(nil, .less, "0.1"),
            "balance \u{1B}[31mETH < 0.1",
            isOnce: true
        ),
        alert(14, .order(.fill, nil), "fill"),
    ]

    @Test("the JSON of a guard has its state, its terms and how it ended")
    func json() {
        let ended = GuardJSON.guardOrder(Self.guards[5])
        #expect(ended["state"] == "ended" && ended["exitCode"]?.numberText == "14")
        #expect(ended["neverFires"]?.isNull == true)
        #expect(GuardJSON.guardOrder(Self.guards[0])["neverFires"]?.isNull == true)
        #expect(
            GuardJSON.guardOrder(Self.guards[6])["neverFires"]?.stringValue
                == GuardCheck.unconfirmed
        )
        #expect(
            GuardJSON.guardOrder(Self.guards[7])["neverFires"]?.stringValue == GuardCheck.expired
        )
        #expect(ended["id"]?.numberText == "13" && ended["worstPrice"] == "0.00069306931")
        let plan = GuardJSON.plan(Self.plan)["plan"]
        #expect(plan?["id"]?.isNull == true && plan?["payMax"]?.isNull == true)
        #expect(plan?["receiveMin"]?["value"] == "0.069306931")
        let report = GuardJSON.report(Self.reports[3])
        #expect(report["event"] == "held" && report["guard"]?["id"]?.numberText == "8")
        #expect(report["reason"]?.stringValue?.hasPrefix("The book buys only") == true)
    }

    @Test(
        "the question says what is sold and for how much at least, and that it is not asked again"
    )
    func question() {
        #expect(
            GuardPlanView(Self.plan).question.text
                == "Let it sell 100 ZRX for at least 0.069306931 WETH, without asking again?"
        )
    }
}
