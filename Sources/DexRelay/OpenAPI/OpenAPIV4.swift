import StrictJSON

/// The OpenAPI description of the standard relayer API v4, below both of its bases.
struct OpenAPIV4: OpenAPIPart {
    private typealias Schema = OpenAPISchema
    private typealias Answers = [(status: String, answer: JSONValue)]

    private func response(_ name: String) -> JSONValue { Schema.reference(name, "responses") }

    private var readFailures: Answers {
        [
            ("304", response("NotModified")), ("400", response("InvalidV4")),
            ("429", response("ThrottledV4")), ("500", response("FailedV4")),
        ]
    }

    private var postFailures: Answers {
        [
            ("400", response("InvalidV4")), ("413", response("TooLargeV4")),
            ("429", response("ThrottledV4")), ("500", response("FailedV4")),
            ("503", response("UnavailableV4")),
        ]
    }

    private var pages: [JSONValue] {
        [
            Schema.query(
                "page",
                Schema.integer(1...UInt64(Int32.max), standard: 1),
                "The page, from 1. A page beyond the end has no records."
            ),
            Schema.query(
                "perPage",
                Schema.integer(
                    1...UInt64(QueryV4.maximumPageSize),
                    standard: QueryV4.standardPageSize
                ),
                "How many records are on a page; of a book, on each side."
            ),
        ]
    }

    var paths: OpenAPISchema.Members {
        [("/sra/v4", "/sra/v4/orderbook", "sra"), ("/orderbook/v1", "/orderbook/v1", "book")]
            .flatMap { base, book, prefix in reads(base, book, prefix) + posts(base, prefix) }
    }

    private func read(
        _ id: String,
        _ summary: String,
        _ parameters: [JSONValue],
        _ schema: JSONValue,
        _ more: Answers = []
    ) -> JSONValue {
        let answers: Answers =
            [("200", Schema.answer(summary, schema, headers: Schema.readHeaders))] + more
            + readFailures
        return [
            "get": Schema.operation(
                id,
                summary,
                tag: "v4",
                parameters: parameters,
                answers: answers
            )
        ]
    }

    private func reads(
        _ base: String,
        _ book: String,
        _ prefix: String
    ) -> OpenAPISchema.Members {
        let address = Schema.reference("Address")
        let records = Schema.reference("PageV4")
        return [
            (
                book,
                read(
                    "\(prefix)OrderBook",
                    "The two sides of a pair, the cheapest for a taker first, fees included.",
                    [
                        Schema.query(
                            "baseToken",
                            address,
                            isRequired: true,
                            "The token of amounts."
                        ),
                        Schema.query(
                            "quoteToken",
                            address,
                            isRequired: true,
                            "The token of prices."
                        ),
                    ] + pages,
                    Schema.object([("bids", records), ("asks", records)])
                )
            ),
            (
                "\(base)/orders",
                read(
                    "\(prefix)Orders",
                    "Orders by their hashes.",
                    filters + pages,
                    records
                )
            ),
            (
                "\(base)/order/{orderHash}",
                read(
                    "\(prefix)Order",
                    "One order of the book.",
                    [Schema.orderHashParameter],
                    Schema.reference("RecordV4"),
                    [("404", response("NotFoundV4"))]
                )
            ),
            (
                "\(base)/fee_recipients",
                read(
                    "\(prefix)FeeRecipients",
                    "The addresses that get fees of orders here.",
                    pages,
                    envelope(address)
                )
            ),
        ]
    }

    /// Each filter that the API knows; `chainId` is refused and therefore not named.
    private var filters: [JSONValue] {
        RecordFilterV4.kinds.sorted { $0.key < $1.key }.compactMap { name, kind in
            let schema: JSONValue
            switch kind {
            case .address: schema = Schema.reference("Address")
            case .word: schema = Schema.reference("Word")
            case .number: schema = Schema.reference("Amount")
            case .flag:
                return Schema.query(
                    name,
                    ["type": "boolean"],
                    "true adds orders that left the book; it needs `maker`."
                )
            case .never: return nil
            }
            return Schema.query(name, schema, "Only orders with this \(name).")
        }
    }

    private func posts(_ base: String, _ prefix: String) -> OpenAPISchema.Members {
        let order = Schema.reference("PostedOrderV4")
        let skip = Schema.query(
            "skipConfirmation",
            ["type": "boolean"],
            "No effect: the answer comes when the order is checked and on disk."
        )
        let accepted: Answers = [("200", Schema.answer("Checked and on disk.", nil))]
        return [
            (
                "\(base)/order_config",
                [
                    "post": Schema.operation(
                        "\(prefix)OrderConfig",
                        "The fields that an order of these terms must have.",
                        tag: "v4",
                        body: Schema.body(
                            Schema.reference("ConfigRequestV4"),
                            "The terms, at most \(RelayConfiguration.maximumBodyBytes) bytes."
                        ),
                        answers: [
                            (
                                "200",
                                Schema.answer(
                                    "Copy all three into the order before it is signed.",
                                    Schema.reference("ConfigV4")
                                )
                            )
                        ] + postFailures
                    )
                ]
            ),
            (
                "\(base)/order",
                [
                    "post": Schema.operation(
                        "\(prefix)PostOrder",
                        "Puts a signed order on the book; a known one is accepted again.",
                        tag: "v4",
                        parameters: [skip],
                        body: Schema.body(
                            order,
                            "A signed order, at most \(RelayConfiguration.maximumBodyBytes) bytes."
                        ),
                        answers: accepted + postFailures
                    )
                ]
            ),
            (
                "\(base)/orders",
                [
                    "post": Schema.operation(
                        "\(prefix)PostOrders",
                        "Puts all of these orders on the book, or none.",
                        tag: "v4",
                        parameters: [skip],
                        body: Schema.body(
                            Schema.list(order, longest: RelayAPIV4.mostPosted),
                            "At most \(RelayAPIV4.mostPosted) signed orders and "
                                + "\(RelayAPIV4.maximumBodyBytes) bytes. A fault's field names the "
                                + "order, as in `[3].expiry`."
                        ),
                        answers: accepted + postFailures
                    )
                ]
            ),
            (
                "\(base)/order/persistent",
                [
                    "post": Schema.operation(
                        "\(prefix)PostPersistent",
                        "Not offered here.",
                        tag: "v4",
                        answers: [
                            (
                                "501",
                                Schema.answer(
                                    "Not offered.",
                                    Schema.reference("FailureV4")
                                )
                            ), ("429", response("ThrottledV4")),
                        ]
                    )
                ]
            ),
        ]
    }

    private func envelope(_ record: JSONValue) -> JSONValue {
        Schema.object([
            ("total", Schema.integer()), ("page", Schema.integer(1...UInt64(Int32.max))),
            ("perPage", Schema.integer(1...UInt64(QueryV4.maximumPageSize))),
            ("records", Schema.list(record, longest: QueryV4.maximumPageSize)),
        ])
    }

    // MARK: Schemas

    private var terms: OpenAPISchema.Members {
        let address = Schema.reference("Address")
        return [
            ("maker", address), ("makerToken", address), ("takerToken", address),
            ("verifyingContract", address), ("makerAmount", Schema.amount(bits: 128)),
            ("takerAmount", Schema.amount(bits: 128)), ("expiry", Schema.amount(bits: 64)),
        ]
    }

    private var options: OpenAPISchema.Members {
        let address = Schema.reference("Address")
        return [
            ("taker", address), ("feeRecipient", address),
            (
                "sender",
                Schema.text(
                    "^0x0{40}$",
                    description: "The zero address: an order for one sender is not carried."
                )
            ),
            ("pool", Schema.reference("Word")),
            ("takerTokenFeeAmount", Schema.amount(bits: 128)),
        ]
    }

    var schemas: OpenAPISchema.Members {
        let signed: OpenAPISchema.Members = [
            ("salt", Schema.amount(bits: 256)), ("chainId", Schema.integer(0...UInt64.max)),
            (
                "signature",
                Schema.object([
                    (
                        "signatureType",
                        Schema.choice([2, 3], description: "2 is EIP712, 3 is ETHSIGN.")
                    ), ("v", Schema.choice([27, 28])), ("r", Schema.reference("Word")),
                    ("s", Schema.reference("Word")),
                ])
            ),
        ]
        let taker: OpenAPISchema.Members = [("taker", Schema.reference("Address"))]
        return [
            (
                "OrderV4",
                Schema.object(
                    terms + signed + options,
                    description: "A signed limit order of 0x v4.",
                    example: OpenAPIExamples.orderV4
                )
            ),
            (
                "PostedOrderV4",
                Schema.object(
                    terms + signed,
                    optional: options,
                    description: "An absent address or word is zero, an absent fee 0.",
                    example: OpenAPIExamples.orderV4
                )
            ),
            ("RecordV4", record), ("PageV4", envelope(Schema.reference("RecordV4"))),
            ("ConfigRequestV4", Schema.object(terms + taker)),
            (
                "ConfigV4",
                Schema.object(
                    [
                        ("sender", Schema.reference("Address")),
                        ("feeRecipient", Schema.reference("Address")),
                        ("takerTokenFeeAmount", Schema.amount(bits: 128)),
                    ],
                    example: OpenAPIExamples.configV4
                )
            ),
            ("FailureV4", Schema.object([("reason", Schema.text())])),
            (
                "ErrorV4",
                Schema.object(
                    [
                        (
                            "code",
                            Schema.choice(
                                [100, 101, 102],
                                description: "100 validation failed, 101 malformed JSON, 102 order "
                                    + "submission disabled."
                            )
                        ),
                        ("reason", Schema.text()),
                    ],
                    optional: [("validationErrors", Schema.fieldErrors(codes: 1_000...1_010))],
                    example: OpenAPIExamples.errorV4
                )
            ),
        ]
    }

    private var record: JSONValue {
        let states: [JSONValue] = [
            "ADDED", "FILLED", "FULLY_FILLED", "CANCELLED", "EXPIRED", "UNFUNDED",
            "FILLABILITY_INCREASED", "STOPPED_WATCHING",
        ]
        return Schema.object([
            ("order", Schema.reference("OrderV4")),
            (
                "metaData",
                Schema.object([
                    ("orderHash", Schema.reference("Word")),
                    ("remainingFillableTakerAmount", Schema.reference("Amount")),
                    (
                        "state",
                        Schema.choice(states, description: "FILLED is partly filled.")
                    ),
                ])
            ),
        ])
    }
}
