import StrictJSON

extension OpenAPIDocument {
    private typealias Schema = OpenAPISchema

    /// What is beside the standard APIs; `/metrics` is the operator's and not described.
    var ownPaths: OpenAPISchema.Members {
        func read(
            _ id: String,
            _ summary: String,
            _ schema: String,
            _ more: [(status: String, answer: JSONValue)] = []
        ) -> JSONValue {
            let answers: [(status: String, answer: JSONValue)] =
                [("200", Schema.answer(summary, Schema.reference(schema)))] + more
            return ["get": Schema.operation(id, summary, tag: "relay", answers: answers)]
        }
        let notModified: [(status: String, answer: JSONValue)] = [
            ("304", Schema.reference("NotModified", "responses"))
        ]
        return [
            (
                "/relay.json",
                read("relay", "The relay's name, APIs and tokens.", "Relay", notModified)
            ),
            (
                "/markets.json",
                read("markets", "Every pair with its best prices.", "Markets", notModified)
            ),
            ("/healthz", read("health", "The process answers.", "Health")),
            (
                "/readyz",
                read(
                    "readiness",
                    "A load balancer may send clients here.",
                    "Health",
                    [("503", Schema.answer("Not now, and why.", Schema.reference("Health")))]
                )
            ),
        ]
    }

    var ownSchemas: OpenAPISchema.Members {
        let address = Schema.reference("Address")
        let amount = Schema.reference("Amount")
        let price = Schema.object([("baseAmount", amount), ("quoteAmount", amount)])
        return [
            (
                "Health",
                Schema.object(
                    [("status", Schema.choice(["ok", "ready", "not ready"]))],
                    optional: [("reasons", Schema.list(Schema.text(), shortest: 1))]
                )
            ),
            (
                "Relay",
                Schema.object(
                    [
                        ("name", ["type": "string"]), ("version", ["type": "string"]),
                        ("apis", Schema.list(api, shortest: 1)),
                        (
                            "tokens",
                            Schema.list(
                                Schema.object(
                                    [
                                        ("address", address), ("symbol", ["type": "string"]),
                                        ("decimals", Schema.integer(0...255)),
                                    ]
                                )
                            )
                        ),
                    ],
                    optional: [
                        ("url", ["type": "string"]), ("network", ["type": "string"]),
                        ("chainId", Schema.integer()),
                    ]
                )
            ),
            (
                "Markets",
                Schema.object([
                    (
                        "markets",
                        Schema.list(
                            Schema.object(
                                [
                                    ("api", apiName), ("base", address), ("quote", address),
                                    ("bids", Schema.integer()), ("asks", Schema.integer()),
                                ],
                                optional: [("bestBid", price), ("bestAsk", price)]
                            ),
                            longest: RelayDescription.mostMarkets
                        )
                    )
                ])
            ),
        ]
    }

    private var apiName: JSONValue {
        Schema.choice(interfaces.map { .string($0.name) })
    }

    private var api: JSONValue {
        Schema.object([
            ("api", apiName),
            ("protocol", Schema.choice(["v1", "v4"], description: "The version of 0x.")),
            ("paths", Schema.list(Schema.text("^/"), shortest: 1)),
            ("webSocket", Schema.text("^/")),
            ("exchange", Schema.reference("Address")),
            ("acceptsOrders", ["type": "boolean"]),
        ])
    }
}
