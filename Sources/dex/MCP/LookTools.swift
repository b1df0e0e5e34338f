import DexTerminal

/// The tools that only look: each is a command of `dex`, and answers its `data`.
extension Tool {
    static let looking: [Tool] = [
        look(
            PriceCommand.self,
            "price",
            "Price",
            "Best bid, ask and mid of a pair, and what an amount of BASE costs or brings.",
            [
                pair,
                .optional("side", .words(["buy", "sell"]), "With amount; buy if left out"),
                .optional("amount", .text(most: 80), "Of BASE, such as 1.5"),
            ]
        ) { call in
            (
                ["price"] + option("side", call) + option("amount", call),
                [call.text("pair")]
            )
        },
        look(
            OrderbookCommand.self,
            "orderbook",
            "Order book",
            "Bids and asks of a pair: verified, fillable, best first.",
            [pair, .optional("depth", .integer(1...100), "Rows a side; 10 if left out")]
        ) { call in
            (["orderbook", "--depth=\(call.integer("depth") ?? 10)"], [call.text("pair")])
        },
        look(
            PairsCommand.self,
            "pairs",
            "Pairs",
            "Pairs that can be traded, with prices, depth and volume.",
            [limit]
        ) { call in
            (["pairs"] + number("limit", call), [])
        },
        look(
            TokensCommand.ListCommand.self,
            "tokens",
            "Tokens",
            "Known tokens of the network.",
            [
                .optional("query", .text(most: 80), "A part of symbol, name or address"),
                limit,
            ]
        ) { call in
            (
                ["tokens", "list", "--limit=\(call.integer("limit") ?? 50)"],
                [call.text("query")]
            )
        },
        look(
            ChartCommand.self,
            "chart",
            "Chart",
            "Candles and volume of a pair, from trades on chain.",
            [
                pair,
                .optional("interval", .text(most: 20), "Of a candle, 1m to 7d; 1h if left out"),
                since,
            ]
        ) { call in
            (["chart"] + option("interval", call) + option("since", call), [call.text("pair")])
        },
        look(
            BalanceCommand.self,
            "balance",
            "Balance",
            "Coin, tokens, allowances and their value, of the account."
        ) { _ in (["balance"], []) },
        look(
            OrdersCommand.self,
            "orders",
            "Orders",
            "The account's own orders; with pair, all orders of a pair.",
            [.optional("pair", .pair)]
        ) { call in
            (["orders"] + (call.text("pair").map { ["--pair=\($0)"] } ?? ["--mine"]), [])
        },
        look(
            WhyCommand.self,
            "why",
            "Why",
            "Why an order can or cannot be filled now.",
            [ToolParameter("order", .hash(isWhole: false))]
        ) { call in (["why"], [call.text("order")]) },
        look(
            StatusCommand.self,
            "status",
            "Status",
            "What became of a transaction or an order.",
            [ToolParameter("hash", .hash(isWhole: false))]
        ) { call in (["status"], [call.text("hash")]) },
        look(
            HistoryCommand.ListCommand.self,
            "history",
            "History",
            "The account's trades, and the profit of each pair.",
            [since, limit]
        ) { call in
            (["history", "list"] + option("since", call) + number("limit", call), [])
        },
    ]

    private static let pair = ToolParameter("pair", .pair, "BASE/QUOTE: symbols or addresses")
    private static let limit = ToolParameter.optional("limit", .integer(1...1_000), "Most rows")
    private static let since = ToolParameter.optional(
        "since",
        .text(most: 40),
        "2026-11-01, or how long ago: 7d"
    )

    /// - Parameter line: the words of the command, and its arguments, of which some may be missing.
    private static func look<Command: DexCommand>(
        _ command: Command.Type,
        _ name: String,
        _ title: String,
        _ about: String,
        _ parameters: [ToolParameter] = [],
        _ line: @escaping @Sendable (ToolArguments) -> (words: [String], operands: [String?])
    ) -> Tool {
        let description = ToolDescription(
            name,
            title,
            about,
            ring: .look,
            parameters: parameters,
            answer: Command.answer ?? Answer(.object([]))
        )
        return Tool(description: description) { call in
            let (words, operands) = line(call.arguments)
            return try await call.run(words, operands.compactMap(\.self))
        }
    }

    private static func option(_ name: String, _ arguments: ToolArguments) -> [String] {
        arguments.text(name).map { ["--\(name)=\($0)"] } ?? []
    }

    private static func number(_ name: String, _ arguments: ToolArguments) -> [String] {
        arguments.integer(name).map { ["--\(name)=\($0)"] } ?? []
    }
}
