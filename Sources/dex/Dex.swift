import ArgumentParser

/// The `dex` command line.
struct Dex: AsyncParsableCommand {
    /// What `dex --version` prints.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "dex",
        abstract: "Trade ERC-20 tokens on 0x relays from the terminal, with your own keys.",
        discussion: """
            PAIR is BASE/QUOTE, such as ZRX/WETH, or two addresses. Amounts are in human units \
            of BASE. Anything that moves money shows its whole plan and asks first.

            To try it offline: dex sandbox up --detach, then dex orderbook ZRX/WETH.
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Read",
                subcommands: [
                    OrderbookCommand.self, PriceCommand.self, PairsCommand.self,
                    TokensCommand.self,
                ]
            ),
            CommandGroup(
                name: "Trade",
                subcommands: [
                    MarketBuyCommand.self, MarketSellCommand.self, PlaceLimitCommand.self,
                    FillCommand.self, CancelCommand.self,
                ]
            ),
            CommandGroup(
                name: "Follow",
                subcommands: [
                    OrdersCommand.self, OrderCommand.self, StatusCommand.self,
                    BalanceCommand.self,
                ]
            ),
            CommandGroup(
                name: "Settings and sandbox",
                subcommands: [NetworkCommand.self, ConfigCommand.self, SandboxCommand.self]
            ),
        ]
    )
}
