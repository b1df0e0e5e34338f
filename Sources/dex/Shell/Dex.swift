import ArgumentParser

/// `dex` itself: its groups of commands.
struct Dex: DescribedCommand {
    static let version = "0.1.0"

    static let examples: Examples = [
        "Set up a network and a wallet": "dex init",
        "See the book of the sandbox": "dex book ZRX/WETH --network sandbox",
        "Plan a purchase as alice, and be asked": "dex buy ZRX/WETH 100 --network sandbox -w alice",
    ]

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

    /// The command sends requests.
    static func talksToServers(_ path: CommandPath) -> Bool {
        (starting + reading + trading + following + moving).contains { command in
            path.commands.contains { $0 == command }
        }
    }
}
