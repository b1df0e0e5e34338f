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
    static func plan(_ members: Shape.Member...) -> Shape { .object(members) }

    /// What such a command answers: its plan, what was sent, and what came of it.
    ///
    /// - Parameter outcome: null if nothing was sent yet.
    static func whole(_ plan: Shape, outcome: Shape) -> Shape {
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
