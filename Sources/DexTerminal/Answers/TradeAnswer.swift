import DexCore
import DexStore
import StrictJSON
import ZeroEx

/// What the commands that move money answer: their plans and outcomes, described.
///
/// `TradeJSON` and its neighbours encode them by hand, and a test holds each of their answers
/// against this.
package enum TradeAnswer {
    /// The plan of a command.
    ///
    /// - Parameter members: its own keys.
    private static func plan(_ members: Shape.Member...) -> Shape { .object(members) }

    /// What such a command answers: its plan, what was sent, and what came of it.
    ///
    /// - Parameter outcome: null if nothing was sent yet.
    private static func whole(_ plan: Shape, outcome: Shape) -> Shape {
        .object([
            .init("plan", plan, "What it does"),
            transactions,
            .init("outcome", outcome.orNull, "What came of it; null if nothing was sent yet"),
        ])
    }

    static let transactions = Shape.Member(
        "transactions",
        .list(transaction),
        "What was sent"
    )

    static let account = Shape.Member("account", .address, "Whose it is")
    static let block = Shape.Member("block", .integer, "The block that was read")
    static let gasMember = Shape.Member("gas", gas, "What it may cost")
    static let gasOrNull = Shape.Member("gas", gas.orNull, "Null if nothing is sent")
    static let steps = Shape.Member("steps", .list(step), "What is sent, in this order")
    static let total = Shape.Member("total", .amount, "The most of the coin that leaves")
    static let balances = Shape.Member(
        "balanceChanges",
        .list(balance),
        "The account's, by token"
    )

    static let step = Shape.named(
        .init(
            "step",
            "A transaction of a plan",
            .object([
                .init("purpose", .words(of: TransactionPurpose.self), "What it is for"),
                .init("summary", .foreign, "What it does; a sentence"),
                .init("gasLimit", .integer, "The most gas that it may use"),
            ])
        )
    )

    static let transaction = Shape.named(
        .init(
            "transaction",
            "A transaction that was sent",
            .object([
                .init("purpose", .words(of: TransactionPurpose.self), "What it is for"),
                .init("hash", .hash, "The transaction"),
                .init("status", .words(StageWords.sent), "What became of it"),
                .init(
                    "block",
                    Shape.integer.orNull,
                    "A pending one with a block is mined but not confirmed yet"
                ),
                .init("gasUsed", Shape.integer.orNull, "Null before it is mined"),
                .init("cost", Shape.amount.orNull, "What was paid for gas, or null"),
                ChangesJSON.member,
            ])
        )
    )

    static let gas = Shape.named(
        .init(
            "gas",
            "What a plan may cost",
            .object([
                .init("limit", .integer, "The most gas of all steps"),
                .init("maxFeePerGas", .digits, "Wei a unit of gas, at most"),
                .init("maxPriorityFeePerGas", Shape.digits.orNull, "The tip of it in wei, or null"),
                .init("maxCost", .amount, "The most that is paid"),
                .init("presentCost", .amount, "The same gas at present prices"),
                .init(
                    "rollupFee",
                    Shape.object([
                        .init("present", .amount, "Now"), .init("max", .amount, "At most"),
                    ]).orNull,
                    "What a rollup takes beside gas, in both costs; null for nothing"
                ),
                .init(
                    "priority",
                    Shape.words(of: FeePriority.self).orNull,
                    "Null without a base fee"
                ),
                .init("capped", .bool, "The limit of the settings lowered it"),
                .init(
                    "privateNode",
                    .text,
                    "Where signed transactions go alone, without path and key; only with "
                        + "[`private_rpc`](configuration.md#configtoml)",
                    isOptional: true
                ),
            ])
        )
    )

    static let balance = Shape.named(
        .init(
            "plannedBalance",
            "A balance before and after a plan; null if it could not be read",
            .object([
                .init("symbol", .text, "Of the token or the coin"),
                .init("before", Shape.amount.orNull, "Now"),
                .init("after", Shape.amount.orNull, "As it is expected"),
                .init("least", Shape.amount.orNull, "In the worst outcome"),
            ])
        )
    )

    // MARK: market-buy, market-sell, fill

    package static let trade = Shape.named(
        .init("trade", "A trade at a market", whole(tradePlan, outcome: tradeOutcome))
    )

    private static let pay = Shape.Member(
        "pay",
        .object([
            .init("expected", .amount, "As planned, with fees in that token"),
            .init("max", .amount, "At most"),
        ]),
        "What is paid"
    )

    private static let receive = Shape.Member(
        "receive",
        .object([
            .init("expected", .amount, "As planned"), .init("min", .amount, "At least"),
        ]),
        "What is received"
    )

    private static let amountFrom = Shape.Member(
        "amountFrom",
        Shape.object([
            .init("typed", .text, "As it was typed"),
            .init("spend", .bool, "It is QUOTE that is spent"),
            .init("resolved", .amount, "What it came to"),
            .init("available", Shape.amount.orNull, "What it is a part of, or null"),
            .init("reserved", Shape.amount.orNull, "Kept for the network fee, or null"),
        ]).orNull,
        "Null if it was typed as a number of BASE"
    )

    private static let alternatives = Shape.Member(
        "alternatives",
        .list(
            .object([
                .init("venue", .words(of: Venue.self), "Where"),
                .init("average", Shape.price.orNull, "Null if it has none"),
                .init("worst", Shape.price.orNull, "Null if it has none"),
                .init("gasUnits", Shape.integer.orNull, "Of its transaction, as far as known"),
                .init("reason", Shape.foreign.orNull, "Why it is not used; a sentence"),
            ])
        ),
        "The venues that are not used; empty if only one was to be used"
    )

    /// A market order in parts, as `--split` makes it.
    package static let split = Shape.object([
        .init(
            "plan",
            plan(
                .init("side", .words(of: TradeSide.self), "What is done with BASE"),
                .init("base", .token, "BASE"),
                .init("quote", .token, "QUOTE"),
                account, pay, receive,
                .init("averagePrice", .price, "QUOTE per BASE, of all parts"),
                .init("mostGasCost", .amount, "The most of the coin that all parts cost beside"),
                balances, amountFrom, alternatives
            ),
            "What all parts do together"
        ),
        .init(
            "tradeParts",
            .list(trade),
            "In the order in which they are sent; one if no division is better"
        ),
        transactions,
    ])

    private static let tradePlan = plan(
        .init("side", .words(of: TradeSide.self), "What is done with BASE"),
        .init("base", .token, "BASE"),
        .init("quote", .token, "QUOTE"),
        .init(
            "venueQuote",
            quote.orNull,
            "What a venue beside the book says of its quote; null on it"
        ),
        block,
        account,
        .init(
            "orders",
            .list(
                .object([
                    .init("orderHash", .hash, "The order"),
                    .init("maker", .address, "Its maker"),
                    .init("price", .price, "QUOTE per BASE"),
                    .init("payAmount", .amount, "What it takes, with fees in that token"),
                    .init("receiveAmount", .amount, "What it brings"),
                    .init("spare", .bool, "It is filled only if another one is not"),
                ])
            ),
            "Empty beside the book"
        ),
        pay, receive,
        .init(
            "prices",
            .object([
                .init("average", .price, "As planned"),
                .init("worst", .price, "The worst that is accepted"),
                .init(
                    "mid",
                    Shape.price.orNull,
                    "Halfway between the best prices of the book, or of the pools where "
                        + "[they are the reference](trading.md#the-best-price); null without both "
                        + "sides"
                ),
                .init(
                    "impact",
                    Shape.percent.orNull,
                    "How far the average is from the best price; null without anything to compare "
                        + "with"
                ),
            ]),
            "QUOTE per BASE"
        ),
        .init("fees", Shape.amount.orNull, "As planned"),
        .init("maxFees", Shape.amount.orNull, "The most in any outcome"),
        .init(
            "feeValue",
            Shape.amount.orNull,
            "Value in QUOTE of `fees` in a third token; null without a book for it"
        ),
        .init("protocolFee", .amount, "The most of the coin for the exchange's own fee"),
        gasMember,
        balances,
        steps,
        amountFrom,
        .init("skipsGoneOrders", .bool, "Orders that are gone are skipped"),
        .init("venue", .words(of: Venue.self), "Where it trades"),
        .init("relays", .list(.text), "Those of several relays that show the order of a `fill`"),
        alternatives
    )

    private static let quote = Shape.object([
        .init("venue", .text, "The swap API's name"),
        .init("zid", Shape.foreign.orNull, "Its id of the quote, for its support; or null"),
        .init("block", Shape.integer.orNull, "The block of its quote, or null"),
        .init(
            "sources",
            .list(
                .object([
                    .init("name", .foreign, "Its name"), .init("sharePercent", .percent, "Of all"),
                ])
            ),
            "Where it trades"
        ),
        .init(
            "includedFees",
            .list(
                .object([
                    .init("kind", .text, "`zeroEx`, `integrator`, `gas`"),
                    .init("address", Shape.address.orNull, "Null is the coin"),
                    .init("raw", .digits, "Base units"),
                ])
            ),
            "Are in the amounts already"
        ),
        .init("nodeCount", Shape.integer.orNull, "How many nodes said it, at pools; or null"),
        .init("age", Shape.integer.orNull, "Seconds, when the plan was complete"),
    ])

    private static let tradeOutcome = Shape.object([
        .init("received", Shape.amount.orNull, "What came, or null if that is unknown"),
        .init(
            "paid",
            Shape.amount.orNull,
            "To the orders, with `fees` in the same token; of a swap all that left"
        ),
        .init("fees", Shape.amount.orNull, "What the takers' fees were, or null"),
        .init("protocolFee", .amount, "The exchange's own fee"),
        .init("effectivePrice", Shape.price.orNull, "What it came to"),
        .init(
            "quoteLoss",
            Shape.object([
                .init("amount", .amount, "Less of what came, or more of what was paid"),
                .init(
                    "percent",
                    Shape.percent.orNull,
                    "Of the cost of a unit, rounded up; or null"
                ),
            ]).orNull,
            "How much worse than its quote it was beside the book; null on it, or if unknown"
        ),
        .init(
            "frontRunning",
            Shape.object([
                .init(
                    "status",
                    .words(["none", "ahead", "sandwich", "unknown"]),
                    "`ahead`: others traded before it in its block and direction; `sandwich`: one "
                        + "of them was turned back behind it"
                ),
                .init("ahead", .list(.hash), "Their transactions, in the order of the block"),
                .init("front", Shape.hash.orNull, "The first of the sandwich, or null"),
                .init("back", Shape.hash.orNull, "The second of the sandwich, or null"),
                .init("account", Shape.address.orNull, "Who sent both; null if two accounts did"),
                .init("lost", Shape.amount.orNull, "What those ahead cost, or null"),
                .init("reason", Shape.foreign.orNull, "Why it is unknown, or null"),
            ]).orNull,
            "Of [pools](pools.md#what-others-did-in-its-block); else null"
        ),
        .init(
            "orders",
            .list(
                .object([
                    .init("orderHash", .hash, "The order"),
                    .init(
                        "status",
                        .words(of: TradeOutcome.Leg.Status.self),
                        "What became of it"
                    ),
                    .init("received", .amount, "What it brought"),
                    .init("paid", .amount, "What it took"),
                    .init("fee", Shape.amount.orNull, "Its fee, or null"),
                    .init("reason", Shape.foreign.orNull, "Why, or null"),
                ])
            ),
            "The orders of the plan"
        ),
    ])

    // MARK: place-limit, replace, cancel

    static let posting: [Shape.Member] = [
        .init("orderHash", Shape.hash.orNull, "The order; null if none was placed"),
        .init("order", .any, "The signed order in the relay's wire form; null in a plan"),
        .init("relay", Shape.text.orNull, "Those that have it, comma-separated; or null"),
        .init("posted", .bool, "At least one has it"),
        .init("postings", .list(posted), "The part of each"),
    ]

    static let posted = Shape.named(
        .init(
            "posting",
            "A relay's part in posting an order",
            .object([
                .init("relay", .text, "Its host"),
                .init("posted", .bool, "It has the order"),
                .init("reason", Shape.foreign.orNull, "Why not, or null"),
            ])
        )
    )

    static let limitPlan = Shape.named(
        .init("limitPlan", "The plan of a limit order", limitPlanKeys)
    )

    private static let limitPlanKeys = plan(
        .init("side", .words(of: TradeSide.self), "What is done with BASE"),
        .init("base", .token, "BASE"),
        .init("quote", .token, "QUOTE"),
        account,
        .init("give", .amount, "What the order gives"),
        .init("get", .amount, "What the order gets"),
        .init("price", .price, "QUOTE per BASE"),
        .init(
            "mid",
            Shape.price.orNull,
            "Halfway between the book's best prices; null without a book of two sides"
        ),
        .init(
            "priceFrom",
            Shape.object([
                .init("typed", .text, "As it was typed"),
                .init("bid", Shape.price.orNull, "The best bid, or null"),
                .init("ask", Shape.price.orNull, "The best ask, or null"),
                .init("block", .integer, "The block that was read"),
            ]).orNull,
            "Null if the price was typed as a number"
        ),
        .init(
            "market",
            Shape.object([
                .init("best", .price, "The best of them"),
                .init("crossing", .percent, "How far the limit is behind it"),
                .init("baseAmount", .amount, "What a market order would trade of BASE"),
                .init("quoteAmount", .amount, "The same of QUOTE"),
            ]).orNull,
            "The opposite orders that it could fill at once; null without"
        ),
        .init("makerFee", Shape.amount.orNull, "Or null"),
        .init("takerFee", Shape.amount.orNull, "Or null"),
        .init("feeRecipient", Shape.address.orNull, "Or null"),
        .init("taker", Shape.address.orNull, "The only one who may fill it; null: anyone"),
        .init(
            "sender",
            Shape.address.orNull,
            "The only account that may send the fill, if the relay requires one (0x v4)"
        ),
        .init("expires", .time, "When it ends"),
        gasOrNull,
        balances,
        steps
    )

    static let placed = Shape.object(
        [.init("plan", limitPlan, "What it does"), transactions] + posting
    )

    static let ladder = Shape.object([
        .init(
            "plan",
            plan(
                account,
                .init("count", .integer, "How many orders"),
                gasOrNull,
                balances,
                steps
            ),
            "What it does"
        ),
        .init("orders", .list(placed), "Each order, with `order` null for one that was not placed"),
        transactions,
    ])

    static let cancelledOrders = Shape.Member(
        "orders",
        .list(
            .object([
                .init("orderHash", .hash, "The order"),
                .init(
                    "status",
                    .words(
                        CancelOutcome.Row.Status.allCases.map(\.rawValue)
                            + OrdersState.Standing.allCases.map(\.rawValue)
                    ),
                    "What became of it; in a plan its state"
                ),
                .init(
                    "filledMeanwhile",
                    Shape.amount.orNull,
                    "In the taker token; null in a plan"
                ),
                .init("cancelled", Shape.amount.orNull, "In the taker token; null in a plan"),
            ])
        ),
        "The orders to cancel"
    )

    private static let closed = Shape.Member(
        "closed",
        .list(
            .object([
                .init("orderHash", .hash, "The order"),
                .init("status", .words(of: OrdersState.Standing.self), "Its state"),
            ])
        ),
        "Asked for, and not open any more: left out"
    )

    static let cancel = Shape.object([
        .init(
            "plan",
            plan(account, gasOrNull, steps),
            "What it does; only in a plan",
            isOptional: true
        ),
        cancelledOrders, closed, transactions,
    ])

    static let replace = Shape.object(
        [
            .init(
                "plan",
                plan(
                    account,
                    .init("newOrder", limitPlan, "The new order; it counts the gas of the cancel"),
                    gasMember,
                    steps
                ),
                "What it does"
            ),
            cancelledOrders, transactions,
        ] + posting
    )
}

extension StageWords {
    /// Of a transaction that a command sent.
    static let sent = unique(TransactionStage.allCases.map(\.sentWord))
}
