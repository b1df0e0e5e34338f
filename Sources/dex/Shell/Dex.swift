import ArgumentParser

struct Dex: AsyncParsableCommand {
    static let version = "0.1.0"

    private static let reading: [any ParsableCommand.Type] = [
        OrderbookCommand.self, LiveCommand.self, PriceCommand.self, TradesCommand.self,
        ChartCommand.self, PairsCommand.self, PoolCommand.self, TokensCommand.self,
        BlockCommand.self,
        CallCommand.self,
    ]
    private static let trading: [any ParsableCommand.Type] = [
        MarketCommand<BuyWords>.self, MarketCommand<SellWords>.self, PlaceLimitCommand.self,
        ReplaceCommand.self, FillCommand.self, CancelCommand.self, GuardCommand.self,
    ]
    private static let moving: [any ParsableCommand.Type] = [
        BalanceCommand.self, SendCommand.self, WrapCommand.self, UnwrapCommand.self,
        AllowanceCommand.self, TransactCommand.self,
    ]
    private static let following: [any ParsableCommand.Type] = [
        OrdersCommand.self, OrderCommand.self, WhyCommand.self, StatusCommand.self,
        HistoryCommand.self, ActivityCommand.self, WatchCommand.self, AlertCommand.self,
        TransactionCommand.self, ResumeCommand.self, BroadcastCommand.self, DoctorCommand.self,
    ]

    private static let starting: [any ParsableCommand.Type] = [InitCommand.self]

    static let configuration = CommandConfiguration(
        commandName: "dex",
        abstract: "Trade ERC-20 tokens on 0x relays from the terminal, with your own keys.",
        discussion: """
            Begin with dex init: it sets up a network and a wallet, and checks both. PAIR is BASE/QUOTE, such as ZRX/WETH, or two addresses. Amounts are in human units \
            of BASE. Anything that moves money shows its whole plan and asks first.
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(name: "Begin", subcommands: starting),
            CommandGroup(name: "Read", subcommands: reading),
            CommandGroup(name: "Trade", subcommands: trading),
            CommandGroup(name: "Follow", subcommands: following),
            CommandGroup(name: "Money", subcommands: moving),
            CommandGroup(
                name: "Wallets, settings, sandbox and relay",
                subcommands: [
                    WalletCommand.self, UnlockCommand.self, LockCommand.self,
                    PolicyCommand.self, NetworkCommand.self, ConfigCommand.self,
                    AddressCommand.self, AliasCommand.self, CompletionCommand.self,
                    SchemaCommand.self, MCPCommand.self, ApproveCommand.self,
                    ProviderCommand.self, SandboxCommand.self, RelayCommand.self,
                    AgentCommand.self,
                    ManualCommand.self,
                ]
            ),
        ]
    )

    /// The unparsed arguments name a command that sends requests.
    static func talksToServers(_ arguments: [String]) -> Bool {
        (starting + reading + trading + following + moving).contains { command in
            CommandTree.names(of: command).contains(where: arguments.contains)
        }
    }
}
