import StrictJSON

/// The OpenAPI description of the standard relayer API v0, below `/v0`.
struct OpenAPIV0: OpenAPIPart {
    private typealias Schema = OpenAPISchema
    private typealias Answers = [(status: String, answer: JSONValue)]

    private func response(_ name: String) -> JSONValue { Schema.reference(name, "responses") }

    private var readFailures: Answers {
        [
            ("304", response("NotModified")), ("400", response("InvalidV0")),
            ("429", response("ThrottledV0")), ("500", response("FailedV0")),
        ]
    }

    private var postFailures: Answers {
        [
            ("400", response("InvalidV0")), ("413", response("TooLargeV0")),
            ("429", response("ThrottledV0")), ("500", response("FailedV0")),
            ("503", response("UnavailableV0")),
        ]
    }

    private var pages: [JSONValue] {
        [
            Schema.query(
                "page",
                Schema.integer(1...UInt64(Int32.max), standard: 1),
                "The page, from 1. A page beyond the end is empty."
            ),
            Schema.query(
                "per_page",
                Schema.integer(
                    1...UInt64(QueryV0.maximumPageSize),
                    standard: QueryV0.maximumPageSize
                ),
                "How many are on a page; of a book, on each side."
            ),
        ]
    }

    private func address(_ name: String, isRequired: Bool = false, _ text: String) -> JSONValue {
        Schema.query(name, Schema.reference("Address"), isRequired: isRequired, text)
    }

    private func paged(_ text: String, _ schema: JSONValue) -> Answers {
        [("200", Schema.answer(text, schema, headers: Schema.readHeaders + ["Link"]))]
            + readFailures
    }

    var paths: OpenAPISchema.Members {
        let order = Schema.reference("OrderV0")
        let orders = Schema.list(order, longest: QueryV0.maximumPageSize)
        let filters = RelayAPIV0.orderFilters.map { address($0, "Only orders with this \($0).") }
        return [
            (
                "/v0/token_pairs",
                [
                    "get": Schema.operation(
                        "v0TokenPairs",
                        "The pairs that the relay carries.",
                        tag: "v0",
                        parameters: [
                            address("tokenA", "Only pairs with this token, on either side."),
                            address("tokenB", "Only pairs with this token, on either side."),
                        ] + pages,
                        answers: paged(
                            "Pairs with their bounds.",
                            Schema.list(
                                Schema.reference("TokenPairV0"),
                                longest: QueryV0.maximumPageSize
                            )
                        )
                    )
                ]
            ),
            (
                "/v0/orders",
                [
                    "get": Schema.operation(
                        "v0Orders",
                        "Orders of the book; with both tokens, the best for a taker first.",
                        tag: "v0",
                        parameters: filters + pages,
                        answers: paged("Signed orders.", orders)
                    )
                ]
            ),
            (
                "/v0/orderbook",
                [
                    "get": Schema.operation(
                        "v0OrderBook",
                        "The two sides of a pair, the best orders for a taker first.",
                        tag: "v0",
                        parameters: [
                            address("baseTokenAddress", isRequired: true, "The token of amounts."),
                            address("quoteTokenAddress", isRequired: true, "The token of prices."),
                        ] + pages,
                        answers: paged(
                            "Bids take the base token, asks give it.",
                            Schema.object([("bids", orders), ("asks", orders)])
                        )
                    )
                ]
            ),
            (
                "/v0/order/{orderHash}",
                [
                    "get": Schema.operation(
                        "v0Order",
                        "One order of the book.",
                        tag: "v0",
                        parameters: [Schema.orderHashParameter],
                        answers: [
                            (
                                "200",
                                Schema.answer(
                                    "The signed order.",
                                    order,
                                    headers: Schema.readHeaders
                                )
                            ), ("404", response("NotFoundV0")),
                        ] + readFailures
                    )
                ]
            ),
        ] + posts(order)
    }

    private func posts(_ order: JSONValue) -> OpenAPISchema.Members {
        let limit = "at most \(RelayConfiguration.maximumBodyBytes) bytes"
        return [
            (
                "/v0/fees",
                [
                    "post": Schema.operation(
                        "v0Fees",
                        "The fees that an order of these terms must have.",
                        tag: "v0",
                        body: Schema.body(
                            Schema.reference("FeesRequestV0"),
                            "An order without its fees and signature, \(limit)."
                        ),
                        answers: [
                            (
                                "200",
                                Schema.answer(
                                    "Copy all three into the order before it is signed.",
                                    Schema.reference("FeesV0")
                                )
                            )
                        ] + postFailures
                    )
                ]
            ),
            (
                "/v0/order",
                [
                    "post": Schema.operation(
                        "v0PostOrder",
                        "Puts a signed order on the book; a known one is accepted again.",
                        tag: "v0",
                        body: Schema.body(order, "A signed order, \(limit)."),
                        answers: [
                            ("201", Schema.answer("The order is checked and on disk.", nil))
                        ] + postFailures
                    )
                ]
            ),
        ]
    }

    // MARK: Schemas

    private static let orderAddresses = [
        "exchangeContractAddress", "maker", "taker", "makerTokenAddress", "takerTokenAddress",
    ]

    var schemas: OpenAPISchema.Members {
        let number = Schema.text(
            "^[0-9]{1,78}(\\.0{1,40})?$",
            longest: 128,
            description: "A whole number below 2^256 in decimal digits, in base units."
        )
        func members(_ names: [String], _ schema: JSONValue) -> OpenAPISchema.Members {
            names.map { ($0, schema) }
        }
        let addresses = members(Self.orderAddresses, Schema.reference("Address"))
        let recipient = members(["feeRecipient"], Schema.reference("Address"))
        let times = members(["expirationUnixTimestampSec", "salt"], number)
        let amounts = members(["makerTokenAmount", "takerTokenAmount"], number)
        let fees = members(["makerFee", "takerFee"], number)
        let signature = Schema.object([
            ("v", Schema.choice([27, 28])), ("r", hex), ("s", hex),
        ])
        let side = Schema.object(
            [("address", Schema.reference("Address"))],
            optional: [
                ("minAmount", Schema.reference("Amount")),
                ("maxAmount", Schema.reference("Amount")), ("precision", Schema.integer(0...255)),
            ]
        )
        return [
            (
                "OrderV0",
                Schema.object(
                    addresses + recipient + amounts + fees + times
                        + [("ecSignature", signature)],
                    description: "A signed order of 0x v1.",
                    example: OpenAPIExamples.orderV0
                )
            ),
            ("FeesRequestV0", Schema.object(addresses + times, optional: amounts)),
            (
                "FeesV0",
                Schema.object(
                    recipient + members(["makerFee", "takerFee"], Schema.reference("Amount")),
                    example: OpenAPIExamples.feesV0
                )
            ),
            ("TokenPairV0", Schema.object([("tokenA", side), ("tokenB", side)])),
            (
                "ErrorV0",
                Schema.object(
                    [
                        (
                            "code",
                            Schema.choice(
                                [100, 101, 102, 103],
                                description: "100 validation failed, 101 malformed JSON, 102 order "
                                    + "submission disabled, 103 throttled."
                            )
                        ),
                        ("reason", Schema.text()),
                    ],
                    optional: [("validationErrors", Schema.fieldErrors(codes: 1_000...1_006))],
                    example: OpenAPIExamples.errorV0
                )
            ),
        ]
    }

    private var hex: JSONValue { Schema.text("^0[xX][0-9A-Fa-f]{64}$") }
}
