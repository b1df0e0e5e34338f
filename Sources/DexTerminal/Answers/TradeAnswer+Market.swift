import DexCore
import DexStore
import StrictJSON
import ZeroEx

/// `market-buy`, `market-sell`, `fill`.
extension TradeAnswer {
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
                .init("venue", .words(of: VenueID.self), "Where"),
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
                account,
                pay,
                receive,
                .init("averagePrice", .price, "QUOTE per BASE, of all parts"),
                .init("mostGasCost", .amount, "The most of the coin that all parts cost beside"),
                balances,
                amountFrom,
                alternatives
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
        pay,
        receive,
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
        .init("venue", .words(of: VenueID.self), "Where it trades"),
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
}
