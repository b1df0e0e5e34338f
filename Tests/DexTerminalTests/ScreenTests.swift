import DexStore
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

@Suite("Screens")
struct ScreenTests {
    typealias Draw = @Sendable (Screen) -> [String]

    static let limitPlan = {
        var plan = bareLimitPlan
        plan.mid = Price(quote: 11_985, base: 10_000_000)
        plan.balances = Fixtures.limitBalances(gives: 10_000, gets: 12)
        return plan
    }()

    private static let bareLimitPlan = LimitPlan(
        side: .sell,
        pair: Fixtures.pair,
        account: Fixtures.address(77),
        draft: OrderDraft(
            exchange: Fixtures.address(1),
            maker: Fixtures.address(77),
            makerToken: Fixtures.zrx.address,
            takerToken: Fixtures.weth.address,
            makerAmount: Fixtures.milli(10_000),
            takerAmount: Fixtures.milli(12),
            expiry: UInt256(Fixtures.now + 86_400),
            salt: 7,
            fees: OrderFees(recipient: Fixtures.address(9), makerFee: 5, takerFee: 6)
        ),
        orderHash: Fixtures.hash(31),
        give: TokenAmount(raw: Fixtures.milli(10_000), token: Fixtures.zrx),
        get: TokenAmount(raw: Fixtures.milli(12), token: Fixtures.weth),
        price: Fixtures.price(1_200),
        makerFee: TokenAmount(raw: Fixtures.milli(50), token: Fixtures.zrx),
        takerFee: nil,
        expires: Fixtures.now + 86_400,
        targets: [
            RelayTarget(relay: "http://127.0.0.1:3000", part: .posts),
            RelayTarget(
                relay: "https://b.example",
                part: .skipped("it wants other fees, which would make it another order")
            ),
        ],
        steps: [],
        gas: nil,
        warnings: ["It would be filled at once at the market."]
    )

    static let limitOutcome = LimitOutcome(
        plan: limitPlan,
        order: Fixtures.orderRow().order,
        wire: #"{"salt":"7"}"#,
        transactions: [],
        postings: [
            RelayPosting(relay: "http://127.0.0.1:3000", answer: .posted),
            RelayPosting(
                relay: "https://b.example",
                answer: .refused(
                    .refused(status: 400, code: 100, reason: "no \u{1B}[31mroom", fields: [])
                )
            ),
        ],
        warnings: []
    )

    static let cancelPlan = CancelPlan(
        account: Fixtures.address(77),
        orders: [Fixtures.orderRow()],
        steps: [
            PlannedTransaction(purpose: .cancel, summary: "cancel 1 order", gasLimit: 90_000)
        ],
        gas: Fixtures.gas,
        warnings: []
    )

    static let cancelOutcome = CancelOutcome(
        transactions: [Fixtures.sent(.cancel, .confirmed)],
        rows: [
            .init(
                orderHash: Fixtures.hash(31),
                status: .cancelled,
                filledMeanwhile: Fixtures.milli(2),
                cancelled: Fixtures.milli(500),
                takerToken: Fixtures.weth
            ),
            .init(
                orderHash: Fixtures.hash(32),
                status: .filledBefore,
                filledMeanwhile: 0,
                cancelled: 0,
                takerToken: Fixtures.weth
            ),
        ],
        warnings: [],
        ending: .less
    )

    private static let orders = OrdersState(
        block: 21_345_678,
        timestamp: Fixtures.now,
        rows: [Fixtures.orderRow(), Fixtures.orderRow(.cancelled)],
        dropped: [.init(orderHash: nil, reason: .malformed(.missing(field: "salt")))]
    )

    private static let transaction = StatusState.transaction(
        TransactionStatus(
            hash: Fixtures.hash(501),
            coin: .ether,
            stage: .confirmed,
            from: Fixtures.address(78),
            to: Fixtures.address(1),
            block: 21_345_679,
            confirmations: 3,
            gasUsed: 198_765,
            cost: Wei(3_279_622_500_000_000),
            fills: [
                .init(
                    event: Fixtures.fillEvent,
                    makerToken: Fixtures.zrx,
                    takerToken: Fixtures.weth,
                    feeToken: Fixtures.zrx
                )
            ],
            cancels: [],
            skipped: [(Fixtures.hash(32), .insufficientFunds)],
            ending: .done,
            details: details
        )
    )

    private static let details = {
        var details = TransactionDetails()
        details.value = Wei(1_000_000_000_000_000)
        details.call = TransactionCall(
            contract: Fixtures.address(1),
            function: "fillOrder",
            selector: [0xbc, 0x61, 0x39, 0x4a],
            size: 484,
            action: .fill(
                pays: [TokenAmount(raw: Fixtures.milli(1_500), token: Fixtures.weth)],
                receives: [Fixtures.zrx]
            ),
            coin: .ether
        )
        details.delegations = [
            SignedDelegation(account: Fixtures.address(78), delegate: Fixtures.address(81)),
            SignedDelegation(account: Fixtures.address(79), delegate: nil),
        ]
        details.time = Fixtures.now
        details.blockHash = Fixtures.hash(9)
        details.transfers = [
            .init(
                amount: TokenAmount(raw: Fixtures.milli(1_250), token: Fixtures.weth),
                from: Fixtures.address(78),
                to: Fixtures.address(79)
            ),
            .init(
                amount: TokenAmount(raw: .max, token: .unknown(Fixtures.address(80))),
                from: Fixtures.address(79),
                to: Fixtures.address(78)
            ),
        ]
        details.logs = [
            Log(
                address: Fixtures.address(80),
                topics: [ERC20.transferTopic],
                data: [1, 255],
                logIndex: 3
            )
        ]
        return details
    }()

    private static let balance = BalanceState(
        owner: Fixtures.address(77),
        block: 21_345_678,
        coin: .ether,
        ether: Wei(1_234_500_000_000_000_000),
        rows: [
            .init(
                token: Fixtures.zrx,
                balance: Fixtures.milli(2_500_125),
                allowance: .max
            ),
            .init(token: Fixtures.usdc, balance: 5_250_000, allowance: 0),
            .init(
                token: Fixtures.token(5, "ODD", "", nil),
                balance: 77,
                allowance: nil
            ),
        ]
    )

    private static let price = PriceState(
        pair: Fixtures.pair,
        block: 21_345_678,
        bid: Fixtures.price(1_204),
        ask: Fixtures.price(1_211),
        mid: Price(quote: 2_415, base: 2_000_000),
        quote: .init(
            side: .buy,
            amount: Fixtures.milli(5_000_000),
            fillable: Fixtures.milli(4_500_000),
            total: 5_458_500_000_000_000_000,
            average: Fixtures.price(1_213),
            worst: Fixtures.price(1_220),
            impactBasisPoints: 165,
            orders: 3
        )
    )

    private static let tokens = TokensState(
        network: "sandbox",
        query: nil,
        rows: [
            .init(token: Fixtures.zrx, warnings: []),
            .init(
                token: Fixtures.token(8, "DA\u{202E}I", "Dai \u{1B}[31m泰达 Stablecoin", 18),
                warnings: ["This contract was replaced by another."]
            ),
        ]
    )

    private static let pairs = PairsState(
        relay: "http://127.0.0.1:3000/v0",
        rows: [
            .init(
                pair: Fixtures.pair,
                details: RelayTokenPair(
                    tokenA: .init(
                        token: Fixtures.zrx.address,
                        minimum: nil,
                        maximum: nil,
                        precision: nil
                    ),
                    tokenB: .init(
                        token: Fixtures.weth.address,
                        minimum: nil,
                        maximum: nil,
                        precision: nil
                    )
                ),
                isKnown: false
            )
        ]
    )

    private static let wallets = WalletsState(
        wallets: [
            WalletsState.Entry(
                name: "main",
                address: Fixtures.address(21),
                path: "/home/me/.local/share/dex/keystore/UTC--2026-11-21T04-05-06.7Z--21",
                isOurs: true,
                isDefault: true,
                derivation: "m/44'/60'/0'/0/0"
            ),
            WalletsState.Entry(
                name: nil,
                address: Fixtures.address(22),
                path: "/home/me/.ethereum/keystore/UTC--\u{1B}[31m\u{202E}22",
                isOurs: false,
                isDefault: false,
                derivation: nil
            ),
            WalletsState.Entry(
                name: "deployer",
                address: nil,
                path: "/home/me/.foundry/keystores/deployer",
                isOurs: false,
                isDefault: false,
                derivation: nil
            ),
        ],
        folder: "/home/me/.local/share/dex/keystore"
    )

    private static let tradeScreens: [(name: String, draw: Draw)] = [
        ("plan", { TradePlanView(plan: Fixtures.buyPlan).lines($0) }),
        ("plan-long", { TradePlanView(plan: Fixtures.longPlan(40)).lines($0) }),
        ("fill-plan", { TradePlanView(plan: Fixtures.fillPlan).lines($0) }),
        ("outcome", { TradeOutcomeView(outcome: Fixtures.buyOutcome).lines($0) }),
        ("limit-plan", { LimitPlanView(plan: limitPlan).lines($0) }),
        ("limit-plan-relative", { LimitPlanView(plan: Typed.relativePlan).lines($0) }),
        ("trade-plan-spend", { TradePlanView(plan: Typed.spendPlan).lines($0) }),
        ("trade-plan-share", { TradePlanView(plan: Typed.sharePlan).lines($0) }),
        ("replace-plan", { ReplaceOrderPlanView(plan: Typed.replacePlan).lines($0) }),
        ("replace-outcome", { ReplaceOrderOutcomeView(outcome: Typed.replaced).lines($0) }),
        (
            "replace-outcome-half",
            { ReplaceOrderOutcomeView(outcome: Typed.halfReplaced).lines($0) }
        ),
        ("ladder-plan", { LadderPlanView(plan: Typed.ladderPlan).lines($0) }),
        ("ladder-outcome", { LadderOutcomeView(outcome: Typed.ladderStopped).lines($0) }),
        ("limit-outcome", { LimitOutcomeView(outcome: limitOutcome).lines($0) }),
        ("cancel-plan", { CancelPlanView(plan: cancelPlan).lines($0) }),
        ("cancel-outcome", { CancelOutcomeView(outcome: cancelOutcome).lines($0) }),
        ("orders", { OrdersView(orders).lines($0) }),
        (
            "order",
            {
                OrderView(Fixtures.orderRow(), block: 5, fills: [Fixtures.fillEvent]).lines($0)
            }
        ),
        ("status", { StatusView(transaction).lines($0) }),
        ("wallets", { WalletsView(wallets).lines($0) }),
        ("balance", { BalanceView(balance).lines($0) }),
        ("price", { PriceView(price).lines($0) }),
        ("tokens", { TokensView(tokens).lines($0) }),
        ("pairs", { PairsView(pairs).lines($0) }),
    ]

    static let screens =
        tradeScreens + MoneyScreenTests.screens + RevocationScreenTests.screens
        + LifeScreenTests.screens
        + OfflineScreenTests.screens
        + ActivityScreenTests.screens
        + HistoryScreenTests.screens + WatchScreenTests.screens + DoctorScreenTests.screens
        + GuardScreenTests.screens
        + TypedDataScreenTests.screens
        + MessageScreenTests.screens + TokenScreenTests.screens
        + SwapScreenTests.screens + MarketScreenTests.screens + SetupScreenTests.screens
        + BlockScreenTests.screens

    @Test(
        "each screen is as recorded at 40, 80 and 120 columns; without colour it says the same",
        arguments: screens.map(\.name)
    )
    func recorded(name: String) throws {
        let draw = try #require(Self.screens.first { $0.name == name }).draw
        for width in [40, 80, 120] {
            let marked = draw(Screen(width: width, style: .marked, now: Fixtures.now))
            try expectSnapshot(marked, named: width == 80 ? name : "\(name)-\(width)")
            let plain = draw(Screen(width: width, style: .plain, now: Fixtures.now))
            #expect(
                marked.map { $0.replacing(#/<(green|red|yellow|cyan|bold|dim)?\/?>/#, with: "") }
                    == plain
            )
        }
    }

    @Test("each screen survives every width, and no escape gets through", arguments: 1...130)
    func everyWidth(width: Int) {
        for (name, draw) in Self.screens {
            let lines = draw(Screen(width: width, style: .plain, now: Fixtures.now))
            #expect(!lines.isEmpty)
            for line in lines {
                let hasControl = line.unicodeScalars.contains {
                    $0.properties.generalCategory == .control
                        || $0.properties.generalCategory == .format
                }
                #expect(!hasControl, "\(name): \(line)")
            }
        }
    }

    @Test("without a wallet the screen tells how to make one")
    func noWallet() {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let lines = WalletsView(WalletsState(wallets: [], folder: "/x")).lines(screen)
        #expect(lines == ["There is no wallet in /x.", "Make one: dex wallet new"])
    }

    @Test("amounts that are received are marked as at least")
    func atLeast() {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        for draw in [
            TradePlanView(plan: Fixtures.buyPlan).lines(screen),
            LimitPlanView(plan: Self.limitPlan).lines(screen),
        ] { #expect(draw.contains { $0.contains(">= ") }) }
    }

    @Test("a mined transaction that filled nothing says so")
    func minedWithoutFill() {
        let status = StatusState.transaction(
            TransactionStatus(
                hash: Fixtures.hash(501),
                coin: .ether,
                stage: .confirmed,
                from: nil,
                to: nil,
                block: 5,
                confirmations: 1,
                gasUsed: 5,
                cost: nil,
                fills: [],
                cancels: [],
                skipped: [(Fixtures.hash(32), .expired)],
                ending: .less
            )
        )
        let lines = StatusView(status).lines(Screen(width: 80, style: .plain, now: 0))
        #expect(lines.contains { $0.contains("nothing was filled") })
    }

    @Test("the data of every command has the keys that scripts rely on")
    func keys() async throws {
        func expect(_ data: JSONValue, _ keys: String, at path: [String] = []) {
            let object = path.reduce(Optional(data)) { value, key in
                value?.arrayValue?.first?[key] ?? value?[key]
            }
            let inner = object?.arrayValue?.first ?? object
            for key in keys.split(separator: " ") {
                #expect(inner?[String(key)] != nil, "\(path) lacks \(key)")
            }
        }
        let book = await ReadJSON.orderbook(Fixtures.book)
        expect(book, "base quote block bids asks receivedCount verifiedCount dropped")
        expect(book, "symbol address decimals", at: ["base"])
        expect(book, "price amount fillable orderHash maker expires flags", at: ["bids"])
        expect(book, "orderHash reason", at: ["dropped"])
        expect(ReadJSON.price(Self.price), "bid ask mid average worst impact orderCount")
        let trade = TradeJSON.outcome(Fixtures.buyOutcome)
        expect(trade, "plan transactions outcome")
        expect(trade, "side orders pay receive prices fees gas", at: ["plan"])
        expect(trade, "orderHash payAmount receiveAmount", at: ["plan", "orders"])
        expect(trade, "expected max", at: ["plan", "pay"])
        expect(trade, "expected min", at: ["plan", "receive"])
        expect(trade, "average worst impact", at: ["plan", "prices"])
        expect(trade, "limit maxFeePerGas maxCost", at: ["plan", "gas"])
        expect(trade, "purpose hash status block gasUsed", at: ["transactions"])
        expect(trade, "received paid fees effectivePrice orders", at: ["outcome"])
        expect(trade, "orderHash status received paid reason", at: ["outcome", "orders"])
        let limit = TradeJSON.limitOutcome(Self.limitOutcome)
        expect(limit, "orderHash order relay posted")
        expect(limit, "price mid market balanceChanges gas steps", at: ["plan"])
        expect(limit, "before after least", at: ["plan", "balanceChanges"])
        let ladder = TradeJSON.ladderPlan(Typed.ladderPlan)
        expect(ladder, "before after least", at: ["plan", "balanceChanges"])
        let cancel = TradeJSON.cancelOutcome(Self.cancelOutcome)
        expect(cancel, "orders transactions")
        expect(cancel, "orderHash status filledMeanwhile cancelled", at: ["orders"])
        let status = ReadJSON.status(Self.transaction)
        expect(status, "kind status hash block confirmations fills")
        expect(status, "orderHash received paid fees", at: ["fills"])
        expect(status, "coinSent call transfers time blockHash logs successor")
        expect(status, "address topics data logIndex", at: ["logs"])
        expect(status, "amount from to", at: ["transfers"])
        #expect(status["logs"]?.arrayValue?.first?["data"] == "0x01ff")
        #expect(status["call"]?["selector"] == "0xbc61394a" && status["call"]?["size"] == 484)
        #expect(status["call"]?["payAmounts"]?.arrayValue?.first?["value"] == "1.5")
        let order = StatusState.order(
            StatusState.Order(row: Fixtures.orderRow(), block: 5, fills: [Fixtures.fillEvent])
        )
        expect(ReadJSON.status(order), "kind status hash block confirmations fills")
        expect(ReadJSON.balance(Self.balance), "balances")
        expect(ReadJSON.balance(Self.balance), "token balance allowance", at: ["balances"])
    }

    @Test("a price in JSON is a decimal text, a whole one has no point")
    func priceText() async {
        let book = await ReadJSON.orderbook(Fixtures.book)
        #expect(book["asks"]?.arrayValue?.first?["price"] == "0.001209")
        #expect(book["mid"] == "0.0012075")
    }
}
