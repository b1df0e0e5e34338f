import DexCore
import DexStore
import StrictJSON

/// What `send`, `wrap`, `unwrap`, `allowance`, `transact`, `tx` and `broadcast` answer.
package enum MoneyAnswer {
    static let transfer = Shape.object([
        .init(
            "plan",
            .object([
                TradeAnswer.account,
                .init("recipient", .address, "Who gets it"),
                .init(
                    "recipientName",
                    Shape.text.orNull,
                    "The name by which you know it, or null"
                ),
                .init("payAmount", .amount, "What leaves"),
                .init("receiveAmount", .amount, "What arrives"),
                .init("balance", .amount, "Of what is paid"),
                TradeAnswer.block, TradeAnswer.gasMember, TradeAnswer.total, TradeAnswer.steps,
            ]),
            "What it does"
        ),
        TradeAnswer.transactions,
        .init(
            "outcome",
            Shape.object([
                .init(
                    "received",
                    Shape.amount.orNull,
                    "Null if neither events nor balances show what arrived (exit 14)"
                )
            ]).orNull,
            "What came of it; null if nothing was sent yet"
        ),
    ])

    // MARK: allowance

    static let allowance = Shape.object([
        .init(
            "plan",
            .object([
                TradeAnswer.account, .init("token", .token, "The token"),
                .init("spender", .address, "Who may move it"),
                .init("current", .amount, "What it may move now"),
                .init("amount", .amount, "What it may move then"),
                TradeAnswer.block,
                .init("gas", TradeAnswer.gas.orNull, "Null if there is nothing to do"),
                TradeAnswer.steps,
            ]),
            "What it does"
        ),
        TradeAnswer.transactions,
        .init("allowance", Shape.amount.orNull, "Read again; null if it was not"),
    ])

    private static let by = Shape.Member(
        "by",
        .words(["token", "permit2"]),
        "`permit2` for an allowance inside Permit2"
    )

    static let revocations = Shape.object([
        .init(
            "plan",
            .object([
                TradeAnswer.account,
                .init(
                    "revocations",
                    .list(
                        .object([
                            .init("token", .token, "The token"),
                            .init("spender", .address, "Who may move it"),
                            .init("spenderName", Shape.text.orNull, "Its name, or null"),
                            .init("current", Shape.amount.orNull, "What it may move now, or null"),
                            by,
                        ])
                    ),
                    "What is revoked"
                ),
                TradeAnswer.block,
                .init("gas", TradeAnswer.gas.orNull, "Null if there is nothing to do"),
                TradeAnswer.steps,
            ]),
            "What it does"
        ),
        TradeAnswer.transactions,
        .init(
            "allowances",
            .list(
                .object([
                    .init("token", .token, "The token"),
                    .init("spender", .address, "Who may move it"),
                    .init("allowance", Shape.amount.orNull, "Read again; null if it was not"),
                    by,
                ])
            ),
            "What they may move now"
        ),
    ])

    // MARK: transact

    static let transact = Shape.object([
        .init(
            "plan",
            .object(
                MoneyJSON.call.shape.members + [
                    TradeAnswer.account, .init("coinSent", .amount, "The coin sent along"),
                    .init("effects", .list(CallEffectJSON.shape), "What the call does"),
                    ChangesJSON.member, ChangesJSON.differsMember,
                    .init("unread", .bool, "What it does is not known"),
                    .init("extraBytes", .integer, "Behind the arguments"),
                    TradeAnswer.block,
                    .init("returned", .bytes, "What the simulation returned"),
                    .init(
                        "values",
                        Shape.list(MoneyJSON.value.shape).orNull,
                        "The same by its types; null without result types"
                    ),
                    TradeAnswer.gasMember, TradeAnswer.total, TradeAnswer.steps,
                ]
            ),
            "What it does"
        ),
        TradeAnswer.transactions,
        .init(
            "events",
            .list(
                .object([
                    .init("contract", .address, "The contract"),
                    .init("topics", .list(.hash), "What it is, and its indexed values"),
                    .init("data", .bytes, "Its other values"),
                    .init(
                        "words",
                        Shape.text.orNull,
                        "Of a token's transfer or approval, else null"
                    ),
                ])
            ),
            "What the contracts told"
        ),
    ])

    // MARK: tx speedup, tx cancel, broadcast

    private static func whole(_ plan: Shape) -> Shape {
        .object([
            .init("plan", plan, "What it does"), TradeAnswer.transactions,
            .init(
                "outcome",
                ReadJSON.transaction.shape.orNull,
                "As in `status`; null if it is not mined"
            ),
        ])
    }

    static let replacement = whole(
        .object([
            TradeAnswer.account, .init("replaces", .hash, "The transaction"),
            .init("purpose", .text, "What it is for"), .init("nonce", .integer, "Of both"),
            .init("count", .count, "Replacements of this nonce, including this one"),
            .init("replacedMaxFeePerGas", .digits, "Wei a unit of gas"),
            .init("coinSent", .amount, "The coin sent along"),
            TradeAnswer.block, TradeAnswer.gasMember, TradeAnswer.total, TradeAnswer.steps,
        ])
    )

    private static let maxFeePerGas = Shape.Member("maxFeePerGas", .digits, "Wei a unit of gas")
    private static let signedAt = Shape.Member(
        "signedAt",
        Shape.time.orNull,
        "When it was signed, by the file; or null"
    )
    private static let validUntil = Shape.Member(
        "validUntil",
        Shape.time.orNull,
        "Until when it can do what it was planned for, by the file; or null"
    )

    static let broadcast = whole(
        .object([
            TradeAnswer.account, .init("hash", .hash, "The transaction"),
            .init("nonce", .integer, "Its number among those of the account"),
            .init("place", .words(["new", "pooled", "mined"]), "Where it is"),
            .init("purpose", .words(of: TransactionPurpose.self), "What it is for"),
            .init("to", .address, "What it calls"),
            .init(
                "function",
                Shape.text.orNull,
                "`(data)` if it is not known; null without a call"
            ),
            .init("coinSent", .amount, "The coin sent along"),
            .init("payAmounts", .list(.amount), "The most that leaves"),
            .init("receiveTokens", .list(.token), "The tokens that come"),
            .init(
                "approvals",
                .list(
                    .object([
                        .init("amount", .amount, "What may be moved"),
                        .init("spender", .address, "Who may move it"),
                    ])
                ),
                "What it allows"
            ),
            .init("recipients", .list(.address), "Who gets something"),
            .init("gasLimit", .integer, "The most gas that it may use"),
            maxFeePerGas,
            .init("maxPriorityFeePerGas", Shape.digits.orNull, "The tip of it in wei, or null"),
            .init("maxCost", .amount, "The most that is paid for gas"),
            ChangesJSON.member, ChangesJSON.differsMember,
            TradeAnswer.total, TradeAnswer.block, signedAt, validUntil,
        ])
    )

    static let orderBroadcast = Shape.object([
        .init(
            "plan",
            .object([
                .init("orderState", ReadJSON.order.shape, "The order"), TradeAnswer.block,
                .init("relays", .list(.text), "Those that get it"),
                .init("having", .list(.text), "Those that have it"),
            ]),
            "What it does"
        ),
        TradeAnswer.transactions,
        .init(
            "outcome",
            Shape.object([
                .init("orderHash", .hash, "The order"),
                .init("posted", .bool, "At least one has it"),
                .init("postings", .list(TradeAnswer.posted), "The part of each"),
            ]).orNull,
            "Null in a plan"
        ),
    ])

    /// What was signed and not sent.
    private static let heldKeys = Shape.object([
        .init("file", .text, "The file that has it"),
        .init("chainId", .integer, "Its chain"), TradeAnswer.account,
        .init("nonce", .integer, "Its number among those of the account"),
        .init("hash", .hash, "The transaction"),
        .init("purpose", .text, "What it is for"),
        .init("gasLimit", .integer, "The most gas that it may use"),
        maxFeePerGas, signedAt, validUntil,
    ])
    static let held = Shape.named(
        .init("signedTransaction", "What was signed and not sent", heldKeys)
    )
}

extension CallEffectJSON {
    /// By its kind an effect has some of the keys from `amount` on.
    static let shape = Shape.named(
        .init(
            "effect",
            "What call data do",
            .object([
                .init(
                    "kind",
                    .words([
                        "move", "move-items", "allow", "raise", "lower", "operator", "lend",
                        "control", "ether", "unread", "none",
                    ]),
                    "What it does"
                ),
                .init("function", Shape.text.orNull, "What is called, or null"),
                .init("contract", Shape.address.orNull, "Null: not in the data"),
                .init("inside", Shape.pattern("[0-9]+(\\.[0-9]+)*").orNull, "`2.1`, or null"),
                .init("byte", Shape.integer.orNull, "Where unread data hold it, or null"),
                .init(
                    "amount",
                    Shape.amount.orNull,
                    "Null: of an unknown token",
                    isOptional: true
                ),
                .init("owner", .address, "Whose it is", isOptional: true),
                .init("to", Shape.address.orNull, "Who gets it", isOptional: true),
                .init("spender", .address, "Who may move it", isOptional: true),
                .init("expires", Shape.time.orNull, "Until when, or null", isOptional: true),
                .init("allowed", .bool, "It is allowed, or forbidden", isOptional: true),
                .init(
                    "control",
                    .words(of: CallEffect.Control.self),
                    "What is controlled",
                    isOptional: true
                ),
            ])
        )
    )
}

extension TypedDataJSON {
    package static let shape = Shape.object([
        .init("address", .address, "The account"),
        .init("network", .text, "The network"),
        .init("chainId", Shape.integer.orNull, "Null: the domain names none"),
        .init("contract", Shape.address.orNull, "Who verifies it, or null"),
        .init("primaryType", .text, "Its type"),
        .init("hash", .hash, "What is signed"),
        .init("kind", .words(of: TypedDataKind.self), "What it is"),
        .init("unread", .bool, "It moves tokens, unknown how"),
        .init(
            "takes",
            .list(
                .object([
                    .init("amount", .amount, "The sum of a token's parts"),
                    .init("unlimited", .bool, "It has no bound"),
                    .init("parts", .integer, "How many"),
                    .init("balance", Shape.amount.orNull, "Null: not read"),
                ])
            ),
            "What it takes"
        ),
        .init(
            "allows",
            Shape.object([
                .init(
                    "kind",
                    .words([
                        "permit", "permit2-allowance", "permit2-transfer",
                        "transfer-authorization", "limit-order", "rfq-order",
                    ]),
                    "What it is"
                ),
                .init("owner", .address, "Whose tokens"),
                .init("spender", .address, "Who may move them"),
                .init(
                    "tokens",
                    .list(
                        .object([
                            .init("amount", .amount, "What may be moved"),
                            .init("unlimited", .bool, "It has no bound"),
                            .init("expires", Shape.time.orNull, "Until when, or null"),
                        ])
                    ),
                    "Which tokens"
                ),
                .init("receives", Shape.amount.orNull, "What comes for it, or null"),
                .init("taker", Shape.address.orNull, "Null: anyone"),
                .init("deadline", Shape.time.orNull, "Until when it can be used, or null"),
                .init("witness", .bool, "It has more that its spender checks"),
            ]).orNull,
            "Null: not known"
        ),
        .init("typedData", .any, "The typed data"),
        .init("signature", .bytes, "Not in a plan", isOptional: true),
    ])
}
